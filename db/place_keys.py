"""What a worker's cookie and return link name: an enrolment, so that nobody ever comes as somebody else."""

import secrets
from typing import NamedTuple

BEFORE_NONCES = "~"  # what the nonces of rows begin with that are older than nonces


class PlaceKey(NamedTuple):
    """An enrolment's number and its nonce.

    Numbers are given again after a restored backup, nonces never are: the key of a row that is gone opens nothing. What
    was signed before there were nonces has none (""). It opens the rows of that time alone, whose nonces begin with
    BEFORE_NONCES, until its browser is given a cookie with the nonce at its next request; `annotate.accounts.signer`
    takes it only in the first epoch, that is while no backup was restored.
    """

    id: int
    nonce: str

    def opens(self, nonce: str) -> bool:
        """Return whether this is the key of the enrolment of that number, which has this nonce."""
        return self.nonce == nonce if self.nonce else nonce.startswith(BEFORE_NONCES)


def new_nonce() -> str:
    """Return what tells an enrolment from all others for good."""
    return secrets.token_urlsafe(12)
