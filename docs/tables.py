"""Writes the tables of the documentation that follow from the code: python docs/tables.py."""

import ast
import json
import re
import sys
from collections.abc import Mapping
from inspect import cleandoc
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from pydantic import AliasChoices  # noqa: E402
from pydantic.fields import FieldInfo  # noqa: E402
from typer import Context  # noqa: E402

from app import COMMANDS, DESCRIBED, load_command  # noqa: E402
from baseline.human.plan import PLAN_OPTIONS  # noqa: E402
from baseline.models.chat.request_settings import SamplingSettings, StopSettings  # noqa: E402
from baseline.models.chat.wire_format import WireFormat  # noqa: E402
from baseline.models.provider import Provider  # noqa: E402
from baseline.models.providers import PROVIDERS  # noqa: E402
from baseline.runs.run_settings import SETTINGS as RUN_SETTINGS  # noqa: E402
from baseline.runs.run_state import LOG_FORMS  # noqa: E402
from data.declared import Setting, change_words, rows_of, shortened  # noqa: E402
from data.tables import Column, Table, markdown_table, table_of  # noqa: E402
from db.settings import Settings  # noqa: E402
from db.study_settings import SETTINGS  # noqa: E402
from docs.task_format import tasks_markdown  # noqa: E402
from eval.workers.frame import Need  # noqa: E402
from eval.workers.rule import WorkerRule  # noqa: E402
from eval.workers.table import RULES  # noqa: E402

HEADER = ("number", "what it is", "default", "allowed")
NEEDS: dict[Need, str] = {
    "answers": "own answers with their times",
    "watched": "what the page saw of own answers",
    "controls": "own answers to controls",
    "labels": "own answers",
    "share_of": "how often others give an answer",
    "others": "others' answers to the same items",
    "median": "the median time of the study",
    "items_met": "items answered and skipped",
}
LOG_FILES = {
    "inspect": "an Inspect AI log, JSON or `.eval`; epochs become samples",
    "lm-eval": "the `samples_*.jsonl` that lm-evaluation-harness writes with `--log_samples`; "
    "replies before any filter",
    "libra": "what LIBRA's script saved: texts without ids",
    "jsonl": "a table or JSONL with `item` (or `id`) and `answer`, or `raw` where the whole reply was kept; "
    "or a file like that of the items",
}


def rules_markdown() -> str:
    """Return the documentation of the rules on workers: a heading, what each does and a table of its numbers."""
    return "\n\n".join(map(_rule, RULES.values())) + "\n"


def _rule(rule: type[WorkerRule]) -> str:
    reads = "; ".join(NEEDS[need] for need in rule.needs)
    rows = [
        (f"`{name}`", number.sentence, f"`{number.default}`" if number.default else "none", number.allowed)
        for name, (number, _) in rule.numbers().items()
    ]
    actions = f"{', '.join(f'`{action}`' for action in rule.actions())}; by default `{rule().action}`"
    parts = [
        f"### {rule.title}",
        f"`{rule.key}`. {rule.explanation}",
        cleandoc(rule.__doc__ or ""),
        f"Actions: {actions}. It reads {reads}.",
    ]
    return "\n\n".join([*parts, markdown_table(table_of("", HEADER, rows))])


def settings_markdown(settings: Mapping[str, Setting], *, running: bool) -> str:
    """Return the documentation of settings: a heading and a table for each group.

    Its last column is what may change while the study is `running`, else the command's own option.
    """
    columns = (*DOCUMENTED, CHANGE if running else OPTION)
    parts = (
        f"### {group}\n\n{markdown_table(Table('', columns, [setting for row in rows for setting in row]))}"
        for group, rows in rows_of(settings).items()
    )
    return "\n\n".join(parts) + "\n"


def _default(setting: Setting) -> str:
    if setting.default is None and setting.asked.placeholder:
        return setting.asked.placeholder
    return "nothing" if setting.default in (None, "", {}, ()) else f"`{shortened(setting.default)}`"


def _change(setting: Setting) -> str:
    return "" if setting.asked.change is None else change_words(setting) or "may change"


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


DOCUMENTED: tuple[Column[Setting], ...] = (
    Column("name", "name", "", lambda setting: setting.name, _code),
    Column("sentence", "what it is", "", lambda setting: setting.sentence),
    Column("default", "default", "", _default),
    Column("allowed", "allowed", "", lambda setting: setting.allowed),
)
CHANGE: Column[Setting] = Column("change", "while the study runs", "", _change)
OPTION: Column[Setting] = Column("option", "option", "", lambda setting: setting.asked.option, _code)


def folders_markdown() -> str:
    """Return the folders of code, each with the first sentence it says of itself."""
    packages = [ROOT / name for name in ("data", "eval", "db", "annotate", "baseline", "human_baseline")]
    said = [path for package in packages for path in sorted(package.rglob("__init__.py"))]
    rows = [(f"`{path.parent.relative_to(ROOT)}/`", _first_sentence(path)) for path in said]
    return markdown_table(table_of("", ("folder", "what it is"), rows))


