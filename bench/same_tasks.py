"""What one checkout makes of every task of the catalogue: its values, prompts, drawn items and scores, a file a task.

    python bench/same_tasks.py CHECKOUT FOLDER

A checkout is asked by its own file, since names change; `same.py` compares what two checkouts write.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from inspect import signature
from pathlib import Path
from random import Random
from typing import Any

REPLIES = 200  # perturbed replies of each task, at least
BEFORE = ("", "Ответ: ", "**", "Думаю, ", '{"answer": ')
AFTER = ("", ".", "**", "\n\nНо я не уверен.", "}", " или 2")


def main(checkout: str, folder: str) -> None:
    """Write the folder."""
    sys.path[0] = checkout
    from data.catalogue.catalog import tasks  # noqa: PLC0415

    Path(folder).mkdir(parents=True)
    for name, task in tasks().items():
        text = json.dumps(told_of(task), ensure_ascii=False, indent=1, sort_keys=True)
        (Path(folder) / name.replace("/", "--")).write_text(text, "utf8")


def told_of(task: Any) -> dict[str, Any]:
    """Return all that is compared of a task."""
    from baseline.models.prompts import messages, prompt_hash  # noqa: PLC0415
    from data.catalogue.catalog import samples  # noqa: PLC0415
    from data.drawing.answer_form import draw_form  # noqa: PLC0415

    items = [(item, item.public()) for item in samples(task)]
    numbers = {
        item.id: range(1 + len(task.variants.get(item.fields.get(task.variants_by, ""), ()))) for item, _ in items
    }
    return {
        "task": plain(task),
        "prompts": [[messages(task, public, n) for n in numbers[item.id]] for item, public in items],
        "hashes": [prompt_hash(task, public, 0) for _, public in items],
        "drawn": [[str(draw_form(task, public, language)) for language in ("ru", "en")] for _, public in items],
        **scores_of(task, [item for item, _ in items if item.gold is not None]),
    }


def resampled(score: Callable[..., Any], clusters: Any) -> dict[str, Any]:
    """Return how a checkout's `score` is asked for two samples of these clusters: the first versions took words."""
    asked = signature(score).parameters
    if "resampling" not in asked:
        return {"clusters": clusters, "draws": 2}
    return {"resampling": type(asked["resampling"].default)(clusters, draws=2)}


def plain(value: Any) -> Any:
    """Return a value of our classes as plain data with the names of the classes."""
    if type(value).__name__ == "Wording":
        return {language: value.within(language) for language in ("ru", "en")}
    if is_dataclass(value) and not isinstance(value, type):
        names = {one.name for one in fields(value)} | ({"kind"} if hasattr(value, "kind") else set())
        held = {name: plain(getattr(value, name)) for name in names}
        if type(value).__name__ == "Example":  # the order of its texts is seen nowhere
            held["fields"].sort()
        return {"class": type(value).__name__, **held}
    if isinstance(value, Mapping):
        return [[name, plain(inner)] for name, inner in value.items()]
    return [plain(inner) for inner in value] if isinstance(value, tuple | list) else value


def scores_of(task: Any, items: list[Any]) -> dict[str, Any]:
    """Return what perturbed replies are read as, and the scores of right answers and of each round of these."""
    from baseline.human.baseline import clusters_of  # noqa: PLC0415
    from eval import ballots  # noqa: PLC0415
    from eval import gold as golds  # noqa: PLC0415
    from eval.scoring import score  # noqa: PLC0415

    if not items:
        return {}
    met = {f"{item.role}-{item.id}": item for item in items}
    seen = {name: item.fields for name, item in met.items()}
    task_items = vars(golds).get("TaskItems") or vars(golds)["Asked"]  # as earlier versions call it
    gold = golds.gold_of({name: item.gold for name, item in met.items()}, task_items(task.answer, seen))

    def scored(given: Mapping[str, str]) -> dict[str, Any]:
        said = ballots.answers(given, items=tuple(met), labels=task.answer.labels() or None)
        found = score(task.metrics, gold, said, **resampled(score, clusters_of(task, seen)))
        return {name: estimate.value for name, estimate in found.items()}

    random = Random(task.id)
    best = {name: task.answer_for(item.fields).best(item.gold, item.fields) for name, item in met.items()}
    rounds = [
        {
            name: (reply := perturbed(task, item, best[name], random), read(task, item, reply))
            for name, item in met.items()
        }
        for _ in range(-(-REPLIES // len(met)))
    ]
    given = [{name: answer for name, (_, answer) in one.items() if answer is not None} for one in rounds]
    return {"replies": rounds, "gold": scored(best), "scores": [scored(one) if one else None for one in given]}


def perturbed(task: Any, item: Any, right: str, random: Random) -> str:
    """Return a reply with the right answer or one by chance in it, a letter of it lost or words around it."""
    asked = task.answer_for(item.fields)
    reply = asked.show(random.choice([right, asked.draw(item.fields, random)]), item.fields)
    if reply and random.random() < 0.3:
        place = random.randrange(len(reply))
        reply = reply[:place] + reply[place + 1 :]
    reply = reply.upper() if random.random() < 0.1 else reply
    return f"{random.choice(BEFORE)}{reply}{random.choice(AFTER)}"


def read(task: Any, item: Any, reply: str) -> str | None:
    """Return the answer that is read in a reply."""
    answer: str | None = task.answer_for(item.fields).read_reply(reply, item.fields)
    return answer


if __name__ == "__main__":
    main(*sys.argv[1:])
