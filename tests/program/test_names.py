"""Names are the field's words: those that said nothing are gone, and whoever greps for a term lands in its file."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.program.test_layers import ROOT, sources

GONE_MODULES = {
    "side", "drawn", "people", "staff", "looks", "desk", "shelf", "sparing", "gates", "odds", "footing",
    "alternative", "middles", "crowd", "whole", "cells", "sums", "blocks", "credits", "likeness", "shapes",
    "guesses", "listed", "coded", "marks", "making", "standing", "standings", "turns", "ahead", "doubts",
    "troubles", "told", "found", "one", "kept", "left", "going", "misc", "stuff", "utils", "helpers", "things",
}  # fmt: skip
"""Names of files and folders that told nobody what they hold."""
GONE_NAMES = {
    "told", "found", "Told", "Found", "Desk", "Shelf", "Sparing", "coded", "crowd", "ahead", "side", "sides",
    "things", "stuff", "blocks", "credits", "standing", "standings", "doubts", "troubles", "looks", "odds", "turns",
    "making", "drawn", "listed", "whole", "guesses", "shapes", "gates", "footing", "likeness",
}  # fmt: skip
"""Names of functions, variables, arguments and attributes that told nobody what they hold."""
CONTRACTS = {
    ("db/tables.py", "ahead"): "a column of databases that exist",
    ("eval/workers/constant.py", "crowd"): "a setting of the rule, stored with studies",
    ("eval/planner.py", "crowd"): "a key of `plan --json`",
    ("server.py", "blocks"): "Gradio's own word for a page",
    ("data/answers/number.py", "whole"): "a key of tasks",
    ("annotate/worker/view.py", "whole"): "a key that the worker's page reads",
    ("data/generators/babilong_stories.py", "things"): "what a story is about, beside its people and places",
    ("data/generators/babilong_words.py", "things"): "what a story is about, beside its people and places",
    ("data/generators/babilong_world.py", "things"): "what a story is about, beside its people and places",
}
"""Where such a name is the thing's own, and why."""
PARTICIPLES = {
    "sums", "kept", "left", "marks", "given", "asked", "said", "heard", "met", "now", "instead", "goes", "idle",
}  # fmt: skip
"""What no function, method or field is called: a reader would have to look up of what, of whom and when."""
PLAIN_THERE = {
    ("data/declared.py", "asked"): "how a form asks for a setting, beside the class of that name",
    ("data/drawing/answer_form.py", "asked"): "what a template of an answer is asked for",
    ("eval/consensus/units.py", "asked"): "what was asked: the task and the fields of its items",
    ("eval/gold.py", "asked"): "what was asked: the task and the fields of its items",
    ("eval/panel.py", "asked"): "what was asked: the task and the fields of its items",
    ("eval/study_data.py", "asked"): "what was asked: the task and the fields of its items",
    ("eval/votes.py", "asked"): "what was asked: the task and the fields of its items",
    ("eval/workers/afterwards.py", "asked"): "what was asked: the task and the fields of its items",
    ("eval/metrics/metric.py", "sums"): "the sums over items that a metric is a function of",
    ("data/task.py", "marks"): "a key of tasks",
    ("baseline/output/plots.py", "marks"): "the marks of a picture",
    ("baseline/output/interval_rows.py", "marks"): "the marks of a picture",
    ("baseline/output/plots.py", "left"): "an edge of a picture, beside the right one",
    ("baseline/human/sensitivity_strip.py", "left"): "an edge of a picture",
    ("db/clock.py", "now"): "the time it is",
}
"""Where such a word says all there is to say, and why."""
GONE_STYLES = {"desk", "shelf", "gates", "staff", "sparing", "looks"}
"""Classes of styles and functions of scripts that are gone; a class may be called `people`, which it colours."""
PARTS = ("annotate", "baseline", "data", "db", "eval", "tests")
PAIRED = {"other", "two"}
"""What `one` stands beside where it names the first of two; alone it says less than the thing's own name."""
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
TERMS = {
    "control question": "eval/workers/control.py",
    "inter-annotator agreement": "eval/agreement/__init__.py",
    "majority vote": "eval/consensus/majority.py",
    "rate limit": "annotate/accounts/rate_limit.py",
    "training": "annotate/worker/training.py",
    "adjudication": "annotate/requesters/adjudication.py",
    "completion code": "annotate/worker/completion.py",
    "overlap": "annotate/overlap.py",
    "consent": "annotate/consent.py",
    "gold": "eval/gold.py",
    "bootstrap": "eval/intervals/bootstrap.py",
    "kappa": "eval/agreement/cohen_kappa.py",
    "leakage": "baseline/runs/train_leaks.py",
    "batch": "baseline/runs/batches.py",
    "judge": "eval/judges/__init__.py",
}
"""The file that a term of the field leads to: by its name, or by the first line of what it says of itself."""
IN_MANY = {"gold", "judge"}
"""Terms that many files are about; the right one is the first of them all the same."""


