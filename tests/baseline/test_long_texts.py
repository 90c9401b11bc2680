"""A study of long free texts: what its results cost beside one of shorter texts, and what is computed once."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from baseline.human.baseline import stored_rules
from baseline.human.detailed_baseline import detailed_baseline
from baseline.output.computed_exports import EXPORTS
from data.composed_text import without
from db.engine import Database, opened, reading
from db.exports import ExportRequest
from db.studies import Study, get_study
from eval.agreement import of_votes
from eval.agreement.distances import distance_matrix
from tests.baseline.test_human_open import animals

VOCABULARY = 3_000
PEOPLE = 3


def written(size: int, items: int) -> dict[str, list[str]]:
    """Three texts of so many letters for each item, in made-up words of usual lengths."""
    random = Random(1)
    words = ["".join(random.choices("абвгдежзиклмнопрст", k=random.randint(2, 10))) for _ in range(VOCABULARY)]
    return {
        f"item-{n}": [" ".join(random.choices(words, k=size))[:size].strip() for _ in range(PEOPLE)]
        for n in range(items)
    }


def study_of(database: Database, size: int, items: int = 8) -> Study:
    texts = written(size, items)
    return animals(database, texts, {name: said[:1] for name, said in texts.items()})


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def test_the_report_of_texts_four_times_as_long_costs_about_four_times_as_much(
    tmp_path: Path,
) -> None:
    def report(database: Database) -> bytes:
        with reading(database) as session:
            return EXPORTS["report"].forms["html"](ExportRequest(session, get_study(session, name="animals")))

    with opened(f"sqlite:///{tmp_path / 'short.db'}") as short, opened(f"sqlite:///{tmp_path / 'long.db'}") as long:
        study_of(short, 2_500)
        study_of(long, 10_000)
        report(short)  # templates and libraries are read the first time
        usual = min(seconds(lambda: report(short)) for _ in range(2))
        assert seconds(lambda: report(long)) < 8 * usual


def test_texts_are_compared_each_with_each_once_for_all_that_is_said_of_their_agreement(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, compared = study_of(sqlite, 200), []

    def counting(answers: Sequence[Any], name: str) -> Any:
        compared.append(len(answers))
        return distance_matrix(answers, name)

    monkeypatch.setattr(of_votes, "distance_matrix", counting)
    with reading(sqlite) as session:
        detailed_baseline(session, study=study, rules=stored_rules(study)).as_dict()
    assert compared == [8 * PEOPLE]


def test_signs_are_left_out_by_their_category_wherever_they_stand() -> None:
    random = Random(2)
    signs = "аe\u0301й\u00ad\u200b \u0308z\u2060я"
    for _ in range(200):
        text = "".join(random.choices(signs, k=random.randint(0, 12)))
        assert without(text, "Mn") == "".join(sign for sign in text if sign not in "\u0301\u0308")
        assert without(text, "Cf") == "".join(sign for sign in text if sign not in "\u00ad\u200b\u2060")
        assert without(text, "Mn", "Cf") == "".join(sign for sign in text if sign in "аeйzя ")
