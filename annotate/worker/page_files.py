"""The worker page as one document with one script and one style sheet, which the server joins from their files."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath

from starlette.requests import Request
from starlette.responses import Response

from annotate.page_templates import template
from data.drawing.environment import STATIC
from data.wording import FALLBACK, Language, languages, texts

FILES = "/static/worker/"
SCRIPTS = Path(__file__).parents[1] / "static"
STYLES = (STATIC / "look.css", STATIC / "items.css", SCRIPTS / "work.css")
FIRST = "work.js"
PREVIEW = "preview.js"  # begins a page of its own, of the modules as they are
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}

_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r"""\bimport\((["`])(\.[^"`]+)\1\)""")
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
_LOADER = """const made = {}, makers = {};
const bundled = (name) => made[name] ?? (makers[name]((made[name] = {})), made[name]);
"""


@dataclass(frozen=True)
class Served:
    """A file under a name that changes with its content, so that a browser never asks for it twice."""

    name: str
    kind: str
    content: bytes
    packed: bytes

    def response(self, request: Request) -> Response:
        """Return the file, compressed for whom that suits."""
        packs = "gzip" in request.headers.get("accept-encoding", "")
        headers = FOREVER | ({"Content-Encoding": "gzip"} if packs else {})
        return Response(self.packed if packs else self.content, headers=headers, media_type=self.kind)


def document(language: Language) -> str:
    """Return the page before its first screen; it holds no study's data."""
    spoken = dict.fromkeys((*FALLBACK, *languages()))  # the first is for browsers that ask for none of them
    script, style = (FILES + served.name for served in files())
    says = {code: dict(texts(code)["says"]) for code in spoken}
    t = texts(language)
    return template("worker_page.html").render(language=language, t=t, script=script, style=style, says=says)


@cache
def files() -> tuple[Served, Served]:
    """Return the script and the style sheet."""
    style = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    # Each module is made when something first asks for it, as a browser would.
    modules = [
        _module(PurePosixPath(path.relative_to(SCRIPTS)), path.read_text(encoding="utf-8"))
        for path in sorted(SCRIPTS.rglob("*.js"))
        if path.name != PREVIEW
    ]
    script = "".join([_LOADER, *modules, f'bundled("{FIRST}");\n'])
    return _served(script, "js", "text/javascript"), _served(style, "css", "text/css")


def _module(name: PurePosixPath, text: str) -> str:
    def there(path: str) -> str:
        return normpath(name.parent / path)

    def imported(match: re.Match[str]) -> str:
        whole, named, path = match.groups()
        return f'const {whole or "{" + named.replace(" as ", ": ") + "}"} = bundled("{there(path)}");'

    def later(match: re.Match[str]) -> str:
        return f"Promise.resolve(bundled({match[1]}{there(match[2])}{match[1]}))"

    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _LATER.sub(later, _IMPORT.sub(imported, text)))
    body = body.replace("export default ", "exports.default = ")
    return f'makers["{name}"] = (exports) => {{\n{body}\nObject.assign(exports, {{ {exported} }});\n}};\n'


def _served(text: str, ending: str, kind: str) -> Served:
    content = text.encode()
    name = f"{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
    return Served(name, kind, content, gzip.compress(content, mtime=0))
