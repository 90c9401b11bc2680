"""Generators of LIBRA's synthetic tasks: the gold of each record is derived again from nothing but its text."""

import json
import re
import tracemalloc
from collections import Counter, deque
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import SAMPLES, get_task
from data.console import watched
from data.errors import BadFile, BadSetting
from data.files.item_files import check_items, read_items
from data.files.saving import write_lines
from data.generators import draws_of, generator_of
from data.generators.generator import as_line, lengths_of, records
from data.generators.haystack import ended, fitting, put_at, read_book, words_in, words_of
from data.generators.matreshka import grammar, read_talks, speakers
from data.generators.passages import FACTS, fields, paragraph, patterns, random_study, summary

OURS = (
    "libra/passkey_with_librusec",
    "libra/matreshka_names",
    "libra/matreshka_yes_no",
    "libra/ru_sci_passage_count",
    "libra/ru_sci_abstract_retrieval",
)
BOOK = SAMPLES / "libra" / "passkey_with_librusec" / "book.txt"
LONGEST_SUMMARY = 30
each = pytest.mark.parametrize("name", OURS)


def made(name: str, lengths: str = "4k", *, n: int = 4, seed: int = 1, **files: Path) -> list[Any]:
    draws = draws_of(name, as_published=False, files=files)
    return list(records(name, draws, lengths=lengths_of(lengths), per_length=n, seed=seed))


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def talks_in(text: str) -> list[list[tuple[str, str]]]:
    return [
        [(line.split(": ", 1)[0], line.split(": ", 1)[1]) for line in talk.split("\n")] for talk in text.split("\n\n")
    ]


@cache
def openings() -> dict[str, str]:
    """The topic of each first remark of the grammar, greetings left out; no two topics begin alike."""
    told = [
        (text.format(**subject.thing), topic)
        for topic, subject in grammar().subjects.items()
        for text in subject.aspect["open"]
    ]
    assert len(dict(told)) == len(told)
    return dict(told)


def topic_of(talk: Sequence[tuple[str, str]]) -> str:
    """The topic of a talk of the grammar, told from its first remark alone."""
    opening = talk[0][1]
    for greeting in grammar().greetings:
        opening = opening.removeprefix(f"{greeting} ")
    return openings()[opening]


def paragraphs_in(text: str) -> list[str]:
    numbered = re.findall(r"^Параграф (\d+): (.+)$", text, re.MULTILINE)
    assert [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))
    assert "\n\n".join(f"Параграф {number}: {body}" for number, body in numbered) == text
    return [body for _, body in numbered]


def facts_in(text: str, telling: int) -> list[tuple[int, tuple[int, ...]]]:
    """The studies whose facts all stand in a text, in the words of the abstract (0) or of the summary (1)."""
    found = []
    for number, field in enumerate(fields()):
        values = [[i for i, fact in enumerate(field[name]) if fact.split("|")[telling] in text] for name in FACTS]
        if all(values):
            assert all(len(one) == 1 for one in values), (text, values)
            found.append((number, tuple(one[0] for one in values)))
    return found


