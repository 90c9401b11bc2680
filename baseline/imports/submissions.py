"""Predictions that somebody outside sends to the board: checked against the items, and told nothing about them."""

from collections.abc import Sequence
from pathlib import Path

from baseline.imports.import_run import matched_items, sorted_predictions
from baseline.imports.log_readers import read_plain
from data.drawing.environment import MAILBOX, WEBPAGE
from data.errors import BadFile, BadSetting
from data.files.prediction_files import FEWEST_READ
from data.limits import LARGEST_SUBMISSION, MB
from data.numbers import counted
from data.task import Task
from db.items import StoredItem
from db.runs import Prediction

ENDINGS = (".jsonl", ".json", ".csv", ".tsv")
AS_PUBLISHED = "Write answers as the files of the benchmark do."
LONGEST_NAME, LONGEST_CONTACT = 80, 200


def checked_name(name: str, known: Sequence[str]) -> str:
    """Return the name of a model; raises BadSetting for one that is none, or is among the `known` already."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetting(f"Give the model a name of 1 to {LONGEST_NAME} printable characters.")
    if name.casefold() in map(str.casefold, known):
        raise BadSetting(f"A model called {name!r} is there already. Choose another name, such as one with a version.")
    return name


def checked_contact(contact: str) -> str:
    """Return how somebody can be reached; raises BadSetting where it is neither a mail address nor a web page."""
    contact = contact.strip()
    if len(contact) > LONGEST_CONTACT or not (MAILBOX.fullmatch(contact) or WEBPAGE.fullmatch(contact)):
        raise BadSetting("Give an email address or a web page (https://…) at which you can be reached.")
    return contact


def check_file(name: str, content: bytes) -> None:
    """Refuse (BadFile) a file by its name and its size, before anything in it is looked at."""
    if not name.lower().endswith(ENDINGS):
        raise BadFile(f"Send a file that ends in {', '.join(ENDINGS)}; {name[-40:]!r} does not.")
    if not content:
        raise BadFile("The file is empty. Send a record with an id and an answer for each item.")
    if len(content) > LARGEST_SUBMISSION:
        raise BadFile(f"The file is larger than {LARGEST_SUBMISSION // MB} MB. Send an id and an answer for each item.")


def submitted_predictions(path: Path, task: Task, items: Sequence[StoredItem]) -> list[Prediction]:
    """Return the one prediction of a file for each item; raises BadFile, in words that tell nothing of the items."""
    log = read_plain(path, task)
    if log.dropped:
        raise BadFile(f"{path.name}: {log.dropped[0]}. Put it right and send the file again.")
    joined = matched_items(task, items, log.records)
    if lost := [record.record.where for record in joined if record.item is None]:
        raise BadFile(f"{path.name}: {counted(len(lost), 'record')} named no item of this task, first {lost[0]}.")
    try:
        found = sorted_predictions(task, log, joined, path.name)
    except BadFile as error:  # it names options of the item
        raise BadFile(f"{str(error).partition(': ')[0]}: this may be several answers. {AS_PUBLISHED}") from error
    if (wrong := found.unreadable) and len(wrong) * FEWEST_READ > len(log.records):
        many = f"{counted(len(wrong), 'answer')} cannot be read, first line {wrong[0].line}"
        raise BadFile(f"{path.name}: {many}. {AS_PUBLISHED}")
    answered = {item for item, _ in found.joined}
    if found.dropped or any(sample for _, sample in found.joined):
        raise BadFile(f"{path.name}: an item is answered several times. Send one answer for each item.")
    if left := len(items) - len(answered):
        raise BadFile(f"{path.name}: {left} of {counted(len(items), 'item')} have no answer. Answer all of them.")
    return [prediction for _, prediction in found.joined.values()]
