"""The fold in which a requester erases what identifies a worker: which answers stay is chosen, the name typed again."""

from collections.abc import Callable
from typing import Any, NamedTuple

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, errors_shown, escaped
from annotate.requesters.oversight import Oversight

KEEP, ERASE = "keep", "erase"
WHAT = (
    "For a person who asks to be forgotten. Their pseudonym, what an invitation said of them, the texts they wrote to "
    "you and what was written about them are erased, and their place is gone: with an invitation they begin as "
    "somebody unknown. Pay what is owed before: it cannot be undone, and files that were downloaded are yours to erase."
)
CHOICES = [("Keep the answers under a new pseudonym", KEEP), ("Erase the answers too", ERASE)]


class Forgetting(NamedTuple):
    """The fields of the fold."""

    answers: gr.Radio
    confirmed: gr.Textbox
    button: gr.Button


def build_forgetting() -> Forgetting:
    """Build the fold below the table of workers."""
    with gr.Accordion("Forget the worker chosen above", open=False):
        gr.Markdown(WHAT)
        with gr.Row(elem_classes="judge"):
            answers = gr.Radio(CHOICES, value=KEEP, label="Answers")
            confirmed = gr.Textbox(label="The worker's name", info="Type it to confirm", max_length=200)
            button = gr.Button("Forget for good", variant="stop", scale=0)
    return Forgetting(answers, confirmed, button)


def follow_forgetting(
    fields: Forgetting,
    oversight: Oversight,
    name: gr.State,
    worker: gr.Dropdown,
    outputs: list[Any],
    draw: Callable[[str, str | None], tuple[Any, ...]],
) -> None:
    """Let the button forget the chosen worker of the study `name` and draw `outputs` anew."""

    @errors_shown
    def forget(study: str | None, chosen: str | None, answers: str, typed: str, request: gr.Request) -> tuple[Any, ...]:
        if study is None:
            return (gr.skip(),) * (len(outputs) + 1)
        if not chosen or typed.strip() != chosen:
            raise gr.Error("Choose a worker above and type the same name here.", print_exception=False)
        done = oversight.forget(study, chosen, keep_answers=answers == KEEP, who=str(request.username))
        became = f"the answers stay as those of {done.pseudonym}" if done.kept else "the answers are erased"
        gr.Success(escaped(f"{chosen} is forgotten, {became}."))
        return (*draw(study, None), "")

    sent = [name, worker, fields.answers, fields.confirmed]
    fields.button.click(forget, sent, [*outputs, fields.confirmed], trigger_mode="once", **QUIETLY)
