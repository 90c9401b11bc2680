"""How a run asks: its language, templates, worked examples out of the train split, and the order of options."""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from baseline.models.prompts import TRAIN, check_shots, prompt_hash
from baseline.models.run_fields import Fact
from data.answers.answer_options import Offered
from data.answers.answer_type import packed, unpacked
from data.answers.choices import Choices
from data.answers.pairwise import TIE, Pairwise
from data.errors import BadFile, BadSetting, BadTask
from data.files.toml_files import read_toml
from data.option_order import drawn_orders
from data.shared_texts import word_for_word
from data.task import Item, PublicItem, Task
from data.wording import AS_PEOPLE_READ, MODEL_LANGUAGE, MODELS_READ, Language, english_name
from db.runs import Run
from db.studies import Study

BOTH = "both_orders"
Fields = Mapping[str, str]


def language_of_people(study: Study) -> Language:
    """Return the language in which people read what a task says: that of the study, or what its texts fall back to."""
    return study.task.instruction.language_read(study.settings.language)


def prompt_language(study: Study, variant: int = 0) -> Language:
    """Return the language in which models are asked of a study: what its settings say, else that of people.

    Where a prompt is written in other languages it is the nearest of these. Wordings from 1 are then in MODELS_READ; a
    prompt that is one text for all languages, and its wordings, are filled in with what people read.
    """
    chosen, prompt = study.settings.model_language, study.task.prompt
    if chosen != AS_PEOPLE_READ:
        return chosen
    if isinstance(prompt, str):
        return language_of_people(study)
    return MODELS_READ if variant else prompt.language_read(language_of_people(study))


def template_language(task: Task, variant: int, language: Language) -> Language:
    """Return the language in which the prompt of that number is written that is asked in `language`."""
    if isinstance(task.prompt, str):
        return language
    return MODELS_READ if variant else task.prompt.language_read(language)


def mixed_words(written: Sequence[Language]) -> str:
    """Return the sentence on prompts, from 0, that are written in these languages; "" where they are in one."""
    first, *others = written
    apart = [other for other in others if other != first]
    if not apart:
        return ""
    return (
        f"prompt 0 is written in {english_name(first)}, the wordings from 1 in {english_name(apart[0])}, so "
        "their spread includes the language"
    )


def language_asked(settings: Mapping[str, Any]) -> Language:
    """Return the language that a stored run was asked in."""
    return str(settings.get(MODEL_LANGUAGE, MODELS_READ))


def variant_of(settings: Mapping[str, Any]) -> int:
    """Return the number of the prompt that a run was asked with."""
    number = settings.get("variant")
    return number if isinstance(number, int) else 0


def templates_of(task: Task, variant: int, language: Language = MODELS_READ) -> dict[str, str]:
    """Return the templates of a prompt by the value of `variants_by`, under "" the one that all items share.

    A template is "" where the task's parts are put together in their order.
    """
    if not variant:
        return {"": task.own_prompt(language)}
    return {value: others[variant - 1] for value, others in task.variants.items() if len(others) >= variant}


