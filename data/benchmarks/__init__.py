"""One file per benchmark task; each binds TASK."""
