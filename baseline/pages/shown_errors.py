"""The one place of these pages where our errors become what Gradio shows, and how their events are listed."""

from collections.abc import Callable
from functools import wraps
from html import escape
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from data.errors import EtalonError

P = ParamSpec("P")
T = TypeVar("T")
Updates = dict[Any, Any]
"""What is to be shown by which component."""
UNCHANGED: Updates = gr.skip()
"""All components stay as they are, be they many or few."""
QUIETLY: dict[str, Any] = {
    "api_visibility": "private",
    "show_progress": "hidden",
    "show_progress_on": [],  # else each request writes into every output, and into all that stands within it
    "concurrency_limit": None,
}


def safe(words: object) -> str:
    """Return words for one of Gradio's messages, which it takes for HTML: they may quote a file or a server."""
    return escape(str(words), quote=False)


def shows_errors(handler: Callable[P, T]) -> Callable[P, T]:
    """Return the handler with our errors shown as they stand; Gradio shows them for queued events only."""

    @wraps(handler)
    def guarded(*given: P.args, **named: P.kwargs) -> T:
        try:
            return handler(*given, **named)
        except EtalonError as error:
            raise gr.Error(safe(error), print_exception=False) from error

    return guarded
