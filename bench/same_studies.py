"""What `same.py` makes a checkout do: the studies that are made, and the commands that read them.

Each command is a list of words after `python app.py`; the folder it runs in holds what they write, under `files/`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.same_given import JUDGED, JUDGES

Words = Sequence[str]
DEMOS = ("demo-parus", "demo-replies", "demo-claims")
THOROUGH = ("demo-parus", "demo-claims", "parus", "BPS", "rsg-terra")  # whose every form is written
RULES = ("--control-min", "0.5", "--min-votes", "3", "--ties", "drop")
EVENTS = ("events", "decisions", "appeals", "assessors")
TABLES = ("judgments", "plain", "items", "decisions", "reports", "events", "predictions", "soft-labels")
SAMPLES = Path(__file__).resolve().parent.parent / "data" / "samples"
SETTINGS = ("--overlap", "3", "--page-main", "4", "--price", "1.5", "--training-pass", "0")
DRAWN = ("--page-controls", "1", "--sample", "12", "--draw-training", "2", "--draw-control", "3", "--seed", "3")
SCRIPTED = ("--model", "openai:scripted", "--base-url", "MODEL", "--concurrency", "1", "--limit", "6")
ANSWERED: dict[str, tuple[Words, ...]] = {
    "rsg/terra": (
        SCRIPTED,
        (*SCRIPTED, "--fresh", "--seed", "5", "--temperature", "0.7", "--samples", "3"),
        (*SCRIPTED, "--prompt-variants", "2"),
        (*SCRIPTED, "--structured", "on", "--max-tokens", "64", "--reasoning-effort", "low", "--param", "top_p=0.5"),
        (*SCRIPTED, "--shots", "2", "--train", str(SAMPLES / "rsg/terra/train.jsonl")),
        (*SCRIPTED, "--dry-run"),
        (*SCRIPTED, "--prompt-variant", "1", "--context", "900"),
        SCRIPTED,
    ),
    "rsg/muserc": (SCRIPTED,),
    "rsg/rucos": (SCRIPTED,),
    "ruscontext/idiom_texts": (SCRIPTED,),
    "libra/passkey": (SCRIPTED,),
    "libra/matreshka_names": (SCRIPTED,),
    "agrr/resolution": (SCRIPTED,),
    "agrr/validate": (SCRIPTED,),
    "own/pairwise": (SCRIPTED,),
    "own/rating": (SCRIPTED,),
    "use": (SCRIPTED,),
    "writing/abstract": (),
}
"""Tasks whose samples people answer, of every type of answer, with what models are asked then."""


@dataclass(frozen=True)
class Making:
    """How one study comes to be: the commands in their order; `people` answer it over HTTP, `models` are asked then."""

    study: str
    commands: tuple[Words, ...]
    people: bool = False
    models: tuple[Words, ...] = ()


def makings(data: Path) -> list[Making]:
    """Return the studies beside the demo's; of the folder `data`, which holds real data, as far as it is there."""
    return [*(imported(data) if data.is_dir() else ()), *created(data)]


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
    for study in JUDGED:
        replies = [("import-run", study, f"given/{study}-{m}.jsonl", "--from", "jsonl", "--model", m) for m in JUDGES]
        people = ("import-log", study, f"given/{study}.tsv", "--task", JUDGED[study], "--json")
        yield Making(study, (people, *((*words, "--json") for words in replies)))


def created(data: Path) -> Iterator[Making]:
    """Yield studies of every type of answer, from the samples of their tasks, and of real files."""
    for task, models in ANSWERED.items():
        study, folder = task.replace("/", "-"), SAMPLES / task
        roles = [(f"--{role}", folder / f"{role}.jsonl") for role in ("training", "control")]
        given = [word for option, file in roles if file.exists() for word in (option, str(file))]
        given += ["--page-controls", str(int((folder / "control.jsonl").exists()))]
        words = ("create", study, "--task", task, "--items", str(folder / "main.jsonl"), *given, *SETTINGS, "--json")
        yield Making(study, (words,), people=True, models=tuple(("run", study, *model, "--json") for model in models))
    real = {"ruscontext/ellipsis": "ruscontext/ellipsis.csv", "agrr/full": "agrr/dev.csv"}
    for task, file in real.items() if data.is_dir() else ():
        study = f"real-{task.partition('/')[2]}"
        words = ("create", study, "--task", task, "--items", str(data / file), *DRAWN, *SETTINGS, "--json")
        yield Making(study, (words,), people=True)


def before_people(study: str) -> list[Words]:
    """Return the commands by which people come to a study: their links, and its items with the right answers."""
    return [
        ("links", study, "--people", "given/people", "--to", f"given/{study}-links.csv"),
        ("export", study, "--what", "items", "--format", "jsonl", "--to", f"given/{study}-items.jsonl"),
    ]


def who_answered(study: str) -> Words:
    """Return the command that tells who answered a study."""
    return ("export", study, "--what", "judgments", "--format", "jsonl", "--to", f"given/{study}-judgments.jsonl")


def after_people(study: str, worker: str) -> list[Words]:
    """Return what is done about a worker of a study that people have answered."""
    return [(act, study, worker, "--reason", "to be compared") for act in ("exclude", "restore", "exclude")]


def readings(study: str) -> list[Words]:
    """Return the commands that read a study: each once, and in every form it has for the studies of THOROUGH."""
    plain = [
        *(("human", study, *form) for form in ((), ("--json",))),
        *(("results", study, *form) for form in ((), ("--json",))),
        *(("quality", study, *form) for form in ((), ("--json",))),
        *(export(study, what, "csv") for what in ("judgments", "predictions", "soft-labels")),
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
        *((command, study, *form) for command in EVENTS for form in ((), ("--json",))),
        *(export(study, what, "csv") for what in ("plain", "items", "decisions", "reports", "events")),
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


def names_of(commands: Sequence[Words]) -> list[str]:
    """Return the names of the files that keep what commands say; one that is run again has a number at its end."""
    seen: Counter[str] = Counter()
    names = []
    for words in commands:
        said = " ".join("MODEL" if "://" in word else Path(word).name if word[0] == "/" else word for word in words)
        name = re.sub(r"[^\w.,=-]+", "_", said)[:150]
        seen[name] += 1
        names.append(f"{name}_{seen[name]}" if seen[name] > 1 else name)
    return names
