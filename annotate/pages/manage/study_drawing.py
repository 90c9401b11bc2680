"""The drawn parts of the requesters' pages: the list of studies, one study, a file, a plan."""

from collections.abc import Iterable
from math import isnan
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from annotate.formatting import duration
from annotate.requesters.requester_service import CurrentAgreement, LiveNumbers, spoken
from annotate.requesters.study_card import NO_CONTACT, LeakReport, StudyCard, reminders, unknown_settings
from data.drawing.environment import drawn
from data.table_files import Export
from data.tables import Column, Table
from data.wording import english_name
from db.arrivals import LET_IN
from db.study_settings import StudySettings

BURSTS_SHOWN, NAMES_SHOWN = 5, 12  # the last bursts, and the workers that each of them names
TEMPLATES = Path(__file__).parent / "templates"
ACTS, ADDRESS, COPY, GO, WATCHING = (
    (Path(__file__).parent / f"{name}.js").read_text("utf8") for name in ("acts", "address", "copy", "go", "watching")
)


STUDIES: tuple[Column[StudyCard], ...] = (
    Column("study", "study", "", lambda card: card.study.name),
    Column("status", "status", "", lambda card: card.study.status),
    Column("judgments", "judgments", "", lambda card: card.coverage.filled, style="amount"),
    Column("complete", "items complete", "", lambda card: card.coverage.complete, style="wide-only"),
    Column("workers", "workers", "", lambda card: card.turnout.workers, style="wide-only"),
)
LINKS: tuple[Column[tuple[str, str]], ...] = (
    Column("person", "person", "", lambda link: link[0]),
    Column("link", "link", "", lambda link: link[1], style="start"),
)


def draw_studies(cards: list[StudyCard], words: str = "") -> Markup:
    """Return the studies that were found by these words, each on a line, or what to do where there is none."""
    rows = [(card.study.name, one) for card in cards for one in card.waits]
    table = Table("Studies, the newest first", STUDIES, cards)
    return rendered("studies.html", table=table, words=words, rows=rows)


def draw_waits(card: StudyCard) -> Markup:
    """Return what waits in a study, nothing where nothing does."""
    return rendered("waits.html", rows=[("", one) for one in card.waits])


def draw_study(card: StudyCard) -> Markup:
    """Return how far a study is and how it was set up."""
    seen = {"missing": _missing(card), "setup": _setup(card), "missing_words": _unstated_points(card)}
    return rendered("study.html", card=card, note=unknown_settings(card.study), **seen)


def draw_invitation(card: StudyCard, link: str) -> Markup:
    """Return the link that lets people into a study, ready to be copied; nobody enters an imported one."""
    if card.study.origin == "imported":
        return Markup()
    return rendered("invitation.html", link=link, status=card.study.status, settings=card.study.settings)


def draw_live(live: LiveNumbers) -> Markup:
    """Return how a study is going right now."""
    bars = live.bars
    most = max(number for _, number in bars)
    heights = [{"hour": f"{hour:%H:%M}", "number": n, "height": round(40 * n / max(1, most), 1)} for hour, n in bars]
    total = sum(number for _, number in bars)
    left = "" if live.time_left is None else spoken(live.time_left)
    misjudged = [duration(seconds, "en") for seconds in live.misjudged or ()]
    seen = {"live": live, "bars": heights, "most": most, "total": total, "left": left, "let_in": LET_IN}
    shown = {"bursts": live.bursts[-BURSTS_SHOWN:], "names": NAMES_SHOWN, "misjudged": misjudged}
    return rendered("live.html", **seen, **shown, agreement=_agreement(live.agreement))


def draw_leaks(report: LeakReport) -> Markup:
    """Return the warning about fields that tell workers what is right; nothing where there are none."""
    return rendered("leaks.html", report=report)


def draw_links(name: str, links: list[tuple[str, str]], shown: int, parameter: str = "") -> Markup:
    """Return the first `shown` links, and the way to the file of all of them."""
    people = "\n".join(person for person, _ in links)
    address = f"/manage-files/{quote(name, safe='')}/links"
    table = Table("Invitation links", LINKS, links[:shown])
    seen = {"table": table, "number": len(links), "people": people, "address": address}
    return rendered("links.html", **seen, parameter=parameter)


def draw_files(name: str, exports: Iterable[Export[Any]]) -> Markup:
    """Return the links to these files of a study."""
    head = f"/manage-files/{quote(name, safe='')}"
    files = [
        (export.title, export.help, [(words, f"{head}/{export.key}.{form}") for form, words in export.named_forms])
        for export in exports
    ]
    return rendered("files.html", files=files)


def rendered(template: str, **seen: Any) -> Markup:
    """Return a template of these pages filled in."""
    return drawn(TEMPLATES, template, **seen)


def _agreement(agreement: CurrentAgreement | None) -> dict[str, str] | None:
    """Return agreement as it is read, None where no item has two answers."""
    if agreement is None or isnan(agreement.agreement.alpha):
        return None
    low, high = agreement.agreement.alpha_ci
    return {
        "alpha": f"{agreement.agreement.alpha:.2f}",
        "ci": "" if isnan(low) or isnan(high) else f"{low:.2f} to {high:.2f}",
        "pairwise": "" if isnan(agreement.agreement.pairwise) else f"{agreement.agreement.pairwise:.0%}",
        "part": f"{agreement.items} of {agreement.known} items" if agreement.items < agreement.known else "",
    }


def _missing(card: StudyCard) -> str:
    missing = card.coverage.target - card.coverage.filled
    if missing > 0:
        return f"{missing} missing"
    return "all are in" if card.coverage.target else "none wanted"


def _unstated_points(card: StudyCard) -> list[str]:
    """Return what consent cannot tell, of a study that people may still join, beside what waits."""
    joined = card.study.origin == "collected" and card.study.status != "closed"
    return [words for words in reminders(card.study.settings) if words != NO_CONTACT] if joined else []


def _pay(settings: StudySettings) -> list[str]:
    amounts = {
        "per answer": settings.price,
        "per practice item": settings.training_price,
        f"bonus from {settings.bonus_accuracy:.0%} of controls": settings.bonus,
    }
    return [f"{amount:g} {settings.currency} {words}" for words, amount in amounts.items() if amount] or ["unpaid"]


def _setup(card: StudyCard) -> list[str]:
    settings = card.study.settings
    held = [f"{card.coverage.items} items", f"{card.control} controls" if card.control else "no controls"]
    if card.study.origin == "imported":
        return held
    read = f"in {english_name(settings.language)}"
    pages = f"pages of {settings.page_main} items"
    pages += f" and {settings.page_controls} controls" if settings.page_controls else ""
    if settings.sitting:
        pages = f"one sitting each, kept {settings.lease_minutes:g} minutes after the last sign of life"
    passed = f", {settings.training_pass:.0%} right to pass" if settings.training_pass else ""
    if passed and settings.training_attempts > 1:
        passed += f" in {settings.training_attempts} attempts"
    trained = f"{card.training} training items{passed}" if card.training else "no training"
    return [*held, trained, pages, *_pay(settings), read]
