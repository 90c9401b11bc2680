"""Signed values: what we signed is read back, anything else is nobody."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from annotate.accounts.installation_secret import installation_secrets
from annotate.accounts.signer import Signer, worker_cookie_name
from data.errors import BadSetting
from db.settings import Settings
from db.tables import PlaceKey

SIGNER, OTHER = Signer("one secret"), Signer("another secret")
SEVENTH = PlaceKey(7, "nonce")


def test_a_signed_value_is_read_back_by_the_same_secret_only() -> None:
    assert SIGNER.enrolment(SIGNER.worker_cookie(SEVENTH)) == SEVENTH
    assert OTHER.enrolment(SIGNER.worker_cookie(SEVENTH)) is None
    signed = SIGNER.sign_in(SIGNER.sign_in_cookie("owner", 3))
    assert signed is not None
    assert (signed.account, signed.version) == ("owner", 3)
    assert signed != SIGNER.sign_in(SIGNER.sign_in_cookie("owner", 3)), "each sign-in can be told from the others"
    assert SIGNER.account_of(SIGNER.account_key("ann", 2)) == ("ann", 2)
    assert OTHER.sign_in(SIGNER.sign_in_cookie("owner")) is None
    assert OTHER.account_of(SIGNER.account_key("ann", 2)) is None


def test_a_workers_cookie_does_not_sign_in_staff() -> None:
    assert SIGNER.sign_in(SIGNER.worker_cookie(SEVENTH)) is None
    assert SIGNER.enrolment(SIGNER.sign_in_cookie("owner")) is None


def test_a_browser_that_was_signed_in_before_is_known_for_that_account_alone() -> None:
    cookie = SIGNER.known_cookie("ann")
    assert SIGNER.known_browser(cookie, "ann") == SIGNER.known_browser(cookie, "ann") != ""
    assert SIGNER.known_browser(cookie, "owner") == OTHER.known_browser(cookie, "ann") == ""
    assert SIGNER.known_browser(SIGNER.sign_in_cookie("ann"), "ann") == ""
    assert SIGNER.sign_in(cookie) is None


def test_a_link_for_a_password_is_no_sign_in_and_a_sign_in_no_such_link() -> None:
    assert SIGNER.sign_in(SIGNER.account_key("owner", 0)) is None
    assert SIGNER.account_of(SIGNER.sign_in_cookie("owner", 0)) is None


@pytest.mark.parametrize("cookie", [None, "", "7", "7.x", "owner", "ключ", "a" * 10_000])
def test_a_forged_cookie_is_nobody(cookie: str | None) -> None:
    assert SIGNER.enrolment(cookie) is None
    assert SIGNER.sign_in(cookie) is None


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
    settings = Settings(home=tmp_path / "var")
    first, _ = installation_secrets(settings)
    assert installation_secrets(settings) == (first, {})
    assert len(first) >= 32
    assert (tmp_path / "var" / "secret").stat().st_mode & 0o077 == 0


def test_servers_that_start_at_once_make_one_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = {secret for secret, _ in pool.map(installation_secrets, [Settings(home=tmp_path / "var")] * 16)}
    assert len(made) == 1
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret"]


@pytest.mark.parametrize("secret", ["", "secret", "a" * 64, " " * 64])
def test_a_secret_that_keeps_nothing_is_refused(tmp_path: Path, secret: str) -> None:
    with pytest.raises(BadSetting, match="ETALON_SECRET"):
        installation_secrets(Settings(home=tmp_path, secret=SecretStr(secret)))
    assert not list(tmp_path.iterdir())
    (tmp_path / "secret").write_text(secret)
    with pytest.raises(BadSetting, match="secret"):
        installation_secrets(Settings(home=tmp_path))


def test_a_chosen_secret_is_the_one_that_signs(tmp_path: Path) -> None:
    chosen = "0123456789abcdef0123456789abcdef"
    settings = Settings(home=tmp_path, secret=SecretStr(chosen))
    assert installation_secrets(settings) == (chosen, {})
    assert chosen not in repr(settings)


def test_each_study_has_its_own_cookie() -> None:
    assert worker_cookie_name("a") != worker_cookie_name("b")
