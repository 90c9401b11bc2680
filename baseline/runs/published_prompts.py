"""Prompts as the authors of a benchmark published them: read from their own files, filled in from their records."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from baseline.models.prompts import AUTHORS, ITS_OWN, LATER, OWN_TEMPLATE, RIGHT, PromptOptions, PublishedPrompts
from baseline.models.run_fields import NoSettings
from baseline.runs.run_prompts import prompts_in
from data.catalogue.families import AuthorsWay, asked_by_authors
from data.declared import settings_of
from data.errors import BadFile, BadSetting
from data.files.item_files import read_items
from data.files.text_files import check_size, read_text
from data.formats import format_named
from data.formats.record_format import AS_PUBLISHED
from data.task import Item, Task
from db.engine import Session
from db.item_lookup import source_rows
from db.items import StoredItem
from db.studies import Study

OUTPUTS = "outputs"


@dataclass(frozen=True)
class AuthorsWords:
    """What an authors' file gives for a task: the prompts, how they were asked, and whole records where it has them."""

    prompts: PublishedPrompts
    way: AuthorsWay
    max_tokens: int | None = None
    records: Mapping[str, Item] = field(default_factory=dict)

    def applied(self, own: NoSettings) -> NoSettings:
        """Return a provider's settings with the authors' limit and stop words where nothing else is asked for."""
        declared = settings_of(type(own))
        theirs = {"max_tokens": self.max_tokens, "stop": self.way.stop}
        taken = {
            name: value
            for name, value in theirs.items()
            if value and name in declared and getattr(own, name) == declared[name].default
        }
        return own.model_copy(update=taken)

    def filled(self, session: Session, study: Study, items: Sequence[StoredItem]) -> list[StoredItem]:
        """Return the items with the texts of their authors' records; raises BadSetting where these are not known."""
        if self.records:
            return [replace(stored, item=self._from_file(study.task, stored.item)) for stored in items]
        columns = {row.item.id: row.columns for row in source_rows(session, study=study) if row.item}
        return [replace(stored, item=self._with(study.task, stored.item, columns[stored.item.id])) for stored in items]

    def of_train(self, task: Task, train: Iterable[Item]) -> list[Item]:
        """Return train items with the texts of their records and the right answers as these have them."""
        known = [self._with(task, item, item.source or {}) for item in train]
        right = ((item.source or {}).get(AS_PUBLISHED, {}).get(OUTPUTS, "") for item in known)
        return [
            replace(item, fields={**item.fields, RIGHT: str(told)}) for item, told in zip(known, right, strict=True)
        ]

    def _from_file(self, task: Task, item: Item) -> Item:
        shown = [field.name for field in task.fields if field.kind != "hidden"]
        record = self.records.get(item.id)
        if record is None or any(record.fields[name] != item.fields[name] for name in shown):
            raise BadSetting(
                f"{self.prompts.file}: has no record of the item {item.id!r} with the same texts; make the study from "
                "this file, or give the file that it was made from"
            )
        return self._with(task, item, record.source or {})

    def _with(self, task: Task, item: Item, columns: Mapping[str, Any]) -> Item:
        """Return an item with the columns of its row under the authors' names, but for the right answer."""
        if format_named(task.file_format).reworded and AS_PUBLISHED not in columns:
            raise BadSetting(
                f"the item {item.id!r} does not tell the text of its authors; make the study from their own file"
            )
        closed = {"options": ", ".join(sorted(task.answer.labels()))}
        told = closed | {**columns} | dict(columns.get(AS_PUBLISHED) or {})
        told |= {theirs: told[ours] for theirs, ours in self.way.names.items() if ours in told}
        gold = {task.answer_column, OUTPUTS, *(n for n, ours in task.aliases.columns.items() if ours == "label")}
        texts = {AUTHORS + name: str(value) for name, value in told.items() if name not in {*gold, AS_PUBLISHED}}
        own = {} if self.prompts.templates else {OWN_TEMPLATE: f"{columns.get('instruction', '')}{self.way.after}"}
        if self.prompts.once:
            own[LATER] = self.way.later.get("all") or self.way.later[item.fields[task.variants_by]]
        return replace(item, fields={**item.fields, **texts, **own})

    def facts(self, own: NoSettings, options: PromptOptions) -> dict[str, Any]:
        """Return what is kept with a run: whence its words are, and what it did otherwise than the authors."""
        differences = self._differences(own, options)
        differs = [{"what": what, "authors": authors, "here": here} for what, authors, here in differences]
        prompts = self.prompts
        once = "the instruction once, then examples and the item without it"
        told = {"messages": once} if prompts.once and options.shots else {}
        return {"file": prompts.file, "sha256": prompts.digest, "source": self.way.source, "differs": differs, **told}

    def _differences(self, own: NoSettings, options: PromptOptions) -> Iterator[tuple[str, str, str]]:
        """Yield what a run does otherwise, what the authors did, and what it does."""
        way, shots = self.way, len(options.shots)
        pairs = [
            ("worked examples", way.shots, shots),
            ("reply tokens at most", self.max_tokens, getattr(own, "max_tokens", None)),
            ("ends of a reply", _listed(way.stop), _listed(getattr(own, "stop", ()))),
            ("temperature", 0, getattr(own, "temperature", None)),
            ("JSON schema", "yes" if way.structured else "no", "no" if _free(own) else "yes"),
            ("system prompt", "none", "one" if options.system else "none"),
        ]
        known = [(what, theirs, here) for what, theirs, here in pairs if theirs is not None]
        for what, theirs, here in known:
            if theirs != here:
                yield what, str(theirs), "the server's own" if here is None else str(here)
        if shots and way.examples:
            here = "the same for all" if self.prompts.once else "the same for all, each asked in full"
            yield "order and choice of worked examples", way.examples, here
        if way.read:
            yield "answer", way.read, "what the reply says"
        if options.context and way.cut:
            yield "cutting", way.cut, f"at its end, by words x {options.fertility:g}"


