"""How often items of 5 to 19 words are called near copies where they are none, and how often changed ones are found.

python bench/short_items.py [--data ../shared/data]

Each data set is drawn into two halves. Against the other half and against the other data sets nothing is a copy, but
for what the set itself holds twice in other words; against copies with one or two words replaced, all are.
"""

import argparse
import csv
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from data.catalogue.catalog import get_task  # noqa: E402
from data.console import tell  # noqa: E402
from data.shared_texts import shared_texts  # noqa: E402
from data.task import Item  # noqa: E402

TASK = get_task("rsg/terra")
TABLES = {
    "PARus": ("toloka_logs/PARus/assign_PARus.tsv", ";", ("INPUT:premise", "INPUT:sent1", "INPUT:sent2")),
    "RCB": (
        "toloka_pools/RCB/assignments_from_pool_42365874__11-12-2023.tsv",
        "\t",
        ("INPUT:premise", "INPUT:hypothesis"),
    ),
    "AGRR": ("agrr/dev.csv", "\t", ("text",)),
    "ellipsis": ("ruscontext/ellipsis.csv", ",", ()),
    "rudabank": ("ruscontext/rudabank.csv", ",", ("initial_utterance", "tagged_utterance")),
}
Texts = list[list[str]]


def read(folder: Path) -> Iterator[tuple[str, Texts]]:
    """Yield the words of every different text of each data set, in an order that is drawn."""
    for name, (path, delimiter, columns) in TABLES.items():
        with (folder / path).open(encoding="utf8", newline="") as table:
            plain = csv.DictReader(table, delimiter=delimiter, quoting=csv.QUOTE_NONE)
            rows = list(plain if name == "AGRR" else csv.DictReader(table, delimiter=delimiter))
        yield name, drawn(" ".join(row[column] or "" for column in columns or list(row)[:2]) for row in rows)
    pairs = json.loads((folder / "pandalm/testset-v1.json").read_text("utf8"))
    yield "PandaLM", drawn(f"{pair['instruction']} {pair['input']}" for pair in pairs)


def drawn(texts: Iterator[str]) -> Texts:
    words = [text.split() for text in dict.fromkeys(texts)]
    random.Random(1).shuffle(words)
    return words


def found(items: Texts, others: Sequence[Sequence[str]]) -> int:
    """Return how many of these are called near copies of the others; those word for word are none."""
    asked, also = (
        [Item(str(place), {"premise": " ".join(words), "hypothesis": ""}) for place, words in enumerate(texts)]
        for texts in (items, others)
    )
    return sum(not shared.exact for shared in shared_texts(TASK, asked, also))


def changed(items: Texts, number: int, vocabulary: Sequence[str]) -> Texts:
    draw, copies = random.Random(2), [list(words) for words in items]
    for words in copies:
        for place in draw.sample(range(len(words)), number):
            words[place] = draw.choice(vocabulary)
    return copies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    sets = dict(read(parser.parse_args().data))
    tell("data set | items | in the other half | in other sets | one word replaced | two words replaced")
    for name, texts in sets.items():
        half, vocabulary = len(texts) // 2, [word for words in texts for word in words]
        items = [words for words in texts[half:] if 5 <= len(re.findall(r"\w+", " ".join(words))) < 20]
        elsewhere = [words for other, several in sets.items() if other != name for words in several]
        numbers = [len(items), found(items, texts[:half]), found(items, elsewhere)]
        shares = [found(items, changed(items, number, vocabulary)) / len(items) for number in (1, 2)]
        tell(" | ".join([name, *map(str, numbers), *(f"{share:.0%}" for share in shares)]))


if __name__ == "__main__":
    main()
