"""Answers that files of predictions state: codes, positions, texts, replies, and what is none of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from data.answers.choice import Choice
from data.catalogue.catalog import get_task
from data.errors import BadAnswer
from data.files.item_files import check_items, read_items
from data.task import Item, Task
from tests.data.test_gold_given_back import command, said
from tests.helpers.gold_files import records_of, samples_of, with_gold
from tests.helpers.leaderboards import MUSERC, written

ANAPHORA, PARUS = get_task("ruscontext/coref_anaphora"), get_task("rsg/parus")


def sample_items(task: Task) -> list[Item]:
    return read_items(samples_of(task), task)


def accuracy(found: Any) -> float:
    return float(found["metrics"]["accuracy"]["value"])


def stated(folder: Path, items: Sequence[Item], answers: Sequence[object], column: str = "answer") -> Path:
    pairs = zip(items, answers, strict=True)
    return written(folder / "told.jsonl", [{"id": item.id, column: one} for item, one in pairs])


def scored(task_id: str, folder: Path, answers: Sequence[object], column: str = "answer") -> Any:
    """The score of these answers to the first sample items of a task."""
    task = get_task(task_id)
    items = sample_items(task)[: len(answers)]
    told = written(
        folder / "told.jsonl", [{"id": item.id, column: one} for item, one in zip(items, answers, strict=True)]
    )
    few = written(folder / "gold.jsonl", records_of(samples_of(task), task)[: len(answers)])
    return said("score", task_id, "--gold", few, "--predictions", told, "--json")


def refusal(task_id: str, folder: Path, answers: Sequence[object]) -> str:
    """The sentence with which these answers are refused by `score` and by `import-run` alike."""
    folder.mkdir(exist_ok=True)
    task = get_task(task_id)
    items = sample_items(task)[: len(answers)]
    told = stated(folder, items, answers)
    gold = samples_of(task)
    name = f"{task_id.replace('/', '-')}-{len(list(folder.iterdir()))}"
    assert command("create", name, "--task", task_id, "--items", gold).exit_code == 0
    ways: list[tuple[object, ...]] = [("score", task_id, "--gold", gold, "--predictions", told)]
    ways += [("import-run", name, told, "--from", "jsonl", "--model", "m")]
    sentences = []
    for way in ways:
        result = command(*way)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.strip().splitlines()) == 1
        sentences.append(result.stderr.strip())
    assert sentences[0] == sentences[1]
    return sentences[0]


@pytest.fixture(autouse=True)
def database(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)


class TestDigits:
    def test_a_code_of_the_file_is_no_position(self, tmp_path: Path) -> None:
        golds = [
            record["gold answer"]
            for record in records_of(
                samples_of(get_task("ruscontext/coref_anaphora")), get_task("ruscontext/coref_anaphora")
            )
        ]
        assert {"1", "2", "3"} == set(golds)
        assert accuracy(scored(ANAPHORA.id, tmp_path, golds)) == 1
        assert (
            scored("ruscontext/coref_anaphora", tmp_path, [int(one) for one in golds])["metrics"]["accuracy"]["value"]
            == 1
        )

    @pytest.mark.parametrize(
        ("task", "answers", "words"),
        [
            ("rsg/parus", ["1", "2"], ["line 2: '2' is none of the codes", "items (0, 1)", "option 2 ("]),
            ("rsg/parus", [1, 2], ["line 2: 2 is none of the codes", "items (0, 1)", "number in the prompt"]),
            (ANAPHORA.id, ["0"], ["'0' is none of the codes of the file of items (1, 2, 3)", "option 1 ("]),
            ("ruscontext/idiom_meaning", ["3"], ["'3' is none of the codes", "items (0, 1, 2)", "option 3 ("]),
            ("ruscontext/idiom_literal", ["2"], ["'2' is none of the codes", "items (0, 1)", "option 2 ("]),
            ("rsg/danetqa", ["2"], ["'2' is none of the codes", "option 2 ('Нет')"]),
            ("libra/ru_tpo", ["2"], ["'2' could be option 2 (", "or option 3 (", "the file of items has no numbers"]),
            ("libra/ru_quality", [1], ["1 could be option 1 (", "or option 2 (", "in a column `raw`"]),
            ("libra/ru_trec", ["1"], ["'1' could be option 1 (", "or option 2 ("]),
            ("rsg/rucos", ["1"], ["'1' could be option 1 (", "or option 2 ("]),
            ("rsg/muserc", [[[1, 3], [1, 2], [2]]], ["[1, 3] could be numbers of options from 1", "or from 0", "flag"]),
            ("own/pairwise", ["2"], ["'2' is none of the codes of the file of items (0, 1", "option 2 ("]),
        ],
    )  # fmt: skip
    def test_what_could_be_two_options_is_refused_with_both_named(
        self, task: str, answers: list[object], words: list[str], tmp_path: Path
    ) -> None:
        sentence = refusal(task, tmp_path, answers)
        for one in words:
            assert one in sentence, sentence

    @pytest.mark.parametrize("task", ["rsg/terra", "rsg/lidirus"])
    @pytest.mark.parametrize("number", [1, "1", "2"])
    def test_a_number_is_refused_where_no_coding_of_the_file_has_numbers(
        self, task: str, number: object, tmp_path: Path
    ) -> None:
        sentence = refusal(task, tmp_path, [number, number])
        assert f"line 1: {number!r} could be option" in sentence
        assert "the file of items has no numbers for options" in sentence

    @pytest.mark.parametrize("number", ["7", 7, "-1", "4"])
    def test_a_number_that_is_no_code_is_refused_with_the_codes(self, number: object, tmp_path: Path) -> None:
        sentence = refusal(ANAPHORA.id, tmp_path, [number])
        assert sentence.startswith("told.jsonl, line 1: ")
        assert "1, 2, 3" in sentence

    def test_a_number_beside_gold_in_words_is_refused_with_the_codes_of_the_task(self, tmp_path: Path) -> None:
        sentence = refusal("rsg/rcb", tmp_path, [0])
        assert "0 is none of the codes that rsg/rcb knows in files of items (1, 2, 3); use those, or ent" in sentence

    @pytest.mark.parametrize("text", ["{}.", "**{}**", '"{}"', '{{"answer": {}}}', "Ответ: {}", "({})", "label: {}"])
    @pytest.mark.parametrize("code", ["0", "1"])
    def test_a_code_with_something_round_it_is_refused(self, text: str, code: str, tmp_path: Path) -> None:
        for task in (PARUS.id, "ruscontext/idiom_literal"):
            sentence = refusal(task, tmp_path / task.replace("/", ""), [code, text.format(code)])
            assert f"line 2: {text.format(code)!r} has the number {code}" in sentence
            assert "column `raw` if it holds replies" in sentence

    def test_words_decide_beside_a_number_and_replies_keep_theirs(self, tmp_path: Path) -> None:
        words = [item.fields[f"choice{int(str(item.gold)) + 1}"] for item in sample_items(PARUS)]
        told = [f"{int(str(item.gold)) + 1}) {one}" for item, one in zip(sample_items(PARUS), words, strict=True)]
        assert accuracy(scored("rsg/parus", tmp_path, [f"Ответ: {one}" for one in words])) == 1
        assert scored("rsg/terra", tmp_path, ["Ответ: 1"])["statuses"] == {"ok": 1}
        assert accuracy(scored("rsg/parus", tmp_path, told)) == 1

    def test_tables_write_whole_numbers_with_an_idle_zero(self, tmp_path: Path) -> None:
        golds = [f"{item.gold}.0" for item in sample_items(PARUS)]
        assert accuracy(scored("rsg/parus", tmp_path, golds)) == 1
        assert accuracy(scored("rsg/parus", tmp_path, [float(one) for one in golds])) == 1

    @pytest.mark.parametrize(
        "task_id", ["ruscontext/coref_anaphora", "libra/ru_tpo", "libra/ru_quality", "libra/ru_trec"]
    )
    def test_our_own_files_of_items_count_from_zero_and_so_do_answers_to_them(
        self, task_id: str, tmp_path: Path
    ) -> None:
        task = get_task(task_id)
        gold = tmp_path / "items.jsonl"
        assert command("create", "s", "--task", task_id, "--items", samples_of(task)).exit_code == 0
        assert command("export", "s", "--what", "items", "--format", "jsonl", "--to", gold).exit_code == 0
        labels = written(tmp_path / "p.jsonl", [{"id": item.id, "answer": item.gold} for item in sample_items(task)])
        found = said("score", task_id, "--gold", gold, "--predictions", labels, "--json")
        assert accuracy(found) == 1
        again = said("score", task_id, "--gold", gold, "--predictions", gold, "--json")
        assert accuracy(again) == 1


class TestReplies:
    def test_a_whole_reply_is_parsed_and_a_stated_answer_is_a_code(self, tmp_path: Path) -> None:
        """The first option is "1" for a model, whose prompt numbers options, and "0" in the file."""
        golds = [int(str(item.gold)) for item in sample_items(PARUS)]
        replies = [f"{gold + 1}" for gold in golds]
        assert accuracy(scored("rsg/parus", tmp_path, replies, "raw")) == 1
        assert accuracy(scored("rsg/parus", tmp_path, replies, "response")) == 1
        told = [f"Ответ: {gold + 1}" for gold in golds]
        assert accuracy(scored("rsg/parus", tmp_path, told, "raw")) == 1

    def test_a_reply_goes_before_the_answer_that_somebody_read_in_it(self, tmp_path: Path) -> None:
        item = sample_items(PARUS)[0]
        told = written(
            tmp_path / "t.jsonl", [{"id": item.id, "answer": "7", "raw": f"Вариант {int(str(item.gold)) + 1}"}]
        )
        gold = written(tmp_path / "g.jsonl", records_of(samples_of(PARUS), PARUS)[:1])
        found = said("score", "rsg/parus", "--gold", gold, "--predictions", told, "--json")
        assert (accuracy(found), found["statuses"]) == (1, {"ok": 1})

    def test_the_words_of_options_and_no_answer(self, tmp_path: Path) -> None:
        first, second, *_ = sample_items(PARUS)
        words = [item.fields[f"choice{int(str(item.gold)) + 1}"] for item in (first, second)]
        found = scored("rsg/parus", tmp_path, [*words, None, "", "не знаю"])
        assert found["statuses"] == {"ok": 2, "unparsable": 3}
        assert accuracy(found) == pytest.approx(2 / 5)

    def test_a_column_of_predictions_goes_before_one_of_gold(self, tmp_path: Path) -> None:
        task = PARUS
        records = [record | {"prediction": 1 - record["label"]} for record in records_of(samples_of(task), task)]
        told = written(tmp_path / "t.jsonl", records)
        found = said("score", task.id, "--gold", samples_of(task), "--predictions", told, "--json")
        assert accuracy(found) == 0


NESTED = {"a": [{"b": None}]}
JUNK: list[Any] = [
    None, 3.5, -1, 10**30, True, False, [], [[]], [None], [1, 2, 3], ["а", "б"], {}, NESTED,
    {"answers": {"x": [1]}}, [[{"a": 1}]], [[[1]]], "", " ", "[", "[1, 2", '{"a": 1}', "\u200b",
]  # fmt: skip


@pytest.mark.parametrize("task", [pytest.param(task, id=task.id) for task in with_gold()])
def test_whatever_a_file_states_is_accepted_or_refused_in_one_sentence(task: Task, tmp_path: Path) -> None:
    record = records_of(samples_of(task), task)[0]
    gold = written(tmp_path / "gold.jsonl", [record])
    (item,) = read_items(gold, task)
    for junk in JUNK:
        told = written(tmp_path / "told.jsonl", [{"id": item.id, "answer": junk}])
        result = command("score", task.id, "--gold", gold, "--predictions", told, "--json")
        assert result.exit_code in (0, 2), junk
        if result.exit_code:
            assert result.stdout == ""
            assert result.stderr.startswith("told.jsonl, line 1: "), (junk, result.stderr)
            assert len(result.stderr.strip().splitlines()) == 1
        else:
            statuses = json.loads(result.stdout)["statuses"]
            assert set(statuses) <= {"ok", "unparsable"}, junk
    if task.id == "rsg/parus":
        assert "{'a': [{'b': None}]} is not an answer; use one of 0, 1" in refusal(task.id, tmp_path, [NESTED])


class TestMuserc:
    """Its gold is a list of flags for each question."""

    def test_flags_in_every_nesting_that_files_have(self, tmp_path: Path) -> None:
        task = get_task("rsg/muserc")
        flags = [record["label"] for record in records_of(samples_of(task), task)]
        for answers in (
            flags,
            list(map(json.dumps, flags)),
            [[[bool(f) for f in one] for one in all_] for all_ in flags],
        ):
            assert scored(task.id, tmp_path, answers)["metrics"]["f1a"]["value"] == 1
        assert (
            scored(task.id, tmp_path, [[{"answers": one} for one in all_] for all_ in flags])["metrics"]["f1a"]["value"]
            == 1
        )

    def test_the_form_of_the_leaderboard_is_read_by_its_numbers(self, tmp_path: Path) -> None:
        gold = written(tmp_path / "gold.jsonl", MUSERC)

        def form(flip: int) -> list[dict[str, Any]]:
            def asked(one: Any) -> Any:
                labels = [{"idx": each["idx"], "label": abs(each["label"] - flip)} for each in one["answers"]]
                return {"idx": one["idx"], "answers": labels[::-1]}

            return [
                {"idx": one["idx"], "passage": {"questions": [*map(asked, one["passage"]["questions"][::-1])]}}
                for one in MUSERC
            ]

        assert command("create", "s", "--task", "rsg/muserc", "--items", gold).exit_code == 0
        for flip in (0, 1):
            told = written(tmp_path / f"told{flip}.jsonl", form(flip))
            found = said("score", "rsg/muserc", "--gold", gold, "--predictions", told, "--json")
            assert found["metrics"]["question_em"]["value"] == 1 - flip
            assert said("import-run", "s", told, "--from", "jsonl", "--model", "m", "--json")["statuses"] == {"ok": 2}
        short = form(0)
        short[0]["passage"]["questions"][0]["answers"].pop()
        result = command(
            "score", "rsg/muserc", "--gold", gold, "--predictions", written(tmp_path / "short.jsonl", short)
        )
        assert result.exit_code == 2
        assert "line 1: has no label for answer 100 of question 27" in result.stderr

    def test_the_authors_nested_records_are_predictions(self, tmp_path: Path) -> None:
        gold = written(tmp_path / "gold.jsonl", MUSERC)
        wrong = json.loads(json.dumps(MUSERC))
        for answer in wrong[1]["passage"]["questions"][0]["answers"]:
            answer["label"] = 1 - answer["label"]
        told = written(tmp_path / "told.jsonl", wrong)
        found = said("score", "rsg/muserc", "--gold", gold, "--predictions", told, "--json")
        # Of five options three are right and three are chosen, two of them rightly; one question of two is all right.
        assert found["metrics"]["f1a"]["value"] == pytest.approx(2 / 3)
        assert found["metrics"]["question_em"]["value"] == 0.5


class TestAgrr:
    """The organisers' table: tabs, no quoting, no ids."""

    HEAD = "text\tclass\tcV\tcR1\tcR2\tV\tR1\tR2\n"
    FIRST = 'Он купил "Войну и мир", а она — "Идиота'

    def table(self, path: Path, spans: str, label: str = "1") -> Path:
        rows = [f"{self.FIRST}\t{label}\t{spans}\n", 'Ещё "одно\t0\t\t\t\t\t\t\n']
        path.write_text(self.HEAD + "".join(rows), "utf8")
        return path

    def test_quotes_are_characters_and_sentences_are_found_by_their_text(self, tmp_path: Path) -> None:
        gold = self.table(tmp_path / "gold.csv", "3:8\t\t\t32:32\t\t")
        told = self.table(tmp_path / "told.tsv", "3:7\t\t\t32:32\t\t")
        found = said("score", "agrr/resolution", "--gold", gold, "--predictions", told, "--json")
        # cV: 4 characters of 5, F = 8/9; V: found, 1; a sentence that neither side takes for gapping does not count.
        assert found["metrics"]["symbol_f"]["value"] == pytest.approx((8 / 9 + 1) / 2, abs=1e-6)
        assert found["statuses"] == {"ok": 2}
        for task in ("agrr/binary", "agrr/full", "agrr/resolution", "agrr/validate"):
            whole = said("score", task, "--gold", gold, "--predictions", gold, "--json")
            assert whole["statuses"] == {"ok": 2}

    def test_the_class_alone_is_no_answer_about_spans(self, tmp_path: Path) -> None:
        gold = self.table(tmp_path / "gold.csv", "3:8\t\t\t32:32\t\t")
        told = self.table(tmp_path / "told.csv", "\t\t\t\t\t")
        found = said("score", "agrr/full", "--gold", gold, "--predictions", told, "--json")
        assert found["statuses"] == {"ok": 1, "unparsable": 1}
        assert (
            said("score", "agrr/binary", "--gold", gold, "--predictions", told, "--json")["metrics"]["f1"]["value"] == 1
        )

    def test_brackets_are_predictions_too(self, tmp_path: Path) -> None:
        gold = self.table(tmp_path / "gold.csv", "3:8\t\t\t32:32\t\t")
        told = tmp_path / "told.txt"
        marked = self.FIRST.replace("купил", "cV[купил cV]").replace("— ", "— V[] ")
        told.write_text(f'class\tmark_up\n1\t{marked}\n0\tЕщё "одно\n', "utf8")
        found = said("score", "agrr/resolution", "--gold", gold, "--predictions", told, "--json")
        assert found["metrics"]["symbol_f"]["value"] == pytest.approx(1, abs=1e-6)

    def test_a_damaged_line_is_one_sentence(self, tmp_path: Path) -> None:
        gold = self.table(tmp_path / "gold.csv", "3:8\t\t\t32:32\t\t")
        for spans, sentence in (
            ("3-8\t\t\t32:32\t\t", "offsets inside the text are needed"),
            ("3:8", "there is none for 'cR1', 'cR2'"),
        ):
            told = self.table(tmp_path / "told.csv", spans)
            result = command("score", "agrr/full", "--gold", gold, "--predictions", told)
            assert result.exit_code == 2
            assert result.stderr.startswith("told.csv, line 2: ")
            assert sentence in result.stderr


