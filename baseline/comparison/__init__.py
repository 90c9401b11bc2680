"""People and models side by side, as values and tables: how far they are apart, on which items, over which groups."""
