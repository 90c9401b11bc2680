"""The form of a new run: whom to ask, how, for how much; the key is typed here and goes nowhere but to its server."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import gradio as gr

from baseline.models.base import MAX_TOKENS, PUBLIC
from baseline.pages.models_service import ModelsService
from baseline.pages.telling import QUIETLY
from baseline.runs.drafts import SERVER, STRUCTURED, Draft
from baseline.runs.labels import LABELS
from data.rows import ENDINGS

PROVIDERS = [
    ("A server that speaks the OpenAI chat API", SERVER),
    ("Random", "random"),
    ("Majority class", "majority"),
    ("TF-IDF", "tfidf"),
    ("TF-IDF as published", "tfidf-published"),
]
FIELDS = (
    "provider",
    "base_url",
    "model",
    "limit",
    "samples",
    "concurrency",
    "seed",
    "temperature",
    "max_tokens",
    "reasoning_effort",
    "params",
    "prompts",
    "shots",
    "context",
    "structured",
    "train",
    "price_input",
    "price_output",
    "currency",
    "max_cost",
)
"""What the form asks for, in the order of its components; each is a field of a Draft."""
SERVER_ROWS = 4
"""Rows of the form that only a server needs: address, parameters, prompts and money."""
OWN = "the task's own"
TYPED = "Kept in memory while the run lasts, never stored"
KNOWN = "From the environment; type another one to use that instead"


@dataclass(frozen=True)
class Form:
    """The components of the form. `run` is the number of the run to go on with, `fields` are in the order of FIELDS."""

    title: gr.HTML
    run: gr.State
    fields: tuple[Any, ...]
    key: gr.Textbox
    server: tuple[Any, ...]
    estimate: gr.Button
    start: gr.Button
    cancel: gr.Button
    preview: gr.HTML

    @property
    def filled(self) -> list[Any]:
        """The components that `shown` fills, in its order."""
        return [self.title, self.run, *self.fields, self.key, *self.server, self.preview, self.start]


def build_form() -> Form:
    """Return the form, empty."""
    title = gr.HTML("", apply_default_css=False)
    secret = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
    provider = gr.Radio(PROVIDERS, value=SERVER, label="Who answers")
    with gr.Row(elem_classes="roomy") as address:
        base_url = gr.Textbox(
            label=LABELS["base_url"], placeholder=PUBLIC, info="Where the server listens; nothing else is asked"
        )
        model = gr.Textbox(
            label=LABELS["model"], placeholder="qwen3-8b", info="What its server calls it", max_length=200
        )
        key = gr.Textbox(label=LABELS["key"], type="password", info=TYPED, max_length=500, html_attributes=secret)
    with gr.Row():
        limit = gr.Number(None, label=LABELS["limit"], precision=0, placeholder="all of them")
        samples = gr.Number(1, label=LABELS["samples"], precision=0)
        concurrency = gr.Number(16, label=LABELS["concurrency"], precision=0)
        seed = gr.Number(None, label=LABELS["seed"], precision=0, placeholder="none is sent")
    sampling, parameters = _build_parameters()
    wording, (prompts, shots, context, structured) = _build_wording()
    train = gr.File(
        label=f"{LABELS['train']} (for worked examples, majority and TF-IDF)", file_types=list(ENDINGS), height=108
    )
    with gr.Row() as money:
        price_input = gr.Number(None, label="Price of a million tokens, prompts")
        price_output = gr.Number(None, label="and of replies")
        currency = gr.Textbox("USD", label="Currency", max_length=8)
        max_cost = gr.Number(None, label=LABELS["max_cost"], placeholder="no limit")
    with gr.Row(elem_classes="ends"):
        estimate = gr.Button("Estimate", variant="primary", scale=0)
        start = gr.Button("Start", variant="primary", scale=0, visible=False)
        cancel = gr.Button("Cancel", scale=0)
    preview = gr.HTML("", apply_default_css=False)
    asked = (provider, base_url, model, limit, samples, concurrency, seed, *parameters)
    fields = (*asked, prompts, shots, context, structured, train)
    money_fields = (price_input, price_output, currency, max_cost)
    return Form(
        title,
        gr.State(None),
        (*fields, *money_fields),
        key,
        (address, sampling, wording, money),
        estimate,
        start,
        cancel,
        preview,
    )


def _build_parameters() -> tuple[gr.Row, tuple[Any, ...]]:
    """Return the row of the parameters that are sent, and its components in the order of FIELDS."""
    with gr.Row(elem_classes="roomy") as row:
        temperature = gr.Textbox(
            label=LABELS["temperature"], placeholder="0", info="A number, or none to send none", max_length=20
        )
        most = gr.Number(MAX_TOKENS, label=LABELS["max_tokens"], precision=0, info="Thinking counts too")
        effort = gr.Textbox(
            label=LABELS["reasoning_effort"],
            placeholder="none is sent",
            info="low, medium, high or what the server knows",
            max_length=40,
        )
        params = gr.Textbox(
            label=LABELS["params"],
            placeholder="top_p=0.9",
            info="One on each line, key=value, the value as JSON; stored with the run",
            lines=2,
            max_length=20_000,
        )
    return row, (temperature, most, effort, params)


def _build_wording() -> tuple[gr.Row, tuple[Any, ...]]:
    """Return the row that says how an item is put to the model, and its components in the order of FIELDS."""
    with gr.Row(elem_classes="roomy") as row:
        prompts = gr.Dropdown(
            [(OWN, 0)], value=[0], label=LABELS["prompts"], multiselect=True, info="Each is a run of its own"
        )
        shots = gr.Number(0, label=LABELS["shots"], precision=0, info="Train split or an earlier run")
        context = gr.Number(None, label=LABELS["context"], precision=0, info="Long texts are cut")
        structured = gr.Radio(
            list(STRUCTURED), value="off", label=LABELS["structured"], info="A JSON schema, where known"
        )
    return row, (prompts, shots, context, structured)


def values_of(*values: Any) -> dict[str, Any]:
    """Return what the form's fields hold, by name."""
    return dict(zip(FIELDS, values, strict=True))


