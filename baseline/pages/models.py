"""The page of models: ask one, follow and hold the runs that are under way, look at all runs, bring in others."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from baseline.models.provider import Provider
from baseline.models.providers import PROVIDERS, address_of
from baseline.output.html import TEMPLATES
from baseline.pages.models_drawing import draw_comparison, draw_imported, draw_live, draw_preview, draw_runs
from baseline.pages.models_service import ModelsService
from baseline.pages.run_form import (
    FIELDS,
    KNOWN,
    OWN_PROMPT,
    TYPED,
    ImportForm,
    JudgeForm,
    RunDecisions,
    RunForm,
    import_title,
    keys_of,
    typed_in,
    visible_fields,
)
from baseline.runs.reply_queue import ReplyQueue, shape_named
from baseline.runs.run_settings import RunSettings
from data.drawing.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, escaped, event_data, whole_number
from data.drawing.page_header import HEAD as COMMON_HEAD
from data.drawing.page_header import draw_masthead
from data.errors import BadSetting, EtalonError, UnknownName

HEAD = COMMON_HEAD + '<link rel="stylesheet" href="/static/look/models.css">'
EVERY = 1.5  # seconds between two looks at what is under way
REREAD = "Parse stored replies again"
MOST_COMPARED = 6
DECISION = '<div class="look report decision"><h1 tabindex="-1">{}</h1><p class="told">{}</p></div>'
NO_STUDY = "No study is chosen yet; choose one here, or make one under Studies first."
ACTS = (TEMPLATES / "models.js").read_text("utf8")
FOLLOW = (TEMPLATES / "view.js").read_text("utf8")
KEEP_IN_ADDRESS = """(name) => {
  const address = new URL(location.href);
  address.searchParams.set("study", name);
  history.replaceState(null, "", address);
  return name;
}"""


class RunsList:
    """The components of the list; `mark` holds which list is in sight, so that it is redrawn only when it changes."""

    def __init__(self, view: gr.Column) -> None:
        self.view, self.mark = view, gr.State("")
        with gr.Row(elem_classes="heading"):
            self.study = gr.Dropdown([], label="Study", elem_classes="pick-study")
            self.reread = gr.Button(REREAD, scale=0)
            self.bring = gr.Button("Import a run", scale=0)
            self.ask = gr.Button("Ask a model", variant="primary", scale=0)
        self.live = gr.HTML("", js_on_load=ACTS, apply_default_css=False)
        self.runs = gr.HTML("", js_on_load=ACTS, apply_default_css=False)

    @property
    def outputs(self) -> list[Any]:
        """The components that show a study."""
        return [self.live, self.runs, self.mark]


def build_page(service: ModelsService) -> gr.Blocks:
    """Return the page over the service."""
    page: gr.Blocks = gr.Blocks(title="Models · Etalon", analytics_enabled=False, fill_width=True)
    with page:
        ModelsHandlers(service, page)
    return page


class ModelsHandlers:
    """What is on the page, and what happens there: one call of the service each, which returns what changes."""

    def __init__(self, service: ModelsService, page: gr.Blocks) -> None:
        self.service = service
        gr.HTML(str(draw_masthead("Models")), apply_default_css=False)
        with gr.Column(elem_classes="requester-page") as listing:
            self.runs = runs = RunsList(listing)
        with gr.Column(elem_classes="requester-page", visible=False) as self.asking:
            self.form = RunForm()
        with gr.Column(elem_classes="requester-page", visible=False) as importing:
            self.logs = logs = ImportForm(importing)
        self.decisions, self.judging = RunDecisions(), JudgeForm()
        page.load(self.arrive, None, [runs.study, *runs.outputs], **QUIETLY)
        runs.study.input(self.pick, runs.study, runs.outputs, js=KEEP_IN_ADDRESS, **QUIETLY)
        gr.Timer(EVERY).tick(self.tick, [runs.study, runs.mark], runs.outputs, queue=False, **QUIETLY)
        runs.live.act(self.act, runs.study, runs.outputs, **QUIETLY)
        runs.reread.click(self.reread, runs.study, runs.outputs, trigger_mode="once", **QUIETLY)
        brought = runs.bring.click(self.importing, runs.study, [*self.views, logs.title, logs.report], **QUIETLY)
        given: set[Any] = {runs.study, logs.file, logs.form, logs.model}
        logs.go.click(self.bring, given, [logs.report, *runs.outputs], trigger_mode="once", **QUIETLY)
        left = logs.back.click(self.leave, runs.study, self.home, **QUIETLY)
        for moved in (brought, left, *self._connect_form(), *self._connect_decisions()):
            moved.then(None, js=FOLLOW, **QUIETLY)

    def _connect_form(self) -> tuple[Any, ...]:
        """Connect the form with the service; return the events after which another view is in sight."""
        runs, form = self.runs, self.form
        asked = runs.ask.click(self.ask, runs.study, [*self.views, *form.filled], **QUIETLY)
        chosen = [*self.views, *form.filled, *self.decisions.filled, self.judging.title, self.judging.runs]
        again = runs.runs.act(self.chosen, runs.study, chosen, **QUIETLY)
        follow(form, self.service)
        given = {runs.study, form.run, form.key, *form.typed}
        estimated = [form.preview, form.start, form.write]
        form.estimate.click(self.estimate, given, estimated, trigger_mode="once", **QUIETLY)
        started = form.start.click(self.start, given, self.home, trigger_mode="once", **QUIETLY)
        written = form.write.click(self.batch, given, self.home, trigger_mode="once", **QUIETLY)
        collected = form.collect.click(self.batch, {*given, form.results}, self.home, trigger_mode="once", **QUIETLY)
        left = form.cancel.click(self.leave, runs.study, self.home, **QUIETLY)
        return asked, again, started, written, collected, left

    def _connect_decisions(self) -> tuple[Any, ...]:
        """Connect the views that runs are decided on, compared and judged in; return the events that lead away."""
        decisions, study = self.decisions, self.runs.study
        given: set[Any] = {study, decisions.what, decisions.reason}
        done = decisions.go.click(self.decide, given, self.home, trigger_mode="once", **QUIETLY)
        ways = (decisions.back, decisions.leave, self.judging.back)
        backs = [back.click(self.leave, study, self.home, **QUIETLY) for back in ways]
        form = self.judging
        filled: set[Any] = {study, form.runs, form.name, form.shape, form.criteria}
        made = form.go.click(self.judge, filled, self.home, trigger_mode="once", **QUIETLY)
        return done, made, *backs

    @property
    def views(self) -> list[gr.Column]:
        """The views, of which one is in sight."""
        return [self.runs.view, self.asking, self.logs.view, *self.decisions.views, self.judging.view]

    @property
    def home(self) -> list[Any]:
        """The components that change where somebody comes back to the list."""
        return [*self.views, *self.runs.outputs, self.form.key]

    def arrive(self, request: gr.Request) -> Updates:
        """Show the study that the address names, or the newest."""
        names, asked = self.service.studies(), request.query_params.get("study")
        name = asked if asked in names else next(iter(names), None)
        if asked and asked not in names:
            gr.Warning(escaped(UnknownName("study", asked, names)))
        picker = gr.update(choices=names, value=name, visible=bool(names))
        return {self.runs.study: picker, **self._updates(name)}

    @errors_shown
    def pick(self, name: str) -> Updates:
        """Show another study."""
        return self._updates(name)

    def tick(self, name: str | None, mark: str) -> Updates:
        """Show how far everything is by now; what has not changed is left alone."""
        if not name:
            return UNCHANGED
        try:
            overview = self.service.look(name, counted=False)
            if overview.mark != mark:
                return self._updates(name)
        except UnknownName:
            return UNCHANGED
        live = any(job.live for job in overview.jobs)
        return {self.runs.live: str(draw_live(overview))} if live else UNCHANGED

    @errors_shown
    def act(self, name: str | None, event: gr.EventData) -> Updates:
        """Pause, resume or stop what was pressed."""
        sent = event_data(event)
        jobs = self.service.running
        act = {"pause": jobs.pause, "resume": jobs.resume, "stop": jobs.halt}.get(str(sent.get("act")))
        if name is None or act is None:
            return UNCHANGED
        number = whole_number(sent.get("number"))
        here = [job.number for job in self.service.look(name, counted=False).jobs]
        if number not in here:
            raise UnknownName("run under way", str(number), map(str, here))
        act(number)
        return self._updates(name)

    @errors_shown
    def ask(self, name: str | None) -> Updates:
        """Show the form, empty."""
        if not name:
            raise BadSetting(NO_STUDY)
        return self._view(self.asking) | shown(self.form, self.service, name, None, None)

    @errors_shown
    def chosen(self, name: str | None, event: gr.EventData) -> Updates:
        """Show what was pressed in the list: going on with a run, what to decide about one, several compared."""
        sent = event_data(event)
        study, act, number = name or "", str(sent.get("act")), whole_number(sent.get("number"))
        if act == "again":
            settings = self.service.again(study, number)
            return self._view(self.asking) | shown(self.form, self.service, study, settings, number)
        decisions, numbers = self.decisions, sent.get("runs")
        runs = [whole_number(run_line) for run_line in numbers] if isinstance(numbers, list) else []
        if act == "judge":
            title = str(Markup(DECISION).format("Judge replies", self.service.judging_words(study, runs)))
            return self._view(self.judging.view) | {self.judging.title: title, self.judging.runs: tuple(runs)}
        if act == "compare":
            if not 2 <= len(runs) <= MOST_COMPARED:
                raise BadSetting(f"tick from 2 to {MOST_COMPARED} runs to compare; {len(runs)} are ticked")
            compared = str(draw_comparison(self.service.compare(study, runs)))
            return self._view(decisions.comparing) | {decisions.compared: compared}
        title, words = self.service.decision(study, act, number)
        return self._view(decisions.asking) | {
            decisions.question: str(Markup(DECISION).format(title, words)),
            decisions.what: (act, number),
            decisions.reason: "",
            decisions.go: gr.update(value=title, variant="stop" if act == "delete" else "primary"),
        }

    @errors_shown
    def decide(self, given: Mapping[Any, Any], request: gr.Request) -> Updates:
        """Do what was asked about, and show the list."""
        name = given[self.runs.study] or ""
        (act, number), reason = given[self.decisions.what], given[self.decisions.reason] or ""
        gr.Success(escaped(self.service.decide(name, act, number, who=str(request.username), reason=reason)))
        return self.leave(name)

    @errors_shown
    def judge(self, given: Mapping[Any, Any], request: gr.Request) -> Updates:
        """Make the study for people, and show the list."""
        form, name = self.judging, given[self.runs.study] or ""
        criteria = [line.strip() for line in (given[form.criteria] or "").splitlines() if line.strip()]
        asked = ReplyQueue(
            source=name,
            name=(given[form.name] or "").strip(),
            shape=shape_named(given[form.shape]),
            runs=tuple(given[form.runs] or ()),
            criteria=tuple(criteria),
            opens=False,
        )
        gr.Success(escaped(f"{self.service.judge(asked, who=str(request.username))} Open it under Studies."))
        return self.leave(name)

    def estimate(self, given: Mapping[Any, Any]) -> Updates:
        """Show what the form comes to; only then it can be started."""
        values, key, run = self.form.values(given), given[self.form.key] or "", given[self.form.run]
        try:
            preview = self.service.preview(given[self.runs.study] or "", values, key, run=run)
        except EtalonError as error:
            hidden = gr.update(visible=False)
            problem = str(draw_preview(None, str(error)))
            return {self.form.preview: problem, self.form.start: hidden, self.form.write: hidden}
        may_write = bool(preview.batch) and len(preview.estimates) == 1
        seen = {self.form.start: gr.update(visible=True), self.form.write: gr.update(visible=may_write)}
        return {self.form.preview: str(draw_preview(preview)), **seen}

    @errors_shown
    def start(self, given: Mapping[Any, Any], request: gr.Request) -> Updates:
        """Begin, and show the list; the key's field is emptied."""
        values, key, run = self.form.values(given), given[self.form.key] or "", given[self.form.run]
        job = self.service.start(given[self.runs.study] or "", values, key, who=str(request.username), run=run)
        gr.Success(escaped(f"{job.name} is asked. You may leave this page."))
        return self.leave(job.study.name)

    @errors_shown
    def batch(self, given: Mapping[Any, Any], request: gr.Request) -> Updates:
        """Begin to write Batch files, or to store the files of results where these are asked for; show the list."""
        name, values, run = given[self.runs.study] or "", self.form.values(given), given[self.form.run]
        results = [Path(file) for file in given.get(self.form.results) or ()]
        if self.form.results in given and not results:
            raise BadSetting("choose the files of results first")
        self.service.start_batch(name, values, run=run, results=results, who=str(request.username))
        return self.leave(name)

    def leave(self, name: str | None) -> Updates:
        """Show the list; the key's field is emptied."""
        return {**self._view(self.runs.view), **self._updates(name), self.form.key: ""}

    @errors_shown
    def reread(self, name: str | None) -> Updates:
        """Read the stored replies of all runs anew."""
        if not name:
            return UNCHANGED
        read_runs = self.service.rescore(name)
        changed, replies = (sum(getattr(read, name) for read in read_runs) for name in ("changed", "replies"))
        said = f"{changed} of {replies} replies of {len(read_runs)} runs are read differently now; nobody was asked."
        gr.Success(escaped(said))
        return self._updates(name)

    @errors_shown
    def importing(self, name: str | None) -> Updates:
        """Show the form of an import."""
        if not name:
            raise BadSetting(NO_STUDY)
        return {**self._view(self.logs.view), self.logs.title: import_title(name), self.logs.report: ""}

    def bring(self, given: Mapping[Any, Any]) -> Updates:
        """Import a log and show its report."""
        name, file = given[self.runs.study], given[self.logs.file]
        if not name or not file:
            return {self.logs.report: str(draw_imported(None, "Choose the log first." if name else ""))}
        try:
            imported = self.service.import_run(name, Path(file), given[self.logs.form], given[self.logs.model] or "")
        except EtalonError as error:
            return {self.logs.report: str(draw_imported(None, str(error)))}
        return {self.logs.report: str(draw_imported(imported)), **self._updates(name)}

    def _view(self, which: gr.Column) -> Updates:
        return {view: gr.update(visible=view is which) for view in self.views}

    def _updates(self, name: str | None) -> Updates:
        """Return what is under way, the list of runs, and the mark of that list."""
        overview = self.service.look(name) if name else None
        mark = overview.mark if overview else ""
        return {
            self.runs.live: str(draw_live(overview)),
            self.runs.runs: str(draw_runs(overview)),
            self.runs.mark: mark,
        }


