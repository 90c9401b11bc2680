"""A text by language: which one is read, and how it is written down."""

import pickle

import pytest

from data.catalogue.catalog import get_task
from data.errors import BadFile
from data.task import as_dict, from_dict
from data.wording import Wording, fallbacks, languages, own_wording, same, worded
from tests.helpers.described_tasks import task_from

COLOUR = Wording(ru="Цвет", en="Colour")
TERRA = as_dict(get_task("rsg/terra"))


def test_the_languages_are_the_folders_in_the_order_they_state() -> None:
    assert languages()[:2] == ("ru", "en")
    assert (fallbacks("ru"), fallbacks("en")) == (("ru", "en"), ("en", "ru"))
    assert fallbacks("kk") == ("en", "ru"), "of a language without a folder nothing is read"


def test_a_text_is_read_in_the_language_else_in_its_fallbacks_else_in_any() -> None:
    assert (COLOUR.within("ru"), COLOUR.within("en"), COLOUR.within("kk")) == ("Цвет", "Colour", "Colour")
    assert (Wording(ru="Цвет").within("kk"), Wording(ru="Цвет").within("en")) == ("Цвет", "Цвет")
    assert (Wording(kk="Түс").within("ru"), Wording(kk="Түс").within("kk")) == ("Түс", "Түс")
    assert Wording(ru="Цвет", en="").within("en") == "", "what is empty is not missing"


def test_wordings_of_the_same_texts_are_equal_and_go_to_other_processes() -> None:
    assert COLOUR == Wording(en="Colour", ru="Цвет") != same("Цвет")
    assert len({COLOUR, Wording(en="Colour", ru="Цвет")}) == 1
    assert pickle.loads(pickle.dumps(COLOUR)) == COLOUR
    assert repr(COLOUR) == "Wording(ru='Цвет', en='Colour')"
    with pytest.raises(ValueError, match="no text in any language"):
        Wording()


def test_what_is_made_of_texts_is_made_in_each_language_that_one_of_them_has() -> None:
    blue = Wording(ru="синий", kk="көк")
    said = worded(lambda language: f"{COLOUR.within(language)}: {blue.within(language)}", COLOUR, blue)
    assert dict(said) == {"ru": "Цвет: синий", "en": "Colour: синий", "kk": "Colour: көк"}


def test_a_text_of_ours_is_there_in_every_language_that_has_it() -> None:
    yes = own_wording("labels", "yes")
    assert (yes["ru"], yes["en"], set(yes) - set(languages())) == ("Да", "Yes", set())
    assert own_wording("labels", "maybe", "maybe") == same("maybe")


def test_a_stored_task_keeps_a_language_that_has_no_folder_and_a_file_may_not_bring_one() -> None:
    described = TERRA | {"title": {"ru": "Слова", "kk": "Сөздер"}}
    task = from_dict(described)
    assert (task.title.within("kk"), task.title.within("en")) == ("Сөздер", "Слова")
    assert as_dict(task)["title"] == described["title"]
    with pytest.raises(BadFile, match=f"the language 'kk' is not known; known are: {', '.join(sorted(languages()))}"):
        task_from(described)


@pytest.mark.parametrize("title", [{}, {"ru": 5}, "Слова", {"rus": "Слова"}])
def test_what_is_no_text_by_language_is_refused(title: object) -> None:
    with pytest.raises(BadFile, match="title"):
        task_from(TERRA | {"title": title})


def test_a_task_may_be_in_one_language_alone() -> None:
    assert task_from(TERRA | {"title": {"en": "Words"}}).title.within("ru") == "Words"