@each
def test_a_text_is_at_most_three_in_a_hundred_shorter_than_asked_and_never_longer(name: str) -> None:
    for record in made(name, "4k,16k,64k", n=3):
        (tokens,) = lengths_of(record["length"]).values()
        assert 0.97 * (tokens // 3) <= words_in(record["context"]) <= tokens / 3


@each
def test_a_seed_gives_the_same_records_and_a_family_the_same_question_at_every_length(name: str) -> None:
    first, again, other = made(name, "1k,4k"), made(name, "1k,4k"), made(name, "1k,4k", seed=2)
    assert first == again != other
    families: dict[str, list[Any]] = {}
    for record in first:
        families.setdefault(record["family"], []).append(record)
    for short, long in families.values():
        assert short["input"] == long["input"]
        assert short["context"] not in long["context"]
        if not name.startswith("libra/ru_sci"):  # there the answer is a number of paragraphs, or one of them
            assert short["positive_outputs"] == long["positive_outputs"]


@each
def test_what_is_made_is_read_by_the_task_with_the_gold_it_was_made_with(name: str, tmp_path: Path) -> None:
    task, file, told = get_task(name), tmp_path / "made.jsonl", made(name, "500,4k")
    file.write_text("".join(map(as_line, told)), "utf8")
    items, problems = check_items(file, task, role="control")
    assert problems == []
    for item, record in zip(items, told, strict=True):
        assert item.gold is not None
        assert [task.answer.best(item.gold, item.fields)] == record["positive_outputs"]
        assert item.fields["context"] == record["context"]


def test_who_talked_on_a_topic_is_told_by_the_only_talk_on_it() -> None:
    for record in made("libra/matreshka_names", "1k,16k", n=15):
        asked = re.fullmatch(r"Кто говорил со? (\S+) на тему «(.+)»\?", record["input"])
        assert asked
        (known,) = [person for person in speakers() if person.instrumental == asked[1]]
        (own,) = [talk for talk in talks_in(record["context"]) if topic_of(talk) == asked[2]]
        talking = {name for name, _ in own}
        assert {known.name, *record["positive_outputs"]} == talking
        everyone = {name for talk in talks_in(record["context"]) for name, _ in talk}
        assert set(record["negative_outputs"]) == everyone - talking


def test_a_topic_is_talked_about_exactly_where_the_answer_is_yes() -> None:
    for record in made("libra/matreshka_yes_no", "1k,16k", n=16):
        topic = re.findall("«(.+)»", record["input"])[0]
        times = Counter(topic_of(talk) for talk in talks_in(record["context"]))
        assert record["positive_outputs"] == (["Да"] if times[topic] else ["Нет"])
        assert times[topic] <= 1
        assert [near for near in grammar().near(topic) if times[near]], "nothing tempts"


def test_yes_and_no_are_balanced_over_every_two_records_in_no_fixed_order() -> None:
    answers = [record["positive_outputs"][0] for record in made("libra/matreshka_yes_no", "500", n=40)]
    pairs = list(zip(answers[::2], answers[1::2], strict=True))
    assert set(pairs) == {("Да", "Нет"), ("Нет", "Да")}


def test_talks_of_a_text_are_two_people_taking_turns_and_no_talk_stands_there_twice() -> None:
    (record,) = made("libra/matreshka_names", "128k", n=1)
    talks = talks_in(record["context"])
    assert len(set(record["context"].split("\n\n"))) == len(talks) > 1000
    for talk in talks:
        names = [name for name, _ in talk]
        assert len(set(names)) == 2
        assert names[::2] == [names[0]] * len(names[::2])
        assert len(talk) in (2, 4, 6)


def test_the_grammar_of_talks_has_hundreds_of_topics_and_gives_each_remark_its_answer() -> None:
    assert len(grammar().topics) > 500
    for topic, subject in grammar().subjects.items():
        assert len(subject.aspect["open"]) == len(subject.aspect["reply"]) >= 2
        assert len(subject.aspect["more"]) == len(subject.aspect["answer"]) >= 2
        assert any(form[:4] in topic for form in subject.thing.values())
    told = {str(grammar().on(topic, Random(f"{topic} {n}"))) for topic in grammar().topics[:60] for n in range(60)}
    assert len(told) > 2000


def test_names_are_declined_stand_in_no_other_name_and_take_the_right_preposition() -> None:
    names = [person.name for person in speakers()]
    assert [len(each) for each in words_of("names").values()] == [50, 50]
    assert [(one, other) for one in names for other in names if one != other and one in other] == []
    beside = {person.name: person.beside for person in speakers()}
    assert [beside[name] for name in ("Анна", "Степан", "Зоя", "Всеволод", "Злата", "Жанна", "Вера", "Светлана")] == [
        "с Анной", "со Степаном", "с Зоей", "со Всеволодом", "со Златой", "с Жанной", "с Верой", "со Светланой",
    ]  # fmt: skip
    for person in speakers():
        assert person.instrumental.endswith(("ой", "ей", "ью", "ом", "ем"))


def test_the_number_of_unique_paragraphs_is_that_of_different_ones_of_which_one_is_repeated() -> None:
    for record in made("libra/ru_sci_passage_count", "500,1k,16k", n=15):
        times = Counter(paragraphs_in(record["context"]))
        assert record["positive_outputs"] == [str(len(times))]
        repeated = [number for number in times.values() if number > 1]
        assert repeated == [record["copies"]]
        assert len(times) > 1


def test_a_description_fits_one_paragraph_and_others_differ_from_it_in_one_fact() -> None:
    for record in made("libra/ru_sci_abstract_retrieval", "500,4k", n=20):
        (described,) = facts_in(record["input"], 1)
        told = [facts_in(text, 0) for text in paragraphs_in(record["context"])]
        assert all(len(one) == 1 for one in told)
        fitting_it = [number for number, (one,) in enumerate(told, 1) if one == described]
        assert [str(number) for number in fitting_it] == record["positive_outputs"]
        differing = Counter(
            sum(a != b for a, b in zip(one[1], described[1], strict=True)) for (one,) in told if one[0] == described[0]
        )
        assert differing[1] >= (5 if record["length"] == "4k" else 1)


def test_the_paragraph_asked_for_may_stand_anywhere() -> None:
    depths = []
    for record in made("libra/ru_sci_abstract_retrieval", "1k", n=60):
        number = int(record["positive_outputs"][0])
        last = len(paragraphs_in(record["context"]))
        depths.append((number == 1, number == last))
    assert all(any(ends) for ends in zip(*depths, strict=True))


def test_a_summary_is_one_short_sentence_in_words_of_its_own() -> None:
    for seed in range(300):
        study = random_study(random := Random(seed))
        told = summary(study, random)
        assert told.startswith("Описывает")
        assert told.count(".") == 1
        assert len(told.split()) <= LONGEST_SUMMARY
        assert not {study.words(0)[name] for name in FACTS} & set(told.split())
        assert facts_in(paragraph(study, random), 0) == [(study.field, study.facts)]


def test_every_fact_has_words_of_its_own_in_the_abstract_and_in_the_summary() -> None:
    for field in fields():
        for name in FACTS:
            for telling in (0, 1):
                words = [fact.split("|")[telling] for fact in field[name]]
                assert [(a, b) for a in words for b in words if a is not b and a in b] == []
    assert not re.search(r"[{}]", " ".join(patterns()["neutral"]))


def test_a_key_in_a_book_is_said_between_two_sentences_and_is_no_number_of_the_book() -> None:
    book = BOOK.read_text("utf8")
    for record in made("libra/passkey_with_librusec", "1k,4k", n=20, background=BOOK):
        (key,) = record["positive_outputs"]
        before, after = record["context"].split(f"Запомните: ключ доступа — {key}. ")
        assert key not in book
        assert not before or ended(before)
        for part in (before, after):
            assert re.sub(r"\s+", " ", part[:60]) in re.sub(r"\s+", " ", f"{book} {book}")


def test_a_book_is_read_on_from_a_sentence_and_over_again_where_it_ends(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text("Раз. Два!\r\n\r\nТри? " + "слово " * 70 + "конец.", "utf8")
    book = read_book(file)
    assert book.stretches[:3] == ("Раз. ", "Два!\n\n", "Три? ")
    assert [words_in(part) for part in book.stretches[3:]] == [30, 30, 11]
    starts = {next(iter(book(Random(seed)))) for seed in range(60)}
    assert starts == {"Раз. ", "Два!\n\n", "Три? ", book.stretches[3]}
    assert len(list(islice(book(Random(1)), 20))) == 20


def test_babilong_takes_a_book_too() -> None:
    plain, booked = made("libra/ru_babilong_qa1"), made("libra/ru_babilong_qa1", background=BOOK)
    assert [one["input"] for one in plain] == [one["input"] for one in booked]
    assert all("Лукич" in one["context"] for one in booked)


def test_talks_of_a_file_are_asked_about_by_the_topics_of_the_file(tmp_path: Path) -> None:
    file = talks_file(tmp_path, 30)
    for record in made("libra/matreshka_names", "1k,4k", n=6, dialogues=file):
        number = re.findall(r"тему «тема (\d+)»", record["input"])[0]
        (own,) = [talk for talk in talks_in(record["context"]) if talk[0][1] == f"вопрос {number} с переносом"]
        assert record["positive_outputs"][0] in {name for name, _ in own}
        assert len({name for name, _ in own}) == 2
    for record in made("libra/matreshka_yes_no", "1k", n=10, dialogues=file):
        number = re.findall(r"тему «тема (\d+)»", record["input"])[0]
        assert (f"вопрос {number} с" in record["context"]) == (record["positive_outputs"] == ["Да"])


def test_topics_of_a_file_that_differ_in_case_only_are_one(tmp_path: Path) -> None:
    file = talks_file(tmp_path, 5)
    line = {"topic": "Тема 1.", "dialog": [{"role": "user", "content": "а"}, {"role": "bot", "content": "б"}]}
    file.write_text(file.read_text("utf8") + json.dumps(line), "utf8")
    assert len(read_talks(file).topics) == 5
    assert len(read_talks(file).talks["тема 1"]) == 2


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ({"topic": "кот", "dialog": [{"role": "user", "content": "один"}]}, "talks.jsonl, line 6: is no talk of two"),
        ({"topic": " ", "dialog": []}, "talks.jsonl, line 6: is no talk of two people; a record holds a topic and a"),
        ({"topic": "кот", "dialog": "текст"}, "talks.jsonl, line 6: is no talk of two people"),
    ],
)
def test_a_file_without_talks_is_refused(record: object, sentence: str, tmp_path: Path) -> None:
    file = talks_file(tmp_path, 5)
    file.write_text(file.read_text("utf8") + json.dumps(record), "utf8")
    with pytest.raises(BadFile, match=re.escape(sentence)):
        read_talks(file)


