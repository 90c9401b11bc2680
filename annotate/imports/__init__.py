"""Logs of other platforms become studies."""
