"""A language is a folder: a slip in it is one sentence that names its file and line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data.catalogue.catalog import get_task, sample_file
from data.errors import BadFile
from data.wording import COUNTED, Counted, languages, texts
from db.study_settings import StudySettings
from tests.helpers.languages import added_language, forget_languages

SAMPLE = sample_file(get_task("rsg/terra"), "main")


def test_a_copy_of_english_under_another_code_is_a_language(tmp_path: Path) -> None:
    with added_language(tmp_path, "de"):
        assert languages() == ("ru", "en", "de")


@pytest.mark.parametrize(
    ("name", "was", "now", "words"),
    [
        ("items.toml", "[write]", "x = \n[write]", "data/languages/de/items.toml, line 3: is not TOML"),
        ("language.toml", 'name = "de"\n', "", "data/languages/de/language.toml: language.name is missing"),
        ("language.toml", '"n != 1"', '"n=1?0:1 foo"', "data/languages/de/language.toml: language.plural is no rule"),
        ("items.toml", "[write]", "[consent]\n[write]", "data/languages/de/items.toml: the table 'consent' is in"),
    ],
)
def test_a_slip_in_a_language_is_one_sentence_that_names_the_file(
    tmp_path: Path, name: str, was: str, now: str, words: str
) -> None:
    with added_language(tmp_path, "de") as folder:
        path = folder / name
        path.write_text(path.read_text("utf8").replace(was, now, 1), "utf8")
        forget_languages()
        with pytest.raises(BadFile, match=words):
            languages()
        with pytest.raises(BadFile, match=words):
            StudySettings.model_validate({"language": "de"})
        asked = ["create", "s", "--task", "rsg/terra", "--items", str(SAMPLE), "--set", "language=de"]
        refused = CliRunner().invoke(cli, asked)
        assert (refused.exit_code, words in refused.stderr) == (2, True)
    assert languages()[:2] == ("ru", "en")


def test_a_language_may_have_one_form_for_all_numbers(tmp_path: Path) -> None:
    with added_language(tmp_path, "ja") as folder:
        for path in folder.glob("*.toml"):
            text = path.read_text("utf8").replace('"n != 1"', '"0"')
            path.write_text(COUNTED.sub(r"{\1:# 問}", text), "utf8")
        forget_languages()
        assert texts("ja")["write"]["words"].format(most=Counted(3)) == "at most 3 問"