def test_a_file_that_is_neither_names_what_it_lacks(tmp_path: Path) -> None:
    gold = samples_of(get_task("rsg/terra"))
    for record, sentence in (
        ({"id": "a", "text": "x"}, "has no column of answers (prediction, answer, label, raw, reply, response)"),
        ({"answer": "entailment"}, "has no column of items (item, id, idx)"),
        ({"x": 1}, "has no column of items (item, id, idx) and no column of answers"),
    ):
        told = written(tmp_path / "told.jsonl", [record])
        result = command("score", "rsg/terra", "--gold", gold, "--predictions", told)
        assert result.exit_code == 2
        assert sentence in result.stderr


@dataclass(frozen=True)
class NoneForQuestions(Choice):
    """A choice as a plugin may bring it: nothing follows from a question."""

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        label = super().validate(value, fields)
        if label == "entailment" and fields["premise"].endswith("?"):
            raise BadAnswer("not_an_option", value=label, allowed="not_entailment")
        return label


def test_a_label_that_depends_on_the_text_is_checked_beside_the_text_of_each_row(tmp_path: Path) -> None:
    terra = get_task("rsg/terra")
    assert isinstance(terra.answer, Choice)
    task = replace(terra, answer=NoneForQuestions(choices=terra.answer.choices))
    rows = [("Идёт снег.", "entailment"), ("Идёт снег?", "entailment"), ("Идёт снег?", "not_entailment")]
    rows += [("Снег идёт.", "entailment")]
    file = written(
        tmp_path / "items.jsonl",
        [
            {"id": str(line), "premise": premise, "hypothesis": "Холодно.", task.answer_column: label}
            for line, (premise, label) in enumerate(rows, 1)
        ],
    )
    items, problems = check_items(file, task)
    assert ([item.id for item in items], [problem.line for problem in problems]) == (["1", "3", "4"], [2])
