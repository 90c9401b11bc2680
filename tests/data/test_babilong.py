"""ruBABILong: another solver reads the facts back out of the texts and comes to the same answers; forms agree."""

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from data.catalogue.catalog import get_task, samples
from data.errors import BadFile, BadSetting
from data.generators import draws_of, generator_of
from data.generators.babilong import STORIES, Story
from data.generators.generator import lengths_of, records
from data.generators.haystack import insert_facts, words_in
from data.task import ROLES
from eval.metrics.table import METRICS
from tests.helpers.babilong_solver import (
    INTO,
    NAMES,
    PLACES,
    THING,
    WHO,
    WORDS,
    fact_of,
    facts_in,
    history,
    meant,
    sentences_of,
    solved,
    stays,
)

SEEDS = range(100)
DECIDING = {"qa1": 1, "qa2": 2, "qa3": 3, "qa4": 1, "qa5": 1}
SHORTEST = 100
"""Words of the shortest text that may be asked for: 300 tokens, 3 a word."""

every_task = pytest.mark.parametrize("kind", DECIDING)


def task_id(kind: str) -> str:
    return f"libra/ru_babilong_{kind}"


@cache
def stories(kind: str) -> list[Story]:
    return [STORIES[f"babilong_{kind}"](Random(seed)) for seed in SEEDS]


@cache
def drawn(kind: str) -> list[Any]:
    return [generator_of(task_id(kind)).draw(Random(seed), 300) for seed in SEEDS]


def made(kind: str, lengths: str, *, per_length: int, seed: int = 1) -> list[Any]:
    name = task_id(kind)
    wanted = lengths_of(lengths)
    return list(records(name, generator_of(name).draw, lengths=wanted, per_length=per_length, seed=seed))


@every_task
def test_another_solver_finds_the_one_answer_in_the_text(kind: str) -> None:
    for record in drawn(kind):
        (answer,) = solved(record["input"], facts_in(record["context"]))
        assert meant(record["positive_outputs"]) == {answer}


@every_task
def test_the_supporting_facts_alone_give_the_same_answer_and_there_are_others(kind: str) -> None:
    for record in drawn(kind):
        deciding = facts_in(" ".join(record["supporting"]))
        assert len(deciding) == DECIDING[kind]
        assert solved(record["input"], deciding) == meant(record["positive_outputs"])
        assert len(facts_in(record["context"])) > len(deciding)


@every_task
def test_nothing_impossible_happens(kind: str) -> None:
    for record in drawn(kind):
        facts = facts_in(record["context"])
        people, things, carrier = dict[str, str](), dict[str, str](), dict[str, str]()
        for fact, after in zip(facts, history(facts), strict=True):
            match fact.kind:
                case "move":
                    assert people.get(fact.who) != PLACES[fact.parts["place"]]
                case "take":
                    assert fact.thing not in carrier
                    assert things.get(fact.thing, people[fact.who]) == people[fact.who]
                case "leave":
                    assert carrier[fact.thing] == fact.who
                case "give":
                    assert carrier[fact.thing] == fact.who != NAMES[fact.parts["whom"]]
                    assert people[fact.who] == people[NAMES[fact.parts["whom"]]]
            people, things, carrier = after


@every_task
def test_every_fact_is_made_of_declared_forms_and_its_verb_has_the_gender_of_the_name(kind: str) -> None:
    genders = {person.name: person.gender for person in WORDS.people}
    for story in stories(kind):
        for sentence in story.facts:
            fact = fact_of(sentence)
            assert fact is not None, sentence
            verb = fact.verb.split()[0] if fact.verb else ""
            assert not verb or verb.endswith(("ла", "лась")) == (genders[fact.who] == "feminine")


@every_task
def test_questions_agree_with_what_they_ask_about(kind: str) -> None:
    genders = {one.name: one.gender for one in WORDS.things} | {one.name: one.gender for one in WORDS.people}
    ends = {"находился": "masculine", "находилась": "feminine", "находилось": "neuter"}
    for question in {story.question for story in stories(kind)}:
        assert re.fullmatch(r"[А-Я][^?.]+\?", question)
        if was := re.search(rf"(находил\w+) {THING}", question):
            assert ends[was[1]] == genders[was[2]]
        if gave := re.search(rf"{WHO} (передала?) ", question):
            assert gave[2].endswith("а") == (genders[gave[1]] == "feminine")


@every_task
def test_facts_keep_their_order_and_stand_all_over_the_text(kind: str) -> None:
    depths: list[float] = []
    for story, record in zip(stories(kind), drawn(kind), strict=True):
        text, whole = record["context"], words_in(record["context"])
        told = [sentence for sentence in sentences_of(text) if fact_of(sentence)]
        assert (tuple(told), record["input"]) == (story.facts, story.question)
        depths += [words_in(text[: text.index(told[end])]) / whole for end in (0, -1)]
    assert min(depths) < 0.05
    assert max(depths) > 0.95


