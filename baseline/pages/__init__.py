"""Gradio pages of results, one file each."""
