"""Runs that other harnesses made, read from their logs and joined to the items of a study."""
