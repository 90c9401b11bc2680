"""Workers of `same.py`: they open an invitation and answer over HTTP as the worker page's script does."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

TOKEN = re.compile(r'data-token="([^"]*)"')
WORDS = "Это свой текст длиной в несколько слов: он написан для сравнения, ничего не сокращает и ничего не добавляет. "
ANYWHERE = (WORDS, WORDS * 6, "1", "0")  # what a worker tries after the right answers of all items
WRITTEN = tuple(json.dumps([{"summary": f"Описывает {what}."}], ensure_ascii=False) for what in ("опыт", "наблюдения"))
"""What a worker writes where no item has a right answer."""
LONGEST = 24  # screens of a worker
MISSES = 40  # answers that a worker tries on one item


@dataclass
class Worker:
    """Somebody with a link; `screens` is all that was shown, `tried` how many of the answers were of no use so far."""

    client: httpx2.Client
    study: str
    answers: Sequence[str]
    first: int = 0
    screens: list[str] = field(default_factory=list)

    def walk(self, link: str, extras: Mapping[int, Sequence[Mapping[str, Any]]]) -> str:
        """Go through the study and return all screens; `extras` are acts before the screen of that number."""
        opened = self.client.get(urlsplit(link).path, params=urlsplit(link).query or None)
        self.screens.append(f"=== {opened.status_code} {opened.headers.get('location', opened.text)}")
        reply = self._post("state", {})
        for number in range(LONGEST):
            for act in extras.get(number, ()):
                reply = self._act(reply, **act)
            stage = reply.get("stage")
            if stage in ("training", "work"):
                reply = self._answer(reply, number + self.first)
            elif stage in ("consent", "instructions", "feedback", "again"):
                does = {"consent": "consent", "instructions": "begin", "feedback": "next", "again": "again"}[stage]
                reply = self._act(reply, kind=does, value={"notice": True} if does == "consent" else None)
            else:
                break
        return "\n".join(self.screens)

    def _answer(self, reply: Mapping[str, Any], number: int) -> dict[str, Any]:
        """Try answers until one is taken; what is said of the first that is not is kept, too."""
        refused: dict[str, Any] = {}
        for place in range(min(MISSES, len(self.answers))):
            value = self.answers[(number + place) % len(self.answers)]
            said = self._act(reply, kind="answer", value=value, seconds=4 + number, keep=not refused)
            if "stage" in said:
                return said
            refused = refused or said
        return self._act(reply, kind="skip")

    def _act(self, reply: Mapping[str, Any], keep: bool = True, **act: Any) -> dict[str, Any]:
        token = TOKEN.search(reply.get("html", ""))
        return self._post("act", {"token": unescape(token[1]) if token else "", **act}, keep)

    def _post(self, what: str, body: Mapping[str, Any], keep: bool = True) -> dict[str, Any]:
        answer = self.client.post(f"/api/annotate/{self.study}/{what}", json=body)
        said: dict[str, Any] = answer.json()
        if keep or answer.is_success:
            others = json.dumps({key: value for key, value in said.items() if key not in ("html", "guide")}, indent=1)
            asked = json.dumps({key: value for key, value in body.items() if key != "token"}, ensure_ascii=False)
            drawn = [said[key] for key in ("html", "guide") if key in said]
            self.screens.append("\n".join([f"=== {what} {asked} {answer.status_code}", others, *drawn]))
        return said


EXTRAS: tuple[dict[int, Sequence[Mapping[str, Any]]], ...] = (
    {},
    {8: [{"kind": "undo"}, {"kind": "skip"}], 9: [{"kind": "report", "value": {"reason": "unclear", "text": "why"}}]},
)
"""What each worker does beside answering, by the number of the screen."""


def write_people(address: str, said: Path, studies: Sequence[str]) -> None:
    """Let people answer these studies; the screens of each are a file."""
    (said / "people").mkdir()
    for study in studies:
        with (said / f"given/{study}-links.csv").open(encoding="utf8") as file:
            links = [row["link"] for row in csv.DictReader(file)]
        answers = answers_of(said / f"given/{study}-items.jsonl")
        for number, (link, extras) in enumerate(zip(links, EXTRAS, strict=True)):
            with httpx2.Client(
                base_url=address, headers=headers(address, number), timeout=120, trust_env=False
            ) as client:
                screens = Worker(client, study, answers, first=number).walk(link, extras)
            (said / "people" / f"{study}-{number}").write_text(screens, "utf8")


def headers(address: str, number: int) -> dict[str, str]:
    """Return what a browser says of itself; the second worker reads English."""
    return {"origin": address, "accept-language": ("ru", "en")[number]}


def answers_of(items: Path) -> list[str]:
    """Return what is tried in turn: the right answers of all items, which stand in the column before the role."""
    records = [json.loads(line) for line in items.read_text("utf8").splitlines()]
    columns = list(records[0])
    gold = columns[columns.index("role") - 1]
    known = [record[gold] for record in records if record[gold] not in (None, "")]
    return list(dict.fromkeys([*map(str, known), *ANYWHERE])) if known else list(WRITTEN)


def worker_of(said: Path, study: str) -> str:
    """Return the worker who answered first; a name that nobody has where none did."""
    with (said / f"given/{study}-judgments.jsonl").open(encoding="utf8") as judgments:
        return str(json.loads(next(judgments, '{"worker": "nobody"}'))["worker"])
