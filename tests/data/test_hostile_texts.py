"""What a worker, a model or a file may say to a task: whatever it is, it is read at once."""

import signal
import time
from collections.abc import Callable, Iterator

import pytest

from data.answers.answer_type import AnswerType
from data.answers.replies import opened
from data.answers.text import Text
from data.catalogue.catalog import samples, tasks
from data.errors import BadAnswer
from data.limits import DEEPEST, LONGEST_ACT, LONGEST_REPLY, LONGEST_TEXT
from data.task import Item
from eval.agreement.distances import distance_matrix
from tests.helpers.answer_kinds import kinds

KB = 1024
FLOOR = 4.0  # seconds: what is read within that at 64 KB holds nobody up for long; what is quadratic takes a minute
SHORTER = 4  # what is quadratic takes SHORTER**2 times less for a text so much shorter, and so must all else
LONGEST_FOR = ("agrr/full", "libra/matreshka_names", "rsg/rucos")
"""What marks spans, what writes a text and what names one of many: they read texts of the whole length."""
PATIENCE = 5  # times what a text may take, after which it has failed
PIECES = [
    *(
        "*",
        ".",
        "_",
        " ",
        "\n",
        "1",
        "а",
        "№",
        "{",
        "[",
        "}",
        "]",
        "|",
        "`",
        "<",
        "«",
        "'",
        '"',
        "9",
        "\\",
        "(",
        ",",
        ";",
    ),
    *(
        "1 ",
        "1, ",
        "1 , ",
        "а ",
        "1\n",
        "№ ",
        "вариант ",
        "вариант 1 ",
        "номер ",
        "answer is ",
        "Ответ: 1\n",
        "<answer>",
    ),
    *(
        "</answer>",
        "<answer>1</answer>",
        "```",
        '{"answer": 1}',
        '{"a":',
        '{"answer":"x"} ',
        "не ",
        "нет ",
        "- ",
        "|А\n",
    ),
    *("(1) ", "\\boxed{", "А-1 ", "А. x - 1\n", "1. да\n", "и ", ", ", "слово ", "<think>", "</think>", "1:1 ", "5/5 "),
    *("1 балл ", "1,000,000 ", "0.", "так как ", "не вариант ", "; 1: ", "cV[", "__ "),
]


def hostile(size: int, item: Item, asked: AnswerType) -> Iterator[str]:
    for piece in PIECES:
        yield piece * (size // len(piece))
    for option in asked.options(item.fields)[:2]:
        yield f"не {option.words.within('ru')}\n" * (size // (len(option.words.within("ru")) + 4))
    yield "." * (size - 2) + "a?"
    yield "*" * size + "1"
    yield '{"answer": "' + "x" * size + '"}'
    yield '{"answer": ' + "9" * size + "}"
    yield "9" * size
    for opening, closing in (("[", "]"), ('{"answer":', "}"), ('{"answers":[', "]}")):
        for depth in (DEEPEST + 2, 300, 950):
            yield opening * depth
            yield opening * depth + "1" + closing * depth


class TooSlow(Exception):
    """A text was read for longer than patience has, in seconds of this process: others may keep the machine busy."""


def spent(read: Callable[[str, dict[str, str]], object], text: str, item: Item, most: float) -> float:
    def ring(*_: object) -> None:
        raise TooSlow(text[:40])

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE * most)
    began = time.process_time()
    try:
        read(text, dict(item.fields))
    except BadAnswer:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - began


@pytest.mark.parametrize("name", kinds())
def test_whatever_is_said_to_a_task_is_read_at_once(name: str) -> None:
    task = tasks()[name]
    item = next(iter(samples(task)))
    asked = task.answer_for(item.fields)
    shorter = 1 if name in LONGEST_FOR else SHORTER
    size, most = 64 * KB // shorter, FLOOR / shorter**2
    for read in (asked.read_reply, asked.accept, asked.gold):
        slow = [text[:40] for text in hostile(size, item, asked) if least_spent(read, text, item, most) > most]
        assert slow == []


def least_spent(read: Callable[[str, dict[str, str]], object], text: str, item: Item, most: float) -> float:
    first = spent(read, text, item, most)
    return min(first, spent(read, text, item, most)) if first > most else first


@pytest.mark.parametrize("name", kinds())
@pytest.mark.parametrize(
    "value",
    [
        10**6000,
        -(10**6000),
        [[0, 10**6000]],
        {"cV": [[0, 10**6000]]},
        {"cV": "9" * 5000 + ":" + "9" * 5000},
        float("1e308"),
        [1] * 20_000,
        {str(number): number for number in range(5000)},
    ],
    ids=["number", "below", "list", "spans", "cell", "float", "many", "keys"],
)
def test_numbers_that_nobody_can_mean_are_refused_with_a_sentence(name: str, value: object) -> None:
    task = tasks()[name]
    item = next(iter(samples(task)))
    with pytest.raises(BadAnswer):
        task.answer_for(item.fields).accept(value, item.fields)


def test_an_answer_has_a_length_before_anything_else_looks_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in kinds():
        task = tasks()[name]
        item = next(iter(samples(task)))
        asked = task.answer_for(item.fields)
        assert asked.longest(item.fields) <= LONGEST_ACT
        for value in ("x" * (LONGEST_ACT + 1), ["x" * LONGEST_ACT, "y"], {"a": ["x" * LONGEST_ACT]}):
            with monkeypatch.context() as changed:
                changed.setattr(type(asked), "validate", lambda *_: pytest.fail("it was looked at"))
                with pytest.raises(BadAnswer) as refused:
                    asked.accept(value, item.fields)
            assert refused.value.code == "text_too_long"


def test_an_answer_may_be_as_long_as_is_said_and_no_longer() -> None:
    longest = Text().longest({}) - len('""')
    assert Text().accept("x".ljust(longest), {}) == "x"
    with pytest.raises(BadAnswer):
        Text().accept("x".ljust(longest + 1), {})


def test_a_text_without_a_limit_of_its_own_has_one() -> None:
    assert Text().accept("x" * LONGEST_TEXT, {}) == "x" * LONGEST_TEXT
    with pytest.raises(BadAnswer) as refused:
        Text().accept("x" * (LONGEST_TEXT + 1), {})
    assert refused.value.parameters == {"length": LONGEST_TEXT + 1, "limit": LONGEST_TEXT}
    assert Text(limit=20_000).accept("x" * 20_000, {}) == "x" * 20_000


def test_a_reply_beyond_the_limit_is_not_read() -> None:
    parus = tasks()["rsg/parus"]
    item = next(iter(samples(parus)))
    long = "1" + " " * LONGEST_REPLY
    assert parus.answer_for(item.fields).read_reply(long, item.fields) is None
    assert parus.answer_for(item.fields).read_reply(long[:LONGEST_REPLY], item.fields) is not None
    assert opened("<think>" + "слово " * 60_000 + "</think> 1") == "1", "long thinking is no obstacle"


def test_eight_of_the_longest_texts_are_compared_at_once() -> None:
    texts = ["а " * (LONGEST_TEXT // 2)] * 8
    began = time.process_time()
    assert not distance_matrix(texts, "rouge_l").any()
    assert time.process_time() - began < FLOOR
