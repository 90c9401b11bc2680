"""Models answer; people and models become baselines, side by side."""
