"""LIBRA: long texts in Russian, from 4 to 128 thousand tokens."""
