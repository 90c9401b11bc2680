"""What is imported is declared: by the program in requirements.txt, by tests and measurements there or beside it."""

import ast
import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.program.test_layers import MAY_IMPORT, imports

ROOT = Path(__file__).parents[2]
DEVELOPMENT = ("tests", "bench", "docs")
OURS = {*MAY_IMPORT, *DEVELOPMENT}
IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import\b|import ([\w.]+)(?: as \w+)?[ \t]*(?:#|$))", re.MULTILINE)


@cache
def distributions() -> dict[str, list[str]]:
    """Return what is installed: for each name that can be imported, the packages that bring it."""
    return {name: [canonical(package) for package in packages] for name, packages in packages_distributions().items()}


def canonical(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def declared(file: str) -> set[str]:
    """Return the packages that a file of requirements names with their versions."""
    return {
        canonical(found) for found in re.findall(r"^([\w.-]+)(?:\[\w+\])?==", (ROOT / file).read_text("utf8"), re.M)
    }


def undeclared(place: str, packages: set[str]) -> list[str]:
    """Return what the files of a folder, or the module of that name, import from packages that are not among these."""

    def unknown(names: Iterable[str]) -> list[str]:
        return sorted(
            name
            for name in {full.partition(".")[0] for full in names}
            if name not in sys.stdlib_module_names | OURS
            and packages.isdisjoint(distributions().get(name, (canonical(name),)))
        )

    files = sorted((ROOT / place).rglob("*.py")) or [ROOT / f"{place}.py"]
    texts = {path: path.read_text("utf8") for path in files}
    # Few files are worth a parser's time: those in which something unknown looks like an import, maybe within a text.
    suspects = {path: text for path, text in texts.items() if unknown(map("".join, IMPORT.findall(text)))}
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path, text in suspects.items()
        for name in unknown(imports(ast.parse(text)))
    ]


@pytest.mark.parametrize("place", MAY_IMPORT)
def test_what_the_program_imports_is_declared(place: str) -> None:
    assert not undeclared(place, declared("requirements.txt"))


@pytest.mark.parametrize("place", DEVELOPMENT)
def test_what_tests_and_measurements_import_is_declared(place: str) -> None:
    files = ("requirements.txt", "requirements-dev.txt", *(["requirements-docs.txt"] if place == "docs" else []))
    assert not undeclared(place, set().union(*map(declared, files)))


def test_what_is_declared_is_locked() -> None:
    for file in ("requirements", "requirements-dev", "requirements-docs"):
        assert declared(f"{file}.txt") <= declared(f"{file}.lock")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_what_is_declared_can_be_installed_without_digests(name: str) -> None:
    """With digests in any file that it names, pip wants them of every package."""
    named = re.findall(r"^-[rc] (\S+)", (ROOT / name).read_text("utf8"), re.MULTILINE)
    assert all("--hash" not in (ROOT / file).read_text("utf8") for file in (name, *named))
