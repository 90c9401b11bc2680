"""The requesters' pages of studies."""
