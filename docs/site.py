"""What the documentation site takes from outside docs/: pages of the repository, and links to them."""

import json
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
JOINED = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "results.md": "bench/RESULTS.md",
}
"""Pages of the site by the files of the repository that they show."""
PAGE_OF = {shown: page for page, shown in JOINED.items()}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside docs/, and the notebooks as pages."""
    for page, shown in JOINED.items():
        files.append(File.generated(config, page, content=(ROOT / shown).read_text("utf8")))
    for notebook in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=_as_page(notebook)))
    return files


def _as_page(notebook: Path) -> str:
    """Return a notebook as Markdown: its texts, its code, and what came out."""
    parts = []
    for cell in json.loads(notebook.read_text("utf8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            parts.append("```text\n{}\n```".format("".join(output["data"]["text/plain"])))
    heading, *others = parts
    return "\n\n".join([heading, f"[Download the notebook]({notebook.name})", *others])


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Lead links to where their pages are on the site; a link to a file that is no page becomes its name."""
    here = ROOT / JOINED.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def placed(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        if target.startswith(("http", "mailto")):
            return link[0]
        file = (here.parent / target).resolve().relative_to(ROOT).as_posix()
        up = "../" * page.file.src_uri.count("/")
        if file in PAGE_OF:
            return f"[{text}]({up}{PAGE_OF[file]}{anchor})"
        if file.startswith("docs/"):
            return f"[{text}]({up}{file.removeprefix('docs/')}{anchor})"
        return f"{text} (`{file}`)"

    return re.sub(r"(?<!`)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s]+)(#[^)]*)?\)", placed, markdown)
