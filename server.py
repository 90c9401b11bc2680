"""The program as a server: its pages and routes composed, made ready and served; `app.py` is the command line."""

import gc
import os
import socket
import sys
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import gradio
import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from gradio.context import LocalContext
from gradio.utils import function_wrapper
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse

from annotate.accounts.guard import Guard, nothing_here
from annotate.accounts.installation_secret import refuse_a_guessed_owner, refuse_open_doors, signer_of
from annotate.accounts.login import (
    FOUND,
    INSTITUTION,
    Accounts,
    account_routes,
    account_with_role,
    address_of,
    unavailable,
)
from annotate.accounts.operator_routes import operator_routes
from annotate.accounts.proxies import Proxies, network_of
from annotate.accounts.register import Register
from annotate.accounts.signer import Signer
from annotate.accounts.slow_requests import arriving_within
from annotate.accounts.uploads import UploadGate, Uploads, private
from annotate.demo_studies import create_demos
from annotate.pages import accounts_page
from annotate.pages.manage import studies_page as manage
from annotate.pages.manage.theme import theme
from annotate.requesters.oversight import erase_people
from annotate.requesters.requester_service import RequesterService, file_routes
from annotate.requesters.study_card import unknown_settings
from annotate.worker.api import Acts, worker_routes
from annotate.worker.service import Service
from baseline.demo_runs import run_naive, run_simulated
from baseline.output.computed_exports import EXPORTS
from baseline.pages import models, results_page
from baseline.pages.board import Board, board_routes
from baseline.pages.models_service import ModelsService
from baseline.pages.result_files import batch_files, results_files
from baseline.pages.results_page import Prefetch, StudyCache
from data.catalogue.catalog import tasks
from data.console import tell
from data.drawing.environment import STATIC
from data.drawing.page_header import HEAD
from data.errors import BadSetting
from data.limits import LARGEST_UPLOAD
from data.log import LOG
from data.log_lines import configure
from db.access import NOBODY, limit_to
from db.accounts import ROLES, ensure_owner, is_new
from db.engine import Database, alone, open_database, reading, writing
from db.exports import ComputedFiles
from db.faults import meaning
from db.retention import expiring
from db.settings import Settings
from db.studies import list_studies

PAGE_THREADS = 8  # of each page, for its events; they take none of those in which sign-in and workers are served
QUEUE_PAUSE = 0.1  # seconds that an event of a page may have to wait for its turn
MANNERS: dict[str, Any] = {
    "footer_links": [],
    "run_history": False,
    "ssr_mode": False,
    "show_error": False,
    "mcp_server": False,
    "enable_monitoring": False,
    "pwa": False,
    "max_file_size": LARGEST_UPLOAD,
}
"""What all pages made with Gradio have in common."""
FAILED = PlainTextResponse("the server failed at this; its log has the cause", 500, {"Connection": "close"})
RESPONSES: dict[int | type[Exception], Any] = {
    404: lambda request, error: nothing_here(request, str(error)),
    Exception: lambda request, error: unavailable(request) if meaning(error) else FAILED,
}
"""What is said where a route answers with nothing of its own."""
INSTITUTION_APP = "annotate.accounts.institution:institution_app"
"""Imported where it is used alone: Authlib takes long."""
WORKER_FILES = Path(__file__).parent / "annotate" / "static"


def serve() -> None:
    """Make what the first start makes, say where everything is, and serve until stopped; raises BadSetting."""
    settings = Settings()
    refuse_a_taken_port(settings)
    refuse_open_doors(settings)
    configure(settings.log)
    database = open_database(settings.database)
    signer = signer_of(database, settings)
    password = first_start(database, signer, settings)
    refuse_a_guessed_owner(database, settings)
    cache, requesters = StudyCache(database), requester_service(database, signer, settings)
    application = build_app(database, signer, settings, cache, requesters)
    announce(requesters, password)
    # What was made so far stays until the end: the collector need not go through all of it again and again.
    gc.collect()
    gc.freeze()
    with expiring(database, others=[partial(erase_people, settings.home), uploads_of(settings).sweep]):
        uvicorn.run(
            application,
            host=settings.host,
            port=settings.port,
            http=arriving_within(settings.request_seconds),
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the guard reads them
        )


def refuse_a_taken_port(settings: Settings) -> None:
    """Raise BadSetting where another program listens already, before anything is made."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            where = f"{settings.host}:{settings.port}"
            raise BadSetting(
                f"{where} cannot be listened on ({error.strerror}); set ETALON_PORT or ETALON_HOST"
            ) from error


def first_start(database: Database, signer: Signer, settings: Settings) -> str | None:
    """Make the owner's account and, where there is nothing yet, the demo studies; return a password made just now."""
    chosen = settings.owner_password.get_secret_value() if settings.owner_password else None
    with alone(database):
        with reading(database) as session:
            new = is_new(session) and not list_studies(session)
        if new and settings.demo:
            say("first start: making the demo studies, a few seconds…")
            for study in create_demos(Service(database, signer)):
                run_naive(database, study)
                run_simulated(database, study)
        with writing(database) as session:
            return ensure_owner(session, chosen)


def say(sentence: str) -> None:
    """Say something at the start: to whoever is at the terminal, else in the log."""
    (tell if sys.stderr.isatty() else LOG.info)(sentence)