def authors_words(path: Path, task: Task) -> AuthorsWords:
    """Return what an authors' file says of how to ask a task; raises BadFile, BadSetting.

    A TOML file has prompts by task, LIBRA's `datasets_config.json` by the last part of its id; any other file holds
    items, each with its own `instruction`.
    """
    check_size(path)
    way = asked_by_authors(task.id) or AuthorsWay(source="")
    text = read_text(path) if path.suffix in (".toml", ".json") else ""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    prompts = PublishedPrompts({}, task.variants_by, path.name, digest, way.from_zero)
    if path.suffix == ".toml":
        return AuthorsWords(replace(prompts, templates=_by_type(path, task), by=task.variants_by), way, way.max_tokens)
    if path.suffix == ".json" and (stated := _of_config(path, text, task)):
        config = replace(prompts, templates={"": (str(stated["instruction"]),)}, by="")
        limit = str(stated.get("max_new_tokens", ""))
        return AuthorsWords(config, way, int(limit) if limit.isdecimal() else None)
    records = {item.id: item for item in read_items(path, task)}
    if not all((item.source or {}).get("instruction") for item in records.values()):
        raise BadFile(f"{path.name}: its records have no 'instruction'; give the file whose items carry their prompts")
    return AuthorsWords(replace(prompts, once=bool(way.later)), way, way.max_tokens, records=records)


def _of_config(path: Path, text: str, task: Task) -> Mapping[str, Any] | None:
    """Return what a JSON object says of a task under its name, None where the file is no object of prompts."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    known = values if isinstance(values, dict) else {}
    prompts = {name: each for name, each in known.items() if isinstance(each, dict) and "instruction" in each}
    if not prompts or any("inputs" in each for each in prompts.values()):
        return None
    name = task.id.rpartition("/")[2]
    if name not in prompts:
        raise BadFile(f"{path.name}: has no prompt for {name!r}, it names {', '.join(prompts)}")
    return prompts[name]


def _by_type(path: Path, task: Task) -> dict[str, tuple[str, ...]]:
    """Return the prompts of a TOML file by the type of item; what stands for all types stands for each."""
    templates = prompts_in(path, task, by_type=bool(task.variants_by))
    if "" in templates and task.variants_by:
        kinds = next(field for field in task.fields if field.name == task.variants_by).values
        return dict.fromkeys(kinds, templates[""])
    return templates


def templates_stored(prompts: PublishedPrompts, variant: int) -> dict[str, str]:
    """Return the templates of a number as they are stored with a run."""
    return {kind: each[variant] for kind, each in prompts.templates.items() if len(each) > variant} or {"": ITS_OWN}


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(json.dumps(text) for text in texts) or "none"


def _free(own: object) -> bool:
    return getattr(own, "structured", "off") == "off"
