"""Consent: a study's workload, the points that a worker agrees to, and the version that was agreed to."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import ceil, floor, log2, log10
from statistics import fmean
from typing import Any

from annotate.formatting import duration, money, percent, round_money
from data.answers.effort import DECIDE, EXAM, READ
from data.errors import BadAnswer
from data.task import Item, Role, Task
from data.wording import Counted, Language, languages, texts
from db import sittings
from db.cache import unchanging
from db.engine import Session
from db.items import count_items, first_items
from db.judgments import answers_so_far, median_of_first
from db.studies import Study
from db.study_settings import Purpose, StudySettings

ESTIMATED_FROM = 20  # items from which the time is told
MEASURED_FROM = 20  # answers of which the median replaces what was estimated
BEGINNING = 1000  # characters of a text from which its script is told
MANY = 1000  # items beyond which nobody answers all of them


@dataclass(frozen=True)
class Workload:
    """The numbers of a study's items by role, and the `seconds` that one takes, judged by its texts and its answer.

    `measured` is the median of those who answered, None before there are enough of them. `variant` is how many main
    items a sitting has, 0 where there are none. `explained`: a practice item has an explanation. `script` is that in
    which most of the texts are written, as Unicode names it.
    """

    main: int = 0
    training: int = 0
    control: int = 0
    seconds: float = DECIDE
    variant: int = 0
    measured: float | None = None
    explained: bool = False
    script: str = ""

    def checked(self, settings: StudySettings) -> bool:
        """Return whether any of the items that a worker meets are controls."""
        return self.control > 0 and settings.page_controls > 0 and not settings.sitting

    def there(self, settings: StudySettings) -> int:
        """Return how many items wait for one worker after practice, controls among them, before any cap."""
        return self.variant if settings.sitting else self.main + self._controls_met(settings)

    def allowed(self, settings: StudySettings) -> int:
        """Return how many of them the caps on answers and on pay let one worker answer; practice counts as pay."""
        most = [self.there(settings)]
        if settings.max_items:
            most.append(settings.max_items)
        if settings.max_pay and settings.price:
            # As in `annotate/worker/assignment.py`: sums of fractions are rounded before they are divided.
            left = round(settings.max_pay - self.training * settings.training_price, 6)
            most.append(max(0, floor(round(left / settings.price, 6))))
        return min(most)

    def timed(self, settings: StudySettings) -> bool:
        """Return whether the hours, as far as one can tell, end the work before the other caps do."""
        return self.answers(settings) < self.allowed(settings)

    def answers(self, settings: StudySettings) -> int:
        """Return how many answers, practice apart, one worker may come to give: no more than the cap that binds."""
        allowed = self.allowed(settings)
        if not settings.max_hours:
            return allowed
        left = 3600 * settings.max_hours - self.training * self.each(settings)
        return min(allowed, max(1, floor(round(left / self.each(settings), 6))))

    def seconds_in_all(self, settings: StudySettings) -> float:
        """Return the seconds that all these answers take, with the practice before them."""
        return (self.answers(settings) + self.training) * self.each(settings)

    def pay_in_all(self, settings: StudySettings) -> float:
        """Return what all these answers are paid, with the practice before them; a bonus comes besides."""
        return self.answers(settings) * settings.price + self.training * settings.training_price

    def rewarded(self, settings: StudySettings) -> bool:
        """Return whether a worker can meet as many controls as a bonus takes, under the caps."""
        full, rest = divmod(self.allowed(settings), settings.page_main + settings.page_controls)
        places = full * settings.page_controls + min(rest, settings.page_controls)
        return self.checked(settings) and min(places, self._controls_met(settings)) >= settings.bonus_after

    def _controls_met(self, settings: StudySettings) -> int:
        asked = ceil(self.main / settings.page_main) * settings.page_controls if self.control else 0
        return asked if settings.repeat_controls else min(self.control, asked)

    def each(self, settings: StudySettings) -> float:
        """Return the seconds that an item takes: what the requester says, else what was measured, else the estimate."""
        return 60 * settings.minutes_per_item if settings.minutes_per_item else self.measured or self.estimate(settings)

    def estimate(self, settings: StudySettings) -> float:
        """Return the seconds that an item takes before anybody has answered; an exam's tasks are thought about."""
        return max(EXAM, self.seconds) if settings.sitting else self.seconds

    def misjudged(self, settings: StudySettings) -> tuple[float, float] | None:
        """Return the seconds that the first workers were promised and those measured, None where these are alike."""
        promised = 60 * settings.minutes_per_item if settings.minutes_per_item else self.estimate(settings)
        apart = self.measured is not None and abs(self.measured - promised) > promised / 3
        return (promised, self.measured) if apart and self.measured is not None else None


