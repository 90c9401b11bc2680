"""The rules on workers of a study, each in its own file: a new one is a file and a row of `QualityRules`."""
