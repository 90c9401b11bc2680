"""Personal invitation links, and signed ones with a platform's id, made on the page and taken away as a file."""

import gradio as gr

from annotate.invitations import PLATFORM_IDS, links_of
from annotate.pages.manage.gradio_events import QUIETLY, errors_shown
from annotate.pages.manage.study_drawing import draw_links
from annotate.requesters.requester_service import RequesterService

SHOWN = 20
WHY = (
    "A personal link is for one person: it opens the same place on every device, and nobody can take part twice or "
    "as somebody else. For people from a platform, enter their IDs to get signed links, and switch on “Require signed "
    "platform IDs” under Settings: an ID that somebody else wrote into a link is then refused. Names and IDs are "
    "stored as a digest only, so save the file."
)
KINDS = [("a personal link", ""), *((f"a signed link with {name}", name) for name in PLATFORM_IDS)]


def build_links(requesters: RequesterService, name: gr.State) -> None:
    """Build the form over the study that `name` holds."""
    with gr.Accordion("Personal and signed links", open=False, elem_classes="rules links-form"):
        gr.HTML(f'<div class="look report"><p class="hint">{WHY}</p></div>', apply_default_css=False)
        people = gr.Textbox(label="Names or platform IDs, one per line", lines=4, max_length=1_000_000)
        kind = gr.Dropdown(KINDS, value="", label="Kind of link", elem_classes="narrow")
        make = gr.Button("Make the links", elem_classes="narrow")
        links = gr.HTML(apply_default_css=False)

    @errors_shown
    def made(study: str | None, named: str, parameter: str) -> str:
        if study is None:
            return ""
        links = links_of(
            requesters.signer, requesters.address, requesters.study(study).name, named or "", parameter or ""
        )
        return str(draw_links(study, links, SHOWN, parameter or ""))

    name.change(lambda: ("", ""), None, [people, links], queue=False, **QUIETLY)
    make.click(made, [name, people, kind], links, trigger_mode="once", **QUIETLY)
