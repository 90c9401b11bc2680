"""Signing in with an institution's account, by OpenID Connect: groups there become roles here."""

from http import HTTPStatus
from typing import Any

from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from httpx import HTTPError
from joserfc.errors import JoseError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from annotate.accounts.cookies import preferred
from annotate.accounts.login import HOME, INSTITUTION, Accounts, local, login_page, page_after_login
from data.errors import BadSetting
from data.log import LOG
from db.accounts import NAMES, ROLES, NameTaken, Role, institution_account
from db.engine import transact
from db.settings import Settings

ANYBODY = "*"
MINUTES = 10  # from leaving for the institution's page to coming back
COOKIE = "etalon_institution"
PATIENCE = 10.0  # seconds that the institution has for each answer


def roles_by_group(setting: str) -> dict[str, Role]:
    """Return the roles of `ETALON_OIDC_ROLES`, such as "leads=manager, *=viewer"; raises BadSetting."""
    roles: dict[str, Role] = {}
    for part in filter(None, map(str.strip, setting.split(","))):
        group, _, role = (word.strip() for word in part.rpartition("="))
        known = next((each for each in ROLES if each == role), None)
        if not group or known is None:
            raise BadSetting(f"ETALON_OIDC_ROLES: {part!r:.80} is not GROUP=ROLE; roles are {', '.join(ROLES)}")
        roles[group] = known
    return roles


def institution_app(accounts: Accounts, settings: Settings) -> Starlette:
    """Return what answers below INSTITUTION: `/` leads to the institution, which leads back to `/back`.

    Authlib checks state, nonce, the code's verifier and the signature of what comes back. An account belongs to the
    institution's `sub`, so nobody becomes a local account, or somebody else's, by bearing its name.
    """
    issuer, roles = settings.oidc_issuer.rstrip("/"), roles_by_group(settings.oidc_roles)
    provider = OAuth().register(
        "institution",
        client_id=settings.oidc_client,
        client_secret=settings.oidc_secret.get_secret_value() if settings.oidc_secret else None,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": settings.oidc_scope,
            "code_challenge_method": "S256",
            "timeout": PATIENCE,
            "trust_env": False,
        },
    )

    async def leave(request: Request) -> Response:
        request.session["next"] = local(request.query_params.get("next", HOME))
        try:
            reply: Response = await provider.authorize_redirect(request, f"{settings.address}{INSTITUTION}/back")
        except (OAuthError, HTTPError, ValueError, KeyError) as error:
            return _failed(request, error)
        return reply

    async def back(request: Request) -> Response:
        following = request.session.pop("next", HOME)
        try:
            token = await provider.authorize_access_token(request)
            claims = dict(token["userinfo"])
            if "groups" not in claims:
                more = await provider.userinfo(token=token)
                claims = (dict(more) if more.get("sub") == claims["sub"] else {}) | claims
        except (OAuthError, HTTPError, JoseError, ValueError, KeyError) as error:
            return _failed(request, error)
        name, role = _name(claims), _role(claims, roles)
        if not name or not role:
            return _refused(request, "no_role" if name else "no_name", name)
        subject = accounts.signer.digest_once("institution", f"{issuer} {claims['sub']}")
        try:
            account = await run_in_threadpool(
                transact,
                accounts.database,
                lambda session: institution_account(
                    session, name=name, subject=subject, role=role, moment=accounts.clock()
                ),
            )
        except NameTaken:
            return _refused(request, "name_taken", name)
        if account.state != "active":
            return _refused(request, "no_role", name)
        reply = RedirectResponse(page_after_login(following, account), HTTPStatus.SEE_OTHER)
        return accounts.keep(reply, request, account)

    session = Middleware(
        SessionMiddleware,
        secret_key=accounts.signer.digest_once("institution", "session"),
        session_cookie=COOKIE,
        max_age=60 * MINUTES,
        path=INSTITUTION,
        https_only=settings.address.startswith("https:"),
    )
    return Starlette(routes=[Route("/", leave), Route("/back", back)], middleware=[session])


def _name(claims: dict[str, Any]) -> str:
    """Return what an account is called here: the institution's name for it or its address, "" where neither will do."""
    names = (str(claims.get(claim) or "").strip().lower() for claim in ("preferred_username", "email"))
    return next((name for name in names if NAMES.fullmatch(name)), "")


def _role(claims: dict[str, Any], roles: dict[str, Role]) -> Role | None:
    """Return the highest role of somebody's groups, None for nobody's."""
    groups = claims.get("groups") or []
    member = {ANYBODY, *map(str, groups if isinstance(groups, list) else [groups])}
    return max((role for group, role in roles.items() if group in member), key=ROLES.index, default=None)


def _failed(request: Request, error: Exception) -> Response:
    LOG.warning("signing in with the institution failed: %s", f"{type(error).__name__}: {error!s:.200}")
    return _refused(request, "institution")


def _refused(request: Request, mistake: str, name: str = "") -> Response:
    return login_page(preferred(request), HOME, name, mistake, HTTPStatus.FORBIDDEN, institution=True)
