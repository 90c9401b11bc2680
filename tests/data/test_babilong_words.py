"""The vocabulary of ruBABILong: its forms follow the rules of Russian, nothing in it can be mistaken for anything."""

import re

from data.generators.babilong import StoryPlace
from data.generators.haystack import scenes
from tests.helpers.babilong_solver import NAMES, SIDES, THINGS, WORDS

IRREGULAR = {("Пётр", "dative"): "Петру", ("сад", "prepositional"): "саду"}
ENDINGS = {
    "ая": {"genitive": "ой", "accusative": "ую", "prepositional": "ой"},
    "ия": {"dative": "ии"},
    "я": {"genitive": "и", "dative": "е", "accusative": "ю", "prepositional": "е"},
    "а": {"genitive": "ы", "dative": "е", "accusative": "у", "prepositional": "е"},
    "о": {"accusative": "о"},
    "й": {"dative": "ю"},
    "": {"genitive": "а", "dative": "у", "accusative": "", "prepositional": "е"},
}
"""The rules of Russian declension as far as this vocabulary goes, written down once more."""


def declined(noun: str, case: str) -> str:
    if (noun, case) in IRREGULAR:
        return IRREGULAR[noun, case]
    ending = next(one for one in ENDINGS if noun.endswith(one))
    return noun.removesuffix(ending) + ENDINGS[ending][case]


def test_every_declared_form_follows_its_declension() -> None:
    declared = [(one.name, "dative", one.dative) for one in WORDS.people]
    declared += [(one.name, "accusative", one.accusative) for one in WORDS.things]
    for place in WORDS.places:
        declared += [(place.name, case, getattr(place, case)) for case in ("genitive", "accusative", "prepositional")]
    assert [told for told in declared if declined(*told[:2]) != told[2]] == []
    genders = {"а": "feminine", "я": "feminine", "о": "neuter"}
    named = [(one.name, one.gender) for one in WORDS.people] + [(one.name, one.gender) for one in WORDS.things]
    assert [name for name, gender in named if gender != genders.get(name[-1], "masculine")] == []
    assert {place.name for place in WORDS.places if place.preposition == "на"} == {"кухня", "чердак", "балкон"}


def test_no_answer_is_accepted_for_two_places_nor_found_within_another() -> None:
    def accepted(place: StoryPlace) -> tuple[str, ...]:
        return (*place.where, *place.beyond)

    for one in WORDS.places:
        others = " | ".join(form for other in WORDS.places if other != one for form in accepted(other))
        assert [form for form in accepted(one) if form in others] == []


def test_a_place_is_accepted_in_every_form_in_which_people_answer() -> None:
    kitchen = next(place for place in WORDS.places if place.name == "кухня")
    assert kitchen.where == ("на кухне", "кухня", "кухне", "кухню", "в кухне")
    assert kitchen.beyond == ("кухни", "от кухни", "кухня")


def test_no_sentence_that_the_background_can_make_names_a_person_a_thing_or_a_side() -> None:
    parts = [part for scene in scenes() for words in scene.values() for part in words]
    words = set(re.findall(r"\w+", " ".join(parts).lower()))
    assert len(words) > 300
    assert words & {form.lower() for form in {*NAMES, *THINGS, *SIDES}} == set()
