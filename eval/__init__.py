"""What it is worth: pure functions over answers; no input or output, no SQL, no pages."""
