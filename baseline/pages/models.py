"""The page of models: ask one, follow and hold the runs that are under way, look at all runs, bring in others."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from baseline.imports.importing import FORMS
from baseline.output.rendering import TEMPLATES
from baseline.pages.asking_form import Form, build_form, follow, shown, values_of
from baseline.pages.models_drawing import draw_imported, draw_live, draw_preview, draw_runs
from baseline.pages.models_service import Look, ModelsService
from baseline.pages.telling import QUIETLY, safe, told
from baseline.runs.drafts import Draft
from baseline.runs.imported import WRITTEN
from baseline.runs.labels import LABELS, REREAD
from data.drawing.masthead import HEAD as COMMON_HEAD
from data.drawing.masthead import draw_masthead
from data.errors import BadSetting, EtalonError, UnknownName

HEAD = COMMON_HEAD + '<link rel="stylesheet" href="/static/look/models.css">'
EVERY = 1.5  # seconds between two looks at what is under way
VIEWS = ("list", "form", "import")
LOGS = [".json", ".jsonl", ".eval", ".csv", ".tsv"]
NO_STUDY = "No study is chosen yet; choose one here, or make one under Studies first."
FORM_WORDS = {"libra": "LIBRA’s script", "jsonl": "A table of items and answers"}
ACTS = (TEMPLATES / "models.js").read_text("utf8")
FOLLOW = (TEMPLATES / "view.js").read_text("utf8")
KEEP_IN_ADDRESS = """(name) => {
  const address = new URL(location.href);
  address.searchParams.set("study", name);
  history.replaceState(null, "", address);
  return name;
}"""


@dataclass(frozen=True)
class Listed:
    """The components of the list; `mark` holds which list is in sight, so that it is redrawn only when it changes."""

    study: gr.Dropdown
    live: gr.HTML
    runs: gr.HTML
    mark: gr.State
    ask: gr.Button
    bring: gr.Button
    reread: gr.Button

    @property
    def drawn(self) -> list[Any]:
        """The components that `drawn` fills, in its order."""
        return [self.live, self.runs, self.mark]


@dataclass(frozen=True)
class Bringing:
    """The components of the import."""

    title: gr.HTML
    file: gr.File
    form: gr.Radio
    model: gr.Textbox
    go: gr.Button
    back: gr.Button
    report: gr.HTML


def build_page(desk: ModelsService) -> gr.Blocks:
    """Return the page over a desk."""
    page: gr.Blocks = gr.Blocks(title="Models · Etalon", analytics_enabled=False, fill_width=True)
    with page:
        gr.HTML(str(draw_masthead("Models")), apply_default_css=False)
        with gr.Column(elem_classes="desk") as listing:
            listed = build_list()
        with gr.Column(elem_classes="desk", visible=False) as asking:
            form = build_form()
        with gr.Column(elem_classes="desk", visible=False) as importing:
            bringing = build_import()
        views: list[Any] = [listing, asking, importing]
        at = Handlers(desk)
        page.load(at.arrive, None, [listed.study, *listed.drawn], **QUIETLY)
        listed.study.input(at.pick, listed.study, listed.drawn, js=KEEP_IN_ADDRESS, **QUIETLY)
        gr.Timer(EVERY).tick(at.tick, [listed.study, listed.mark], listed.drawn, queue=False, **QUIETLY)
        listed.live.act(at.act, listed.study, listed.drawn, **QUIETLY)
        listed.reread.click(at.reread, listed.study, listed.drawn, trigger_mode="once", **QUIETLY)
        brought = listed.bring.click(at.importing, listed.study, [*views, bringing.title, bringing.report], **QUIETLY)
        given = [listed.study, bringing.file, bringing.form, bringing.model]
        bringing.go.click(at.bring, given, [bringing.report, *listed.drawn], trigger_mode="once", **QUIETLY)
        left = bringing.back.click(at.home, listed.study, [*views, *listed.drawn], **QUIETLY)
        for moved in (brought, left, *_connect_form(at, listed, form, views)):
            moved.then(None, js=FOLLOW, **QUIETLY)
    return page


def build_list() -> Listed:
    """Return the list of runs, empty."""
    with gr.Row(elem_classes="heading"):
        study = gr.Dropdown([], label="Study", elem_classes="pick-study")
        reread = gr.Button(REREAD, scale=0)
        bring = gr.Button("Import a run", scale=0)
        ask = gr.Button("Ask a model", variant="primary", scale=0)
    live = gr.HTML("", js_on_load=ACTS, apply_default_css=False)
    runs = gr.HTML("", js_on_load=ACTS, apply_default_css=False)
    return Listed(study, live, runs, gr.State(""), ask, bring, reread)


def build_import() -> Bringing:
    """Return the form of an import, empty."""
    title = gr.HTML(import_title(""), apply_default_css=False)
    form = gr.Radio([(FORM_WORDS.get(form, WRITTEN[form]), form) for form in FORMS], value=FORMS[0], label="Written by")
    with gr.Row(elem_classes="roomy"):
        file = gr.File(label="Its log", file_types=LOGS, height=108)
        model = gr.Textbox(label=LABELS["model"], info="Needed where the log does not name it", max_length=200)
    with gr.Row(elem_classes="ends"):
        go = gr.Button("Import", variant="primary", scale=0)
        back = gr.Button("Back to the runs", scale=0)
    return Bringing(title, file, form, model, go, back, gr.HTML("", apply_default_css=False))


def import_title(study: str) -> str:
    """Return the heading of the import: into which study."""
    return str(
        Markup('<div class="look report"><h1 tabindex="-1">Import a run{}</h1></div>').format(study and f" of {study}")
    )


def _connect_form(at: "Handlers", listed: Listed, form: Form, views: list[Any]) -> tuple[Any, ...]:
    """Connect the form with the desk; return the events after which another view is in sight."""
    asked = listed.ask.click(at.ask, listed.study, [*views, *form.filled], **QUIETLY)
    again = listed.runs.act(at.again, listed.study, [*views, *form.filled], **QUIETLY)
    follow(form, at.desk)
    given = [listed.study, form.run, form.key, *form.fields]
    form.estimate.click(at.estimate, given, [form.preview, form.start], trigger_mode="once", **QUIETLY)
    begun = [*views, *listed.drawn, form.key]
    started = form.start.click(at.start, given, begun, trigger_mode="once", **QUIETLY)
    return asked, again, started, form.cancel.click(at.leave, listed.study, begun, **QUIETLY)


@dataclass(frozen=True)
class Handlers:
    """What happens on the page, each with one call of the desk."""

    desk: ModelsService

    def arrive(self, request: gr.Request) -> tuple[Any, ...]:
        """Show the study that the address names, or the newest."""
        names, asked = self.desk.studies(), request.query_params.get("study")
        name = asked if asked in names else next(iter(names), None)
        if asked and asked not in names:
            gr.Warning(safe(UnknownName("study", asked, names)))
        picker = gr.update(choices=names, value=name, visible=bool(names))
        return picker, *drawn(self.desk.look(name) if name else None)

    @told
    def pick(self, name: str) -> tuple[Any, ...]:
        """Show another study."""
        return drawn(self.desk.look(name))

    def tick(self, name: str | None, mark: str) -> tuple[Any, ...]:
        """Show how far everything is by now; what has not changed is left alone."""
        if not name:
            return (gr.skip(),) * 3
        try:
            look = self.desk.look(name, counted=False)
            if marked(look) != mark:
                return drawn(self.desk.look(name))
        except UnknownName:
            return (gr.skip(),) * 3
        live = any(job.live for job in look.jobs)
        return str(draw_live(look)) if live else gr.skip(), gr.skip(), gr.skip()

    @told
    def act(self, name: str | None, event: gr.EventData) -> tuple[Any, ...]:
        """Pause, resume or stop what was pressed."""
        sent: Any = event._data if isinstance(event._data, dict) else {}
        acts = {"pause": self.desk.running.pause, "resume": self.desk.running.resume, "stop": self.desk.running.halt}
        act = acts.get(str(sent.get("act")))
        if name is None or act is None:
            return (gr.skip(),) * 3
        act(_number(sent.get("number")))
        return drawn(self.desk.look(name))

    @told
    def ask(self, name: str | None) -> tuple[Any, ...]:
        """Show the form, empty."""
        if not name:
            raise BadSetting(NO_STUDY)
        return *view("form"), *shown(self.desk, Draft(name, provider="openai", base_url=self.desk.address or ""))

    @told
    def again(self, name: str | None, event: gr.EventData) -> tuple[Any, ...]:
        """Show the form filled with what a run was asked for: starting it goes on with the run."""
        sent: Any = event._data if isinstance(event._data, dict) else {}
        draft, line = self.desk.again(name or "", _number(sent.get("number")))
        return *view("form"), *shown(self.desk, draft, line.run.id)

    def estimate(self, name: str | None, run: int | None, key: str, *values: Any) -> tuple[Any, Any]:
        """Show what the form comes to; only then it can be started."""
        try:
            found = self.desk.preview(name or "", values_of(*values), key or "", run=run)
        except EtalonError as error:
            return str(draw_preview(None, str(error))), gr.update(visible=False)
        return str(draw_preview(found)), gr.update(visible=True)

    @told
    def start(self, request: gr.Request, name: str | None, run: int | None, key: str, *values: Any) -> tuple[Any, ...]:
        """Begin, and show the list; the key's field is emptied."""
        job = self.desk.start(name or "", values_of(*values), key or "", who=str(request.username), run=run)
        gr.Success(safe(f"{job.name} is asked. You may leave this page."))
        return *view("list"), *drawn(self.desk.look(job.study.name)), ""

    def leave(self, name: str | None) -> tuple[Any, ...]:
        """Show the list; the key's field is emptied."""
        return *self.home(name), ""

    def home(self, name: str | None) -> tuple[Any, ...]:
        """Show the list."""
        return *view("list"), *drawn(self.desk.look(name) if name else None)

    @told
    def reread(self, name: str | None) -> tuple[Any, ...]:
        """Read the stored replies of all runs anew."""
        if not name:
            return (gr.skip(),) * 3
        found = self.desk.rescore(name)
        changed, replies = sum(one.changed for one in found), sum(one.replies for one in found)
        said = f"{changed} of {replies} replies of {len(found)} runs are read differently now; nobody was asked."
        gr.Success(safe(said))
        return drawn(self.desk.look(name))

    @told
    def importing(self, name: str | None) -> tuple[Any, ...]:
        """Show the form of an import."""
        if not name:
            raise BadSetting(NO_STUDY)
        return *view("import"), import_title(name), ""

    def bring(self, name: str | None, file: str | None, form: str, model: str) -> tuple[Any, ...]:
        """Import a log and show its report."""
        if not name or not file:
            return str(draw_imported(None, "Choose the log first." if name else "")), *(gr.skip(),) * 3
        try:
            found = self.desk.import_run(name, Path(file), form, model or "")
        except EtalonError as error:
            return str(draw_imported(None, str(error))), *(gr.skip(),) * 3
        return str(draw_imported(found)), *drawn(self.desk.look(name))


def drawn(look: Look | None) -> tuple[str, str, str]:
    """Return what is under way, the list of runs, and the mark of that list."""
    return str(draw_live(look)), str(draw_runs(look)), marked(look)


def marked(look: Look | None) -> str:
    """Return what changes whenever the list of runs does."""
    return repr(look.mark) if look else ""


def view(which: str) -> tuple[Any, ...]:
    """Return the visibility of the three views, of which one is in sight."""
    return tuple(gr.update(visible=name == which) for name in VIEWS)


def _number(value: Any) -> int:
    """Return the number that a press names; a browser may send anything."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1
