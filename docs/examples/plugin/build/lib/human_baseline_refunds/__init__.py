"""Requests for refunds in reviews: what one package adds to Etalon."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Has the folders `tasks` and `samples`."""
