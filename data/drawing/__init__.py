"""An item as HTML."""