def announce(requesters: RequesterService, password: str | None) -> None:
    """Say where everything is, and the owner's password the only time it can be read.

    Invitation links are for who tries the program at a terminal: no log is to have them.
    """
    say(f"Manage   {requesters.address}/manage/")
    say(f"Results  {requesters.address}/results/")
    for fault in tasks().readable()[1]:
        say(f"A task is left out: {fault}")
    for card in requesters.studies():
        if note := unknown_settings(card.study):
            say(note)
        if password and sys.stderr.isatty() and card.study.status == "open":
            say(f"Worker   {requesters.invitation(card)}")
    if password:
        say(f"Owner    name owner, password {password}  (shown this once)")


def uploads_of(settings: Settings) -> Uploads:
    """Return the uploads of an installation."""
    return Uploads(settings.home.resolve() / "uploads")


def build_app(
    database: Database,
    signer: Signer,
    settings: Settings,
    cache: StudyCache | None = None,
    requesters: RequesterService | None = None,
) -> Guard:
    """Return the program as one ASGI application; `cache` and `requesters` keep what was computed before."""
    # Gradio reads both when it is asked.
    uploads = uploads_of(settings)
    private(uploads.folder)
    os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "GRADIO_TEMP_DIR": str(uploads.folder)}
    requesters = requesters or requester_service(database, signer, settings)
    register = Register(database, signer, settings.address)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, exception_handlers=RESPONSES)
    cache, files = cache or StudyCache(database), ComputedFiles(database)
    app.add_middleware(Prefetch, studies=cache)
    app.add_middleware(UploadGate, uploads=uploads)
    app.add_middleware(CORSMiddleware, allow_origins=[settings.address], allow_methods=["GET", "POST"])
    app.mount("/static/look", StaticFiles(directory=STATIC))
    app.mount("/static/annotate", StaticFiles(directory=WORKER_FILES))
    acts = Acts(Service(database, signer), framed=settings.framed)
    accounts = Accounts(database, signer, settings.framed, settings.passing, bool(settings.oidc_issuer))
    for routes in (
        worker_routes(acts),
        account_routes(accounts),
        file_routes(requesters, files),
        operator_routes(database, settings),
    ):
        app.include_router(routes)
    if settings.oidc_issuer:
        app.mount(INSTITUTION, resolve_name(INSTITUTION_APP)(accounts, settings))
    app.add_api_route("/items/", items_moved)
    app.add_api_route("/favicon.ico", lambda: RedirectResponse("/static/look/icon.svg", 301))
    asked = ModelsService.of(database, settings)
    viewer, manager, owner = (account_with_role(database, signer, least) for least in ROLES)
    app.include_router(results_files(files, viewer))
    app.include_router(batch_files(database, manager))
    source = partial(submission_source, signer)
    app.include_router(board_routes(Board(database, cache), source, manager, owner))
    for blocks, path, dependency, look in (
        (manage.build_page(requesters), "/manage", manager, {"theme": theme(), "head": HEAD}),
        (models.build_page(asked), "/models", manager, {"theme": theme(), "head": models.HEAD}),
        (results_page.build_page(cache), "/results", viewer, {"theme": theme(), "head": HEAD}),
        (accounts_page.build_page(register), "/accounts", owner, {"theme": theme(), "head": HEAD}),
    ):
        gradio.mount_gradio_app(app, blocks, path=path, auth_dependency=dependency, **look, **MANNERS)
        quiet_gradio(blocks)
        limit_events(blocks)
    workers, proxies = ServerErrorMiddleware(acts, RESPONSES[Exception]), Proxies.of(settings.proxies)
    return Guard(app, database, signer, settings.frame_ancestors, settings.hosts, workers, proxies, settings.framed)


def submission_source(signer: Signer, request: Request) -> str:
    """Return what stands for the network that a request comes from where submissions are counted."""
    return signer.digest_once("submission", network_of(address_of(request)))


def items_moved(request: Request) -> RedirectResponse:
    """Lead an old address of an item to the results, where items are now."""
    return RedirectResponse(f"/results/?{request.url.query}&tab=items", 301)


def requester_service(database: Database, signer: Signer, settings: Settings) -> RequesterService:
    """Return what requesters can do, with every file that may leave a study."""
    return RequesterService(database, signer, settings.address, exports=EXPORTS)


def limit_events(blocks: Any) -> None:
    """Let the events of a page reach the studies of the account that sent them: they run outside of its request."""
    for function in blocks.fns.values():
        if function.fn:
            function.fn = function_wrapper(function.fn, before_fn=limit_to_sender)


def limit_to_sender() -> None:
    """Let the event that begins here reach what its sender may, and nothing where that is not known."""
    sent = LocalContext.request.get(None)
    account = sent.request.scope.get(FOUND) if sent and sent.request else None
    limit_to(account.limit if account else NOBODY)


def quiet_gradio(blocks: Any) -> None:
    """Turn on what Gradio leaves off in a mounted page, and down what it overdoes there."""
    # Only a launched page looks at which files an event names, and a mounted one never counts as launched.
    blocks.has_launched = True
    blocks.max_threads = PAGE_THREADS
    blocks.create_limiter()
    # Every page's queue looks for work a thousand times a second, asked or not: five of them take a good part of a core
    # from those who answer.
    blocks._queue.sleep_when_free, blocks._queue.progress_update_sleep_when_free = QUEUE_PAUSE, 5 * QUEUE_PAUSE
