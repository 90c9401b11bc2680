"""The requesters' only way in: studies and their progress, new studies, invitations, downloads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response

from annotate.accounts.login import account_with_role, from_here
from annotate.accounts.signer import Signer
from annotate.invitations import links_download, shared_link
from annotate.requesters.adjudication import Adjudication
from annotate.requesters.live_progress import MOST, LiveNumbers, LiveProgress, live_numbers
from annotate.requesters.new_study_items import Tell
from annotate.requesters.oversight import Oversight
from annotate.requesters.settings_change import SettingsChange
from annotate.requesters.study_card import Draft, StudyCard
from annotate.requesters.study_creation import create, drafted
from annotate.requesters.study_warnings import LeakReport, leaks_of, unknown_settings
from data.catalogue.catalog import tasks
from data.errors import EtalonError, UnknownName
from data.table_files import Download, Export
from db.accounts import OWNER
from db.cache import Cache, good_for_share
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact, writing
from db.events import Cause, add_download, add_event
from db.exports import EXPORTS, ComputedFiles, ExportRequest, FileRequest, NotInTime
from db.items import count_items, coverage
from db.records import count_open
from db.statuses import EventKind, StudyStatus
from db.studies import Study, get_study, list_studies, set_archived
from db.study_progress import turnout, without_controls
from db.unfinished_studies import delete_unanswered

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
    numbers: Cache = field(default_factory=live_numbers)
    counts: Cache = field(default_factory=lambda: Cache(MOST, good_for_share(cheap=CHEAP)))

    @property
    def oversight(self) -> Oversight:
        """What requesters see of people and items, and do about them."""
        return Oversight(self.database, self.clock)

    @property
    def adjudication(self) -> Adjudication:
        """What experts decide."""
        return Adjudication(self.database, self.clock)

    @property
    def settings_change(self) -> SettingsChange:
        """What may change of a running study."""
        return SettingsChange(self.database, self.clock)

    def live(self, card: StudyCard) -> LiveNumbers:
        """Return how the study of a card is going right now; raises UnknownName."""
        return LiveProgress(self.database, self.clock, self.numbers).live(card)

    def leaks_of(self, name: str) -> LeakReport:
        """Return what a study may have told its workers; raises UnknownName."""
        return leaks_of(self.database, name)

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
        """Store a new, open study with its items, or nothing at all; raises EtalonError with the first problem."""
        made = create(self.database, self.signer, drafted(draft), tell=tell)
        return self.study(made.study.name)

    def open(self, name: str, *, who: str = OWNER) -> StudyCard:
        """Let workers answer again."""
        return self._set(name, "open", who)

    def pause(self, name: str, *, who: str = OWNER) -> StudyCard:
        """Let nobody answer for the time being: workers are told to come back later."""
        return self._set(name, "paused", who)

    def close(self, name: str, *, who: str = OWNER) -> StudyCard:
        """Let nobody answer any more; everything is kept, and the study can be opened again."""
        return self._set(name, "closed", who)

    def archive(self, name: str, *, archived: bool = True, who: str = OWNER) -> StudyCard:
        """Take a study off the list until it is asked for, or put it there again; nothing else about it changes."""
        with writing(self.database) as session:
            study = get_study(session, name=name)
            if study.archived != archived:
                set_archived(session, study=study, archived=archived)
                kind: EventKind = "archived" if archived else "unarchived"
                add_event(session, study_id=study.id, kind=kind, cause=Cause(who, self.clock()))
        return self.study(name)

    def delete(self, name: str) -> None:
        """Take away a study that nobody has been in, its name with it; raises BadSetting for another."""
        transact(self.database, lambda session: delete_unanswered(session, name=name))

    def invitation(self, name: str) -> str:
        """Return the link that lets people into a study."""
        with reading(self.database) as session:
            settings = get_study(session, name=name).settings
        return shared_link(self.signer, self.address, name, settings)

    def links_file(self, name: str, people: str, parameter: str = "") -> Download:
        """Return a CSV with an invitation link for every line of `people` (`links_of`); raises EtalonError."""
        return links_download(self.signer, self.address, self.study(name).name, people, parameter)

    def tasks(self) -> list[tuple[str, str]]:
        """Return the title and the id of every task that can be read, in the order of the titles."""
        return sorted((task.title.for_requesters, task.id) for task in tasks().readable()[0])

    @staticmethod
    def unreadable_tasks() -> list[str]:
        """Return why each task of the catalogue that cannot be read cannot."""
        return tasks().readable()[1]

    def _card(self, session: Session, study: Study) -> StudyCard:
        # Counting a million items takes a second, which a page that refreshes itself may not ask for every time.
        far = self.counts.get(study.id, None, lambda: coverage(session, study=study))
        met = self.counts.get(("met", study.id), None, lambda: without_controls(session, study=study))
        return StudyCard(
            name=study.name,
            task=study.task.id,
            title=study.task.title.for_requesters,
            status=study.status,
            origin=study.origin,
            created_at=study.created_at,
            settings=study.settings,
            items=far.items,
            training=count_items(session, study=study, role="training"),
            control=count_items(session, study=study, role="control"),
            counted=far.filled,
            wanted=far.target,
            held=far.held,
            wanted_of_each=far.of_each,
            complete=far.complete,
            turnout=turnout(session, study=study, moment=self.clock()),
            appeals=count_open(session, study=study),
            note=unknown_settings(study),
            archived=study.archived,
            unchecked=0 if study.settings.repeat_controls or not study.settings.page_controls else met,
        )

    def _set(self, name: str, status: StudyStatus, who: str) -> StudyCard:
        with writing(self.database) as session:
            self.oversight.set_status(session, get_study(session, name=name), status, who=who)
            return self._card(session, get_study(session, name=name))


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
            made = requesters.links_file(study, people, parameter)
            add_download(requesters.database, study=study, file=made.name, who=account)
        except EtalonError as error:
            return PlainTextResponse(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        return Response(made.content, media_type=made.media_type, headers=made.headers)

    return routes
