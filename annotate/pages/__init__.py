"""Gradio pages of collection, one file each."""
