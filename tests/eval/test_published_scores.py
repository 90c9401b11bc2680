"""The exam, LIBRA, AGRR and RuCoS as their published scripts count, and files and tasks scored so."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from baseline.comparison.published_scores import as_published
from baseline.comparison.scoring_files import score_files
from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.number import Number
from data.answers.sequence import Sequence as Numbers
from data.answers.text import Text
from data.answers.varied import Varied
from data.catalogue.catalog import get_task
from data.errors import BadFile
from data.task import Breakdown, Field, Task
from data.wording import same
from eval.ballots import answers
from eval.intervals.clusters import Clusters, Resampling
from eval.metrics.table import METRICS
from eval.scoring import score
from tests.helpers.replying import ITEMS, OPTIONS, gold_of, one, values

USE = Varied(
    field="type",
    types={
        "text": Text(),
        "matching": Numbers(choices_field="choices", positions=("А", "Б", "В", "Г")),
        "multiple_choice": Numbers(choices_field="choices", ordered=False),
    },
)


def exam_item(kind: str, number: str, variant: str = "1") -> dict[str, str]:
    return {"type": kind, "id_task": number, "variant": variant, "choices": '["а","б","в","г","д"]'}


class TestUnifiedStateExam:
    """(reply, points as published, points by the rules of the exam)"""

    @pytest.mark.parametrize(
        ("kind", "number", "gold", "reply", "published", "corrected"),
        [
            ("multiple_choice", "9", '["1","3"]', "1,3", 1, 1),
            ("multiple_choice", "9", '["1","3"]', "3,1", 1, 1),
            ("multiple_choice", "9", '["1","3"]', "1, 3", 0, 1),  # a space makes another number
            ("multiple_choice", "9", '["1","3"]', "Ответ: 1,3", 0, 1),
            ("multiple_choice", "16", '["1","2"]', "1, 2", 1, 2),
            ("multiple_choice", "16", '["1","2"]', "1,3", 1, 1),
            ("multiple_choice", "16", '["1","2"]', "1,2,3,4", 0, 0),
            ("multiple_choice", "16", '["1","2","3"]', "1,2,3", 3, 2),  # not clamped to two points
            ("matching", "26", '["1","2","3","4"]', "1,2,4,3", 2, 2),
            ("matching", "26", '["1","2","3","4"]', "1,2,3", 0, 3),
            ("text", "4", '["кое-где"]', "кое-где", 0, 1),  # a hyphen is taken out of replies only
            ("text", "4", '["ещё"]', "еще", 0, 1),
            ("text", "4", '["дом","дома"]', "Дома.", 1, 1),
        ],
    )
    def test_points_of_a_raw_reply(
        self, kind: str, number: str, gold: str, reply: str, published: int, corrected: int
    ) -> None:
        fields = exam_item(kind, number)
        own, most = USE.of(fields), 4 if kind == "matching" else 2 if number == "16" else 1
        asked = gold_of(USE, [gold], [fields])
        assert one("use_points_code", asked, [reply]) * most == pytest.approx(published)
        if own.parse(reply, fields) is not None:
            assert one("use_points", asked, [reply]) * most == pytest.approx(corrected)

    def test_every_variant_weighs_the_same_however_little_of_it_there_is(self) -> None:
        fields = [exam_item("text", "4", "1"), exam_item("matching", "26", "1"), exam_item("text", "4", "2")]
        asked = gold_of(USE, ['["дом"]', '["1","2","3","4"]', '["лес"]'], fields)
        bound = Clusters("variant", {item: of["variant"] for item, of in asked.asked.fields.items()})
        replies = ["дом", "1,2,4,3", "поле"]
        # Variant 1 has 3 of 5 points, variant 2 none of 1: 0.3; all points together would give 3/6.
        assert one("grade_norm_code", asked, replies, bound) == pytest.approx(0.3)
        assert one("use_points_code", asked, replies, bound) == pytest.approx(0.5)
        assert np.isnan(one("grade_norm", asked, replies, bound))  # no variant is complete

    def test_people_are_taken_to_write_numbers_as_the_files_have_them(self) -> None:
        asked = gold_of(USE, ['["1","3"]'], [exam_item("multiple_choice", "9")])
        said = answers({"0": '["1","3"]'}, items=["0"], labels=None)
        assert score(["use_points_code"], asked, said, Resampling(draws=20))["use_points_code"].value == 1


class TestLibra:
    @pytest.mark.parametrize(
        ("name", "corrected", "answer", "gold", "reply", "published", "right"),
        [
            ("em_code", "em_words", Text(), '["Да"]', "Данные говорят обратное", 1, 0),
            ("em_code", "em_words", Text(), '["Да"]', "да", 0, 1),
            ("em_code", "em", Number(), '["18"]', "180", 1, 0),
            ("em_code", "em_words", Text(), '["Париж"]', "в Париже", 1, 0),
            ("em_code", "accuracy", ITEMS, "0", "Верно второе, то есть 2. Анна", 1, 0),  # the letter А is in Анна
            ("em_code", "accuracy", ITEMS, "1", "А, Б или В", 1, 0),
            ("f1_code", "token_f1", Text(), '["Париже"]', "«Париже»", 0, 1),
            ("count_code", "count_score", Number(), '["7"]', "Ответ: 7 параграфов из 10", 0.5, 1),
            ("count_code", "count_score", Number(), '["7"]', "7", 1, 1),
        ],
    )
    def test_what_a_reply_is_worth(
        self, name: str, corrected: str, answer: AnswerType, gold: str, reply: str, published: float, right: float
    ) -> None:
        asked = gold_of(answer, [gold])
        assert one(name, asked, [reply]) == pytest.approx(published)
        assert one(corrected, asked, [reply]) == pytest.approx(right)

    def test_the_share_of_wrong_answers_named_is_taken_away(self) -> None:
        fields = [{"negative_outputs": '["Анна","Олег"]'}] * 3
        asked = gold_of(Text(), ['["Иван"]'] * 3, fields)
        assert one("em_code", asked, ["Иван", "Иван или Анна", "Анна, Иван, Олег"]) == pytest.approx((1 + 0.5 + 0) / 3)

    def test_lengths_weigh_the_same_and_one_that_was_not_run_counts_zero(self) -> None:
        fields = [{"length": "4k"}, {"length": "4k"}, {"length": "8k"}, {"length": "2k"}]
        golds, replies = ['["да"]'] * 4, ["да", "нет", "да", "нет"]
        listed = gold_of(Text(), golds, fields, ("4k", "8k", "16k"))
        assert one("em_code", listed, replies) == pytest.approx((0.5 + 1 + 0) / 3)
        assert one("em_code", gold_of(Text(), golds, fields), replies) == 0.5
        other = [{"length": "2k"}] * 4  # no published length at all, as in samples
        assert one("em_code", gold_of(Text(), golds, other, ("4k", "8k")), replies) == 0.5


class TestAgrr:
    YES_NO = Choice(choices={"0": same("нет"), "1": same("да")})

    def test_precision_recall_and_f1_are_those_of_the_positive_label(self) -> None:
        golds, told = list("1100110"), list("1010100")
        gold = gold_of(self.YES_NO, golds)
        expected = {
            name: function(golds, told, pos_label="1")
            for name, function in (("precision", precision_score), ("recall", recall_score), ("f1", f1_score))
        }
        assert values(list(expected), gold, told) == pytest.approx(expected)

    def test_no_answer_is_wrong_but_the_script_leaves_it_out(self) -> None:
        gold = gold_of(self.YES_NO, ["1", "1"])
        assert one("f1", gold, ["1", None]) == pytest.approx(2 / 3)
        assert one("positive_f1_code", gold, ["1", None]) == pytest.approx(1, abs=1e-7)

    def test_nothing_found_of_nothing_is_one_as_published_and_zero_corrected(self) -> None:
        gold = gold_of(self.YES_NO, ["0", "0"])
        assert one("positive_f1_code", gold, ["0", "0"]) == pytest.approx(1, abs=1e-7)
        assert one("f1", gold, ["0", "0"]) == 0

    def test_a_single_element_has_its_own_f(self) -> None:
        full = get_task("agrr/full").answer
        fields = {"sentence": "Ваня рисует кота, а Лена собаку."}
        gold = gold_of(full, ['{"cV":[[5,11]],"V":[[24,24]]}'], [fields])
        said = answers({"0": '{"cV":[[5,8]],"V":[[24,24]]}'}, items=["0"], labels=None)
        found = score(["symbol_f_cv", "symbol_f_v"], gold, said, Resampling(draws=20))
        assert found["symbol_f_cv"].value == pytest.approx(2 * 3 / (3 + 6), abs=1e-6)
        assert found["symbol_f_v"].value == pytest.approx(1, abs=1e-6)


def test_entities_of_rucos_keep_their_guillemets_as_published() -> None:
    fields = [{"entities": '["«Сбербанк»","Сбербанк","МГУ"]'}] * 2
    answer = Choices(option_list="entities")
    gold = gold_of(answer, ['["1"]', '["2"]'], fields)
    said = answers({"0": '["0"]', "1": '["2"]'}, items=["0", "1"], labels=None)
    found = score(["entity_em", "entity_em_code", "entity_f1", "entity_f1_code"], gold, said, Resampling(draws=20))
    assert [found[name].value for name in found] == [1, 0.5, 1, 0.5]


def task(**more: Any) -> Task:
    made: Mapping[str, Any] = {
        "id": "test/words",
        "title": same("Слова"),
        "description": same(""),
        "fields": (Field("text", same("Текст")), Field("kind", same("Вид"), kind="hidden", optional=True)),
        "question": same("?"),
        "instruction": same("!"),
        "answer": Text(),
        "prompt": "{text}",
        "metrics": ("em_words",),
        "answer_column": "gold",
    }
    return Task(**{**made, **more})


def written(folder: Path, name: str, rows: Sequence[Mapping[str, Any]]) -> Path:
    file = folder / name
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf8")
    return file


class TestFilesAndTasks:
    def test_a_file_is_scored_by_its_text_as_it_stands_only_where_that_is_asked_for(self, tmp_path: Path) -> None:
        words = task(published=("em_code",))
        gold = written(tmp_path, "gold.jsonl", [{"id": n, "text": "?", "gold": "Да"} for n in ("a", "b", "c")])
        told = written(tmp_path, "told.jsonl", [{"id": "a", "answer": "Ответ: да"}, {"id": "b", "answer": "Данные."}])
        plain = score_files(words, gold, told)
        published = score_files(as_published(words), gold, told)
        assert {name: round(found.value, 3) for name, found in plain.metrics.items()} == {"em_words": 0.333}
        assert {name: round(found.value, 3) for name, found in published.metrics.items()} == {"em_code": 0.333}
        assert plain.statuses == published.statuses == {"ok": 2, "missing": 1}

    def test_a_label_in_a_file_is_written_as_a_model_is_asked_to_write_it(self, tmp_path: Path) -> None:
        chosen = task(
            answer=ITEMS,
            fields=tuple(Field(name, same(name), kind="option") for name in "abc"),
            metrics=("accuracy",),
            published=("accuracy_code_raw",),
            prompt="{options}",
        )
        gold = written(tmp_path, "gold.jsonl", [{"id": n, **OPTIONS, "gold": "1"} for n in ("x", "y", "z")])
        answers: list[dict[str, Any]] = [
            {"id": "x", "answer": "1"},
            {"id": "y", "answer": "Вариант 2."},
            {"id": "z", "answer": 1},
        ]
        with pytest.raises(BadFile, match="has the number 2, which could be that of an option in the prompt"):
            score_files(chosen, gold, written(tmp_path, "told.jsonl", answers))
        answers[1] = {"id": "y", "raw": "Вариант 2."}
        told = written(tmp_path, "told.jsonl", answers)
        assert score_files(chosen, gold, told).metrics["accuracy"].value == 1
        published = score_files(as_published(chosen), gold, told)
        assert published.metrics["accuracy_code_raw"].value == pytest.approx(2 / 3)

    def test_without_published_metrics_the_official_ones_stand(self) -> None:
        assert as_published(task(metrics=("em_words", "em"), official=("em",))).metrics == ("em",)

    def test_a_joined_tag_is_a_group_of_its_own_as_published(self) -> None:
        groups = task(breakdowns=(Breakdown("kind", same("Вид"), several=";"),))
        assert groups.breakdowns[0].groups({"kind": "a;b"}) == ("a", "b")
        assert as_published(groups).breakdowns[0].groups({"kind": "a;b"}) == ("a;b",)


def test_every_published_row_says_that_it_is_one() -> None:
    rows = [metric for metric in METRICS.values() if "_code" in metric.name]
    assert len(rows) > 20
    assert all("as published" in metric.title for metric in rows)
