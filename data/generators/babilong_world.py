"""A small world in which people walk, take, leave and hand over things; what happens to it can be told in Russian."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from data.generators.babilong_words import StoryPerson, StoryPlace, Thing, vocabulary


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