def bound(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of everything that a file gives a name: definitions, arguments, variables, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id if isinstance(node, ast.Name) else node.attr


def ours(*endings: str) -> list[Path]:
    """Return the files of the program and of its tests with these endings."""
    return [path for top in PARTS for ending in endings for path in sorted((ROOT / top).rglob(f"*{ending}"))]


def test_no_file_has_a_name_that_is_gone() -> None:
    paths = [path.relative_to(ROOT) for path in ours(".py", ".js", ".css", ".html", ".jinja", ".toml")]
    named = [path for path in paths for part in path.parts if part.partition(".")[0] in GONE_MODULES - {"helpers"}]
    assert not [path for path in named if path.parts[1] != "ten_changes"]


def test_no_class_of_a_style_and_no_function_of_a_script_has_a_name_that_is_gone() -> None:
    classes = {(path, name) for path in ours(".css") for name in re.findall(r"\.([a-z][\w-]*)", path.read_text("utf8"))}
    functions = {
        (path, name) for path in ours(".js") for name in re.findall(r"\bfunction (\w+)", path.read_text("utf8"))
    }
    assert [f"{path}: {name}" for path, name in classes | functions if name in GONE_STYLES] == []


def test_nothing_has_a_name_that_is_gone() -> None:
    named = [
        (path.as_posix(), name.lstrip("_"), line)
        for _, path, tree in sources()
        for line, name in bound(tree)
        if name.lstrip("_") in GONE_NAMES
    ]
    assert [place for place in named if place[:2] not in CONTRACTS] == []
    assert CONTRACTS.keys() <= {place[:2] for place in named}, "an exception that nothing needs"


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions, methods and fields: what is used far from where it is written."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            )
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def test_no_function_and_no_field_is_called_by_a_bare_participle() -> None:
    named = {
        (path.as_posix(), name.lstrip("_"))
        for _, path, tree in sources()
        for name in defined(tree)
        if name.lstrip("_") in PARTICIPLES
    }
    assert named == PLAIN_THERE.keys()


def test_one_is_only_the_first_of_two() -> None:
    alone = []
    for _, path, tree in sources():
        names = {name for _, name in bound(tree)}
        alone += [f"{path}:{line}" for line, name in bound(tree) if name == "one" and not names & PAIRED]
    # `one` of a statement's rows is the database library's own word.
    assert [place for place in alone if not place.startswith("db/prepared_statements.py")] == []


@cache
def first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text("utf8"))) or "").partition("\n")[0]


def nearness(term: str, path: Path) -> int:
    """How soon whoever looks for a term opens a file: called so, begins with it, has it in the name, in the line; 0."""
    words, name = term.replace(" ", r"[\s_-]"), path.parent.name if path.stem == "__init__" else path.stem
    line = first_line(ROOT / path)
    ways = (
        re.fullmatch(rf"{words}(e?s)?", name),
        re.match(rf"(the )?{words}", line, re.IGNORECASE),
        re.search(words, name),
        re.search(words, line, re.IGNORECASE),
    )
    return next((len(ways) - place for place, way in enumerate(ways) if way), 0)


@pytest.mark.parametrize(("term", "file"), TERMS.items())
def test_a_term_of_the_field_leads_to_its_file_first(term: str, file: str) -> None:
    """It is the name of few files or stands in few first lines, and the right file is the first among them."""
    near = {path.as_posix(): nearness(term, path) for _, path, _ in sources()}
    naming = [path for path in near if near[path]]
    assert max(naming, key=lambda path: near[path]) == file
    assert term in IN_MANY or len(naming) <= 12, "whoever greps for it has to choose"
