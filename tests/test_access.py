"""Signed values: what we signed is read back, anything else is nobody."""

from pathlib import Path

import pytest

from annotate.access import Signer, installation_secret, worker_cookie_name

SIGNER, OTHER = Signer("one secret"), Signer("another secret")


def test_a_signed_value_is_read_back_by_the_same_secret_only() -> None:
    assert SIGNER.enrolment(SIGNER.worker_cookie(7)) == 7
    assert OTHER.enrolment(SIGNER.worker_cookie(7)) is None
    assert SIGNER.account(SIGNER.staff_cookie("owner")) == "owner"
    assert OTHER.account(SIGNER.staff_cookie("owner")) is None


def test_a_workers_cookie_does_not_sign_in_staff() -> None:
    assert SIGNER.account(SIGNER.worker_cookie(7)) is None
    assert SIGNER.enrolment(SIGNER.staff_cookie("owner")) is None


@pytest.mark.parametrize("cookie", [None, "", "7", "7.x", "owner", "ключ", "a" * 10_000])
def test_a_forged_cookie_is_nobody(cookie: str | None) -> None:
    assert SIGNER.enrolment(cookie) is None
    assert SIGNER.account(cookie) is None


def test_an_invitation_opens_its_own_study() -> None:
    key = SIGNER.invitation("demo")
    assert SIGNER.invited("demo", key)
    assert not SIGNER.invited("other", key)
    assert not SIGNER.invited("demo", "ключ")
    assert not OTHER.invited("demo", key)


def test_a_token_names_the_lease_of_its_worker_only() -> None:
    token = SIGNER.token(7, 12)
    assert SIGNER.place(7, token) == 12
    assert SIGNER.place(8, token) is None


@pytest.mark.parametrize(
    "token", ["", "12", "12.", "x.y", "-1.abc", "١٢.abc", "9" * 5000 + ".a", "ключ.ключ", "12.ключ", "12.\ud800"]
)
def test_a_forged_token_names_nothing(token: str) -> None:
    assert SIGNER.place(7, token) is None


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    first = installation_secret(tmp_path / "var")
    assert installation_secret(tmp_path / "var") == first
    assert len(first) >= 32
    assert (tmp_path / "var" / "secret").stat().st_mode & 0o077 == 0


def test_each_study_has_its_own_cookie() -> None:
    assert worker_cookie_name("a") != worker_cookie_name("b")
