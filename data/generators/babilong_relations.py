"""Stories about relations (qa4 and qa5 of bAbI): what lies beside what, who handed what to whom."""

from random import Random

from data.generators.babilong_stories import Story, cast_of, story_of
from data.generators.babilong_words import StoryPerson, StoryPlace, Thing, vocabulary
from data.generators.babilong_world import Give, Leave, Move, Take, random_events


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
