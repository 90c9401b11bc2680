"""Commands about what answers are worth, and those that ask models."""
