"""A task as a TOML file: the same task comes back, and whatever else is in such a file gets one sentence."""

import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.number import Number
from data.answers.rating import Rating
from data.answers.text import Text
from data.catalogue.catalog import get_task, task_named, tasks
from data.catalogue.task_files import read_task, task_text
from data.errors import BadFile, EtalonError
from data.files.toml_files import as_toml
from data.task import Aliases, Field, Task, as_dict
from data.wording import Wording, languages
from tests.helpers.described_tasks import task_from

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=120)
WORDS = st.builds(Wording, ru=TEXTS, en=TEXTS)
SHOWN = [lambda one, code=code: one[1][code].strip() for code in ("ru", "en")]  # no two labels are read alike
ANSWERS = st.one_of(
    st.builds(
        lambda names: Choice(choices=dict(names)),
        st.lists(st.tuples(TEXTS, WORDS), min_size=2, max_size=4, unique_by=(lambda one: one[0], *SHOWN)),
    ),
    st.just(Choice(option_fields=("a", "b"))),
    st.builds(
        lambda least, flag: Choices(option_list="a", least=least, any_right=flag), st.integers(0, 2), st.booleans()
    ),
    st.builds(Number, whole=st.just(False), low=st.none() | st.just(-1.5), high=st.none() | st.integers(2, 9)),
    st.builds(Rating, low=st.integers(0, 3), high=st.integers(4, 9), ends=st.tuples(WORDS, WORDS)),
    st.builds(Text, limit=st.none() | st.integers(1, 99), lines=st.integers(1, 5), exact=st.booleans()),
)
TASKS = st.builds(
    lambda words, answer, aliases, separator: Task(
        id="custom/made",
        title=words[0],
        description=words[1],
        fields=(Field("a", words[2], kind="options", separator=separator), Field("b", words[3], optional=True)),
        question=words[4],
        instruction=words[5],
        answer=answer,
        prompt=words[0].within("ru"),
        metrics=("accuracy",),
        aliases=Aliases(columns=aliases, values={"b": aliases}, answers=aliases),
        several=separator,
    ),
    st.lists(WORDS, min_size=6, max_size=6),
    ANSWERS,
    st.dictionaries(TEXTS, TEXTS, max_size=3),
    st.sampled_from(["", ";", "\n"]),
)
GOOD = task_text(get_task("rsg/terra"))
NO_PROMPT = task_text(replace(get_task("rsg/terra"), prompt="")).replace('prompt = ""', "")


@given(TASKS)
def test_a_task_comes_back_from_its_file(task: Task) -> None:
    assert task_from(tomllib.loads(task_text(task))) == task


def test_every_task_of_the_catalogue_comes_back_from_its_file(tmp_path: Path) -> None:
    for task in tasks().values():
        path = tmp_path / "task.toml"
        path.write_text(task_text(task), "utf8")
        assert task_named(str(path)) == task


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS, lambda one: st.lists(one) | st.dictionaries(TEXTS, one)
    )
)
def test_plain_data_comes_back_without_what_is_none(value: Any) -> None:
    def full(one: Any) -> Any:
        if isinstance(one, dict):
            return {name: full(inner) for name, inner in one.items() if inner is not None}
        return [full(inner) for inner in one if inner is not None] if isinstance(one, list) else one

    held = {"held": full(value)} if full(value) is not None else {}
    assert tomllib.loads(as_toml(held)) == held


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "0 bytes"),
        ("a = " + "[" * 9000, "is not TOML"),
        ("id = 5", "'title' is missing"),
        ('idd = "x"', "did you mean 'id'"),
        (GOOD.replace('kind = "choice"', 'kind = "chose"'), "answer type 'chose' is not known"),
        (GOOD.replace("metrics = [", "metrics = [5,"), "metric 1 is 5, not a text"),
        (GOOD.replace('answer_column = "label"', "answer_column = {a = 1}"), "answer_column is {'a': 1}, not a text"),
        (GOOD.replace("version = 1", 'version = "x"'), "version is 'x', not a whole number"),
        (
            GOOD.replace("[question]\nru = ", '[question]\nru = "\\u0000" #'),
            "question.ru has a character that no database",
        ),
        (GOOD.replace("[title]\nru = ", "[title]\nru = 7 #"), "title.ru is 7, not a text"),
        (f"prompt = 7\n{NO_PROMPT}", "prompt is 7, not a text"),
        (f"prompt.ru = 7\n{NO_PROMPT}", "prompt.ru is 7, not a text"),
        (
            f'prompt.xx = "x"\n{NO_PROMPT}',
            f"the language 'xx' is not known; known are: {', '.join(sorted(languages()))}",
        ),
    ],
)
def test_a_bad_task_file_gets_one_sentence(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "task.toml"
    path.write_text(content, "utf8")
    with pytest.raises(BadFile) as caught:
        read_task(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value).strip()


@given(
    st.dictionaries(
        st.sampled_from([*as_dict(get_task("rsg/terra"))]), st.integers() | TEXTS | st.lists(TEXTS), max_size=4
    )
)
def test_no_values_of_a_task_file_bring_down_more_than_a_sentence(changes: dict[str, Any]) -> None:
    values = as_dict(get_task("rsg/terra")) | changes
    with suppress(EtalonError):
        assert isinstance(task_from(values), Task)
