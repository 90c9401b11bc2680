"""Stories about whereabouts (qa1 to qa3 of bAbI): facts in their order, a question, the one answer to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from data.generators.babilong_words import StoryPerson, StoryPlace, Thing, vocabulary
from data.generators.babilong_world import (
    Event,
    Leave,
    Move,
    StoryCast,
    Take,
    World,
    event_sentence,
    last_place,
    random_events,
)


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
