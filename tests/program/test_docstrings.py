"""Public functions of `eval` say what they take and give, show an example, and name the source of their formula."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CALLERS = ("annotate", "baseline", "data", "db")
SECTIONS = ("Parameters", "Returns", "Examples")
STATISTICS = {
    "eval/agreement/ac1.py": ("ac1",),
    "eval/agreement/alpha.py": ("alpha",),
    "eval/agreement/cohen_kappa.py": ("kappas",),
    "eval/agreement/distances.py": ("jaccard", "masi", "rouge_l"),
    "eval/agreement/fleiss_kappa.py": ("fleiss",),
    "eval/comparison/alt_test.py": ("alternative_annotator",),
    "eval/comparison/difference.py": ("holm",),
    "eval/comparison/equivalence.py": ("equivalence",),
    "eval/comparison/signed_ranks.py": ("below_by_ranks",),
    "eval/consensus/dawid_skene.py": ("dawid_skene", "one_coin"),
    "eval/gold_errors.py": ("gold_errors",),
    "eval/intervals/beta_binomial.py": ("fit",),
    "eval/intervals/wilson.py": ("wilson", "median_interval"),
    "eval/judges/ppi.py": ("prediction_powered",),
    "eval/metrics/mcc.py": ("mcc",),
    "eval/metrics/rouge.py": ("rouge_l", "common_subsequence"),
    "eval/metrics/token_f1.py": ("token_f1",),
    "eval/ranking/bradley_terry.py": ("bradley_terry",),
}
"""The functions whose formula somebody published."""


def called_from_elsewhere() -> set[tuple[str, str]]:
    """Return module and name of whatever other packages import out of `eval`."""
    trees = (ast.parse(path.read_text("utf8")) for package in CALLERS for path in (ROOT / package).rglob("*.py"))
    taken = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {
        (node.module, alias.name)
        for node in taken
        for alias in node.names
        if node.module and node.module.split(".")[0] == "eval"
    }


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def functions() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in sorted((ROOT / "eval").rglob("*.py")):
        yield from (
            (path, node) for node in ast.parse(path.read_text("utf8")).body if isinstance(node, ast.FunctionDef)
        )


def has(node: ast.FunctionDef, section: str) -> bool:
    return f"{section}\n{'-' * len(section)}" in (ast.get_docstring(node) or "")


def test_functions_that_other_packages_call_have_sections() -> None:
    called = called_from_elsewhere()
    without = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has no section {section}"
        for path, node in functions()
        if (module_of(path), node.name) in called
        for section in (*SECTIONS, *(["Raises"] if any(isinstance(part, ast.Raise) for part in ast.walk(node)) else []))
        if (section != "Parameters" or node.args.args or node.args.kwonlyargs) and not has(node, section)
    ]
    assert not without, "\n".join(without)


def test_published_formulas_name_their_source_and_show_an_example() -> None:
    known = {(path.relative_to(ROOT).as_posix(), node.name): node for path, node in functions()}
    without = [
        f"{file} {name} has no section {section}"
        for file, names in STATISTICS.items()
        for name in names
        for section in ("References", "Examples")
        if not has(known[file, name], section)
    ]
    assert not without, "\n".join(without)