def shown(desk: ModelsService, draft: Draft, number: int | None = None) -> tuple[Any, ...]:
    """Return the form filled with a draft, as the values of `Form.filled`; `number` is the run to go on with."""
    given: Mapping[str, Any] = asdict(draft) | {"train": None}
    prompts = desk.prompts(draft.study)
    choices = [(OWN if place == 0 else f"wording {place}", place) for place in range(prompts)]
    fields = [gr.update(value=given[name]) for name in FIELDS]
    fields[FIELDS.index("prompts")] = gr.update(choices=choices, value=list(draft.prompts))
    head = f"Go on with run {number}" if number else "Ask a model"
    title = gr.HTML(value=f'<div class="look report"><h1 tabindex="-1">{head}</h1></div>')
    return (
        title,
        number,
        *fields,
        gr.update(value="", **told_of_key(desk, draft.base_url)),
        *server_rows(draft.provider),
        "",
        gr.update(visible=False),
    )


def told_of_key(desk: ModelsService, base_url: str) -> dict[str, Any]:
    """Return what the field of the key says beside it: whether one is known for this server."""
    known = desk.knows_key(base_url)
    return {"info": KNOWN if known else TYPED, "placeholder": "from the environment" if known else ""}


def server_rows(provider: str) -> tuple[Any, ...]:
    """Return which rows of the form are in sight: those of a server mean nothing to a naive model."""
    return (gr.update(visible=provider == SERVER),) * SERVER_ROWS


def follow(form: Form, desk: ModelsService) -> None:
    """Let the rows follow the provider, the key's field the address; whatever changes makes the estimate stale."""
    provider, base_url = form.fields[0], form.fields[1]
    now: dict[str, Any] = {"queue": False, "trigger_mode": "always_last", **QUIETLY}
    provider.input(server_rows, provider, list(form.server), **now)

    def known(url: str) -> Any:
        # What stands in the field stays: the answer comes while a key is being typed or pasted.
        return gr.update(**told_of_key(desk, url or ""))

    base_url.blur(known, base_url, form.key, **now)
    changed = [field.upload if isinstance(field, gr.File) else field.input for field in form.fields]
    cleared = [field.clear for field in form.fields if isinstance(field, gr.File)]
    gr.on([*changed, *cleared], lambda: ("", gr.update(visible=False)), None, [form.preview, form.start], **now)
