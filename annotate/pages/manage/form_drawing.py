"""The drawn parts of the form of a new study: its columns, its files, the numbers that follow, how far it is."""

from base64 import b64encode
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from markupsafe import Markup

from annotate.formatting import round_money
from annotate.pages.manage.study_drawing import TEMPLATES, rendered
from annotate.requesters.study_card import FileCheck
from annotate.requesters.study_plan import Doubt, Forecast, Plan, Step
from data.catalogue.task_files import task_text
from data.drawing.environment import NO_BREAK
from data.errors import FileProblem
from data.files.problem_table import problem_frame
from data.own_table import CALLED, MEANT, MappedColumn, Use
from data.table_files import write_frame
from data.tables import Column, Table
from data.task import FieldKind, Role, Task
from data.wording import Language, english_name, languages

MAPPING, SPELLINGS, STEPPING, DRAWING = (
    (TEMPLATES.parent / f"{name}.js").read_text("utf8") for name in ("mapping", "spellings", "steps", "controls")
)
STEPS: dict[Step, str] = {
    "file": "File",
    "columns": "Columns",
    "question": "Question",
    "people": "People",
    "check": "Check",
}

SEPARATORS = {
    "": "one, or a list",
    "\n": "line ends between",
    "|": "| between",
    ";": "; between",
    ",": ", between",
    " / ": "/ between",
}
SHOWN_AS: dict[FieldKind, str] = {
    "plain": "as plain text",
    "title": "as a heading",
    "long": "in a reader, for long texts",
    "numbered": "with numbered sentences",
    "markup": "with its words in brackets marked",
    "markdown": "as Markdown",
    "chat": "as a chat",
    "table": "as a table",
}
ITEMS: dict[Role, str] = {"main": "items", "training": "training items", "control": "control items"}


def mapped_columns() -> list[Column[MappedColumn]]:
    """Return what is said of each column of a table, a title in each language among it."""
    titles = [
        Column(f"title_{language}", f"title in {english_name(language)}", "", partial(_title, language=language))
        for language in languages()
    ]
    return [
        Column("column", "column", "", attrgetter("name")),
        Column("use", "is", "", attrgetter("use"), style="uses"),
        *titles,
        Column("kind", "shown as", "", attrgetter("kind"), style="kind"),
        Column("order", "order", "", attrgetter("name"), style="moves"),
    ]


def _title(column: MappedColumn, language: Language) -> str:
    return column.titles.get(language, "")


PROBLEMS: tuple[Column[FileProblem], ...] = (
    Column("line", "line", "", lambda problem: problem.line or ""),
    Column("field", "column", "", lambda problem: problem.field or "", style="start"),
    Column("message", "problem", "", lambda problem: problem.message, style="start"),
)


def draw_mapping(
    columns: Sequence[MappedColumn],
    examples: Mapping[str, Sequence[str]],
    uses: Sequence[Use],
    held: Collection[str] = (),
    said: Mapping[str, str] | None = None,
) -> Markup:
    """Return the table in which the use of each column is chosen, with example values.

    `held` are the columns that are kept from people because they look like right answers; `said` names, for each
    column, what a person chose for it.
    """
    table = Table("Columns of the table and what they are", mapped_columns(), columns)
    begun = [Column(name, name or "(no name)", "", itemgetter(name), style="start") for name in examples]
    first = Table(
        "First rows", begun, [dict(zip(examples, row, strict=True)) for row in zip(*examples.values(), strict=True)]
    )
    seen = {"first": first, "table": table, "examples": examples, "held": held, "said": said or {}}
    words = {"uses": uses, "kinds": SHOWN_AS, "called": CALLED, "meant": MEANT, "separators": SEPARATORS}
    return rendered("mapping.html", **seen, **words)


