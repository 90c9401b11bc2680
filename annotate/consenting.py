"""The points of consent: each follows from a setting of the study, and is left out where there is nothing to say."""

from collections.abc import Iterator, Mapping
from math import ceil, floor, log10
from typing import Any

from annotate.figures import duration, money, percent, round_money
from annotate.outlook import MANY, Outlook
from annotate.stages import needed
from annotate.texts import texts
from annotate.view import Points
from data.wording import Counted, Language
from db.studies import StudySettings

FIGURES = 2  # digits of the pay per hour, which is about so much


def groups(settings: StudySettings, outlook: Outlook, language: Language) -> list[Points]:
    """Return the points in the order in which they are read, under their headings."""
    words: Mapping[str, str] = texts(language)["consent"]
    told = {
        "work": _work(settings, outlook, language),
        "pay": _pay(settings, outlook, language),
        "stored": (words[f"stored_{name}"] for name in ("answers", "name", "browser", "use")),
        "free": _free(settings, words),
        "stop": _stop(settings, words),
        "contact": (words["contact_mail"] if settings.contact else words["contact_inviter"],),
    }
    return [Points(words[name], tuple(points), name) for name, points in told.items()]


def _work(settings: StudySettings, outlook: Outlook, language: Language) -> Iterator[str]:
    words: Mapping[str, str] = texts(language)["consent"]
    most, each = outlook.most(settings), outlook.each(settings)
    if most is None:
        yield words["work_many"].format(most=MANY)
    elif settings.sitting:
        yield words["work_sitting"].format(items=Counted(most))
    else:
        capped = most == settings.max_items
        yield words["work_capped" if capped else "work_items"].format(items=Counted(most))
    about = "minutes_given" if settings.minutes_per_item else "minutes_judged"
    yield words[about].format(each=duration(each, language)) + _whole(settings, most, each, language)
    if settings.max_hours:
        yield words["work_hours"].format(hours=duration(3600 * settings.max_hours, language))
    if outlook.training:
        yield from _training(settings, outlook, words)
    if outlook.checked(settings):
        yield words["checks"]


def _whole(settings: StudySettings, most: int | None, each: float, language: Language) -> str:
    """Return how long all of it takes, as the end of a sentence; where nobody answers all, its full stop."""
    if most is None or most < 2:
        return "."
    seconds = min(most * each, 3600 * (settings.max_hours or most * each))
    upto = 60 * ceil(seconds / 60) if seconds >= 60 else seconds
    told: str = texts(language)["consent"]["minutes_whole"].format(whole=duration(upto, language))
    return told


def _training(settings: StudySettings, outlook: Outlook, words: Mapping[str, str]) -> Iterator[str]:
    least = needed(outlook.training, settings.training_pass)
    told = words["training"].format(items=Counted(outlook.training))
    passed = words["training_pass"].format(least=least, attempts=Counted(settings.training_attempts))
    yield f"{told} {passed}" if least else told


def _pay(settings: StudySettings, outlook: Outlook, language: Language) -> Iterator[str]:
    words: Mapping[str, str] = texts(language)["consent"]
    amount: dict[str, Any] = {"currency": settings.currency, "language": language}
    practice = settings.training_price if outlook.training else 0.0
    if not settings.price:
        yield words["pay_practice" if practice else "pay_none"].format(practice=money(practice, **amount))
        return
    yield words["pay_each"].format(price=money(settings.price, **amount))
    most = outlook.most(settings)
    hourly = round_money(_about(settings.price / outlook.each(settings) * 3600), **amount)
    if most is None:
        yield words["pay_hourly"].format(hourly=hourly)
    else:
        whole = most * settings.price + outlook.training * practice
        total = round_money(min(whole, settings.max_pay or whole), **amount)
        yield words["pay_whole"].format(total=total, hourly=hourly)
    if settings.max_pay:
        yield words["pay_most"].format(most=round_money(settings.max_pay, **amount))
    yield words["pay_late" if settings.pay_late else "pay_in_time"]
    if outlook.training:
        yield words["pay_training" if practice else "pay_no_training"].format(practice=money(practice, **amount))
    if settings.bonus and outlook.checked(settings):
        rule = {"share": percent(settings.bonus_accuracy, language), "after": settings.bonus_after}
        yield words["bonus"].format(bonus=money(settings.bonus, **amount), **rule)


def _free(settings: StudySettings, words: Mapping[str, str]) -> Iterator[str]:
    yield words["free_paid" if settings.price else "free_unpaid"]
    yield words["free_withdraw"]


def _stop(settings: StudySettings, words: Mapping[str, str]) -> Iterator[str]:
    yield words["stop_why"]
    if settings.price:
        owed = words[f"stop_{settings.pay_after_exclusion}"]
        yield f"{owed} {words['stop_bonus']}" if settings.bonus else owed
    yield words["stop_appeal"]


def _about(amount: float) -> float:
    """Return an amount with FIGURES digits that count: 979.6 is about 980."""
    return round(amount, FIGURES - 1 - floor(log10(amount))) if amount > 0 else 0.0
