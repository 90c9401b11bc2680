"""How pages made with Gradio declare their events, and read them; errors become its messages here and nowhere else."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import wraps
from hashlib import blake2b
from html import escape
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from data.errors import EtalonError

P = ParamSpec("P")
T = TypeVar("T")
Updates = dict[Any, Any]
"""What components are to show, by the component; those that are not named stay as they are."""
UNCHANGED: Updates = gr.skip()
"""All outputs of a handler, be they many or few, stay as they are."""
QUIETLY: dict[str, Any] = {
    "api_visibility": "private",
    "show_progress": "hidden",
    "show_progress_on": [],  # else each request writes into every output, and into all that stands within it
    "concurrency_limit": None,
}
# The server ends the stream on which it answers queued events with the last of them. A press that it takes just then is
# answered on no stream, and its page waits for ever: so what only shows something, while people go on, is not queued.
AT_ONCE: dict[str, Any] = {**QUIETLY, "queue": False}


def escaped(words: object) -> str:
    """Return words for one of Gradio's messages, which it takes for HTML: they may quote a file or an address."""
    return escape(str(words), quote=False)


def event_data(event: gr.EventData) -> dict[str, Any]:
    """Return what a press in a drawing says; a browser may send anything."""
    return event._data if isinstance(event._data, dict) else {}


def whole_number(value: object) -> int:
    """Return a whole number from 0 on that a browser sent, 0 for anything else."""
    shown = str(value)
    return int(shown) if shown.isascii() and shown.isdecimal() and len(shown) < 16 else 0


def errors_shown(handler: Callable[P, T]) -> Callable[P, T]:
    """Return the handler with our errors shown as they stand; Gradio shows them for queued events only."""

    @wraps(handler)
    def shown(*given: P.args, **named: P.kwargs) -> T:
        try:
            return handler(*given, **named)
        except EtalonError as error:
            raise gr.Error(escaped(error), print_exception=False) from error

    return shown


def in_study(handler: Callable[P, T]) -> Callable[P, T]:
    """Return the handler for the study that its first value names, with errors shown; without one nothing changes."""

    @wraps(handler)
    def shown(*given: P.args, **named: P.kwargs) -> T:
        study = next(value for value in given if value is None or isinstance(value, str))
        return gr.skip() if study is None else errors_shown(handler)(*given, **named)

    return shown


def follow_last(
    events: Sequence[Any],
    handler: Callable[[dict[Any, Any]], Updates],
    inputs: AbstractSet[Any],
    outputs: Sequence[Any],
) -> None:
    """Let outputs be what a handler makes of the inputs as they are, however quickly these change.

    Answers may overtake each other, and Gradio's own "always_last" asks without end where two such handlers wait for
    one event. So what is drawn has a mark of what it was drawn of; after each answer it is compared with the inputs.
    """
    mark = gr.HTML("", elem_classes="nowhere", apply_default_css=False)
    order = sorted(inputs, key=lambda component: component._id)

    def draw(values: dict[Any, Any]) -> Updates:
        now = blake2b(repr([values[number] for number in order]).encode(), digest_size=8).hexdigest()
        return {mark: gr.skip()} if values[mark] == now else {mark: now, **handler(values)}

    asked: dict[str, Any] = {"inputs": {*inputs, mark}, "outputs": [*outputs, mark], **AT_ONCE}
    gr.on(list(events), draw, **asked, trigger_mode="once").then(draw, **asked, trigger_mode="multiple")
