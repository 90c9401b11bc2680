"""A language that is being translated: all that is wrong is said at once with its file and line, by name and number."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data.catalogue.catalog import get_task, sample_file
from data.errors import BadFile
from data.language_check import check_language
from data.wording import COUNTED, Counted, languages, texts
from db.study_settings import StudySettings
from eval.workers.skips import SkipsRule
from tests.helpers.languages import added_language, forget_languages

SAMPLE = sample_file(get_task("rsg/terra"), "main")


@pytest.mark.parametrize("language", languages())
def test_nothing_is_wrong_with_a_language_that_is_here(language: str) -> None:
    assert "\n".join(map(str, check_language(language).problems)) == ""


def test_a_copy_of_english_under_another_code_is_a_language(tmp_path: Path) -> None:
    with added_language(tmp_path, "de"):
        said = CliRunner().invoke(cli, ["check-language", "de"])
        assert (said.exit_code, said.stdout) == (0, "de: nothing is wrong or missing\n")
        assert languages() == ("ru", "en", "de")


def test_everything_that_is_wrong_is_said_at_once_with_file_and_line(tmp_path: Path) -> None:
    with added_language(tmp_path, "de") as folder:
        consent, told = folder / "consent.toml", folder / "language.toml"
        changes = {
            'heading_labelling = "': 'haeding_labelling = "',
            "{items:# question|# questions} per": "{items:# question} per",
            "About {items:# question|# questions}: as many as fit into {hours}": "About {items:# question|# questions}",
            'own = "About this study"': 'own = ""',
            'pay = "Pay"': "pay = 5",
            "No special knowledge is needed.": "No 'special' knowledge is needed.",
        }
        text = consent.read_text("utf8")
        for was, now in changes.items():
            assert was in text
            text = text.replace(was, now, 1)
        consent.write_text(text, "utf8")
        named = told.read_text("utf8").replace('short = "EN"\n', "")
        told.write_text(named.replace('"n != 1"', '"n=1?0:1 foo"'), "utf8")
        (folder / "screens.toml").write_text("[screens]\nx = \n", "utf8")
        (folder / "spare.toml").write_text('# more\n[consent]\nlead = "x"\n', "utf8")
        said = CliRunner().invoke(cli, ["check-language", "de", "--json"])
        found = json.loads(said.stdout)
        lines = text.splitlines()
        problems = {(one["file"], one["line"]): one["problem"] for one in found["problems"]}

        def line(begin: str) -> tuple[str, int]:
            return "de/consent.toml", next(n for n, one in enumerate(lines, 1) if one.startswith(begin))

        expected = {
            ("de/screens.toml", 2): "is not TOML",
            ("de/spare.toml", 2): "the table 'consent' is in consent.toml too; join the two",
            line(
                "haeding"
            ): "the text 'consent.haeding_labelling' is not known; did you mean 'consent.heading_labelling'",
            line("work_capped"): "{items:# question} has 1 of 2 forms",
            line("work_timed"): "has the places items; those to be filled in are {hours}, {items",
            line("own"): "consent.own: is empty",
            line("pay ="): "consent.pay: is 5, not a text",
            line("lead"): 'has "\'"; use the quotation marks',
            ("de/language.toml", None): "language.short is missing",
        }
        plural = told.read_text("utf8").splitlines().index('plural = "n=1?0:1 foo"') + 1
        expected["de/language.toml", plural] = "language.plural: 'n=1?0:1 foo' is no rule"
        assert said.exit_code == 2
        assert problems.keys() == expected.keys()
        for place, words in expected.items():
            assert words in problems[place]
        keys = {one["key"] for one in found["missing"]}
        assert "consent.heading_labelling" in keys
        assert not [key for key in keys if key.startswith(("consent.own", "language.", "units."))]


def test_texts_that_are_not_translated_yet_are_named_one_by_one_and_are_no_mistake(tmp_path: Path) -> None:
    with added_language(tmp_path, "de") as folder:
        (folder / "consent.toml").unlink()
        for name in ("place", "fallback", "plural"):
            told = folder / "language.toml"
            kept = [one for one in told.read_text("utf8").splitlines() if not one.startswith(name)]
            told.write_text("\n".join(kept), "utf8")
        said = CliRunner().invoke(cli, ["check-language", "de"])
        assert said.exit_code == 0
        assert f"consent.toml: consent.own is not translated yet: {texts('en')['consent']['own']}\n" in said.stdout
        assert said.stdout.count(" is not translated yet: ") == len(said.stdout.splitlines()) > 30


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


def test_a_text_that_a_rule_on_workers_names_and_nobody_wrote_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SkipsRule, "stopped_text", "leaping")
    with added_language(tmp_path, "de"):
        said = CliRunner().invoke(cli, ["check-language", "de"])
    assert said.exit_code == 2
    assert said.stdout.startswith(
        "de/screens.toml: stopped.leaping is missing, the stopped_text of the rule 'skips'; write it under [stopped], "
        "or name one of attention, copying, instruction, "
    )


def test_a_language_may_have_one_form_for_all_numbers(tmp_path: Path) -> None:
    with added_language(tmp_path, "ja") as folder:
        for path in folder.glob("*.toml"):
            text = path.read_text("utf8").replace('"n != 1"', '"0"')
            path.write_text(COUNTED.sub(r"{\1:# 問}", text), "utf8")
        forget_languages()
        assert check_language("ja").problems == ()
        assert texts("ja")["write"]["words"].format(most=Counted(3)) == "at most 3 問"


def test_an_unknown_language_is_refused_with_the_nearest() -> None:
    refused = CliRunner().invoke(cli, ["check-language", "eng"])
    assert (refused.exit_code, "did you mean 'en'" in refused.stderr) == (2, True)
