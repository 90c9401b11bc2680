"""The import rule of the architecture as tests."""

import ast
import gc
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAY_IMPORT: dict[str, set[str]] = {
    "data": set(),
    "eval": {"data"},
    "db": {"data"},
    "annotate": {"data", "eval", "db"},
    "baseline": {"data", "eval", "db"},
    "human_baseline": {"data", "eval", "db", "baseline"},
    "server": {"data", "eval", "db", "annotate", "baseline"},
    "app": {"data"},
}
ONLY_IN = {
    "gradio": ("server.py", "annotate/pages", "baseline/pages", "data/drawing/gradio_events.py"),
    "sqlmodel": ("db",),
    "sqlalchemy": ("db",),
    "openai": ("baseline/models",),
    "typer": ("app.py", "annotate/commands", "baseline/commands", "data/commands", "human_baseline/commands.py"),
}
ABOVE_IMPORTS = {"models", "runs", "imports", "human", "comparison"}
INSIDE: dict[str, dict[str, set[str]]] = {
    "baseline": {
        "models": set(),
        "runs": {"models"},
        "imports": {"models", "runs"},
        "human": set(),
        "comparison": {"models", "runs", "human"},
        "output": ABOVE_IMPORTS,
        "pages": {*ABOVE_IMPORTS, "output"},
        "commands": {*ABOVE_IMPORTS, "output"},
    },
    "data": {
        "answers": set(),
        "formats": {"answers"},
        "files": {"answers", "formats"},
        "catalogue": {"answers", "files", "formats"},
        "generators": {"answers", "catalogue", "files"},
        "submissions": {"answers", "catalogue"},
        "drawing": {"answers"},
        "commands": {"catalogue", "files", "generators"},
    },
    "eval": {
        "metrics": set(),
        "intervals": {"metrics"},
        "agreement": {"intervals", "metrics"},
        "consensus": {"agreement"},
        "comparison": {"agreement", "consensus", "intervals", "metrics"},
        "workers": {"intervals", "metrics"},
        "judges": {"agreement", "intervals"},
        "ranking": {"comparison", "intervals"},
    },
    "annotate": {
        "accounts": set(),
        "worker": {"accounts"},
        "requesters": {"accounts"},
        "imports": set(),
        "pages": {"accounts", "worker", "requesters"},
        "commands": {"accounts", "worker", "requesters", "imports"},
    },
}
"""Which subfolders a subfolder may import, where that is settled; in `annotate`, what workers and requesters both need
stands above them."""
PAST_THE_ENGINE = {"execute", "exec_driver_sql", "connection", "scalar", "scalars", "begin", "commit", "rollback"}
ANSWERING = (
    "assignments", "events", "evidence", "exclusions", "items", "judgments", "records",
    "sittings", "studies", "training_attempts", "workers",
)  # fmt: skip
"""The files of `db` that are read and written while a worker answers."""


def files() -> Iterator[tuple[str, Path]]:
    """Yield the layer and the path inside the project of every file of ours."""
    for layer in MAY_IMPORT:
        for path in sorted((ROOT / layer).rglob("*.py")) or [ROOT / f"{layer}.py"]:
            yield layer, path.relative_to(ROOT)