def shown(
    form: RunForm, service: ModelsService, study: str, settings: RunSettings | None, number: int | None
) -> Updates:
    """Return the form filled with settings, or empty; `number` is the run to go on with."""
    provider = settings.provider if settings else next(iter(PROVIDERS.values()))
    values = settings.values() if settings else {"base_url": address_of(provider)}
    prompts = [(OWN_PROMPT if place == 0 else f"wording {place}", place) for place in range(service.prompts(study))]
    asked = set(keys_of(provider).values())
    typed = {key: typed_in(setting, values if key in asked else {}) for key, setting in FIELDS.items()}
    fields = {form.fields[key]: gr.update(value=value) for key, value in typed.items()}
    fields[form.fields["variants"]]["choices"] = prompts
    seen = visible_fields(form, provider.name)
    head = f"Go on with run {number}" if number else "Ask a model"
    waits = settings is not None and settings.batch is not None
    return {
        **{component: {**fields.get(component, {}), **update} for component, update in seen.items()},
        form.title: f'<div class="look report"><h1 tabindex="-1">{head}</h1></div>',
        form.run: number,
        form.provider: provider.name,
        form.model: settings.model.partition(":")[2] if settings else "",
        form.key: gr.update(value="", **told_of_key(service, provider, values.get("base_url") or "")),
        form.preview: "",
        form.more: gr.update(open=settings is not None),
        form.start: gr.update(visible=False),
        form.write: gr.update(visible=False),
        form.results: gr.update(value=None, visible=waits),
        form.collect: gr.update(visible=waits),
    }


