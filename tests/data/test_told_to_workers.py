"""What the page says to a worker, asked for through HTTP: right in number and about what is on the screen."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient

from annotate.worker.service import Service
from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.answers.number import Number
from data.answers.rating import Rating
from data.answers.sequence import Sequence
from data.answers.write import Rules, Write, WrittenPiece
from data.task import Field, Item, Task
from data.wording import Wording, same, texts
from db.engine import open_database, writing
from db.items import add_items
from db.studies import create_study, set_status
from db.study_settings import StudySettings
from tests.helpers.browsing import Browser, application, invited, token
from tests.helpers.collection import make_service, make_study

NUMBERS = count(1)
YES_NO = Choice(choices={"yes": Wording(ru="Да", en="Yes"), "no": Wording(ru="Нет", en="No")})
TEXT = {"text": "Кот спит."}
FITS, WHY = Part("fits", Wording(ru="Подходит?", en="Does it fit?"), YES_NO), Wording(ru="Почему?", en="Why?")
NOTE = Part("note", WHY, YES_NO, scored=False)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('told') / 'etalon.db'}")
    yield make_service(opened)
    opened.dispose()


@pytest.fixture
def client(service: Service) -> Iterator[TestClient]:
    with TestClient(application(service), base_url="http://testserver", follow_redirects=False) as opened:
        yield opened


def told(service: Service, client: TestClient, answer: AnswerType, value: Any, fields: Mapping[str, str] = TEXT) -> Any:
    """Return what is said in Russian and in English to somebody who sends `value` as the answer."""
    declared = tuple(Field(name, same(name)) for name in fields)
    task = Task(
        id="test/told",
        title=same("t"),
        fields=declared,
        question=same("?"),
        instruction=same("."),
        answer=answer,
        metrics=("accuracy",),
    )
    with writing(service.database) as session:
        settings = StudySettings(page_controls=0)
        study = create_study(session, name=f"told-{next(NUMBERS)}", task=task, settings=settings)
        add_items(session, study=study, items=[Item("a", dict(fields))])
    browser = invited(service, client, study)
    browser.enter()
    said = []
    for language in ("ru", "en"):
        reply = browser.act("language", value=language)
        said.append(browser.act("answer", token=token(reply), value=value).json()["error"])
    return tuple(said)


def written(rules: Rules, entries: int = 1) -> Write:
    return Write((WrittenPiece("told", Wording(ru="Описание", en="Description"), rules),), "text", entries)


@pytest.mark.parametrize(
    ("wanted", "russian", "english"),
    [
        (1, "«Описание»: напишите одно предложение.", "“Description”: write one sentence."),
        (2, "«Описание»: напишите 2 предложения.", "“Description”: write 2 sentences."),
        (5, "«Описание»: напишите 5 предложений.", "“Description”: write 5 sentences."),
        (21, "«Описание»: напишите 21 предложение.", "“Description”: write 21 sentences."),
    ],
)
def test_how_many_sentences_are_wanted_is_said_in_the_right_number_and_without_a_part_where_there_is_one(
    service: Service, client: TestClient, wanted: int, russian: str, english: str
) -> None:
    text = "Раз. Два. Три."
    assert told(service, client, written(Rules(sentences=wanted)), [{"told": text}]) == (russian, english)


def test_of_several_parts_the_one_that_breaks_a_rule_is_named(service: Service, client: TestClient) -> None:
    russian, english = told(service, client, written(Rules(words=1), 2), [{"told": "раз"}, {"told": "два три"}])
    assert russian == "Часть 2, «Описание»: не больше 1 слова."
    assert english == "Part 2, “Description”: at most 1 word."


@pytest.mark.parametrize(
    ("most", "words"), [(1, "1 знака"), (2, "2 знаков"), (11, "11 знаков"), (21, "21 знака"), (30, "30 знаков")]
)
def test_a_limit_is_told_in_the_right_number(service: Service, client: TestClient, most: int, words: str) -> None:
    russian, _ = told(service, client, written(Rules(characters=most)), [{"told": "а" * 40}])
    assert russian == f"«Описание»: не больше {words}."


def test_nothing_written_is_an_empty_field_and_not_the_fault_of_the_page(service: Service, client: TestClient) -> None:
    values: tuple[Any, ...] = (None, "", [])
    for value in values:
        russian, english = told(service, client, written(Rules()), value)
        assert russian == "«Описание»: поле ещё пустое."
        assert english == "“Description”: this field is still empty."


@pytest.mark.parametrize(
    ("answer", "russian"),
    [
        (Choices(choices={"a": same("A"), "b": same("B")}), "Сначала отметьте хотя бы один вариант."),
        (Choices(choices={"a": same("A"), "b": same("B")}, least=2), "Отметьте не меньше 2 вариантов."),
        (YES_NO, "Сначала выберите один из вариантов."),
        (Rating(1, 5, (same("плохо"), same("хорошо"))), "Сначала поставьте оценку."),
        (Sequence(numbers=3, positions=("А", "Б")), "Сначала выберите номер для каждой позиции."),
        (Sequence(numbers=3, ordered=False), "Сначала отметьте хотя бы один вариант."),
    ],
)
def test_what_is_missing_is_called_by_what_is_on_the_screen(
    service: Service, client: TestClient, answer: AnswerType, russian: str
) -> None:
    assert told(service, client, answer, None)[0] == russian


def test_a_question_is_called_by_its_number_only_where_questions_are_numbered(
    service: Service, client: TestClient
) -> None:
    alone = Form(parts=(FITS, NOTE))
    assert told(service, client, alone, {"note": "yes"})[0] == "«Подходит?»: ответа ещё нет."
    assert told(service, client, alone, {"fits": "yes"})[0] == "«Почему?»: ответа ещё нет."
    two = Form(parts=(NOTE, FITS, Part("many", Wording(ru="Сколько?", en="How many?"), Number())))
    assert told(service, client, two, {"note": "yes", "many": "5"})[0] == "Ответьте на вопрос 1."
    assert told(service, client, two, {"note": "yes", "fits": "yes"})[1] == "Please answer question 2."


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_somebody_new_is_not_told_that_what_was_sent_is_saved(
    service: Service, client: TestClient, status: Any
) -> None:
    study = make_study(service.database, name=f"colours-{next(NUMBERS)}")
    known = invited(service, client, study)
    known.enter()
    with writing(service.database) as session:
        set_status(session, study=study, status=status)
    assert "сохранено" in page_of(known)
    client.cookies.clear()
    assert "сохранено" not in page_of(invited(service, client, study))
    assert texts("ru")[status]["heading"].split()[0] in page_of(invited(service, client, study))


def page_of(browser: Browser) -> str:
    return str(browser.state().json()["html"])
