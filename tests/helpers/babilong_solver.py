"""Another reader of ruBABILong's facts: it takes the sentences of a text apart and answers the question from them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from data.generators.babilong import vocabulary


def one_of(forms: Sequence[str]) -> str:
    """A group that matches one of these words, the longest first."""
    return "(" + "|".join(sorted(map(re.escape, forms), key=len, reverse=True)) + ")"


WORDS = vocabulary()
NAMES = {person.name: person.name for person in WORDS.people} | {one.dative: one.name for one in WORDS.people}
THINGS = {form: one.name for one in WORDS.things for form in (one.name, one.accusative)}
PLACES = {form: one.name for one in WORDS.places for form in (one.name, one.genitive, one.into, one.within)}
WHO, WHOM = one_of([one.name for one in WORDS.people]), one_of([one.dative for one in WORDS.people])
WHAT, THING = one_of([one.accusative for one in WORDS.things]), one_of([one.name for one in WORDS.things])
INTO = one_of([one.into for one in WORDS.places])
WHERE, OF = one_of([one.name for one in WORDS.places]), one_of([one.genitive for one in WORDS.places])
SIDES = {"северу": (0, 1), "югу": (0, -1), "востоку": (1, 0), "западу": (-1, 0)}
SIDE = one_of(list(SIDES))
WENT = "((?:по|пере|за|про)ш(?:ёл|ла)|отправил(?:ся|ась))"
TOOK = "((?:взя|подобра|забра)ла?)"
LEFT = "(оставила?|положила? на пол)"
GAVE = "((?:отда|переда|вручи)ла?)"
FORMS = {
    kind: re.compile(rf"{form}\.")
    for kind, form in {
        "move": rf"{WHO} {WENT} (?P<place>{INTO})",
        "take": rf"{WHO} {TOOK} (?P<thing>{WHAT})",
        "leave": rf"{WHO} {LEFT} (?P<thing>{WHAT})",
        "give": rf"{WHO} {GAVE} (?P<thing>{WHAT}) (?P<whom>{WHOM})",
        "give_": rf"{WHO} {GAVE} (?P<whom>{WHOM}) (?P<thing>{WHAT})",
        "beside": rf"(?P<place>{WHERE}) находится к (?P<side>{SIDE}) от (?P<of>{OF})",
        "beside_": rf"к (?P<side>{SIDE}) от (?P<of>{OF}) находится (?P<place>{WHERE})",
    }.items()
}


@dataclass(frozen=True)
class Fact:
    """What one sentence says; `parts` are its other words as they stand there."""

    kind: str
    who: str
    verb: str
    parts: dict[str, str]

    @property
    def thing(self) -> str:
        """The thing it is about, "" where there is none."""
        return THINGS.get(self.parts.get("thing", ""), "")


@cache
def fact_of(sentence: str) -> Fact | None:
    """What a sentence says, None where it is not made of the declared forms, each in the slot whose case it has."""
    for kind, form in FORMS.items():
        beside = kind.startswith("beside")
        if found := form.fullmatch(sentence[:1].lower() + sentence[1:] if beside else sentence):
            return Fact(kind.strip("_"), *(("", "") if beside else (found[1], found[2])), found.groupdict())
    return None


def sentences_of(text: str) -> list[str]:
    """The sentences of a text with their full stops."""
    return re.split(r"(?<=\.)\s", text)


def facts_in(text: str) -> list[Fact]:
    """The facts of a text in their order."""
    return [fact for sentence in sentences_of(text) if (fact := fact_of(sentence))]


def history(facts: Sequence[Fact]) -> Iterator[tuple[dict[str, str], dict[str, str], dict[str, str]]]:
    """Where people are, where things are and who carries what after every fact, as far as it is told."""
    people, things, carrier = dict[str, str](), dict[str, str](), dict[str, str]()
    for fact in facts:
        if fact.kind == "move":
            people[fact.who] = PLACES[fact.parts["place"]]
        elif fact.kind == "take":
            carrier[fact.thing] = fact.who
        elif fact.kind == "leave":
            carrier.pop(fact.thing, "")
            things[fact.thing] = people[fact.who]
        elif fact.kind == "give":
            carrier[fact.thing] = NAMES[fact.parts["whom"]]
        things |= {what: people[who] for what, who in carrier.items() if who in people}
        yield dict(people), dict(things), dict(carrier)


def solved(question: str, facts: Sequence[Fact]) -> set[str]:
    """Every answer to a question, as a word of the vocabulary in the nominative."""
    if asked := re.fullmatch(rf"Где сейчас (?:{WHO}|{THING})\?", question):
        people, things, _ = list(history(facts))[-1]
        return {people[asked[1]] if asked[1] else things[asked[2]]}
    if asked := re.fullmatch(rf"Где находил(?:ся|ась|ось) {THING} прямо перед тем, как попасть {INTO}\?", question):
        way = stays(asked[1], facts)
        return {before for before, after in pairwise(way) if after == PLACES[asked[2]]}
    if asked := re.fullmatch(rf"Что находится к {SIDE} от {OF}\?", question):
        return beyond(PLACES[asked[2]], SIDES[asked[1]], facts)
    if asked := re.fullmatch(rf"К {SIDE} от чего находится {WHERE}\?", question):
        east, north = SIDES[asked[1]]
        return beyond(asked[2], (-east, -north), facts)
    return gifts(question, [fact for fact in facts if fact.kind == "give"])


def stays(thing: str, facts: Sequence[Fact]) -> list[str]:
    """The places in which a thing has been, one after another."""
    found = [things[thing] for _, things, _ in history(facts) if thing in things]
    return found[:1] + [after for before, after in pairwise(found) if after != before]


def beyond(place: str, side: tuple[int, int], facts: Sequence[Fact]) -> set[str]:
    """All places that lie further that way than `place` does, on a map drawn as far as facts connect them."""
    at = {place: (0, 0)}
    for _ in facts:
        for fact in facts:
            one, other = PLACES[fact.parts["place"]], PLACES[fact.parts["of"]]
            east, north = SIDES[fact.parts["side"]]
            if other in at:
                at[one] = (at[other][0] + east, at[other][1] + north)
            elif one in at:
                at[other] = (at[one][0] - east, at[one][1] - north)
    return {name for name, (east, north) in at.items() if east * side[0] + north * side[1] > 0}


def gifts(question: str, given: Sequence[Fact]) -> set[str]:
    """What is asked for of every gift that fits the question, of which there must be one."""
    giver = re.search(rf"(?:^Что|^Кому) {WHO} ", question)
    what, whom = re.search(rf" {WHAT}\b", question), re.search(rf" {WHOM}\?", question)
    fits = [
        fact
        for fact in given
        if (not giver or fact.who == giver[1])
        and (not what or fact.parts["thing"] == what[1])
        and (not whom or fact.parts["whom"] == whom[1])
    ]
    assert len(fits) == 1, question
    if question.startswith("Кто передал "):
        return {fits[0].who}
    return {fits[0].thing if question.startswith("Что ") else NAMES[fits[0].parts["whom"]]}


def meant(answers: Sequence[str]) -> set[str]:
    """The words of the vocabulary for which accepted answers stand."""
    bare = {form: one.name for one in WORDS.places for form in (*one.where, *one.beyond)}
    return {(NAMES | THINGS | bare)[answer] for answer in answers}
