"""Metrics, and the table that names them."""
