"""The results as files: reports, tables, submissions, packages."""