def told_of_key(service: ModelsService, provider: Provider, base_url: str) -> dict[str, Any]:
    """Return what the field of the key says beside it: whether one is known for this server."""
    known = service.knows_key(provider, base_url)
    return {"info": KNOWN if known else TYPED, "placeholder": "from the environment" if known else ""}


def follow(form: RunForm, service: ModelsService) -> None:
    """Let the rows follow the provider, the key's field the address; whatever changes makes the estimate stale."""
    now: dict[str, Any] = {"queue": False, "trigger_mode": "always_last", **QUIETLY}
    addresses = [field for key, field in form.fields.items() if FIELDS[key].name == "base_url"]
    said_again = {*addresses, *(field for field in form.fields.values() if isinstance(field, gr.Number))}

    def chosen(given: dict[Any, Any]) -> Updates:
        provider = PROVIDERS[given[form.provider]]
        typed = {field: given[field] for field in said_again}
        url = ""
        if key := keys_of(provider).get("base_url"):
            typed[form.fields[key]] = url = given[form.fields[key]] or address_of(provider)
        # A key that was typed for one provider is none of another's business.
        known = gr.update(value="", **told_of_key(service, provider, url))
        return visible_fields(form, provider.name, typed) | {form.key: known}

    form.provider.input(chosen, {form.provider, *said_again}, [*form.placed, form.key], **now)

    def known(name: str, url: str) -> Any:
        # What stands in the field stays: the answer comes while a key is being typed or pasted.
        return gr.update(**told_of_key(service, PROVIDERS[name], url or ""))

    for field in addresses:
        field.blur(known, [form.provider, field], form.key, **now)
    changed = [field.upload if isinstance(field, gr.File) else field.input for field in form.typed]
    cleared = [field.clear for field in form.typed if isinstance(field, gr.File)]
    hidden = gr.update(visible=False)
    stale = {form.preview: "", form.start: hidden, form.write: hidden}
    gr.on([*changed, *cleared], lambda: stale, None, list(stale), **now)
