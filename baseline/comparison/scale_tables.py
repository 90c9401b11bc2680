"""One scale in words: abilities and difficulties, items that fit badly, short forms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from baseline.comparison.document import Document, Line, Section
from baseline.comparison.ranking_columns import READ, strength_words
from baseline.comparison.respondent_scale import FEWEST_ITEMS, RespondentScale
from data.numbers import counted, interval, number, p_value, with_interval
from data.tables import Column, Table
from eval.arrays import number_or_none
from eval.intervals.wilson import Interval
from eval.item_response.item_fit import FEWEST
from eval.item_response.short_form import ShortForm, shares

TITLE = "How able is each respondent, and which items are hard?"
MOST_ITEMS = 10
MOST_SUSPECTS = 0.2
"""Where more of the items fit badly than this share, one scale is the first thing to doubt."""


@dataclass(frozen=True)
class ScaledRespondent:
    """A respondent on a scale, and what people read of it."""

    name: str
    called: str
    kind: str
    ability: float
    ci: Interval
    share: float
    n: int


@dataclass(frozen=True)
class ScaledItem:
    """An item on a scale; `p` is that of "it tells respondents apart as the others do", None where it has no test."""

    item: str
    difficulty: float
    ci: Interval
    share: float
    n: int
    infit: float
    outfit: float
    slope: float | None
    p: float | None


def _in_logits(name: str, help: str) -> tuple[Column[Any], ...]:
    """Return the columns of a place on the scale: read with its interval, and as numbers."""
    value = attrgetter(name)
    return (
        Column(name, name, help, lambda row: (value(row), row.ci), lambda v: strength_words(*v), READ),
        Column(name, "", "", value, forms=("json",)),
        Column("ci", "", "", lambda row: list(row.ci), forms=("json",)),
    )


RESPONDENTS: tuple[Column[ScaledRespondent], ...] = (
    Column("respondent", "respondent", "", lambda row: row.name, read=lambda row: row.called),
    *_in_logits("ability", "In logits, 0 being the mean of these respondents, with its 95% interval"),
    Column("right", "right", "The share right of what it answered", lambda row: row.share, number),
    Column("items", "items", "", lambda row: row.n),
)
ITEMS: tuple[Column[ScaledItem], ...] = (
    Column("item", "item", "", lambda row: row.item),
    *_in_logits("difficulty", "The ability that has it right half the time, with its 95% interval"),
    Column("right", "right", "The share of respondents who have it right", lambda row: row.share, number),
    Column("respondents", "respondents", "", lambda row: row.n),
    Column("infit", "infit", "1 where it fits, above where it surprises", lambda row: row.infit, number),
    Column(
        "outfit",
        "outfit",
        "The same, with surprises far from its difficulty weighing more",
        lambda row: row.outfit,
        number,
    ),
    Column("slope", "rises, z", "Below 0: right answers rise less with ability", lambda row: row.slope, number),
    Column(
        "p",
        "p, Holm",
        "Of this z, one-sided, corrected for all items",
        lambda row: row.p,
        p_value,
    ),
)
FORMS: tuple[Column[ShortForm], ...] = (
    Column("size", "items", "", lambda row: row.size),
    Column(
        "error",
        "error of the score",
        "The mean absolute error with each respondent left out, with its 95% interval over respondents",
        lambda row: with_interval(row.error, row.ci),
        forms=READ,
    ),
    Column("error", "", "", lambda row: row.error, forms=("json",)),
    Column("ci", "", "", lambda row: [number_or_none(end) for end in row.ci], forms=("json",)),
    Column("random", "as many at random", "Read through the same scale", lambda row: row.random, number),
    Column(
        "gain_ci",
        "gain over random",
        "How much lower the error is than at random, as a 95% interval over respondents: 0 in it is no gain that shows",
        lambda row: row.below_random,
        interval,
        READ,
    ),
    Column("gain_ci", "", "", lambda row: [number_or_none(end) for end in row.below_random], forms=("json",)),
    Column("plain", "their raw share", "The share right on as many at random, no scale", lambda row: row.plain, number),
    Column("guess", "no item at all", "The mean of the others", lambda row: row.guess, number),
)

ON_SCALE: tuple[Column[ScaledRespondent | ScaledItem], ...] = (
    Column("kind", "kind", "", lambda row: row.kind if isinstance(row, ScaledRespondent) else "item"),
    Column("name", "name", "", lambda row: row.name if isinstance(row, ScaledRespondent) else row.item),
    Column("logits", "logits", "", lambda row: row.ability if isinstance(row, ScaledRespondent) else row.difficulty),
    Column("low", "low", "", lambda row: row.ci[0]),
    Column("high", "high", "", lambda row: row.ci[1]),
    Column("right", "right", "", lambda row: row.share),
    Column("answers", "answers", "", lambda row: row.n),
    *(
        Column(key, key, "", lambda row, key=key: getattr(row, key, None))  # type: ignore[misc]
        for key in ("infit", "outfit", "slope", "p")
    ),
)


def respondents(respondent_scale: RespondentScale) -> list[ScaledRespondent]:
    """Return the respondents, the ablest first."""
    scale, asked, right = (
        respondent_scale.scale,
        respondent_scale.responses.answered.sum(axis=1),
        shares(respondent_scale.responses),
    )
    rows = []
    for at in np.argsort(-scale.ability, kind="stable").tolist():
        ability, half = float(scale.ability[at]), 1.96 * float(scale.ability_error[at])
        name, kind = respondent_scale.responses.respondents[at], respondent_scale.kinds[at]
        rows.append(
            ScaledRespondent(
                name,
                respondent_scale.called.get(name, name),
                kind,
                ability,
                (ability - half, ability + half),
                float(right[at]),
                int(asked[at]),
            )
        )
    return rows


def scaled_items(respondent_scale: RespondentScale) -> list[ScaledItem]:
    """Return the items, those that fit worst first."""
    scale, fit, asked = respondent_scale.scale, respondent_scale.fit, respondent_scale.responses.answered.sum(axis=0)
    right = respondent_scale.responses.points.sum(axis=0) / np.maximum(asked, 1)
    rows = []
    for at in np.argsort(np.nan_to_num(fit.slope, nan=np.inf), kind="stable").tolist():
        hard, half = float(scale.difficulty[at]), 1.96 * float(scale.difficulty_error[at])
        rows.append(
            ScaledItem(
                respondent_scale.responses.items[at],
                hard,
                (hard - half, hard + half),
                float(right[at]),
                int(asked[at]),
                float(fit.infit[at]),
                float(fit.outfit[at]),
                number_or_none(float(fit.slope[at])),
                number_or_none(float(fit.p[at])),
            )
        )
    return rows


def scale_tables(scale: RespondentScale, form: str = "text") -> list[Table[Any]]:
    """Return the tables: respondents, items that fit worst, short forms."""
    tables: list[Table[Any]] = [Table("Respondents", RESPONDENTS, respondents(scale)).within(form)]
    if tested := [row for row in scaled_items(scale) if row.p is not None]:
        tables.append(Table(_worst_title(scale), ITEMS, tested[:MOST_ITEMS]).within(form))
    if scale.forms:
        tables.append(Table("Short forms", FORMS, scale.forms).within(form))
    return tables


def scale_list(scale: RespondentScale) -> Table[ScaledRespondent | ScaledItem]:
    """Return respondents and items in one list, as they lie on one scale."""
    return Table("One scale", ON_SCALE, (*respondents(scale), *scaled_items(scale)))


def _worst_title(scale: RespondentScale) -> str:
    """Return the title of the items that are listed, with how many fit badly where those are more."""
    bad = len(scale.fit.suspects)
    return "Items that fit worst" + (f": {MOST_ITEMS} of {bad} that fit badly" if bad > MOST_ITEMS else "")


def scale_sentences(scale: RespondentScale) -> list[str]:
    """Return what the scale says, in words."""
    rows = respondents(scale)
    return [*_scale_sentences(scale, rows), *_suspects(scale, rows), *_forms(scale)]


def _scale_sentences(scale: RespondentScale, rows: Sequence[ScaledRespondent]) -> Iterator[str]:
    first = rows[0]
    level = _level(rows)
    scaled = f"{counted(len(rows), 'respondent')} and {counted(len(scale.responses.items), 'item')}"
    if level == len(rows) - 1:
        yield f"{scaled}: no two can be told apart, as every interval reaches into that of the first."
        return
    yield (
        f"{scaled}: {first.called} is the ablest, {strength_words(first.ability, first.ci)} logits; the intervals of "
        f"{level} others reach into its own."
    )


def _level(rows: Sequence[ScaledRespondent]) -> int:
    """Return how many respondents cannot be told from the first."""
    return sum(row.ci[1] >= rows[0].ci[0] for row in rows[1:])


def _suspects(scale: RespondentScale, rows: Sequence[ScaledRespondent]) -> Iterator[str]:
    number_of = len(scale.fit.suspects)
    if np.isnan(scale.fit.p).all():
        yield f"How items fit cannot be tested: none has {FEWEST} respondents, of whom some were right and some wrong."
        return
    if not number_of:
        yield "No item fits so badly that its gold is doubtful."
        return
    worst = ", ".join(scale.responses.items[at] for at in scale.fit.suspects[:3].tolist())
    named = f"{worst}{', …' if number_of > 3 else ''}"
    fit = "1 item fits" if number_of == 1 else f"{number_of} items fit"
    if _level(rows) == len(rows) - 1 or number_of > MOST_SUSPECTS * len(scale.responses.items):
        yield (
            f"{fit} badly ({named}). Where respondents are not told apart, or so many items fit badly, look whether "
            "one scale fits these respondents at all, some of whom may guess, before the golds are doubted."
        )
    else:
        yield (f"{fit} badly, able respondents failing where others do not ({named}): look whether the gold is wrong.")


def _forms(scale: RespondentScale) -> Iterator[str]:
    if scale.forms:
        form = scale.forms[0]
        items = len(scale.responses.items)
        at_random = f"as many at random, read through the same scale ({100 * form.random:.1f})"
        yield (
            f"{form.size} chosen items tell the score on all {items} with a mean error of {100 * form.error:.1f} "
            f"points: {_against(form.below_guess)} guessing everybody's mean ({100 * form.guess:.1f}), "
            f"{_against(form.below_random)} {at_random}."
        )


def _against(gain: Interval) -> str:
    """Return what the interval of a gain allows to say."""
    return "less than" if gain[0] > 0 else "more than" if gain[1] < 0 else "not told apart from"


def scale_notes(scale: RespondentScale) -> list[str]:
    """Return what a reader must know of the scale."""
    notes = [
        "The chance of a right answer is 1 / (1 + e^−d), d being ability minus difficulty (the one-parameter model, by "
        "EM), so who answered different items can be compared. Respondents with fewer than "
        f"{FEWEST_ITEMS} answers are left out. In simulated studies about 95% of the intervals of abilities are right; "
        "of difficulties 95 to 97%, but 88% where items differ in how well they tell apart.",
        *(f"{name}: not on the scale, as a naive baseline tells nothing of the items." for name in scale.left_out),
        "A bad fit may also be an item that is ambiguous or tells little. A model with two parameters is not computed.",
    ]
    return notes if scale.scale.converged else [*notes, "The difficulties had not settled when the iterations ended."]


def scale_dict(scale: RespondentScale) -> dict[str, Any]:
    """Return all of it in the shape of `scale --json`."""
    forms = Table("", FORMS, scale.forms).within("json").records
    chosen = [[scale.responses.items[at] for at in form.items.tolist()] for form in scale.forms]
    return {
        "study": scale.title,
        "respondents": Table("", RESPONDENTS, respondents(scale)).within("json").records,
        "items": Table("", ITEMS, scaled_items(scale)).within("json").records,
        "suspects": [scale.responses.items[at] for at in scale.fit.suspects.tolist()],
        "short_forms": [form | {"chosen": items} for form, items in zip(forms, chosen, strict=True)],
        "notes": [*scale_sentences(scale), *scale_notes(scale)],
    }


def scale_section(scale: RespondentScale, figure: str | None = None) -> Section:
    """Return the scale as a section of a report."""
    sentences = (*scale_sentences(scale), *scale_notes(scale))
    return Section(TITLE, tuple(map(Line, sentences)), tuple(scale_tables(scale, "document")), figure=figure)


def scale_document(scale: RespondentScale, figure: str | None = None) -> Document:
    """Return the scale as a document of its own."""
    about = f"{len(scale.responses.respondents)} respondents, {len(scale.responses.items)} items"
    return Document(f"Scale of {scale.title}", about, (scale_section(scale, figure),))
