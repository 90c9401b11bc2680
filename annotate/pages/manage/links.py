"""Personal invitation links, made on the page and taken away as a file."""

import gradio as gr

from annotate.manage import Desk
from annotate.pages.manage.drawing import draw_links
from annotate.pages.manage.telling import QUIETLY, told
from annotate.staff.downloads import personal_links

SHOWN = 20
WHY = (
    "A link of one's own says who comes: it opens the same place on every device, and nobody can take part twice or "
    "under another name. Only a digest of the name is kept, so keep the file."
)


def build_links(desk: Desk, name: gr.State) -> None:
    """Build the form over the study that `name` holds."""
    with gr.Accordion("Personal links", open=False, elem_classes="rules links-form"):
        gr.HTML(f'<div class="look report"><p class="hint">{WHY}</p></div>', apply_default_css=False)
        people = gr.Textbox(label="People, one on a line", lines=4, max_length=1_000_000)
        make = gr.Button("Make the links", elem_classes="narrow")
        drawn = gr.HTML(apply_default_css=False)

    @told
    def made(study: str | None, named: str) -> str:
        if study is None:
            return ""
        links = personal_links(desk.signer, desk.address, desk.study(study).name, named or "")
        return str(draw_links(study, links, SHOWN))

    name.change(lambda: ("", ""), None, [people, drawn], queue=False, **QUIETLY)
    make.click(made, [name, people], drawn, trigger_mode="once", **QUIETLY)
