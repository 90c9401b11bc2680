"""The requesters' only way in: studies and how they are going, new studies, invitations, downloads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from random import Random
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response

from annotate.accounts.login import account_with_role, from_here
from annotate.accounts.signer import Signer
from annotate.consent import workload_of
from annotate.invitations import links_frame, links_of, shared_link
from annotate.requesters.oversight import Oversight, T
from annotate.requesters.study_card import StudyCard, waiting
from annotate.requesters.study_changes import StudyChanges
from annotate.requesters.study_creation import Draft, create, drafted
from data.console import Tell
from data.errors import EtalonError, UnknownName
from data.table_files import MEDIA_TYPES, Download, Export, write_frame
from db import frames
from db.accounts import OWNER
from db.arrivals import Burst, RefusedArrivals, bursts, refused_arrivals
from db.cache import Cache, good_for_share
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact, writing
from db.events import Cause, add_download, add_event
from db.exports import EXPORTS, ComputedFiles, ExportRequest, FileRequest, NotInTime
from db.item_lookup import main_items
from db.items import count_items
from db.items import coverage as coverage_of
from db.statuses import EventKind, StudyStatus
from db.studies import Study, get_study, list_studies, name_of, pilots_of, set_columns
from db.study_progress import HOUR, FillRate, fill_rate, turnout, without_controls
from db.unfinished_studies import delete_unanswered
from eval.agreement.coefficients import Agreement
from eval.agreement.of_votes import agreement_of
from eval.gold import TaskItems
from eval.intervals.clusters import Resampling
from eval.votes import code_answers

MOST_JUDGMENTS = 500_000  # beyond, reading them takes longer than a page may make anybody wait
MOST_OPEN = 300  # items with open answers: comparing these takes far longer than counting labels
DRAWS = 500


@dataclass(frozen=True)
class CurrentAgreement:
    """Agreement of counted judgments on `items` main items out of the `known` that have any."""

    agreement: Agreement
    items: int
    known: int


def current_agreement(session: Session, *, study: Study) -> CurrentAgreement | None:
    """Return how far people agree on the main items so far; None where nobody has answered.

    Who is shut out of the study does not count. Open answers are compared on at most MOST_OPEN items, drawn by the
    study's seed.
    """
    judged = frames.judgments(session, study=study).query("status == 'counted' and role == 'main'")
    judged = judged[~judged["worker"].isin(frames.excluded_workers(session, study=study))]
    names = sorted(set(judged["item"]))
    if not names:
        return None
    answer = study.task.answer
    chosen = names
    if not answer.labels() and len(names) > MOST_OPEN:
        chosen = sorted(Random(study.seed).sample(names, MOST_OPEN))
        judged = judged[judged["item"].isin(chosen)]
    items = {} if answer.labels() else main_items(session, study=study, ids=chosen)
    asked = TaskItems(answer, {name: item.fields for name, item in items.items()})
    votes = code_answers(judged, items=chosen, labels=answer.labels() or None, asked=asked)
    return CurrentAgreement(
        agreement_of(votes, Resampling(draws=DRAWS, seed=study.seed), asked=asked), len(chosen), len(names)
    )


HOURS = 24
AGAIN = 5.0  # seconds that a number is good for at least
MOST = 200  # numbers that are kept


@dataclass(frozen=True)
class LiveNumbers:
    """What moves while a study runs. `missing` judgments are still wanted; `agreement` is None where nobody answered.

    `too_many`: there are more judgments than agreement is followed for here. `misjudged` are the seconds an answer that
    consent promised and those it takes, None where these are alike. `bursts`: many new places in a short time,
    `refused`: those who found none.
    """

    pace: FillRate
    missing: int
    running: bool
    agreement: CurrentAgreement | None = None
    too_many: bool = False
    misjudged: tuple[float, float] | None = None
    bursts: list[Burst] = field(default_factory=list)
    refused: RefusedArrivals = field(default_factory=RefusedArrivals)

    @property
    def time_left(self) -> timedelta | None:
        """How long the rest takes at the pace of the last hour; None where that cannot be told or nothing is left."""
        if not (self.running and self.missing and self.pace.last_hour):
            return None
        return timedelta(hours=self.missing / self.pace.last_hour)

    @property
    def bars(self) -> list[tuple[datetime, int]]:
        """The last HOURS hours with the answers of each, the present one last."""
        begins = self.pace.at.replace(minute=0, second=0, microsecond=0)
        hours = [begins - timedelta(hours=back) for back in range(HOURS - 1, -1, -1)]
        return [(hour, self.pace.hours.get(hour, 0)) for hour in hours]


def spoken(left: timedelta) -> str:
    """Return a time that is only about right, in words: minutes below two hours, hours below two days, else days."""
    seconds = left.total_seconds()
    if seconds < 2 * HOUR:
        return f"{max(1, round(seconds / 60))} min"
    return f"{round(seconds / HOUR)} h" if seconds < 48 * HOUR else f"{round(seconds / HOUR / 24)} days"


CHEAP = 0.2  # seconds: a count that takes less is made anew whenever it is asked for


@dataclass(frozen=True)
class RequesterService:
    """What requesters can do; `address` is where people find this server, without a final slash.

    `exports` are the files that may leave a study, by their keys.
    """

    database: Database
    signer: Signer
    address: str
    clock: Clock = field(default=now)
    exports: Mapping[str, Export[ExportRequest]] = field(default_factory=lambda: EXPORTS)
    numbers: Cache = field(default_factory=lambda: Cache(MOST, good_for_share(least=AGAIN)))
    counts: Cache = field(default_factory=lambda: Cache(MOST, good_for_share(cheap=CHEAP)))

    @property
    def oversight(self) -> Oversight:
        """What requesters see of people and items, and do about them."""
        return Oversight(self.database, self.clock)

    @property
    def changes(self) -> StudyChanges:
        """What requesters do to a study as a whole."""
        return StudyChanges(self.database, self.signer, self.clock)

    def live(self, card: StudyCard) -> LiveNumbers:
        """Return how the study of this card is going; raises UnknownName.

        It is asked for again and again: each number costs a small share of the time at most.
        """
        name, moment, many = card.study.name, self.clock(), card.coverage.filled > MOST_JUDGMENTS

        def kept(what: str, state: object, look: Callable[..., T], **given: Any) -> T:
            return self.numbers.get((what, name), state, lambda: self.oversight.read(name, look, **given))

        state = card.study.created_at, card.coverage.filled, card.turnout.workers
        return LiveNumbers(
            pace=kept("pace", None, fill_rate, moment=moment, hours=HOURS),
            missing=max(0, card.coverage.target - card.coverage.filled),
            running=card.study.status == "open",
            agreement=None if many else kept("current_agreement", state, current_agreement),
            too_many=many,
            misjudged=self.oversight.read(name, workload_of).misjudged(card.study.settings),
            bursts=kept("bursts", None, bursts, moment=moment),
            refused=self.oversight.read(name, refused_arrivals, moment=moment),
        )

    def studies(self, words: str = "") -> list[StudyCard]:
        """Return how far every study is that is found by these words, the newest first."""
        with reading(self.database) as session:
            cards = [self._card(session, study) for study in list_studies(session)]
        return [card for card in cards if card.found_by(words)]

    def study(self, name: str) -> StudyCard:
        """Return how far one study is; raises UnknownName."""
        with reading(self.database) as session:
            return self._card(session, get_study(session, name=name))

    def create(self, draft: Draft, tell: Tell = lambda _: None) -> StudyCard:
        """Store a new study with its items, or a draft of one, or nothing; raises EtalonError with what is wrong."""
        made = create(self.database, self.signer, drafted(draft), tell=tell)
        return self.study(made.study.name)

    def set_status(self, name: str, status: StudyStatus, *, who: str = OWNER) -> StudyCard:
        """Open a study, pause it (workers are told to come back later) or close it; a closed one can be opened again.

        Everything is kept.
        """
        with writing(self.database) as session:
            self.oversight.set_status(session, get_study(session, name=name), status, who=who)
            return self._card(session, get_study(session, name=name))

    def archive(self, name: str, *, archived: bool = True, who: str = OWNER) -> StudyCard:
        """Take a study off the list until it is asked for, or put it there again; nothing else about it changes."""
        with writing(self.database) as session:
            study = get_study(session, name=name)
            if study.archived != archived:
                set_columns(session, study=study, archived=archived)
                kind: EventKind = "archived" if archived else "unarchived"
                add_event(session, study_id=study.id, kind=kind, cause=Cause(who, self.clock()))
        return self.study(name)

    def delete(self, name: str) -> None:
        """Take away a study that nobody has been in, its name with it; raises BadSetting for another."""
        transact(self.database, lambda session: delete_unanswered(session, name=name))

    def invitation(self, card: StudyCard) -> str:
        """Return the link that lets people into a study."""
        return shared_link(self.signer, self.address, card.study.name, card.study.settings)

    def links(self, name: str, people: str, parameter: str = "") -> list[tuple[str, str]]:
        """Return each line of `people` with an invitation link (`links_of`); raises EtalonError."""
        return links_of(self.signer, self.address, self.oversight.study(name).name, people, parameter)

    def _card(self, session: Session, study: Study) -> StudyCard:
        # Counting a million items takes a second, which a page that refreshes itself may not ask for every time.
        coverage = self.counts.get(study.id, None, lambda: coverage_of(session, study=study))
        met = self.counts.get(("met", study.id), None, lambda: without_controls(session, study=study))
        moment = self.clock()
        waits = self.counts.get(("waits", study.id), None, lambda: waiting(session, study=study, moment=moment))
        return StudyCard(
            study=study,
            coverage=coverage,
            training=count_items(session, study=study, role="training"),
            control=count_items(session, study=study, role="control"),
            turnout=turnout(session, study=study, moment=moment),
            waits=waits,
            pilot_of=name_of(session, study_id=study.pilot_of) if study.pilot_of else "",
            pilots=tuple(pilot.name for pilot in pilots_of(session, study=study)),
            unchecked=0 if study.settings.repeat_controls or not study.settings.page_controls else met,
        )


def file_routes(requesters: RequesterService, files: ComputedFiles) -> APIRouter:
    """Return the route of the downloads, plain and for signed-in people alone."""
    routes, known = APIRouter(), account_with_role(requesters.database, requesters.signer, "manager")

    @routes.get("/manage-files/{study}/{what}.{form}")
    async def file(request: Request, study: str, what: str, form: str) -> Response:
        account = await run_in_threadpool(known, request)
        if not account:
            return PlainTextResponse("sign in at /login first", HTTPStatus.UNAUTHORIZED)
        try:
            made = await files.get(FileRequest(requesters.exports, study, what, form), account)
        except UnknownName as error:
            return PlainTextResponse(str(error), HTTPStatus.NOT_FOUND)
        except NotInTime as error:
            return PlainTextResponse(str(error), HTTPStatus.SERVICE_UNAVAILABLE)
        except EtalonError as error:
            return PlainTextResponse(str(error), HTTPStatus.CONFLICT)
        return Response(made.content, media_type=made.media_type, headers=made.headers)

    @routes.post("/manage-files/{study}/links")
    def links(
        request: Request, study: str, people: Annotated[str, Form()] = "", parameter: Annotated[str, Form()] = ""
    ) -> Response:
        account = known(request)
        if not account or not from_here(request):
            return PlainTextResponse("sign in at /login first", HTTPStatus.UNAUTHORIZED)
        try:
            content = write_frame(links_frame(requesters.links(study, people, parameter)), "csv")
            made = Download(f"{study}-links.csv", content, MEDIA_TYPES["csv"])
            add_download(requesters.database, study=study, file=made.name, who=account)
        except EtalonError as error:
            return PlainTextResponse(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        return Response(made.content, media_type=made.media_type, headers=made.headers)

    return routes
