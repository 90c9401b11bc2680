"""Tasks in which people write what later becomes items, and the tasks that validate what was written."""
