"""The command `fertility`: tokens a word, counted with the tokenizers library and again by hand."""

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from typer.testing import CliRunner, Result

from app import cli


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, ["fertility", *map(str, words)], catch_exceptions=False)


@pytest.fixture
def whole_words(tmp_path: Path) -> Path:
    """A tokenizer that parts words from signs, and puts a special token before each text."""
    made = Tokenizer(WordLevel({"[UNK]": 0, "[CLS]": 1, "мама": 2, "мыла": 3}, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 1)])
    made.save(str(tmp_path / "words.json"))
    return tmp_path / "words.json"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A tokenizer whose tokens are letters, and "ма" where it stands: м-а-м-а is two tokens, р-а-м-а three."""
    made = Tokenizer(BPE({letter: n for n, letter in enumerate(["м", "а", "р", "ма"])}, [("м", "а")]))
    made.pre_tokenizer = Whitespace()
    made.save(str(tmp_path / "pairs.json"))
    return tmp_path / "pairs.json"


def test_a_text_is_measured_without_special_tokens(whole_words: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Мама мыла раму.\n\nМыла, мыла!\n", "utf8")
    told = run(whole_words, text, "--json")
    assert json.loads(told.stdout) == {"tokens": 8, "words": 5, "fertility": 1.6}
    assert run(whole_words, text).stdout == "text.txt: 8 tokens, 5 words, 1.60 tokens a word\n"


def test_words_are_parted_into_pieces_as_the_tokenizer_has_them(pairs: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("мама рама", "utf8")
    assert run(pairs, text).stdout == "text.txt: 5 tokens, 2 words, 2.50 tokens a word\n"


def test_of_records_every_text_is_measured(pairs: Path, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    records = [{"context": "мама мама", "input": "рама", "number": 7}, {"context": "рама", "input": "ма"}]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf8")
    assert json.loads(run(pairs, file, "--json").stdout) == {"tokens": 11, "words": 5, "fertility": 2.2}


@pytest.mark.parametrize(
    ("tokenizer", "text", "sentence"),
    [
        ('{"version": "1.0"}', "слово", "tokenizer.json: is no tokenizer ("),
        ("это не JSON", "слово", "tokenizer.json: is no tokenizer ("),
        (None, "слово", "tokenizer.json: cannot be opened (No such file or directory); check the path"),
    ],
)
def test_what_is_no_tokenizer_is_one_sentence(tokenizer: str | None, text: str, sentence: str, tmp_path: Path) -> None:
    file, words = tmp_path / "tokenizer.json", tmp_path / "text.txt"
    words.write_text(text, "utf8")
    if tokenizer is not None:
        file.write_text(tokenizer, "utf8")
    told = run(file, words)
    assert (told.exit_code, told.stdout, told.stderr.count("\n")) == (2, "", 1)
    assert sentence in told.stderr


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("text.txt", " \n \n", "text.txt: there is not one word in it"),
        ("text.txt", "", "text.txt: the file is empty (0 bytes)"),
        ("one.jsonl", "{\n", "one.jsonl, line 1: is not JSON"),
        ("one.jsonl", '{"a": 1}\n', "one.jsonl: there is not one word in it"),
    ],
)
def test_a_file_without_words_is_one_sentence(
    name: str, content: str, sentence: str, pairs: Path, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content, "utf8")
    told = run(pairs, tmp_path / name)
    assert (told.exit_code, told.stdout, told.stderr.count("\n")) == (2, "", 1)
    assert told.stderr.startswith(sentence)
