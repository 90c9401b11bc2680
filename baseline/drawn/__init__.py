"""The results as HTML: each module draws one part of a page."""