def expected_seconds(task: Task, items: Sequence[Item]) -> float:
    """Return how many seconds it may take to read one of these items and to answer it.

    The answers are those of the worked examples, else the right ones, else usual ones of their kind.
    """
    if not items:
        return DECIDE
    shown = [task_field.name for task_field in task.fields if task_field.kind != "hidden"]
    reading = fmean(sum(len(item.fields[name]) for name in shown) for item in items) / READ
    given: list[tuple[Mapping[str, str], str | None]] = [(example.fields, example.answer) for example in task.examples]
    for item in items if not given else ():
        right = None if item.gold is None else task.answer_for(item.fields).best(item.gold, item.fields)
        given.append((item.fields, right))
    return reading + fmean(task.answer_for(fields).seconds(answer, fields) for fields, answer in given)


def workload_of(session: Session, study: Study) -> Workload:
    """Return what a study holds, counted once, as its items never change; the time is measured while people answer.

    The median is that of the first 20, 40, 80 ... answers, so that it seldom changes while somebody reads it.
    """
    counted = unchanging(session, ("workload", study.id, study.created_at), lambda: _counted(session, study))
    given = answers_so_far(session, study=study)
    if given < MEASURED_FROM:
        return counted
    first = MEASURED_FROM * 2 ** min(5, floor(log2(given / MEASURED_FROM)))
    mark = ("measured", study.id, study.created_at, first)
    measured = unchanging(session, mark, lambda: median_of_first(session, study=study, first=first))
    return replace(counted, measured=measured)


def _counted(session: Session, study: Study) -> Workload:
    training = count_items(session, study=study, role="training")
    read, shown = _read(session, study), [each.name for each in study.task.fields if each.kind != "hidden"]
    return Workload(
        main=count_items(session, study=study, role="main"),
        training=training,
        control=count_items(session, study=study, role="control"),
        seconds=expected_seconds(study.task, read),
        variant=sittings.longest_variant(session, study=study) if study.settings.sitting else 0,
        explained=explains(first_items(session, study=study, role="training", most=training)),
        script=script_of("".join(item.fields[name][:BEGINNING] for item in read for name in shown)),
    )


def script_of(text: Iterable[str]) -> str:
    """Return the script of most letters of a text, or of letters one by one; "" where there are none.

    >>> script_of("Слово «word»")
    'CYRILLIC'
    """
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    return next((script for script, _ in scripts.most_common(1)), "")


def written_in(script: str) -> Language:
    """Return the language that is written in a script, "" where that is none or several.

    >>> written_in("RUNIC")
    ''
    """
    written = [code for code in languages() if script_of(texts(code)["language"]["name"]) == script]
    return written[0] if len(written) == 1 else ""


def explains(practice: Iterable[Item]) -> bool:
    """Return whether any practice item says why its answer is right."""
    return any(item.explanation for item in practice)


def _read(session: Session, study: Study) -> list[Item]:
    """Return the items from which the time is told, controls among them: it may not tell which are which."""
    roles: tuple[Role, ...] = ("main", "control")
    return [item for role in roles for item in first_items(session, study=study, role=role, most=ESTIMATED_FROM)]


def passed(*, right: int, answered: int, mark: float) -> bool:
    """Return whether a training is passed: the share of right first answers is at least `mark` (0..1)."""
    return right >= needed(answered, mark)


def needed(items: int, mark: float) -> int:
    """Return how many right answers out of so many are a share of `mark` (0..1) or more."""
    # 0.55 * 20 is a little more than 11 in binary fractions.
    return ceil(round(mark * items, 9))


FIGURES = 2  # digits of the pay per hour, which is about so much


@dataclass(frozen=True)
class Points:
    """Some points of consent under one heading; `about` names them."""

    heading: str
    points: tuple[str, ...]
    about: str


def consent_points(settings: StudySettings, workload: Workload, language: Language) -> list[Points]:
    """Return the points in the order in which they are read, under their headings."""
    words: Mapping[str, str] = texts(language)["consent"]
    by_name = {
        "work": _work(settings, workload, words, language),
        "pay": _pay(settings, workload, words, language),
        "stored": _stored(settings, words),
        "free": _free(settings, words),
        "stop": _stop(settings, workload, words),
        "contact": (words["contact_mail"] if settings.contact else words["contact_inviter"],),
    }
    return [Points(words[name], tuple(points), name) for name, points in by_name.items()]


