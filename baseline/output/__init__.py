"""Human baselines and comparisons as text, Markdown, HTML, LaTeX and files."""
