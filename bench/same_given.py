"""The files that `same.py` hands to a checkout: real people and real models as judges, as a platform writes logs."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

JUDGED = {"judges": "own/pairwise", "ratings": "own/rating"}
JUDGES = ("gpt-4o", "gemini_pro", "mistral-v03")
ITEMS = 60  # of each study
PAIRS = {"model_a": "0", "model_b": "1", "tie": "tie"}
ONE_SCALE = "__coherence"
LONGEST_TEXT = 600


def write_given(data: Path, folder: Path) -> None:
    """Write the logs of people and the replies of models, and who gets a link."""
    folder.mkdir()
    (folder / "people").write_text("first\nsecond\n", "utf8")
    if not data.is_dir():
        return
    prompts = read(data / "alttest/mtbench/prompts.json")
    texts = {key: pair_of(prompts[key]) for key in list(prompts)[:ITEMS]}
    write_study(folder, "judges", data / "alttest/mtbench", texts)
    rated = [key for key in read(data / "alttest/summeval/human_annotations.json")["e0"] if key.endswith(ONE_SCALE)]
    write_study(folder, "ratings", data / "alttest/summeval", {key: {"sentence": key} for key in rated[:ITEMS]})


def write_study(folder: Path, study: str, source: Path, texts: Mapping[str, Mapping[str, str]]) -> None:
    """Write one study: a log of the people `w-0`, `w-1` ..., a file of replies for each model."""
    people, models = (read(source / f"{who}_annotations.json") for who in ("human", "llm"))
    names = list(next(iter(texts.values())))
    with (folder / f"{study}.tsv").open("w", encoding="utf8", newline="") as file:
        log = csv.writer(file, delimiter="\t")
        log.writerow([*(f"INPUT:{name}" for name in names), "OUTPUT:result", "ASSIGNMENT:worker_id"])
        for number, answers in enumerate(people.values()):
            log.writerows([*texts[key].values(), label(answers[key]), f"w-{number}"] for key in texts if key in answers)
    for model in JUDGES:
        records = [{**texts[key], "answer": label(models[model][key])} for key in texts]
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        (folder / f"{study}-{model}.jsonl").write_text("\n".join(lines), "utf8")


def label(answer: Any) -> str:
    """Return an answer as our tasks write it."""
    return PAIRS.get(answer, str(answer))


def pair_of(prompt: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a pair of conversations."""
    named = {"source": "text_id", "first": "conversation_a", "second": "conversation_b"}
    return {name: prompt[key][:LONGEST_TEXT] for name, key in named.items()}


def read(file: Path) -> dict[str, Any]:
    """Return what a file of JSON holds."""
    return dict(json.loads(file.read_text("utf8")))