def stored_templates(settings: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the templates that are stored with a run, None where there are none."""
    stored = settings.get(Fact.TEMPLATES)
    return {str(value): str(text) for value, text in stored.items()} if isinstance(stored, dict) and stored else None


def template_asked(task: Task, settings: Mapping[str, Any], item: Item | None) -> str | None:
    """Return the template that a run asked about an item with: the stored one, else the task's own where it was that.

    It is "" where the task's parts are put together in their order, None where the run has only a hash of another one.
    """
    if item is None:
        return None
    stored = stored_templates(settings)
    asked = variant_of(settings), language_asked(settings)
    if stored is not None:
        return stored.get("", stored.get(item.fields.get(task.variants_by, "")))
    try:
        own = prompt_hash(task, PublicItem(dict(item.fields)), *asked) == settings.get("prompt")
    except BadTask:
        return None
    return task.template(item.fields, *asked) if own else None


def asked_task(task: Task, settings: Mapping[str, Any]) -> Task:
    """Return the task with the templates stored with a run as its prompt of the run's number, so that it can go on."""
    templates, variant = stored_templates(settings), settings.get("variant") or 0
    if templates is None or Fact.PUBLISHED in settings:
        return task
    if not variant:
        return replace(task, prompt=templates[""])
    others = {value: (text,) * variant for value, text in templates.items()}
    return replace(task, variants=others, variants_by="" if "" in others else task.variants_by)


def prompts_in(path: Path, task: Task, *, by_type: bool = False) -> dict[str, tuple[str, ...]]:
    """Return the prompts that a TOML file has under a task's id, by the types of its items or under "" for all.

    Raises BadFile where it has none. What stands there is a template, or a list of them, `by_type` also a table of such
    lists.
    """
    way = f"write \"{task.id}\" = '''the prompt''', a list of several{', or such lists by the type of item' * by_type}"
    values = read_toml(path, way)
    given = values.get(task.id)
    by: Mapping[str, Any] = given if by_type and isinstance(given, dict) else {"": given}
    lists = {kind: [each] if isinstance(each, str) else each for kind, each in by.items()}
    texts = [text for each in lists.values() for text in (each if isinstance(each, list) and each else [""])]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        named = ", ".join(map(repr, values)) or "nothing"
        raise BadFile(f"{path.name}: has no prompt for {task.id!r}, it names {named}; {way}")
    return {kind: tuple(each) for kind, each in lists.items()}


def with_prompts(task: Task, path: Path) -> Task:
    """Return the task with the prompts of a file: the first is prompt 0, the others are its variants."""
    first, *others = prompts_in(path, task)[""]
    return replace(task, prompt=first, variants={"": tuple(others)}, variants_by="")


ALONE = re.compile(r"(?<![\w.,-])\d(?![\w-])")


def in_our_numbers(reply: str, settings: Mapping[str, Any]) -> str:
    """Return a reply that counts options from 0, as the authors' prompt did, in numbers from 1 as we read them.

    >>> in_our_numbers("Ответ: 1", {"from_zero": True}), in_our_numbers("Ответ: 1", {})
    ('Ответ: 2', 'Ответ: 1')
    """
    return ALONE.sub(lambda number: str(int(number[0]) + 1), reply) if settings.get("from_zero") else reply


LONGEST = 1_000_000  # characters of all of them: whoever lists the runs of a study reads them


def choose_shots(
    number: int,
    *,
    task: Task,
    train: Sequence[Item] | None,
    asked: Sequence[Item],
    seed: int = 0,
    kept: Sequence[Item] = (),
) -> tuple[Item, ...]:
    """Return so many train items with a known answer, drawn by the seed, the same ones for every question.

    Without a train split they are those `kept` with a run, if these are so many. An item whose words are those of an
    item of the study (`asked`, of any role) is never taken. Raises BadTask for a task whose texts carry their own
    examples, BadSetting where there is no train split or too little in it, and where the examples are too long.
    """
    if number == 0:
        return ()
    if train is None and len(kept) != number:
        raise BadSetting(f"worked examples are taken from a train split; give one ({TRAIN})")
    known = [item for item in (kept if train is None else train) if item.gold is not None]
    held = word_for_word(task, known, asked)
    free = [item for item in known if item.id not in held]
    if len(free) < number:
        raise BadSetting(
            f"the train split has {len(free)} items with an answer that are not in the study, where {number} "
            "worked examples are wanted; give a larger file or ask for fewer"
        )
    shots = tuple(free if train is None else random.Random(seed).sample(free, number))
    check_shots(task, shots)
    length = sum(len(text) for shot in shots for text in shot.fields.values())
    if length > LONGEST:
        raise BadSetting(
            f"the worked examples have {length} characters, and a run keeps {LONGEST} of them at most; give fewer or "
            "a train split with shorter ones"
        )
    return shots


def kept_with(shots: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the examples as they are stored with a run."""
    return [{"id": shot.id, "fields": dict(shot.fields), "gold": shot.gold} for shot in shots]


def kept_shots(settings: Mapping[str, Any]) -> tuple[Item, ...]:
    """Return the examples stored with a run; () where it has none, and for a run made before they were stored."""
    return tuple(Item(**example) for example in settings.get(Fact.EXAMPLES) or ())


def newest_shots(runs: Iterable[Run], *, number: int, seed: int) -> tuple[Item, ...]:
    """Return the so many examples of the first run that has them and drew them by this seed, () where none has."""
    for run in runs:
        if (run.settings.get("seed") or 0) == seed and len(kept := kept_shots(run.settings)) == number:
            return kept
    return ()


def requests_each(settings: Mapping[str, Any]) -> int:
    """Return how many requests stand for one answer of a run with these settings."""
    return 2 if settings.get(BOTH) else 1


def order_asked(task: Task, fields: Fields, settings: Mapping[str, Any], sample: int) -> tuple[str, ...]:
    """Return the labels in the order in which a run asks for that sample of an item; () where it is the item's own."""
    answer, each = task.answer, requests_each(settings)
    if not isinstance(answer, Offered):
        return ()
    order = answer.offered(fields) if each == 2 else ()
    if settings.get("order") == "drawn":
        seeded = f"{settings.get('seed') or 0}:{sample // each}"
        order = drawn_orders(task, fields, lambda of: random.Random(f"{seeded}:{of}")).get("", order)
    return (order[1], order[0], *order[2:]) if sample % each else order


def asked_so(task: Task, fields: Fields, order: tuple[str, ...]) -> tuple[Task, Fields]:
    """Return the task and the item's fields with the options in that order."""
    answer = task.answer
    if not order or not isinstance(answer, Offered):
        return task, fields
    if answer.choices:
        return replace(task, answer=replace(answer, choices={label: answer.choices[label] for label in order})), fields
    places = [int(label) for label in order if label != TIE]
    if answer.option_list:
        texts = unpacked(fields[answer.option_list])
        return task, {**fields, answer.option_list: packed([texts[place] for place in places])}
    names = answer.option_fields
    moved = {name: fields[names[place]] for name, place in zip(names, places, strict=True)}
    return task, {**fields, **moved}


def read_so(task: Task, fields: Fields, order: tuple[str, ...], reply: str) -> str | None:
    """Return the answer that a reply names to the question as it was asked, by the item's own labels."""
    asked, shown = asked_so(task, fields, order)
    label = asked.answer_for(shown).read_reply(reply, shown)
    if label is None or not order or not isinstance(task.answer, Offered) or not task.answer.positional:
        return label
    if isinstance(task.answer, Choices):
        return task.answer.validate([order[int(place)] for place in unpacked(label)], fields)
    return label if label == TIE else order[int(label)]


def check_orders(task: Task, settings: Mapping[str, Any]) -> None:
    """Refuse (BadSetting) what a task's answers have no order for."""
    if settings.get(BOTH) and not isinstance(task.answer, Pairwise):
        raise BadSetting(f"--both-orders is for pairs, and {task.id} asks for {task.answer.kind!r}; leave it out")
    if settings.get("order") == "drawn" and not isinstance(task.answer, Offered):
        raise BadSetting(
            f"--order drawn: the answers of {task.id} ({task.answer.kind!r}) have no options; leave it out"
        )
