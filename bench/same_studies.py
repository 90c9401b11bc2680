"""What `same.py` makes a checkout do: the studies that are made, and the commands that read them.

Each command is a list of words after `python app.py`; the folder it runs in holds what they write, under `files/`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Words = Sequence[str]
DEMOS = ("demo-parus", "demo-terra", "demo-muserc", "demo-gapping", "demo-ellipsis")
THOROUGH = ("demo-parus", "demo-gapping", "parus", "BPS")  # whose every form is written
RULES = ("--control-min", "0.5", "--min-votes", "3", "--ties", "drop")
TABLES = ("judgments", "plain", "items", "decisions", "reports", "events", "predictions", "soft-labels")
SAMPLES = Path(__file__).resolve().parent.parent / "data" / "samples"


@dataclass(frozen=True)
class Making:
    """How one study comes to be: the commands in their order; the first one makes it."""

    study: str
    commands: tuple[Words, ...]


def makings(data: Path) -> list[Making]:
    """Return the studies beside the demo's; `data` is the folder of real data, none are made without it."""
    return list(imported(data)) if data.is_dir() else []


def imported(data: Path) -> Iterator[Making]:
    """Yield studies of people's raw logs, with and without gold, and what models answered in them."""
    logs, train = data / "toloka_logs", str(SAMPLES / "rsg/parus/train.jsonl")
    log = ("import-log", "parus", str(logs / "PARus/assign_PARus.tsv"), "--json")
    runs = [
        ("run", "parus", "--model", *model, "--json")
        for model in (("random",), ("majority", "--train", train), ("tfidf", "--train", train))
    ]
    yield Making("parus", ((*log, "--task", "rsg/parus", "--gold", str(logs / "PARus/gold.csv")), *runs))
    rwsd = ("import-log", "rwsd", str(logs / "RWSD/assign_RWSD.tsv"), "--answer", "OUTPUT:result", "--json")
    yield Making("rwsd", (rwsd,))
    for pool in ("BPS", "LCS", "RCB"):
        file = next((data / "toloka_pools" / pool).glob("assignments*.tsv"))
        yield Making(pool, (("import-log", pool, str(file), "--json"),))


def readings(study: str) -> list[Words]:
    """Return the commands that read a study: each once, and in every form it has for the studies of THOROUGH."""
    plain = [
        *(("human", study, *form) for form in ((), ("--json",))),
        *(("results", study, *form) for form in ((), ("--json",))),
        *(("quality", study, *form) for form in ((), ("--json",))),
        *((command, study, "--json") for command in ("events", "decisions", "appeals", "assessors")),
        *(export(study, what, "csv") for what in TABLES),
        export(study, "submission", "csv", "zip", "--respondent", "human"),
        ("payments", study, "--to", file(study, "payments.csv")),
        ("export-task", study, "--to", file(study, "task.toml")),
    ]
    return [*plain, *in_every_form(study)] if study in THOROUGH else plain


def in_every_form(study: str) -> list[Words]:
    """Return the commands that say of a study again what others say, in another form or under other rules."""
    return [
        ("human", study, *RULES, "--json"),
        ("human", study, "--consensus", "dawid-skene", "--json"),
        ("quality", study, "--constant", "--pattern", "--json"),
        ("human", study, "--report", file(study, "human.md")),
        *(("results", study, f"--{form}") for form in ("markdown", "html", "latex")),
        *(("results", study, "--published", "--breakdown", *form) for form in ((), ("--json",))),
        ("results", study, "--as-published", "--json"),
        *(("results", study, "--report", file(study, f"results.{form}")) for form in ("md", "html", "tex")),
        *((command, study) for command in ("events", "decisions", "appeals", "assessors")),
        *(export(study, what, "jsonl") for what in TABLES),
        export(study, "judgments", "parquet"),
        export(study, "judgments", "toloka", "tsv"),
    ]


def export(study: str, what: str, form: str, ending: str = "", *more: str) -> Words:
    """Return the command that writes a table of a study."""
    return ("export", study, "--what", what, "--format", form, "--to", file(study, f"{what}.{ending or form}"), *more)


def file(study: str, name: str) -> str:
    """Return where a command writes a file of a study."""
    return f"files/{study}-{name}"


def general(commands: Sequence[str]) -> list[Words]:
    """Return what is asked of no study: help of every command, tasks, plans, totals, scores."""
    gold = str(SAMPLES / "rsg/parus/main.jsonl")
    return [
        ("--help",),
        *((name, "--help") for name in commands),
        ("tasks",),
        ("tasks", "--json"),
        ("accounts",),
        ("accounts", "--json"),
        ("plan",),
        ("plan", "--json"),
        ("plan", "--agreement", "0.8", "--model", "0.8", "--options", "2,5", "--json"),
        *(("total", family, *form) for family in ("rsg", "ruscontext") for form in ((), ("--json",), ("--markdown",))),
        *(("score", "rsg/parus", "--gold", gold, "--predictions", gold, *form) for form in ((), ("--json",))),
    ]


def commands_of(help_text: str) -> list[str]:
    """Return the names of the commands that the program's help lists."""
    return re.findall(r"^  ([a-z][a-z-]+) {2,}\S", help_text.partition("Commands:")[2], re.MULTILINE)


def name_of(words: Words) -> str:
    """Return the name of the file that keeps what a command says."""
    said = [Path(word).name if word.startswith("/") else word for word in words]
    return re.sub(r"[^\w.,=-]+", "_", " ".join(said))[:150]