@cache
def sources() -> list[tuple[str, Path, ast.Module]]:
    """Return the same with the syntax tree of each."""
    gc.disable()  # all of the nodes stay: looking through them again and again takes longer than making them
    try:
        return [(layer, path, ast.parse((ROOT / path).read_text("utf8"))) for layer, path in files()]
    finally:
        gc.enable()


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module or of a statement, without the expressions in them, which are most of a tree."""
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        for one in getattr(within, part, ()):
            yield one
            yield from statements(one)


@cache
def imports(tree: ast.Module) -> list[str]:
    names = []
    for node in statements(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "import by full names, without dots"
            names.append(node.module or "")
    return names


def test_arrows_point_one_way() -> None:
    breaches = [
        f"{path} imports {name}"
        for layer, path, tree in sources()
        for name in imports(tree)
        if (top := name.split(".")[0]) in MAY_IMPORT and top != layer and top not in MAY_IMPORT[layer]
    ]
    assert not breaches, "\n".join(breaches)


def between_subfolders() -> Iterator[tuple[str, str, str, Path]]:
    """Yield layer, importing and imported subfolder and the importing file of every import inside a layer."""
    for layer, path, tree in sources():
        for name in imports(tree):
            top, *inner = name.split(".")
            if top == layer and len(path.parts) > 2 and inner and (ROOT / layer / inner[0]).is_dir():
                yield layer, path.parts[1], inner[0], path


def test_no_two_subfolders_import_each_other() -> None:
    arrows = {(layer, one, other) for layer, one, other, _ in between_subfolders()}
    circles = sorted(
        f"{layer}: {one} and {other}" for layer, one, other in arrows if one < other and (layer, other, one) in arrows
    )
    assert not circles, "\n".join(circles)


def test_arrows_inside_a_layer_are_of_folders_that_are_there() -> None:
    gone = [
        f"{layer}/{name}" for layer, folders in INSIDE.items() for name in folders if not (ROOT / layer / name).is_dir()
    ]
    undeclared = [
        f"{layer}/{path.name}"
        for layer in INSIDE
        for path in (ROOT / layer).iterdir()
        if any(path.glob("*.py")) and path.name not in INSIDE[layer]
    ]
    assert (gone, undeclared) == ([], [])


def test_every_folder_of_code_says_what_it_is() -> None:
    folders = {path.parent for _, path, _ in sources() if "migrations" not in path.parts and len(path.parts) > 1}
    assert not [str(folder) for folder in folders if not (ROOT / folder / "__init__.py").exists()]


def test_arrows_inside_a_layer_point_one_way() -> None:
    breaches = [
        f"{path} imports {other}"
        for layer, one, other, path in between_subfolders()
        if one != other and one in INSIDE.get(layer, {}) and other not in INSIDE[layer][one]
    ]
    assert not breaches, "\n".join(breaches)


def below(layer: str) -> dict[str, set[str]]:
    """Return the modules of a layer, each with the modules of that layer it imports."""
    files = [(path.with_suffix(""), tree) for room, path, tree in sources() if room == layer]
    trees = {".".join(path.parts).removesuffix(".__init__"): tree for path, tree in files}
    named = {name: {each for node in statements(tree) for each in targets(node)} for name, tree in trees.items()}
    return {name: (others & set(trees)) - {name} for name, others in named.items()}


def targets(node: ast.AST) -> list[str]:
    """Return what an import names, modules and what is taken out of them alike."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_no_chain_of_imports_goes_in_a_circle() -> None:
    for layer in MAY_IMPORT:
        TopologicalSorter(below(layer)).prepare()  # raises CycleError with the modules of a circle


def test_what_a_folder_within_a_folder_stands_on_does_not_import_it() -> None:
    """The files beside it that it imports, and those that they import, know nothing of it."""
    known = {module: others for layer in MAY_IMPORT for module, others in below(layer).items()}
    for folder in sorted({module.rpartition(".")[0] for module in known if module.count(".") > 2}):
        inner = {module for module in known if module.startswith(f"{folder}.")}
        beside = {module for module in known if module.rpartition(".")[0] == folder.rpartition(".")[0]}
        under = set().union(*(known[module] for module in inner)) & beside
        while below_them := set().union(*(known[module] for module in under)) & beside - under:
            under |= below_them
        assert {module for module in under if known[module] & inner} == set(), folder


def test_each_heavy_library_stays_in_its_room() -> None:
    breaches = [
        f"{path} imports {name}"
        for _, path, tree in sources()
        for name in imports(tree)
        if not path.as_posix().startswith(ONLY_IN.get(name.split(".")[0], ("",)))
    ]
    assert not breaches, "\n".join(breaches)


def test_the_database_is_read_one_way_and_written_one_way() -> None:
    """By `read`, `write` and `add`; `execute` prepares statements for the path of a worker's answer alone."""
    past, prepared = [], set()
    for layer, path, tree in sources():
        for node in ast.walk(tree) if layer != "data" and path.name != "engine.py" else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "session":
                past += [f"{path}:{node.lineno} session.{node.attr}"] if node.attr in PAST_THE_ENGINE else []
            if isinstance(node, ast.ImportFrom) and node.module == "db.engine":
                prepared |= {path.as_posix() for alias in node.names if alias.name == "execute"}
    assert not past, "\n".join(past)
    assert prepared <= {f"db/{name}.py" for name in ANSWERING}, "prepared statements are for a worker's answer"


def test_handlers_of_pages_name_what_they_update() -> None:
    """They return updates by component, or one `skip()` for all; nobody counts outputs."""
    counting = []
    for _, path, tree in sources():
        for node in ast.walk(tree):
            repeated = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and node.left
            if isinstance(repeated, ast.Tuple | ast.List) and "skip()" in ast.unparse(repeated):
                counting.append(f"{path}:{repeated.lineno}")
    assert not counting


def test_the_builtin_eval_is_never_shadowed() -> None:
    breaches = [
        str(path)
        for _, path, tree in sources()
        for node in statements(tree)
        if isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "eval" for alias in node.names)
    ]
    assert not breaches, breaches


def test_no_folder_of_tests_is_a_package() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py")), "tests/eval/__init__.py would take the name of our eval"
