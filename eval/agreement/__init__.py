"""Inter-annotator agreement: coefficients with what a bootstrap takes of them; by label, by part, open."""
