"""Consensus: rules that turn several judgments of an item into one answer, and what becomes of ties."""
