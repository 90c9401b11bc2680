"""What the documentation site takes from outside docs/: pages of the repository, and links to them."""

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
    """Add the pages that stand outside docs/."""
    for page, shown in JOINED.items():
        files.append(File.generated(config, page, content=(ROOT / shown).read_text("utf8")))
    return files


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
