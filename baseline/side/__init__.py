"""People and models side by side: how far they are apart, on which items, over which groups and tasks."""
