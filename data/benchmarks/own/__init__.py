"""Tasks of our own: patterns for studies that no benchmark has."""
