"""RusConText from its files to its results by the commands a person types: people simulated, models scripted."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from typer.testing import CliRunner, Result

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.worker.service import Service
from app import cli
from baseline.models.prompts import messages
from data.catalogue.catalog import get_task, sample_file
from data.files.item_files import read_items
from data.task import Item, Task
from db.engine import Database, opened, reading
from db.items import list_items
from db.studies import get_study
from tests.helpers.model_server import Behaviour, Messages, ModelServer, Say

FILES = {
    "ellipsis": "ellipsis.csv",
    "rudabank": "rudabank.csv",
    "disrpt": "disrpt.json",
    "coref_nps": "coref__are_NPs_coref.json",
    "coref_anaphora": "coref__anaph_ref_choice_questions.json",
    "idiom_literal": "idiom_literal.json",
    "idiom_texts": "idiom_three_texts.json",
    "idiom_meaning": "idiom_two_meanings.json",
}
LEARNING = dict.fromkeys(FILES, ("majority",)) | dict.fromkeys(("coref_nps", "idiom_texts"), ("majority", "tfidf"))
"""The baselines that learn: TF-IDF for one task with fixed labels and one with options, where it takes little time."""
SEED = 7
TRAIN = 60  # items of the same file beside the sample, for the baselines that learn
PEOPLE = (Simulated(3.2), Simulated(2.4), Simulated(1.8))
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
GOOD, POOR = "openai:good", "openai:poor"
GARBLED = ("Не знаю, тут сложно сказать.", "", "1 или 2, оба варианта подходят", '{"answer": ')
"""What names no answer among options, or two."""


@dataclass(frozen=True)
class Whole:
    """Studies of some tasks in one database, with the replies that its scripted models give to each prompt."""

    database: Database
    home: Path
    folder: Path

    def command(self, *words: object) -> Result:
        """Return what a command said, without a traceback on either way."""
        environment = {"DATABASE_URL": str(self.database.url), "ETALON_HOME": str(self.home), "OPENAI_API_KEY": ""}
        return CliRunner().invoke(cli, [str(word) for word in words], env=environment, catch_exceptions=False)

    def said(self, *words: object) -> Any:
        """Return the JSON that a command printed."""
        result = self.command(*words, "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def file(self, name: str) -> Path:
        """Return the authors' file of a task."""
        return self.folder / FILES[name]

    def make(self, name: str, number: int) -> None:
        """Make a study of a task, let people work on it, and ask everybody else."""
        self.create(name, number)
        self.answer(name)
        self.ask(name)

    def create(self, name: str, number: int, study: str = "") -> None:
        """Check the authors' file of a task and make a study of a sample."""
        task = get_task(f"ruscontext/{name}")
        assert self.command("check", task.id, self.file(name)).exit_code == 0
        files = {role: sample_file(task, role) for role in ("training", "control")}
        given = ("--training", files["training"], "--control", files["control"], "--sample", number, "--seed", SEED)
        kept = ("--overlap", len(PEOPLE), "--page-main", 4, "--page-controls", 1, "--training-pass", 0)
        made = self.said("create", study or name, "--task", task.id, "--items", self.file(name), *given, *kept)
        assert made["items"]["main"] == number

    def answer(self, name: str) -> None:
        """Let the simulated people work on a study until nothing is left for them."""
        service = Service(self.database, Signer("a secret for tests"))
        with reading(self.database) as session:
            study = get_study(session, name=name)
        simulate(service, study, PEOPLE, start=START, seed=SEED)

    def items(self, name: str) -> list[Item]:
        """Return the main items of a study."""
        with reading(self.database) as session:
            study = get_study(session, name=name)
            return [stored.item for stored in list_items(session, study=study, role="main")]

    def train(self, name: str) -> Path:
        """Write items of the authors' file that the study does not hold, for what learns."""
        task, held = get_task(f"ruscontext/{name}"), {item.id for item in self.items(name)}
        others = [item for item in read_items(self.file(name), task) if item.id not in held]
        path = self.home / f"{name}-train.jsonl"
        drawn = Random(SEED).sample(others, TRAIN)
        records = [{"id": item.id, **item.fields, task.answer_column: item.gold} for item in drawn]
        path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in records), "utf8")
        return path

    def ask(self, name: str) -> None:
        """Run the random baseline, what learns, and both scripted models over HTTP on every item of a study."""
        task, items, train = get_task(f"ruscontext/{name}"), self.items(name), self.train(name)
        assert self.said("run", name, "--model", "random", "--seed", SEED)["status"] == "complete"
        for model in LEARNING[name]:
            assert self.said("run", name, "--model", model, "--train", train)["status"] == "complete"
        for model in (GOOD, POOR):
            with ModelServer(scripted(model, task, items)) as server:
                told = self.said("run", name, "--model", model, "--base-url", server.base_url)
                assert len(server.requests) == len(items)
            assert (told["status"], told["stopped"]) == ("complete", None)


def make_studies(url: str, home: Path, folder: Path, names: Sequence[str], number: int) -> None:
    """Make a study of each of these tasks in the database at `url`."""
    with opened(url) as database:
        for name in names:
            Whole(database, home, folder).make(name, number)


def scripted(model: str, task: Task, items: Sequence[Item]) -> Callable[[Messages], Behaviour]:
    """Return what a server says that plays a model: it knows the items by their prompts."""
    sheet = {messages(task, item.public())[-1]["content"]: reply(model, task, item) for item in items}
    return lambda asked: Say(sheet[asked[-1]["content"]])


def reply(model: str, task: Task, item: Item) -> str:
    """Return what a scripted model says to an item: always the same."""
    digest = hashlib.sha256(f"{model}:{item.id}".encode()).digest()
    asked, chance = task.answer_for(item.fields), digest[0] / 256
    right = asked.show(asked.best(str(item.gold), item.fields), item.fields)
    if model == GOOD:
        wrong = asked.show(asked.draw(item.fields, Random(digest)), item.fields)
        return f"Подумаем.\n\nОтвет: {right if chance < 0.9 else wrong}"
    if chance < 0.33:
        return asked.show(asked.draw(item.fields, Random(digest)), item.fields)
    return GARBLED[digest[1] % len(GARBLED)]