def _work(settings: StudySettings, workload: Workload, words: Mapping[str, str], language: Language) -> Iterator[str]:
    yield _number(settings, workload, words, language)
    if (written := written_in(workload.script)) not in ("", language):
        yield words["texts_in"].format(**texts(written)["language"])
    if settings.sitting:
        limit, kept = settings.sitting_minutes, settings.lease_minutes
        lasts = duration(60 * (limit or kept), language)
        yield words["sitting_ends" if limit else "sitting_kept"].format(lease=lasts)
    about = "given" if settings.minutes_per_item else "measured" if workload.measured else "judged"
    each = words[f"minutes_{about}"].format(each=duration(workload.each(settings), language))
    yield each + _total_time(settings, workload, words, language)
    if settings.max_hours and not workload.timed(settings):
        yield words["work_hours"].format(hours=duration(3600 * settings.max_hours, language))
    if workload.training:
        yield from _training(settings, workload, words)
    if workload.checked(settings):
        yield words["checks"]


def _number(settings: StudySettings, workload: Workload, words: Mapping[str, str], language: Language) -> str:
    """Return how many items one worker may come to answer, and what sets that number."""
    answers, blanks = workload.answers(settings), {"items": Counted(workload.answers(settings))}
    if answers > MANY:
        return words["work_many"].format(most=MANY)
    if workload.timed(settings):
        return words["work_timed"].format(**blanks, hours=duration(3600 * (settings.max_hours or 0), language))
    if answers < workload.there(settings):
        return words["work_capped"].format(**blanks)
    return words["work_sitting" if settings.sitting else "work_items"].format(**blanks)


def _total_time(settings: StudySettings, workload: Workload, words: Mapping[str, str], language: Language) -> str:
    """Return how long all of it takes, as the end of a sentence; where nobody answers all, its full stop."""
    answers = workload.answers(settings)
    if answers > MANY or answers + workload.training < 2:
        return "."
    seconds = workload.seconds_in_all(settings)
    if settings.max_hours:
        seconds = min(seconds, 3600 * settings.max_hours)
    upto = 60 * ceil(seconds / 60) if seconds >= 60 else seconds
    return words["minutes_practice" if workload.training else "minutes_whole"].format(whole=duration(upto, language))


def _training(settings: StudySettings, workload: Workload, words: Mapping[str, str]) -> Iterator[str]:
    least = needed(workload.training, settings.training_pass)
    sentence = words["training_explained" if workload.explained else "training"].format(
        items=Counted(workload.training)
    )
    needs = words["training_all" if least == workload.training else "training_pass"]
    passed = needs.format(least=Counted(least), attempts=Counted(settings.training_attempts))
    yield f"{sentence} {passed}" if least else sentence


def _pay(settings: StudySettings, workload: Workload, words: Mapping[str, str], language: Language) -> Iterator[str]:
    amount: dict[str, Any] = {"currency": settings.currency, "language": language}
    practice = settings.training_price if workload.training else 0.0
    if not settings.price:
        yield words["pay_practice" if practice else "pay_none"].format(practice=money(practice, **amount))
        yield from _practice_paid_if(settings, practice, words)
        return
    yield words["pay_each"].format(price=money(settings.price, **amount))
    rewarded = settings.bonus > 0 and workload.rewarded(settings)
    yield from _total_pay(settings, workload, words, beside="_bonus" if rewarded else "", **amount)
    if not (settings.sitting and settings.sitting_minutes):  # which ends with what is there
        yield words["pay_late" if settings.pay_late else "pay_in_time"]
    if not settings.sitting:
        yield words["pay_reports"]
    if workload.training:
        yield words["pay_training" if practice else "pay_no_training"].format(practice=money(practice, **amount))
        yield from _practice_paid_if(settings, practice, words)
    if rewarded:
        rule = {"share": percent(settings.bonus_accuracy, language), "after": Counted(settings.bonus_after)}
        yield words["bonus"].format(bonus=money(settings.bonus, **amount), **rule)


def _practice_paid_if(settings: StudySettings, practice: float, words: Mapping[str, str]) -> Iterator[str]:
    if practice and not settings.pay_failed_training:
        yield words["practice_if"]


