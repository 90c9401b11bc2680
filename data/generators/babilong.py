"""ruBABILong: the facts of a small story hidden, in their order, in a text that has nothing to do with them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from random import Random

from pydantic import TypeAdapter

from data.errors import BadFile, BadSetting
from data.generators.generator import Generator, Record
from data.generators.haystack import Background, ended, insert_facts, leading, read_book, sentences, words_in, words_of

GENDERS = ("masculine", "feminine", "neuter")


@dataclass(frozen=True)
class StoryPerson:
    """Somebody: the name in the nominative and the dative, the gender of verbs."""

    name: str
    gender: str
    dative: str


@dataclass(frozen=True)
class Thing:
    """Something that may be carried."""

    name: str
    gender: str
    accusative: str


@dataclass(frozen=True)
class Direction:
    """A quarter of the compass, its dative and the quarter opposite."""

    name: str
    dative: str
    opposite: str


@dataclass(frozen=True)
class StoryPlace:
    """A part of the house; `preposition` goes with the accusative (where to) and the prepositional (where)."""

    name: str
    genitive: str
    accusative: str
    prepositional: str
    preposition: str
    others: tuple[str, ...] = ()

    @property
    def into(self) -> str:
        """Where somebody goes to: "на кухню"."""
        return f"{self.preposition} {self.accusative}"

    @property
    def within(self) -> str:
        """Where somebody is: "на кухне"."""
        return f"{self.preposition} {self.prepositional}"

    @property
    def where(self) -> tuple[str, ...]:
        """What answers the question where, the best first: with the preposition, and in every case without it."""
        bare = (self.name, self.prepositional, self.accusative)
        return tuple(dict.fromkeys((self.within, *bare, *self.others)))

    @property
    def beyond(self) -> tuple[str, ...]:
        """What answers "north of what", the best first."""
        return (self.genitive, f"от {self.genitive}", self.name)


@dataclass(frozen=True)
class Words:
    """The vocabulary: who and what there is, verbs by gender, patterns of sentences and questions."""

    people: tuple[StoryPerson, ...]
    places: tuple[StoryPlace, ...]
    things: tuple[Thing, ...]
    directions: Mapping[str, Direction]
    verbs: Mapping[str, tuple[str, ...]]
    sentences: Mapping[str, tuple[str, ...]]
    questions: Mapping[str, str]

    def verb(self, kind: str, gender: str, random: Random | None = None) -> str:
        """Return the form of a verb of this kind for a gender: the first of the kind, or one by chance."""
        forms = random.choice(self.verbs[kind]) if random else self.verbs[kind][0]
        return forms.split("|")[GENDERS.index(gender)]

    def sentence(self, kind: str, random: Random, **parts: str) -> str:
        """Return a sentence of this kind, in one of its patterns by chance, with a capital letter at its head."""
        text = random.choice(self.sentences[kind]).format(**parts)
        return text[0].upper() + text[1:]

    def question(self, kind: str, **parts: str) -> str:
        """Return the question of this kind."""
        return self.questions[kind].format(**parts)


@cache
def vocabulary() -> Words:
    """Return the words that `babilong.toml` declares."""
    words = words_of("babilong")
    directions = {direction["name"]: direction for direction in words["directions"]}
    return TypeAdapter(Words).validate_python(words | {"directions": directions})


@dataclass(frozen=True)
class Move:
    """Somebody goes somewhere, with all that they carry."""

    person: StoryPerson
    place: StoryPlace


@dataclass(frozen=True)
class Take:
    """Somebody takes a thing that lies where they are."""

    person: StoryPerson
    thing: Thing


@dataclass(frozen=True)
class Leave:
    """Somebody leaves a thing where they are."""

    person: StoryPerson
    thing: Thing


@dataclass(frozen=True)
class Give:
    """Somebody hands a thing that they carry to somebody in the same place."""

    person: StoryPerson
    thing: Thing
    receiver: StoryPerson


Event = Move | Take | Leave | Give


@dataclass(frozen=True)
class StoryCast:
    """Who and what a story is about."""

    people: Sequence[StoryPerson]
    places: Sequence[StoryPlace]
    things: Sequence[Thing] = ()


class World:
    """Where everybody and everything is; nothing is known of anybody before they move, of a thing before it is taken.

    A thing that nobody has touched yet lies where it is first taken.
    """

    def __init__(self) -> None:
        self.stands: dict[StoryPerson, StoryPlace] = {}
        self.carries: dict[Thing, StoryPerson] = {}
        self.lies: dict[Thing, StoryPlace] = {}

    def happens(self, event: Event) -> None:
        """Change the world as an event does that `possible` named."""
        match event:
            case Move(person, place):
                self.stands[person] = place
            case Take(person, thing):
                self.lies.pop(thing, None)
                self.carries[thing] = person
            case Leave(person, thing):
                del self.carries[thing]
                self.lies[thing] = self.stands[person]
            case Give(_, thing, receiver):
                self.carries[thing] = receiver

    def place_of(self, thing: Thing) -> StoryPlace | None:
        """Return where a thing is: with who carries it or where it was left; None before it was taken."""
        return self.stands[self.carries[thing]] if thing in self.carries else self.lies.get(thing)

    def possible(self, cast: StoryCast) -> dict[type[Event], list[Event]]:
        """Return all that may happen next, by its kind."""
        here = list(self.stands.items())
        by_kind: dict[type[Event], list[Event]] = {
            Move: [Move(who, to) for who in cast.people for to in cast.places if self.stands.get(who) != to],
            Take: [Take(who, what) for who, at in here for what in cast.things if self._takable(what, at)],
            Leave: [Leave(who, what) for what, who in self.carries.items()],
            Give: [
                Give(who, what, other)
                for what, who in self.carries.items()
                for other, at in here
                if other != who and at == self.stands[who]
            ],
        }
        return {kind: events for kind, events in by_kind.items() if events}

    def _takable(self, thing: Thing, place: StoryPlace) -> bool:
        return thing not in self.carries and self.lies.get(thing, place) == place


def random_events(random: Random, cast: StoryCast, weights: Mapping[type[Event], int], count: int) -> list[Event]:
    """Return `count` events, each possible after those before it; `weights` says how likely each kind of event is."""
    world, events = World(), list[Event]()
    for _ in range(count):
        possible = {kind: events for kind, events in world.possible(cast).items() if kind in weights}
        (kind,) = random.choices(list(possible), [weights[kind] for kind in possible])
        events.append(random.choice(possible[kind]))
        world.happens(events[-1])
    return events


def last_place(events: Sequence[Event], fits: Callable[[Event], bool]) -> int:
    """Return the place in the row of the last event that fits; raises ValueError where none does."""
    return max(number for number, event in enumerate(events) if fits(event))


def event_sentence(event: Event, random: Random) -> str:
    """Return an event as a sentence."""
    words, kind = vocabulary(), type(event).__name__.lower()
    who, verb = event.person.name, words.verb(kind, event.person.gender, random)
    match event:
        case Move(_, place):
            return words.sentence(kind, random, person=who, verb=verb, into=place.into)
        case Give(_, thing, receiver):
            parts = {"thing": thing.accusative, "receiver": receiver.dative}
            return words.sentence(kind, random, person=who, verb=verb, **parts)
        case _:
            return words.sentence(kind, random, person=who, verb=verb, thing=event.thing.accusative)


@dataclass(frozen=True)
class Story:
    """Facts as sentences, those (by number, from 0) that the answer follows from, a question, all that is accepted."""

    facts: tuple[str, ...]
    supporting: tuple[int, ...]
    question: str
    answers: tuple[str, ...]


def cast_of(random: Random, *, people: int, places: int, things: int = 0) -> StoryCast:
    """Return so many people, places and things of the vocabulary."""
    words = vocabulary()
    return StoryCast(
        random.sample(words.people, people), random.sample(words.places, places), random.sample(words.things, things)
    )


def story_of(
    random: Random, events: Sequence[Event], supporting: set[int], question: str, answers: Sequence[str]
) -> Story:
    """Return the events as a story; `supporting` are the numbers of the deciding ones."""
    facts = tuple(event_sentence(event, random) for event in events)
    return Story(facts, tuple(sorted(supporting)), question, tuple(dict.fromkeys(answers)))


def where_person(random: Random) -> Story:
    """Return a story of qa1: where somebody is. One fact decides, the last move of the person."""
    while True:
        events = random_events(random, cast_of(random, people=4, places=6), {Move: 1}, random.randint(4, 10))
        people = list(dict.fromkeys(event.person for event in events))
        if len(people) > 1:
            break
    asked = random.choice(people)
    fact = last_place(events, lambda event: event.person == asked)
    question = vocabulary().question("person", person=asked.name)
    return story_of(random, events, {fact}, question, _after(events).stands[asked].where)


def where_thing(random: Random) -> Story:
    """Return a story of qa2: where a thing is. Two facts decide: who took or left it last, and where they were."""
    while True:
        cast = cast_of(random, people=3, places=5, things=3)
        events = random_events(random, cast, {Move: 5, Take: 3, Leave: 2}, random.randint(6, 14))
        touched = list(dict.fromkeys(event.thing for event in events if isinstance(event, Take)))
        if len(touched) > 1:
            break
    asked = random.choice(touched)
    world = _after(events)
    handled = last_place(events, lambda event: not isinstance(event, Move) and event.thing == asked)
    carrier, until = events[handled].person, len(events) if asked in world.carries else handled
    facts = {handled, _last_move(events[:until], carrier)}
    question = vocabulary().question("thing", thing=asked.name)
    return story_of(random, events, facts, question, _path(events, asked)[-1][1].where)


def where_before(random: Random) -> Story:
    """Return a story of qa3: where a thing was right before it came to a place, in which it has been only once.

    Three facts decide: who took it, where they were, where they went with it. It has been in three places or more.
    """
    while True:
        cast = cast_of(random, people=3, places=5, things=2)
        events = random_events(random, cast, {Move: 6, Take: 4, Leave: 1}, random.randint(12, 18))
        asked = random.choice(cast.things)
        path = _path(events, asked)
        places = [place for _, place in path]
        steps = [step for step in range(1, len(path)) if places.count(places[step]) == 1]
        if len(path) >= 3 and steps:
            break
    step = random.choice(steps)
    came, place = path[step]
    taken = last_place(events[:came], lambda event: isinstance(event, Take) and event.thing == asked)
    facts = {taken, _last_move(events[:came], events[came].person), came}
    words = vocabulary()
    was = words.verb("was", asked.gender)
    question = words.question("before", was=was, thing=asked.name, into=place.into)
    return story_of(random, events, facts, question, places[step - 1].where)


def _after(events: Sequence[Event]) -> World:
    world = World()
    for event in events:
        world.happens(event)
    return world


def _last_move(events: Sequence[Event], person: StoryPerson) -> int:
    return last_place(events, lambda event: isinstance(event, Move) and event.person == person)


def _path(events: Sequence[Event], thing: Thing) -> list[tuple[int, StoryPlace]]:
    """Return the places in which a thing has been, in order, each with the number of the event that brought it."""
    world, path = World(), list[tuple[int, StoryPlace]]()
    for number, event in enumerate(events):
        world.happens(event)
        place = world.place_of(thing)
        if place and (not path or path[-1][1] != place):
            path.append((number, place))
    return path


def beside(random: Random) -> Story:
    """Return a story of qa4: what lies on one side of a place, or of what a place lies on one side.

    The story has two or three groups of three places: one in the middle, the others on two of its four sides. Groups
    share no place, and only the middle of one is asked about: so just one place lies on the asked side of it.
    """
    words, groups = vocabulary(), random.randint(2, 3)
    places = random.sample(words.places, 3 * groups)
    known: list[tuple[StoryPlace, str, StoryPlace]] = []
    for middle, *others in (places[start : start + 3] for start in range(0, len(places), 3)):
        directions = random.sample(list(words.directions), len(others))
        known += [(other, direction, middle) for other, direction in zip(others, directions, strict=True)]
    random.shuffle(known)
    fact = random.randrange(len(known))
    other, direction, middle = known[fact]
    towards, behind = words.directions[direction].dative, words.directions[words.directions[direction].opposite].dative
    facts = tuple(_position_sentence(random, *known_fact) for known_fact in known)
    if random.random() < 0.5:
        return Story(facts, (fact,), words.question("beside", direction=towards, other=middle.genitive), (other.name,))
    return Story(facts, (fact,), words.question("beyond", direction=behind, place=middle.name), other.beyond)


def giving_story(random: Random) -> Story:
    """Return a story of qa5: who gave what to whom. One fact decides, the only one that fits the question."""
    kind = random.choice(("giver", "given", "receiver", "first_hand", "second_hand"))
    while True:
        cast = cast_of(random, people=4, places=3, things=3)
        events = random_events(random, cast, {Move: 4, Take: 4, Leave: 1, Give: 5}, random.randint(8, 16))
        gifts = {number: event for number, event in enumerate(events) if isinstance(event, Give)}
        known = [_told_by_question(kind, event) for event in gifts.values()]
        alone = [number for number, event in gifts.items() if known.count(_told_by_question(kind, event)) == 1]
        if len(gifts) > 1 and alone:
            break
    fact = random.choice(alone)
    question, answers = _question_about(kind, gifts[fact])
    return story_of(random, events, {fact}, question, answers)


def _told_by_question(kind: str, gift: Give) -> tuple[StoryPerson | Thing, ...]:
    """Return what a question of this kind tells of a gift; the gift asked about is the only one of which it holds."""
    told_of: dict[str, tuple[StoryPerson | Thing, ...]] = {
        "giver": (gift.thing, gift.receiver),
        "given": (gift.person, gift.receiver),
        "receiver": (gift.person, gift.thing),
    }
    return told_of.get(kind, (gift.thing,))


def _question_about(kind: str, gift: Give) -> tuple[str, tuple[str, ...]]:
    """Return the question of this kind about a gift, and what answers it."""
    words = vocabulary()
    question = words.question(
        kind,
        person=gift.person.name,
        handed=words.verb("handed", gift.person.gender),
        thing=gift.thing.accusative,
        receiver=gift.receiver.dative,
    )
    answers = {
        "given": (gift.thing.accusative, gift.thing.name),
        "receiver": (gift.receiver.dative, gift.receiver.name),
        "second_hand": (gift.receiver.name,),
    }
    return question, answers.get(kind, (gift.person.name,))


def _position_sentence(random: Random, one: StoryPlace, direction: str, other: StoryPlace) -> str:
    """Return that `one` lies on that side of `other`, told from either end."""
    words = vocabulary()
    if random.random() < 0.5:
        one, direction, other = other, words.directions[direction].opposite, one
    towards = words.directions[direction].dative
    return words.sentence("beside", random, place=one.name, direction=towards, other=other.genitive)


STORIES: dict[str, Callable[[Random], Story]] = {
    "babilong_qa1": where_person,
    "babilong_qa2": where_thing,
    "babilong_qa3": where_before,
    "babilong_qa4": beside,
    "babilong_qa5": giving_story,
}
"""The kind of story of each generator, in the order of the first five tasks of bAbI (Weston et al., 2016)."""


def hidden(
    tell: Callable[[Random], Story], random: Random, words: int, *, background: Background = sentences
) -> Record:
    """Return a record of at most `words` words; facts keep their order, their depths are drawn uniformly.

    That is the recipe of BABILong (Kuratov et al., 2024). The story and the depths do not depend on `words`.
    `supporting` are the facts that the answer follows from. Raises BadSetting where the facts alone are longer.
    """
    story = tell(random)
    depths = sorted(random.random() for _ in story.facts)
    room = words - sum(map(words_in, story.facts))
    if room < 0:
        raise BadSetting(
            f"--lengths: {words} words have no room for {words - room} words of facts; ask for longer texts"
        )
    noise = leading(background(Random(f"{random.random()} {words}")), room)
    return {
        "context": insert_facts(story.facts, depths, noise),
        "input": story.question,
        "positive_outputs": list(story.answers),
        "negative_outputs": [],
        "supporting": [story.facts[number] for number in story.supporting],
    }


def unnamed_stretches_of(book: Path) -> dict[str, Background]:
    """Return a book as `hidden` takes it, which hides stories in stretches of it, as ruBABILong does; raises BadFile.

    Sentences of the book that name somebody or something of the small world are left out: only facts tell of them.
    """
    book_text = read_book(book)
    unnamed = tuple(part for sentence in _by_sentence(book_text.stretches) if not _named(sentence) for part in sentence)
    if not unnamed:
        raise BadFile(f"{book.name}: every sentence names a person or a thing of the facts; give another book")
    return {"background": replace(book_text, stretches=unnamed)}


def _by_sentence(stretches: Iterable[str]) -> Iterator[list[str]]:
    """Yield the stretches of every sentence."""
    sentence: list[str] = []
    for part in stretches:
        sentence.append(part)
        if ended(part):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _named(sentence: Iterable[str]) -> bool:
    """Whether a sentence names a person, a thing or a quarter of the compass in a form that facts use."""
    words = vocabulary()
    forms = {form for person in words.people for form in (person.name, person.dative)}
    forms |= {form for thing in words.things for form in (thing.name, thing.accusative)}
    forms |= {direction.dative for direction in words.directions.values()}
    return not {form.lower() for form in forms}.isdisjoint(re.findall(r"\w+", "".join(sentence).lower()))


BABILONG = {
    name: Generator(partial(hidden, tell), made_from={"background": unnamed_stretches_of})
    for name, tell in STORIES.items()
}
"""The generators of the five tasks, by their names."""
