"""Who can answer instead of a person, one provider per file."""