def test_too_few_topics_and_too_long_a_talk_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="has 2 topics; at least 4 are needed"):
        read_talks(talks_file(tmp_path, 2))
    with pytest.raises(BadSetting, match="the talk that is asked about does not fit"):
        made("libra/matreshka_names", "300", dialogues=talks_file(tmp_path, 5, words=120))


def talks_file(folder: Path, number: int, *, words: int = 5) -> Path:
    file = folder / "talks.jsonl"
    said = [("вопрос {0} с\nпереносом", "ответ " * words) for _ in range(number)]
    talks = [
        {"topic": f"тема {n}", "dialog": [{"role": "user", "content": a.format(n)}, {"role": "bot", "content": b}]}
        for n, (a, b) in enumerate(said)
    ]
    file.write_text("".join(json.dumps(talk, ensure_ascii=False) + "\n" for talk in talks), "utf8")
    return file


@pytest.mark.parametrize("name", ["libra/ru_sci_passage_count", "libra/ru_sci_abstract_retrieval"])
def test_so_short_a_text_that_one_paragraph_fills_it_is_refused(name: str) -> None:
    with pytest.raises(BadSetting, match="ask for 500 tokens or more"):
        generator_of(name).draw(Random(1), 50)


def test_parts_that_do_not_fit_are_passed_over_and_none_is_taken_twice() -> None:
    assert fitting(["а а", "б б б", "в", "в", "г"], 4) == ["а а", "в", "г"]
    assert put_at(0.0, "x", ["а", "б"]) == ["x", "а", "б"]
    assert put_at(0.99, "x", ["а", "б"]) == ["а", "б", "x"]