def test_facts_are_put_before_the_sentence_at_their_depth() -> None:
    noise = ["а б. ", "в г.\n", "д е. ", "ё ж."]
    assert insert_facts(["Раз.", "Два.", "Три."], [0.0, 0.3, 0.3], noise) == "Раз. а б. Два. Три. в г.\nд е. ё ж."
    assert insert_facts(["Раз."], [0.999], noise) == "а б. в г.\nд е. Раз. ё ж."
    assert insert_facts(["Раз.", "Два."], [0.2, 0.8], []) == "Раз. Два."


BOOK = """Утром снег растаял. Мария любила весну! Ольге он об этом не писал. За окном, где ещё вчера стояли сугробы,
а теперь бежали ручьи, где кричали грачи и мальчишки пускали бумажные кораблики, не обращая внимания ни на прохожих, ни
на телеги, ни на холодный ветер, пахло землёй и дымом. «Пора», — сказал он и надел сапоги.
Дорога шла к северу, в горы. Дом стоял у реки.\n"""


@every_task
def test_a_book_may_be_the_background_and_only_facts_tell_of_the_people_and_things(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text(BOOK, "utf8")
    (draw,) = draws_of(task_id(kind), as_published=False, files={"background": file})
    for seed, record in enumerate(draw(Random(seed), 300) for seed in range(20)):
        text = str(record["context"])
        told = [sentence for sentence in sentences_of(text) if fact_of(sentence)]
        assert tuple(told) == stories(kind)[seed].facts
        assert "сапоги" in text
        assert not re.search("весну|не писал|в горы", text)
        assert [fact for fact in told if re.search(rf"[^.!?»\s]\s+{fact}", text)] == []
    file.write_text("Мария спит. Зонт сломан.", "utf8")
    with pytest.raises(BadFile, match=r"book.txt: every sentence names a person or a thing of the facts"):
        draws_of(task_id(kind), as_published=False, files={"background": file})


@every_task
def test_the_same_question_is_asked_of_the_same_facts_at_every_length(kind: str) -> None:
    families: dict[str, list[Any]] = {}
    for record in made(kind, "500,4k,8k", per_length=3):
        families.setdefault(record["family"], []).append(record)
    assert len(families) == 3
    for family in families.values():
        assert len({(one["input"], *one["positive_outputs"]) for one in family}) == 1
        assert len({repr(facts_in(one["context"])) for one in family}) == 1
        assert len({one["context"] for one in family}) == 3


@every_task
def test_texts_are_as_long_as_asked_for_or_a_sentence_shorter(kind: str) -> None:
    for record in made(kind, "4k,128k", per_length=1):
        (tokens,) = lengths_of(record["length"]).values()
        assert 0 <= tokens // 3 - words_in(record["context"]) <= 20


@every_task
def test_the_facts_of_any_story_fit_into_the_shortest_text_that_may_be_asked_for(kind: str) -> None:
    assert max(words_in(" ".join(story.facts)) for story in stories(kind)) <= SHORTEST


def test_a_text_too_short_for_its_facts_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"20 words have no room for \d\d words of facts; ask for longer texts"):
        generator_of(task_id("qa3")).draw(Random(1), 20)


@every_task
def test_answers_are_spread_over_the_vocabulary(kind: str) -> None:
    answers = [story.answers[0] for story in stories(kind)]
    assert len(set(answers)) >= 12
    assert max(map(answers.count, answers)) <= len(answers) / 5


def test_in_qa3_the_thing_came_to_the_place_asked_about_once_and_was_in_three_places_or_more() -> None:
    for record in drawn("qa3"):
        asked = re.search(rf"{THING} прямо перед тем, как попасть {INTO}", record["input"])
        assert asked
        way = stays(asked[1], facts_in(record["context"]))
        assert way.count(PLACES[asked[2]]) == 1
        assert len(way) >= 3


@every_task
def test_every_accepted_answer_is_right_for_people_and_for_models(kind: str) -> None:
    task, metric = get_task(task_id(kind)), METRICS["em_words"]
    assert metric.of_answer
    for item in samples(task):
        assert item.gold
        for answer in json.loads(item.gold):
            assert task.answer.right(answer.capitalize(), item.gold, item.fields)
            assert metric.of_answer(task.answer, item.fields, item.gold, f"Ответ: {answer}.") == (1.0, 1.0)


@every_task
def test_the_samples_are_what_the_generator_makes_and_training_names_the_facts(kind: str) -> None:
    again = {record["id"]: record for seed in (1, 2, 3) for record in made(kind, "500,1k", per_length=8, seed=seed)}
    items = samples(get_task(task_id(kind)))
    assert {item.role for item in items} == set(ROLES)
    for item in items:
        record = again[item.id]
        assert (item.fields["context"], item.fields["input"]) == (record["context"], record["input"])
        assert json.loads(item.gold or "[]") == record["positive_outputs"]
        named = record["supporting"] if item.role == "training" else []
        assert [fact for fact in named if fact.removesuffix(".") not in item.explanation] == []


@every_task
def test_the_examples_of_the_instruction_follow_from_their_texts(kind: str) -> None:
    for example in get_task(task_id(kind)).examples:
        facts = facts_in(example.fields["context"])
        assert solved(example.fields["input"], facts) == meant([example.answer])
