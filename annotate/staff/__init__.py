"""The requesters' side of a study: making it, following it, deciding, paying, downloading."""
