"""The page of accounts, for owners: who may sign in and as what, inviting, links for a new password, deactivating."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.accounts.register import Register, account_table
from annotate.accounts.signer import ACCOUNT_KEY_HOURS
from annotate.pages.manage.study_drawing import COPY
from data.drawing.environment import drawn
from data.drawing.gradio_events import QUIETLY, Updates, errors_shown, escaped, event_data
from data.drawing.page_header import draw_masthead
from data.tables import Column, Table
from db.accounts import OWNER, AccountEvent, AccountEventKind, known_role

TEMPLATES = Path(__file__).parent / "templates"
PICK = (TEMPLATES / "accounts.js").read_text("utf8")
SHUT, OPEN = "Deactivate", "Reactivate"  # what the button says
ROLES = [
    ("viewer: sees the results", "viewer"),
    ("manager: runs studies, asks models", "manager"),
    ("owner: manages accounts too", "owner"),
]

ALL = "*"  # no study can be called so
STUDIES: dict[str, Any] = {"multiselect": True, "label": "Studies", "info": "All, or only those chosen; empty: none"}

DONE: dict[AccountEventKind, str] = {
    "invited": "invited",
    "role": "role changed",
    "studies": "studies changed",
    "reset": "password reset, new link",
    "shut": "deactivated",
    "opened": "reactivated",
}

HAPPENED = "What was done to accounts, the newest first"
EVENTS: tuple[Column[AccountEvent], ...] = (
    Column("at", "when (UTC)", "", lambda event: event.at, "{:%-d %b %Y %H:%M}".format, style="start"),
    Column("account", "account", "", lambda event: event.account, style="start"),
    Column("kind", "what", "", lambda event: event.kind, lambda kind: DONE[kind], style="start why"),
    Column("who", "by", "", lambda event: event.who, lambda who: who or "a command on the server", style="start"),
)


def build_page(register: Register) -> gr.Blocks:
    """Return the page over the register."""
    page: gr.Blocks = gr.Blocks(title="Accounts · Etalon", analytics_enabled=False, fill_width=True)
    with page, gr.Column():
        AccountHandlers(register, page)
    return page


class AccountHandlers:
    """What is on the page, and what happens there, each with one call of the register."""

    def __init__(self, register: Register, page: gr.Blocks) -> None:
        self.register = register
        gr.HTML(str(draw_masthead("Accounts")), apply_default_css=False)
        with gr.Column(elem_classes="requester-page"):
            gr.HTML('<div class="look report"><h1>Accounts</h1></div>', apply_default_css=False)
            self.table = gr.HTML(js_on_load=PICK, apply_default_css=False)
            with gr.Row(elem_classes="judge"):
                self.account = gr.Dropdown([], label="Account", info="Or press a name above", filterable=True)
                self.role = gr.Dropdown(ROLES, label="Role", info="Takes effect at once", scale=2, min_width=280)
            with gr.Row(elem_classes="judge"):
                self.studies = gr.Dropdown([], interactive=False, **STUDIES)
                self.shut_button = gr.Button(SHUT, scale=0, interactive=False)
                self.reset_button = gr.Button("New password link", scale=0, interactive=False)
            gr.HTML('<div class="look report"><h2>Invite somebody</h2></div>', apply_default_css=False)
            with gr.Row(elem_classes="judge"):
                self.name = gr.Textbox(label="Name", info="Small Latin letters, digits, . - _ @", max_length=60)
                given = gr.Dropdown(
                    ROLES, value="viewer", label="Role", info="Can be changed later", scale=2, min_width=280
                )
            with gr.Row(elem_classes="judge"):
                self.reach = gr.Dropdown([], **STUDIES)
                invite = gr.Button("Make a link", variant="primary", scale=0)
            self.link = gr.HTML("", js_on_load=COPY, apply_default_css=False)
            self.events = gr.HTML(apply_default_css=False)
        account, buttons = self.account, [self.shut_button, self.reset_button]
        chosen = [self.table, account, self.role, self.studies, *buttons, self.reach, self.events]
        page.load(self.arrive, None, chosen, **QUIETLY)
        self.table.pick(self.pick, None, chosen, **QUIETLY)
        account.input(self.choose, account, chosen, **QUIETLY)
        self.role.input(self.change_role, [account, self.role], chosen, **QUIETLY)
        self.studies.input(self.change_studies, [account, self.studies], chosen, **QUIETLY)
        self.reach.input(lambda picked: values_of(named_studies(picked)), self.reach, self.reach, **QUIETLY)
        self.shut_button.click(self.shut, [account, self.shut_button], chosen, trigger_mode="once", **QUIETLY)
        self.reset_button.click(self.reset, account, [*chosen, self.link], trigger_mode="once", **QUIETLY)
        made, asked = [*chosen, self.link, self.name], [self.name, given, self.reach]
        gr.on([invite.click, self.name.submit], self.invite, asked, made, **QUIETLY)

    def arrive(self, request: gr.Request) -> Updates:
        """Show the accounts; none is chosen."""
        return self._shown(None, request) | {self.reach: gr.update(choices=self._choices(), value=[ALL])}

    @errors_shown
    def pick(self, request: gr.Request, event: gr.EventData) -> Updates:
        """Choose the account that was pressed."""
        return self._shown(str(event_data(event).get("account")), request)

    @errors_shown
    def choose(self, name: str | None, request: gr.Request) -> Updates:
        """Show what can be done about an account."""
        return self._shown(name, request)

    @errors_shown
    def change_role(self, name: str | None, role: str, request: gr.Request) -> Updates:
        """Give the chosen account another role; what cannot be is shown as it was."""
        if name:
            made = self.register.set_role(name, known_role(role), who=str(request.username))
            gr.Success(escaped(f"{made.name} is {made.role} from now on."))
        return self._shown(name, request)

    @errors_shown
    def change_studies(self, name: str | None, picked: list[str] | None, request: gr.Request) -> Updates:
        """Let the chosen account reach these studies alone, or all."""
        if name:
            self.register.set_studies(name, named_studies(picked), who=str(request.username))
        return self._shown(name, request)

    @errors_shown
    def shut(self, name: str | None, word: str, request: gr.Request) -> Updates:
        """Deactivate the chosen account, or reactivate it: as the button said, whatever another owner did."""
        if name and word in (SHUT, OPEN):
            made = self.register.set_shut(name, word == SHUT, who=str(request.username))
            gr.Success(escaped(f"{made.name} is {'deactivated' if word == SHUT else 'reactivated'}."))
        return self._shown(name, request)

    @errors_shown
    def reset(self, name: str | None, request: gr.Request) -> Updates:
        """Take the chosen account's password away and show the link for a new one."""
        if not name:
            return self._shown(name, request)
        link = self.register.reset(name, who=str(request.username))
        return {**self._shown(name, request), self.link: draw_link(name, link)}

    @errors_shown
    def invite(self, name: str, role: str, reach: list[str] | None, request: gr.Request) -> Updates:
        """Make an account and show the link for its password."""
        link = self.register.invite(name, role, studies=named_studies(reach), who=str(request.username))
        made = name.strip().lower()
        return {**self._shown(made, request), self.link: draw_link(made, link), self.name: ""}

    def _shown(self, name: str | None, request: gr.Request) -> Updates:
        accounts = self.register.accounts()
        chosen = next((account for account in accounts if account.name == name), None)
        names = [account.name for account in accounts]
        limitable = chosen is not None and chosen.role != OWNER
        closed = chosen is not None and chosen.state == "shut"
        listed, happened = account_table(accounts, "page"), Table(HAPPENED, EVENTS, self.register.events())
        return {
            self.table: str(drawn(TEMPLATES, "accounts.html", table=listed, mine=str(request.username))),
            self.account: gr.update(choices=names, value=chosen.name if chosen else None),
            self.role: gr.update(value=chosen.role if chosen else None, interactive=chosen is not None),
            self.studies: gr.update(
                choices=self._choices(), value=values_of(chosen.studies) if chosen else [], interactive=limitable
            ),
            self.shut_button: gr.update(value=OPEN if closed else SHUT, interactive=chosen is not None),
            self.reset_button: gr.update(
                interactive=chosen is not None and not closed and chosen.name != request.username
            ),
            self.events: str(drawn(TEMPLATES, "account_events.html", table=happened)),
        }

    def _choices(self) -> list[tuple[str, str]]:
        return [("All studies", ALL), *((study, study) for study in self.register.studies())]


def named_studies(picked: Sequence[str] | None) -> list[str] | None:
    """Return the studies picked, None for all of them; the last pick decides between all and some."""
    return None if picked and picked[-1] == ALL else [study for study in picked or () if study != ALL]


def values_of(studies: Sequence[str] | None) -> list[str]:
    """Return what is picked where an account reaches these studies."""
    return [ALL] if studies is None else list(studies)


def draw_link(name: str, link: str) -> str:
    """Return a one-time link, ready to be copied."""
    return str(drawn(TEMPLATES, "account_link.html", name=name, link=link, hours=ACCOUNT_KEY_HOURS))
