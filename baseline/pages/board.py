"""The board: what everybody may read of public studies, predictions that others send, and who decides on both."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from baseline.comparison.document import Document
from baseline.comparison.report_evidence import evidence_of_report
from baseline.comparison.results import model_respondent, results
from baseline.comparison.verdicts import scale_of, standings
from baseline.human.baseline import stored_rules
from baseline.imports.submissions import (
    ENDINGS,
    check_file,
    checked_contact,
    checked_name,
    submitted_predictions,
)
from baseline.output.html import drawn_with, styles
from baseline.output.study_report import public_report, results_section
from baseline.pages.result_files import Known
from baseline.pages.results_page import StudyCache
from baseline.runs.result_runs import ResultRun, name_of_result
from baseline.runs.run_state import IMPORTED
from data.drawing.page_header import HEAD, draw_masthead
from data.errors import BadSetting, EtalonError, UnknownName
from data.limits import LARGEST_SUBMISSION, MOST_SUBMITTED, SUBMISSIONS_A_DAY
from data.tables import Column, Table
from db.accounts import TooOften, count_attempt
from db.cache import Cache, fingerprints, good_for_share
from db.clock import now
from db.engine import Database, Session, reading, transact
from db.events import Cause, add_event
from db.items import list_items
from db.runs import (
    Run,
    accept_run,
    add_predictions,
    create_run,
    delete_run,
    list_runs,
    run_numbered,
    submit_run,
    submitted_runs,
)
from db.statuses import EventKind
from db.studies import Study, get_study, list_studies, set_columns

BOARD, SUBMISSIONS, STUDIES = "/board", "/board-submissions", "/board-studies"
WAITING: tuple[Column["WaitingRun"], ...] = (
    Column("model", "model", "", lambda one: one.run.model),
    Column("study", "study", "", lambda one: one.study),
    Column("score", "score", "With its 95% interval", lambda one: one.score),
    Column("unreadable", "unreadable answers", "They count as wrong", lambda one: one.unreadable),
    Column("contact", "contact", "", lambda one: one.run.contact),
    Column("sent", "sent", "", lambda one: f"{one.run.started_at:%Y-%m-%d %H:%M}"),
    Column("decision", "", "", lambda _: ""),
)
CHOICE: tuple[Column[Study], ...] = (
    Column("study", "study", "", lambda study: study.name),
    Column("public", "who reads it", "", lambda study: "everybody" if study.public else "staff"),
    Column("change", "", "", lambda _: ""),
)
RECEIVED = "Received: {} answers of {!r}. A manager looks at it before it is shown here."


@dataclass(frozen=True)
class Sent:
    """What somebody sends: the name of the model, how to reach them, and the file by its name."""

    name: str = ""
    contact: str = ""
    file: str = ""
    content: bytes = b""


@dataclass(frozen=True)
class WaitingRun:
    """A run that waits for a manager, with what it scores."""

    study: str
    run: Run
    score: str
    unreadable: int


@dataclass(frozen=True)
class Board:
    """The public studies, and what others send.

    Pages are drawn every half minute at most, however many read them; one file is read at a time.
    """

    database: Database
    studies: StudyCache
    drawn: Cache = field(default_factory=lambda: Cache(100, good_for_share(least=30)))
    checking: Lock = field(default_factory=Lock)

    def public(self, name: str) -> Study:
        """Return a public study; raises UnknownName for any other, which is not to be told from none."""
        with reading(self.database) as session:
            found = next((study for study in list_studies(session) if study.public and study.name == name), None)
        if found is None:
            raise UnknownName("study on the board", name, ())
        return found

    def page(self) -> str | None:
        """Return the board, None where no study is public."""
        with reading(self.database) as session:
            public = [study for study in list_studies(session) if study.public]
        parts = [self._kept("part", study, self._part) for study in public]
        document = Document("People and models", "The same items, scored by the same function", ())
        return drawn_with("board.html", document=document, parts=parts, **styles()) if parts else None

    def report(self, study: Study, given: Sent, said: str = "", *, taken: bool = False) -> str:
        """Return the public report of a study with the form, and what became of something that was sent."""
        document, items = self._kept("report", study, self._report)
        seen = {"study": study.name, "given": given, "said": said, "taken": taken, "endings": ", ".join(ENDINGS)}
        return drawn_with("board_study.html", document=document, items=items, **seen, **styles())

    def submit(self, study: Study, sent: Sent, source: str) -> str:
        """Keep what somebody sent until a manager decides; return what they read. Raises an EtalonError."""
        with reading(self.database) as session:
            waiting = submitted_runs(session, study=study)
            known = [run.model for run in (*list_runs(session, study=study), *waiting)]
            items = list_items(session, study=study, role="main")
        name, contact = checked_name(sent.name, known), checked_contact(sent.contact)
        check_file(sent.file, sent.content)
        if len(waiting) >= MOST_SUBMITTED:
            raise BadSetting(f"{MOST_SUBMITTED} submissions wait to be looked at. Send yours in a few days.")
        if not self.checking.acquire(blocking=False):
            raise BadSetting("Another file is being read just now. Send yours again in a minute.")
        try:
            limit, sent_at = {source: SUBMISSIONS_A_DAY}, now()
            day = sent_at + timedelta(days=1)
            transact(self.database, lambda session: count_attempt(session, limits=limit, moment=sent_at, until=day))
            with TemporaryDirectory() as folder:
                path = Path(folder) / f"predictions{Path(sent.file).suffix.lower()}"
                path.write_bytes(sent.content)
                predictions = submitted_predictions(path, study.task, items)
        except TooOften as error:
            often = f"From your network came {SUBMISSIONS_A_DAY} files within a day. Send this one tomorrow."
            raise BadSetting(often) from error
        finally:
            self.checking.release()
        settings = {IMPORTED: "jsonl", "file": path.name, "digest": sha256(sent.content).hexdigest()[:16], "samples": 1}

        def store(session: Session) -> None:
            run = create_run(session, study=study, model=name, kind="model", settings=settings)
            add_predictions(session, run=run, predictions=predictions)
            submit_run(session, run=run, contact=contact)

        transact(self.database, store)
        return RECEIVED.format(len(predictions), name)

    def management(self, *, owner: bool) -> str:
        """Return the page on which managers decide on runs, and owners on studies."""
        with reading(self.database) as session:
            found = list_studies(session)
            runs = [(study, run) for study in found for run in submitted_runs(session, study=study)]
        waiting = []
        for study, run in runs:
            human = self.studies.open(study.name).results.human
            with reading(self.database) as session:
                row = model_respondent(session, human, ResultRun(name_of_result(run), run))
            own, scale = row.scores.get(study.task.primary), scale_of(study.task)
            score = f"{scale.score(own.value)}{scale.sign} ({scale.between(own.ci)})" if own and own.n else "no gold"
            waiting.append(WaitingRun(study.name, run, score, sum(row.statuses.values()) - row.statuses.get("ok", 0)))
        seen = {
            "waiting": Table("Submitted models", WAITING, waiting),
            "studies": Table("Studies", CHOICE, found) if owner else None,
            "public": any(study.public for study in found),
        }
        return drawn_with("board_management.html", head=Markup(HEAD), masthead=draw_masthead("Board"), **seen)

    def decide(self, name: str, number: int, who: str, *, accept: bool) -> None:
        """Show a submitted run, or delete it with the address of whoever sent it."""

        def act(session: Session) -> None:
            study, cause = get_study(session, name=name), Cause(who, now())
            run = run_numbered(session, study=study, number=number, runs=submitted_runs(session, study=study))
            if accept:
                accept_run(session, study=study, run=run, cause=cause)
            else:
                delete_run(session, study=study, run=run, cause=cause, currency="")

        transact(self.database, act)

    def publish(self, name: str, who: str, *, public: bool) -> None:
        """Put a study on the board, or take it off."""

        def act(session: Session) -> None:
            study = get_study(session, name=name)
            set_columns(session, study=study, public=public)
            kind: EventKind = "published" if public else "unpublished"
            add_event(session, study_id=study.id, kind=kind, cause=Cause(who, now()))

        transact(self.database, act)

    def _kept(self, what: str, study: Study, draw: Callable[[Session, Study], Any]) -> Any:
        with reading(self.database) as session:
            mark = fingerprints(session, study_id=study.id).get(study.id, ())
            return self.drawn.get((what, study.id), mark, lambda: draw(session, study))

    def _part(self, session: Session, study: Study) -> Markup:
        found = results(session, study=study, rules=stored_rules(study))
        section = results_section(session, found, standings(found))
        named = replace(section, title=f"{study.task.title.for_requesters} · {study.name}")
        return drawn_with("board_part.html", section=named, address=f"{BOARD}/{study.name}")

    def _report(self, session: Session, study: Study) -> tuple[Document, int]:
        evidence = evidence_of_report(session, study=study, rules=stored_rules(study))
        return public_report(session, evidence), len(evidence.main)


def board_routes(board: Board, source: Callable[[Request], str], manager: Known, owner: Known) -> APIRouter:
    """Return the routes; `source` tells senders apart, the others who is signed in with a role, None for nobody."""
    routes = APIRouter()

    @routes.get(BOARD)
    def page() -> Response:
        return _shown(board.page())

    @routes.get(f"{BOARD}/{{name}}")
    def report(name: str) -> Response:
        return _of_public(board, name, lambda study: HTMLResponse(board.report(study, Sent())))

    @routes.post(f"{BOARD}/{{name}}")
    async def submit(request: Request, name: str) -> Response:
        sent, who = await _sent(request), source(request)
        return await run_in_threadpool(_of_public, board, name, lambda study: _answer(board, study, sent, who))

    @routes.get(SUBMISSIONS)
    def management(request: Request) -> Response:
        return _shown(board.management(owner=owner(request) is not None))

    @routes.post(SUBMISSIONS)
    def decide(request: Request, study: Field, run: Annotated[int, Form()], accept: Field = "") -> Response:
        return _done(lambda: board.decide(study, run, manager(request) or "", accept=bool(accept)))

    @routes.post(STUDIES)
    def publish(request: Request, study: Field, public: Field = "") -> Response:
        return _done(lambda: board.publish(study, owner(request) or "", public=bool(public)))

    return routes


Field = Annotated[str, Form(max_length=200)]


async def _sent(request: Request) -> Sent:
    """Return what a form brings; what is not there, or is no form, is as good as empty."""
    try:
        async with request.form(max_files=1, max_fields=3) as form:
            file = form.get("file")
            name, contact = (str(form.get(key) or "")[:1000] for key in ("name", "contact"))
            if not isinstance(file, UploadFile):
                return Sent(name, contact)
            return Sent(name, contact, file.filename or "", await file.read(LARGEST_SUBMISSION + 1))
    except HTTPException:
        return Sent()


def _answer(board: Board, study: Study, sent: Sent, source: str) -> Response:
    """Return the page that says what became of something that was sent."""
    try:
        said = board.submit(study, sent, source)
    except EtalonError as error:
        return HTMLResponse(board.report(study, sent, str(error)), HTTPStatus.UNPROCESSABLE_ENTITY)
    return HTMLResponse(board.report(study, Sent(), said, taken=True))


def _of_public(board: Board, name: str, answer: Callable[[Study], Response]) -> Response:
    try:
        study = board.public(name)
    except UnknownName:
        return _shown(None)
    return answer(study)


def _shown(page: str | None) -> Response:
    if page is None:
        words = "No study is public at this address: there is nothing here."
        page = drawn_with("no_file.html", heading="Nothing here", reason=words, address=BOARD, words="The board")
        return HTMLResponse(page, HTTPStatus.NOT_FOUND)
    return HTMLResponse(page, headers={"Cache-Control": "no-store"})


def _done(act: Callable[[], None]) -> Response:
    """Do what a form asks and lead back to the page; what was decided meanwhile is seen there."""
    with suppress(UnknownName):
        act()
    return RedirectResponse(SUBMISSIONS, HTTPStatus.SEE_OTHER)