def _first_sentence(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text("utf8"))) or "").split("\n\n")[0].replace("\n", " ")


def installation_markdown() -> str:
    """Return the environment variables of an installation: its own settings, then those of the providers of models."""
    told = _told_below_fields(ROOT / "db" / "settings.py")
    own = [
        (f"`{_variable(name, field)}`", " ".join(told[name].split()), field.title or f"`{str(field.default).lower()}`")
        for name, field in Settings.model_fields.items()
        if name in told
    ]
    named: dict[tuple[str, str], list[str]] = {}
    for provider in filter(lambda known: known.address, PROVIDERS.values()):
        named.setdefault((provider.key, provider.address), []).append(f"`{provider.example}`")
    models = [
        (
            _as_code(key, address),
            f"{'key and ' * bool(key)}address for {', '.join(examples)}",
            f"{'none, and ' * bool(key)}the provider's own address",
        )
        for (key, address), examples in named.items()
    ]
    return markdown_table(table_of("", ("variable", "meaning", "default"), [*own, *models]))


def _as_code(*names: str) -> str:
    """Return those of the names that are not empty, as code."""
    return ", ".join(f"`{name}`" for name in names if name)


def _told_below_fields(path: Path) -> dict[str, str]:
    """Return the docstring below each field of a file's classes; pydantic would look for them at every start."""
    classes = [node for node in ast.parse(path.read_text("utf8")).body if isinstance(node, ast.ClassDef)]
    return {
        ast.unparse(field.target): str(below.value.value)
        for field, below in chain.from_iterable(pairwise(each.body) for each in classes)
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }


def _variable(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"ETALON_{name.upper()}"


def entries_markdown() -> str:
    """Return who gets a new place in a study, by the setting that says so."""
    entry = SETTINGS["entry"]
    rows = [(f"`{name}`" + " (default)" * (name == entry.default), words) for name, words in entry.choices.items()]
    table = markdown_table(table_of("", (f"`{entry.name}`", entry.title.lower()), rows))
    return f"{table}\n\n{entry.help}."


def providers_markdown() -> str:
    """Return the providers of models behind servers: what is asked of whom, and what they do not have."""
    rows = [(f"`{known.example}`", *_server(known, known.wire)) for known in PROVIDERS.values() if known.wire]
    titles = ("`--model`", "provider", "request", "key, base URL", "Batch files", "what it does not have")
    return markdown_table(table_of("", titles, rows))


def _server(provider: Provider, wire: type[WireFormat]) -> tuple[str, ...]:
    offered = {**SamplingSettings.model_fields, **StopSettings.model_fields}
    lacks = [field.title for name, field in offered.items() if name not in provider.settings.model_fields]
    lacks += [] if wire.seeded else [RUN_SETTINGS["seed"].title]
    asked = f"`POST /{wire.path.format(model='NAME')}`"
    named = _as_code(provider.key, provider.address)
    return provider.title, asked, named, "yes" if wire.batched else "", ", ".join(map(str, lacks))


def forms_markdown() -> str:
    """Return the forms of logs of models that were run elsewhere."""
    rows = [(f"`{name}`", LOG_FILES[name]) for name in LOG_FORMS]
    return markdown_table(table_of("", ("form", "file"), rows))


def commands_described() -> str:
    """Return the help, usage, arguments and options of every command, which `--help` shows."""
    return json.dumps({name: _described(load_command(name)) for name in COMMANDS}, ensure_ascii=False, indent=1) + "\n"


def _described(command: Any) -> dict[str, Any]:
    context = Context(command)
    described: dict[str, Any] = {"help": command.help, "usage": command.collect_usage_pieces(context)}
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        shown = [each for each in command.get_params(context) if each.param_type_name == kind and not each.hidden]
        described[title] = [each.get_help_record(context) for each in shown]
    return described


BLOCKS = {
    "deploy.md": {"installation": installation_markdown()},
    "sessions.md": {"entries": entries_markdown()},
    "architecture.md": {"folders": folders_markdown()},
    "settings.md": {"settings": settings_markdown(SETTINGS, running=True)},
    "models.md": {
        "providers": providers_markdown(),
        "settings": settings_markdown(RUN_SETTINGS, running=False),
        "forms": forms_markdown(),
    },
    "planning.md": {"options": settings_markdown(PLAN_OPTIONS, running=False)},
    "rules.md": {"rules": rules_markdown()},
    "tasks.md": {"tasks": tasks_markdown()},
}
"""What stands between the marks of each file, by the names of the marks."""


def current(name: str) -> str:
    """Return a file of the documentation with its blocks as the code has them now."""
    text = (ROOT / "docs" / name).read_text("utf8")
    return re.sub(
        r"(<!-- (\w+): [^\n]* -->\n).*?(<!-- end -->)",
        lambda marks: f"{marks[1]}\n{BLOCKS[name][marks[2]]}\n{marks[3]}",
        text,
        flags=re.S,
    )


if __name__ == "__main__":
    for name in BLOCKS:
        (ROOT / "docs" / name).write_text(current(name), "utf8")
    DESCRIBED.write_text(commands_described(), "utf8")