def _total_pay(
    settings: StudySettings, workload: Workload, words: Mapping[str, str], *, beside: str, **amount: Any
) -> Iterator[str]:
    """Yield the pay in all and an hour; `beside` chooses the words that say that a bonus is not within it."""
    pay, seconds = workload.pay_in_all(settings), workload.seconds_in_all(settings)
    sentences = []
    if workload.answers(settings) <= MANY:
        sentences.append(words[f"pay_whole{beside}"].format(total=round_money(pay, **amount)))
    if seconds:
        sentences.append(words["pay_hourly"].format(hourly=round_money(_rounded(pay / seconds * 3600), **amount)))
    if sentences:
        yield " ".join(sentences)
    if workload.answers(settings) > MANY and workload.allowed(settings) < workload.there(settings) and settings.max_pay:
        yield words[f"pay_most{beside}"].format(most=round_money(settings.max_pay, **amount))


def _stored(settings: StudySettings, words: Mapping[str, str]) -> Iterator[str]:
    yield from (words[f"stored_{name}"] for name in ("answers", "name", "browser", "use"))
    if settings.texts_to_models:
        yield words["stored_models"]
    if settings.retention_days:
        until = words["stored_until_paid" if settings.price or settings.training_price else "stored_until"]
        yield until.format(days=Counted(settings.retention_days))


def _free(settings: StudySettings, words: Mapping[str, str]) -> Iterator[str]:
    yield words["free_paid" if settings.price else "free_unpaid"]
    yield words["ends_paid" if settings.price else "ends_unpaid"]
    yield words["free_withdraw"]


def _stop(settings: StudySettings, workload: Workload, words: Mapping[str, str]) -> Iterator[str]:
    yield words["stop_why"]
    if settings.price:
        owed = words[f"stop_{settings.pay_after_exclusion}"]
        yield f"{owed} {words['stop_bonus']}" if settings.bonus and workload.rewarded(settings) else owed
    yield words["stop_appeal"]


def _rounded(amount: float) -> float:
    """Return an amount with FIGURES digits that count: 979.6 is about 980."""
    return round(amount, FIGURES - 1 - floor(log10(amount))) if amount > 0 else 0.0


DIGITS = 12  # of the digest that names what was agreed to
AROUND = ("own", "notice", "notice_seen", "agree", "decline")


@dataclass(frozen=True)
class Terms:
    """What a study asks its workers to agree to; `version` names all of it.

    `text` and `notice` ("" for none) are the study's own, in its `language`, whatever language the page speaks; the
    text says what the study is for in place of the sentences for its `purpose`;
    `groups` are the points that follow from its settings, `contact` whom to write to ("" where it is not said).
    """

    version: str
    language: Language
    purpose: Purpose = "labelling"
    text: str = ""
    notice: str = ""
    groups: tuple[Points, ...] = ()
    contact: str = ""


def version_of(settings: StudySettings, workload: Workload) -> str:
    """Return the version of what is agreed to: a digest of all that is shown, in both languages.

    It changes by itself with every text and with every setting that a text says; the same words have the same version
    in every study.
    """
    purpose = settings.purpose
    shown = [
        [
            settings.consent,
            settings.notice,
            settings.contact,
            *(texts(language)["consent"][name] for name in (f"heading_{purpose}", f"lead_{purpose}", *AROUND)),
            *([group.heading, *group.points] for group in consent_points(settings, workload, language)),
        ]
        for language in languages()
    ]
    return sha256(json.dumps(shown, ensure_ascii=False).encode()).hexdigest()[:DIGITS]


def terms_of(settings: StudySettings, workload: Workload, language: Language) -> Terms:
    """Return what a study asks its workers to agree to, in the language of the page."""
    points = consent_points(settings, workload, language)
    version = version_of(settings, workload)
    own = (settings.purpose, settings.consent, settings.notice)
    return Terms(version, settings.language, *own, tuple(points), settings.contact)


def asked_in(session: Session, study: Study, language: Language) -> Terms:
    """Return what somebody reads before agreeing to take part in a study."""
    return terms_of(study.settings, workload_of(session, study), language)


def agreed(settings: StudySettings, version: str, said: object) -> bool:
    """Return whether the notice was acknowledged with a consent, False where there is none; raises BadAnswer.

    `said` is what the page sends with the consent: {"version": of what was read, "notice": whether it was ticked}.
    Without a version what is asked now (`version`) is taken as read.
    """
    terms = said if isinstance(said, dict) else {}
    if terms.get("version", version) != version:
        raise BadAnswer("terms_changed")
    if settings.notice and terms.get("notice") is not True:
        raise BadAnswer("notice_open")
    return bool(settings.notice)
