"""Item response theory: respondents and items on one scale, how items fit it, and short forms."""