def draw_spellings(counts: Mapping[str, int], spellings: Mapping[str, str], known: Collection[str]) -> Markup:
    """Return the table in which values of the file become one label; nothing for no values.

    `spellings` are those that mean another label, `known` the labels.
    """
    labels = {value: spellings.get(value, value if value in known else "") for value in counts}
    columns = (
        Column("value", f"values in the file: {len(counts):,}", "", str),
        Column("count", "rows", "", counts.__getitem__, style="amount"),
        Column("label", "label", "Values with the same label are one answer", labels.__getitem__, style="start"),
    )
    order = sorted(counts, key=lambda value: (value.casefold(), -counts[value]))
    return rendered("spellings.html", table=Table("Spellings of the labels", columns, order), spellings=spellings)


def draw_file(check: FileCheck | None, role: Role) -> Markup:
    """Return what stands beside the file of a role; nothing where none was chosen."""
    saved = _as_address(write_frame(problem_frame(check.first_problems), "csv")) if check and check.problems > 1 else ""
    table = Table("Problems, in the order of the file", PROBLEMS, check.first_problems if check else ())
    return rendered("file.html", check=check, called=ITEMS[role], saved=saved, table=table)


def draw_problem(sentence: str) -> Markup:
    """Return a sentence about what is missing or wrong; nothing for an empty one."""
    check = FileCheck(0, 0, sentence, 1) if sentence else None
    return rendered("file.html", check=check, called="", table=Table("", PROBLEMS, ()))


def draw_steps(open_steps: Collection[Step], doubts: Sequence[Doubt]) -> Markup:
    """Return the way through the form; steps that the task leaves nothing to say about are shut."""
    doubted = Counter(doubt.step for doubt in doubts)
    return rendered("steps.html", steps=STEPS, open=open_steps, doubted=doubted)


def draw_check(
    task: Task | None, counts: Mapping[Role, int], doubts: Sequence[Doubt], kinds: Mapping[str, str]
) -> Markup:
    """Return what a study will be, with its task file, and what to look at first; `kinds` words answer types."""
    if task is None:
        return rendered("check.html", rows=(), doubts=doubts, toml="", file="")
    items = [f"{number:,} {ITEMS[role]}" for role, number in counts.items() if number]
    rows = [
        ("Title", task.title.for_requesters),
        ("Question", task.question.for_requesters),
        ("Answers", kinds.get(task.answer.kind, task.answer.kind)),
        ("Items", ", ".join(items) or "none yet"),
    ]
    toml = _as_address(task_text(task).encode(), "application/toml")
    return rendered("check.html", rows=rows, doubts=doubts, toml=toml, file=f"{task.id.replace('/', '-')}.toml")


def draw_plan(
    plan: Plan | None,
    forecast: Forecast | None = None,
    *,
    currency: str = "",
    reason: str = "",
    about: bool = False,
    missing: Sequence[str] = (),
) -> Markup:
    """Return the numbers that follow from the form, or the reason why there are none; `about`: they are estimates.

    `missing` are the sentences about what consent cannot tell yet.
    """
    seen: dict[str, Any] = {"plan": plan, "forecast": forecast, "reason": reason, "about": about, "missing": missing}
    if plan:
        seen["cost"] = ranged(round_money(plan.cost, currency, "en"), round_money(plan.most_cost, currency, "en"))
        seen["practice"], seen["bonus"] = (
            round_money(amount, currency, "en") for amount in (plan.practice_cost, plan.most_bonus)
        )
        seen["judgments"] = ranged(f"{plan.judgments:,}", f"{max(plan.judgments, plan.most_judgments):,}")
    if plan and forecast:
        seen["hours"] = ranged(_hours(forecast.hours), _hours(max(forecast.hours, forecast.most_hours)))
        seen["hourly"] = round_money(forecast.hourly, currency, "en")
    return rendered("plan.html", **seen)


def ranged(least: str, most: str) -> str:
    """Return "a – b", or the one of them where they are the same."""
    return least if least == most else f"{least}{NO_BREAK}– {most}"


def _hours(hours: float) -> str:
    if hours < 1:
        return f"{max(1, round(hours * 60))}{NO_BREAK}min"
    return f"{hours:.1f}{NO_BREAK}h" if hours < 10 else f"{round(hours):,}{NO_BREAK}h"


def _as_address(content: bytes, kind: str = "text/csv") -> str:
    return f"data:{kind};charset=utf-8;base64,{b64encode(content).decode()}"
