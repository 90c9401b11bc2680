"""AGRR-2019: gapping, a verb left out where it was said before, in Russian sentences (Smurov et al. 2019)."""
