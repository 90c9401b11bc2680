"""What models write, as HTML: Markdown with code as code, mathematics as text, and nothing that leads elsewhere."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

from data.limits import LONGEST_MARKDOWN

TAGS = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
MATH = re.compile(
    r"\$\$.{1,1000}?\$\$|\$(?!\s)[^$\n]{1,300}?(?<!\s)\$(?!\d)|\\\(.{1,1000}?\\\)|\\\[.{1,1000}?\\\]", re.DOTALL
)
MATH_LINES = 40


@lru_cache(maxsize=1_000)  # an item is drawn for each of its workers
def markdown(text: str) -> Markup:
    """Return Markdown as HTML whose lines end where they do in `text`; one that is too long as it stands.

    HTML in it is shown as text, a link as its words and its address, a picture as its words and its address.
    """
    if len(text) > LONGEST_MARKDOWN:
        return Markup("<pre>{}</pre>").format(text)
    return Markup(nh3.clean(_PARSER.render(text), tags=TAGS, attributes={"ol": {"start"}}, link_rel=None))


def _math(state: StateInline, silent: bool) -> bool:
    """Take a formula as it stands: its stars and backslashes mean something else."""
    found = MATH.match(state.src, state.pos, state.posMax) if state.src[state.pos] in "$\\" else None
    if found and not silent:
        state.push("math", "", 0).content = found[0]
    state.pos += len(found[0]) if found else 0
    return found is not None


def _math_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a formula that stands on lines of its own, of which one may begin as a list does."""
    begin = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not state.src.startswith(("$$", "\\["), begin):
        return False
    text = state.getLines(start, min(end, start + MATH_LINES), state.blkIndent, False).lstrip()
    found = MATH.match(text)
    if not found or text[found.end() :].partition("\n")[0].strip():
        return False
    if not silent:
        state.line = start + found[0].count("\n") + 1
        state.push("paragraph_open", "p", 1)
        token = state.push("inline", "", 0)
        token.content, token.children = found[0], []
        state.push("paragraph_close", "p", -1)
    return True


class _Renderer(RendererHTML):
    """Draws headings below those of the page, and neither links nor pictures."""

    def heading_open(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        return f"<h{min(6, int(tokens[place].tag[1]) + 2)}>"

    def heading_close(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        return f"</h{min(6, int(tokens[place].tag[1]) + 2)}>"

    def link_open(self, *_: Any) -> str:
        return ""

    def link_close(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        """Draw the address of a link behind its words, unless these are the address."""
        opening = next(token for token in reversed(tokens[:place]) if token.type == "link_open")
        address = opening.attrs["href"]
        return "" if tokens[place - 1].content == address else f" ({escape(address)})"

    def image(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        return f"{escape(tokens[place].content)} ({escape(tokens[place].attrs['src'])})"

    def math(self, tokens: Sequence[Token], place: int, *_: Any) -> str:
        return escape(tokens[place].content).replace("\n", Markup("<br>\n"))


_SETTINGS = {"html": False, "breaks": True}
_PARSER = MarkdownIt("commonmark", _SETTINGS, renderer_cls=_Renderer).enable(["table", "strikethrough"])
_PARSER.inline.ruler.before("escape", "math", _math)
_PARSER.block.ruler.before(
    "fence", "math_lines", _math_lines, {"alt": ["paragraph", "reference", "blockquote", "list"]}
)