def test_records_are_not_held_in_memory(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        draws = generator_of("libra/matreshka_names").draws
        made_one_by_one = records("libra/matreshka_names", draws, lengths=lengths_of("8k"), per_length=number, seed=1)
        tracemalloc.reset_peak()
        write_lines(tmp_path / "big.jsonl", map(as_line, made_one_by_one))
        return tracemalloc.get_traced_memory()[1]

    deque(made("libra/matreshka_names", "4k", n=1))
    tracemalloc.start()
    try:
        assert peak(8) < 1.3 * peak(2)
    finally:
        tracemalloc.stop()


def test_a_failure_leaves_no_half_file_and_the_old_one_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "kept.jsonl"
    write_lines(file, ["old\n"])

    def broken() -> Any:
        yield "new\n"
        raise BadSetting("stop")

    with pytest.raises(BadSetting, match="stop"):
        write_lines(file, broken())
    assert file.read_text("utf8") == "old\n"
    assert [one.name for one in file.parent.iterdir()] == ["kept.jsonl"]
    with pytest.raises(BadSetting, match="cannot be written"):
        write_lines(tmp_path, ["a folder\n"])


def test_long_work_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(watched("abc", "items", of=3)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("data.console.QUIET", -1.0)
    assert list(watched("ab", "items", of=2)) == ["a", "b"]
    assert capsys.readouterr().err == "items: 1 of 2\nitems: 2 of 2\n"


def test_the_command_takes_its_short_names_and_the_files(tmp_path: Path) -> None:
    file = tmp_path / "made.jsonl"
    told = run("generate", "libra/ru_babilong_qa2", "--length", "1k", "--n", 3, "--to", file)
    assert (told.exit_code, told.stderr) == (0, "made.jsonl: 3 items, 3 of each length\n")
    asked = ("--lengths", "1k", "--per-length", 2, "--background", BOOK, "--to", file)
    assert run("generate", "libra/passkey_with_librusec", *asked).exit_code == 0
    assert len(read_items(file, get_task("libra/passkey_with_librusec"))) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["libra/passkey", "--background", BOOK],
            "--background: 'libra/passkey' takes no such file; libra/passkey_with",
        ),
        (
            ["libra/passkey_with_librusec", "--dialogues", BOOK],
            "--dialogues: 'libra/passkey_with_librusec' takes no such",
        ),
        (["libra/matreshka_names", "--dialogues", "none.jsonl"], "none.jsonl: cannot be opened"),
        (["libra/matreshka_names", "--as-published"], "--as-published: 'libra/matreshka_names' is made as published"),
    ],
)
def test_a_mistake_in_the_options_is_one_sentence(words: list[object], sentence: str, tmp_path: Path) -> None:
    told = run("generate", *words, "--length", "1k", "--n", 1, "--to", tmp_path / "made.jsonl")
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith(sentence)
    assert told.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("output", "gold"), [(["Да"], "Да"), (["да."], "Да"), ("Нет", "Нет"), (["no"], "Нет"), (["Может быть"], None)]
)
def test_yes_and_no_are_read_as_people_write_them(output: object, gold: str | None, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    record = {"context": "А: б", "input": "Был ли?", "positive_outputs": output, "negative_outputs": [], "length": "4k"}
    file.write_text(json.dumps(record), "utf8")
    items, problems = check_items(file, get_task("libra/matreshka_yes_no"))
    assert [item.gold for item in items] == ([gold] if gold else [])
    assert len(problems) == (gold is None)
