"""RusConText: understanding of short contexts in Russian."""
