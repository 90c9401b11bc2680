"""What happened: the only place that knows SQL."""
