"""Puts the packages of this repository under `human_baseline.` in a wheel; pyproject.toml has all the rest.

`pip wheel .` runs it. In the repository imports name packages as they stand there (`from eval.votes import code`); in a
wheel such names would be everybody's. So imports, references written as texts ("server:serve") and the name of the
command are rewritten, line by line: a traceback names the line that it means.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PACKAGE = "human_baseline"
SHIPPED = ("app.py", "server.py", "data", "eval", "db", "annotate", "baseline", PACKAGE)
NAMES = "|".join(Path(name).stem for name in SHIPPED if name != PACKAGE)
IMPORT = re.compile(rf"^(\s*(?:>>> )?(?:from|import)) (?=(?:{NAMES})[. ])", re.MULTILINE)
REFERENCE = re.compile(rf'"((?:{NAMES})(?:\.\w+)*)(:\w+)?"')
COMMAND = "python app.py"
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")
"""A link or a picture whose address is within the repository."""


def write_package(folder: Path) -> None:
    """Write every file of the wheel, rewritten, below a folder."""
    places = [path for name in SHIPPED for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    for path in places:
        if path.is_file() and "__pycache__" not in path.parts:
            file = path.relative_to(ROOT)
            target = folder / (file if file.parts[0] == PACKAGE else PACKAGE / file)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()
            if file.suffix == ".py" or COMMAND.encode() in content:
                content = rewritten(content.decode("utf8"), python=file.suffix == ".py").encode()
            target.write_bytes(content)


def rewritten(text: str, *, python: bool) -> str:
    """Return a text of the repository as it stands in the wheel."""
    text = text.replace(COMMAND, PACKAGE.replace("_", "-"))
    return REFERENCE.sub(_under_package, IMPORT.sub(rf"\1 {PACKAGE}.", text)) if python else text


def _under_package(reference: "re.Match[str]") -> str:
    """Return a text that names a module of ours, or something in it, under the package; others as they are."""
    module = reference[1].split(".")[:2]
    path = ROOT.joinpath(*module)
    is_module = path.is_dir() or path.with_suffix(".py").exists()
    return f'"{PACKAGE}.{reference[0][1:]}' if is_module and (len(module) > 1 or reference[2]) else reference[0]


def description(text: str, project: dict[str, Any]) -> str:
    """Return the README as an index of packages shows it, where addresses within the repository lead nowhere.

    They are made whole by the `Repository` of `project.urls`, at the tag of the version; without one links become their
    words, and pictures go.
    """
    repository = project.get("urls", {}).get("Repository", "").rstrip("/")

    def whole(link: "re.Match[str]") -> str:
        picture, words, target = link.groups()
        if not repository:
            return "" if picture else words
        return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/v{project['version']}/{target})"

    return LINK.sub(whole, text)


if __name__ == "__main__":
    from setuptools import setup
    from setuptools.command.build_py import build_py

    class BuildUnderPackage(build_py):
        """Writes the package in the place of files as they stand here."""

        def run(self) -> None:
            """Write it."""
            write_package(Path(self.build_lib))

    PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    setup(
        packages=[PACKAGE],
        cmdclass={"build_py": BuildUnderPackage},
        long_description=description((ROOT / "README.md").read_text("utf8"), PROJECT),
        long_description_content_type="text/markdown",
    )
