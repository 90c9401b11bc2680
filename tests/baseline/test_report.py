"""The baseline report: the numbers of the JSON in three formats, the checklist, hostile names, studies with little."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from app import cli
from baseline.comparison.document import Document, Section
from baseline.comparison.report_evidence import (
    MISSING,
    NO_GOLD,
    NO_MODEL,
    Evidence,
    evidence_of_report,
    reporting_checklist,
)
from baseline.comparison.score_columns import results_dict
from baseline.comparison.verdicts import standings
from baseline.human.baseline import stored_rules
from baseline.output.computed_exports import scores_latex
from baseline.output.headline import headline
from baseline.output.html import LETTER, figure_file
from baseline.output.latex import GAP, LINE, Block, blocks_of_columns, latex, pieces, wide, wrapped
from baseline.output.report_file import FORMATS, escaped, rendered, write_report
from baseline.output.study_report import study_report
from data.answers.choice import Choice
from data.catalogue.catalog import get_task, sample_file
from data.tables import table_of
from data.task import Item, Task
from data.wording import same
from db.engine import reading, writing
from db.items import add_items, coverage, list_items
from db.judgments import Judgment, add_judgments
from db.runs import Prediction, add_predictions, create_run, finish_run
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import TASK

Run = Callable[..., Result]
HOSTILE = "a & b % c _ # $ { } ~ ^ \\ | <b>x</b> `y` *z* [q] 50% \\input{z} 😀 ё"
RED, GREEN = "r&<i>%|", "g_#$\\"


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def evidence(
    database: Engine,
    *votes: str,
    task: Task = TASK,
    labels: tuple[str, str] = ("red", "green"),
    model: str = "",
    gold: bool = True,
    answered: slice = slice(None),
    right: slice = slice(None),
) -> Evidence:
    """What is known of a study whose n-th item got the votes r and g; `model` answers the items `answered`.

    It has those that are in `right` too right, the others wrong.
    """
    with writing(database) as session:
        study = create_study(session, name="colours_1", task=task, settings=StudySettings())
        items = [Item(f"item-{n}", {"thing": f"thing {n}"}, labels[0] if gold else None) for n in range(len(votes))]
        add_items(session, study=study, items=items)
        workers = [add_worker(session) for _ in range(max(map(len, votes), default=0))]
        stored = list_items(session, study=study)
        given = [
            Judgment(entry.key, workers[place], labels["rg".index(letter)])
            for entry, letters in zip(stored, votes, strict=True)
            for place, letter in enumerate(letters)
        ]
        add_judgments(session, study=study, judgments=given)
        if model:
            made = create_run(session, study=study, model=model, kind="model", settings={"note": HOSTILE})
            good = {entry.key for entry in stored[right]}
            said = [Prediction(each.key, 0, "", labels[each.key not in good], "ok") for each in stored[answered]]
            add_predictions(session, run=made, predictions=said)
            finish_run(session, run=made)
    with reading(database) as session:
        return evidence_of_report(session, study=study, rules=stored_rules(study))


def report(database: Engine, found: Evidence, *, with_models: bool = True) -> Document:
    """The report of what is known."""
    with reading(database) as session:
        return study_report(session, found, with_models=with_models)


def hostile(database: Engine) -> Evidence:
    """A study whose task, labels and model have names that mean something to every format."""
    answer = Choice(choices={RED: same(HOSTILE), GREEN: same("g")})
    task = replace(TASK, title=same(HOSTILE), instruction=same(HOSTILE), prompt=HOSTILE, answer=answer)
    return evidence(database, "rrr", "rrg", task=task, labels=(RED, GREEN), model=HOSTILE)


def numbers(scores: Any) -> Iterator[str]:
    """Every value of the estimates in a piece of JSON, as it is written."""
    if isinstance(scores, dict):
        if isinstance(scores.get("value"), float):
            yield f"{scores['value']:.3f}"
        for inner in scores.values():
            yield from numbers(inner)
    if isinstance(scores, list):
        for inner in scores:
            yield from numbers(inner)


def test_each_format_holds_the_numbers_of_the_json(run: Run, shared: Path, tmp_path: Path) -> None:
    logs = shared / "toloka_logs" / "PARus"
    run("import-log", "parus", logs / "assign_PARus.tsv", "--task", "rsg/parus", "--gold", logs / "gold.csv")
    human = json.loads(run("human", "parus", "--json").stdout)
    scores = [human["scores"][name]["accuracy"]["value"] for name in ("majority", "individual")]
    wanted = {f"{100 * score:.1f}" for score in scores} | {"0.864", "0.932"}
    assert {"98.4", "95.7"} <= wanted
    for ending in FORMATS:
        written = run("human", "parus", "--report", tmp_path / f"out{ending}")
        assert (written.exit_code, written.stdout) == (0, "")
        text = (tmp_path / f"out{ending}").read_text("utf8")
        assert not [value for value in wanted if value not in text]
        assert not re.search(r"\b(None|nan)\b", text)
        assert "To be filled in by the author" in text
        assert "Reporting checklist of Wei et al. 2025" in text
        assert str(tmp_path) not in text


def test_the_json_may_be_printed_beside_the_report(run: Run, tmp_path: Path) -> None:
    run("create", "s", "--task", "rsg/parus", "--items", sample_file(get_task("rsg/parus"), "main"))
    result = run("human", "s", "--json", "--report", tmp_path / "x.MD")
    assert json.loads(result.stdout)["study"] == "s"
    assert "the baseline report of s" in result.stderr
    assert (tmp_path / "x.MD").read_text("utf8").startswith("# Human baseline: PARus")


def test_no_report_is_left_for_a_study_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("human", "nothing", "--report", tmp_path / "x.md").exit_code == 2
    assert not (tmp_path / "x.md").exists()


@pytest.mark.parametrize("name", ["out.pdf", "out", "out.html.gz"])
def test_another_ending_is_refused_with_the_three_that_are_known(run: Run, tmp_path: Path, name: str) -> None:
    result = run("human", "s", "--report", tmp_path / name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a report ends in .md, .html, .tex" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_html_is_one_file_that_asks_for_nothing(sqlite: Engine) -> None:
    html = rendered(report(sqlite, evidence(sqlite, "rrr", "rrg", "rgg", model="big")), ".html")
    assert not re.search(r"<(script|link|img|iframe)|url\(|@import", html)
    assert html.count("<svg") == html.count("</svg>") == 2
    assert "--people:" in html


def test_models_stand_beside_people_with_their_test(sqlite: Engine) -> None:
    text = rendered(report(sqlite, evidence(sqlite, "rrr", "rrg", "rgg", model="big")), ".md")
    assert re.search(r"\| big \| 100\.0 \|.*no clear difference", text)


def test_an_item_of_the_checklist_counts_as_answered_only_where_it_is(sqlite: Engine) -> None:
    def items(evidence: Evidence) -> dict[str, str]:
        return {number: answer for number, _, answer in reporting_checklist(evidence).tables[0].rows}

    alone = evidence(sqlite, "rrr", "rrg", "rgg")
    shown, section = items(alone), reporting_checklist(alone)
    unanswered = (MISSING, NO_MODEL, NO_GOLD)
    said = sum(answer not in unanswered for answer in shown.values())
    assert section.lines[0] == f"{said} of {len(shown)} items are answered."
    assert "To be filled in by the author" in section.lines[1]
    assert (shown["3.4, 3.4.1"], shown["4.1, 4.1.1"], shown["4.6"]) == (NO_MODEL, NO_MODEL, MISSING)


def test_a_study_without_gold_has_its_intervals_and_tests_in_the_checklist(sqlite: Engine) -> None:
    found = evidence(sqlite, *("rrrg", "rrgr", "rggg", "gggr", "rrrr") * 4, model="big", gold=False)
    text = rendered(report(sqlite, found), ".md")
    assert "same as most people" in text
    answers = {number: answer for number, _, answer in reporting_checklist(found).tables[0].rows}
    assert answers["4.1, 4.1.1"] == "paired, of agreement with people"
    assert answers["4.2, 4.2.1"] == "points with 95% intervals"
    assert answers["4.3–4.5"] == "one function compares people and models with people"


def test_items_below_an_agreement_are_not_called_short_of_votes(sqlite: Engine) -> None:
    evidence(sqlite, "rrr", "rrr", "rrg", "ggr", model="big")
    with reading(sqlite) as session:
        study = get_study(session, name="colours_1")
        rules = replace(stored_rules(study), then=("dawid-skene",), agreement_min=0.9, allowed_share=0.1)
        void = evidence_of_report(session, study=study, rules=rules)
    text = rendered(report(sqlite, void), ".md")
    assert "Majority of 3, void people" in scores_latex(void.results)
    assert "score is void by its own rules" in text
    with reading(sqlite) as session:
        top = headline(void.results, standings(void.results), coverage(session, study=study))
    assert "People’s score is void by its own rules: too few items have enough agreement." in top.notes
    rows = {row["respondent"]: row.get("void") for row in results_dict(void.results)["rows"]}
    assert rows["human:majority"] == ["scores"]
    assert rows["model:big"] == ["vs_human", "p_holm", "equivalence"]


def test_hostile_names_stay_text_in_html(sqlite: Engine) -> None:
    html = rendered(report(sqlite, hostile(sqlite)), ".html")
    assert "<b>x</b>" not in html
    assert "<i>" not in html
    assert HOSTILE in unescape(html)
    parser = Tags()
    parser.feed(html)
    assert parser.open == []


class Tags(HTMLParser):
    """Keeps the tags that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_hostile_names_stay_text_in_markdown(sqlite: Engine) -> None:
    text = rendered(report(sqlite, hostile(sqlite)), ".md")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    columns = {len(re.findall(r"(?<!\\)\|", row)) for row in rows if row.startswith("| a ")}
    assert columns == {7}
    # Where a text is quoted as code nothing has a meaning; everywhere else the signs are escaped.
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    assert "<b>" not in prose.replace("\\<", "")
    assert escaped(HOSTILE) in prose


def test_hostile_names_stay_text_in_latex(sqlite: Engine) -> None:
    text = rendered(report(sqlite, hostile(sqlite)), ".tex")
    body = text.split(r"\begin{document}")[1]
    assert latex(HOSTILE) in body
    bare = re.sub(r"\\[\\&%$#_{}]", "", body)
    assert not re.search(r"[%#_^~`|\"]", bare)
    assert bare.count("{") == bare.count("}")
    assert set(re.findall(r"\$[^$]*\$", bare)) <= {r"$\geq$", r"$\times$", "$-$"}
    assert r"\input" not in body
    tables = re.findall(r"\\begin\{longtable\}\{(\S+)\}\n(.*?)\\end\{", text, flags=re.S)
    assert len(tables) == text.count(r"\begin{longtable}") == 5
    for spec, table in tables:
        rows = [row for row in table.splitlines() if row.endswith(r" \\")]
        columns = len(re.findall(r"p\{", spec)) or len(spec)
        assert rows
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {columns - 1}


def columns_of(block: Block) -> list[float]:
    """The widths that a block declares, as parts of the line."""
    return [float(part) for part in re.findall(r"p\{([0-9.]+)\\linewidth\}", block.spec)]


def test_a_table_of_latex_that_fits_keeps_its_columns_as_wide_as_their_texts() -> None:
    (block,) = blocks_of_columns(("respondent", "accuracy"), [("human:majority", "0.982"), ("model:a", "0.5")])
    assert (block.spec, block.rows[0]) == ("ll", ("human:majority", "0.982"))


def test_long_texts_in_a_table_of_latex_are_set_in_lines_within_the_page() -> None:
    reason = "the template of the model holds the instruction and every field of the item, " * 3
    (block,) = blocks_of_columns(("", "the same?", "why", "models"), [("Items", "yes", reason, "all")])
    widths = columns_of(block)
    assert len(widths) == 4
    assert sum(widths) * LINE + 4 * GAP <= LINE * 1.0001
    assert widths[2] > 2 * widths[0]


@pytest.mark.parametrize("number", [8, 10, 14, 40])
def test_no_row_of_a_table_of_latex_declares_more_than_a_line_holds(number: int) -> None:
    header = ("respondent", *(f"symbol_f_near_{n}" for n in range(number)))
    row = ("model:openai:gpt-4.1-mini-2025-04-14/" + "long" * 9, *["0.812 (0.700–0.900)"] * number)
    blocks = blocks_of_columns(header, [row])
    told = [cell for block in blocks for cell in block.rows[0][1:]]
    assert told == list(row[1:])
    sizes = [len(block.header) for block in blocks]
    assert max(sizes) - sizes[0] == 0
    assert len(blocks) > 1
    for block in blocks:
        assert block.header[0] == "respondent"
        declared = sum(columns_of(block)) * LINE + GAP * len(block.header)
        assert (declared if block.wraps else block.width) <= LINE * 1.0001
        assert all(wide("(0.700–0.900)") <= one * LINE for one in columns_of(block)[1:])


def test_a_line_of_latex_may_end_within_long_names_and_never_within_an_interval() -> None:
    assert pieces("symbol_f_near 0.812 (0.700–0.900)") == ["symbol_", "f_", "near ", "0.812 ", "(0.700–0.900)"]
    assert wrapped("a_b c") == r"a\_\allowbreak{}b c"
    assert max(map(len, pieces("x" * 100))) == 16


def test_latex_writes_each_sign_by_its_command() -> None:
    assert latex("&%$#_{}") == r"\&\%\$\#\_\{\}"
    assert latex("~^\\") == r"\textasciitilde{}\textasciicircum{}\textbackslash{}"
    assert latex("ё – 😀\n\x00") == "ё -- U+1F600 U+0000"


def test_a_table_cell_of_markdown_stays_one_cell() -> None:
    document = Document("t", "a", (Section("s", lines=("l",), tables=(table_of("c", ("h",), [("x|y\nz",)]),)),))
    assert "| x\\|y z |" in rendered(document, ".md")


@pytest.mark.parametrize("votes", [(), ("", ""), ("r", "g"), ("rrr", "rrr"), ("rg", "gr")])
@pytest.mark.parametrize("gold", [True, False])
def test_a_study_with_little_in_it_has_a_report_too(sqlite: Engine, votes: tuple[str, ...], gold: bool) -> None:
    found = report(sqlite, evidence(sqlite, *votes, gold=gold))
    for ending in FORMATS:
        text = rendered(found, ending)
        assert not re.search(r"\b(None|nan)\b", text)
        assert "Reporting checklist of Wei et al. 2025" in text


def test_words_above_a_figure_are_on_lines_that_its_width_holds() -> None:
    words = " ".join(["from the person who agrees least to the one who agrees most;"] * 3)
    above = f'<p class="hint"><span class="whose people">● people</span> · {words}</p>'
    file = figure_file(f'{above}<svg class="figure" width="900" height="40"></svg>') or ""
    lines = [re.sub("<.*?>", "", line) for line in re.findall(r'<text class="legend"[^>]*>(.*?)</text>', file)]
    assert " ".join(lines) == f"● people · {words}"
    assert [len(line) <= 900 / LETTER for line in lines] == [True, True]
    assert 'height="86"' in file


def test_a_report_as_markdown_links_its_figures_which_are_files_beside_it(tmp_path: Path) -> None:
    legend = '<p class="hint"><span class="whose people">● people</span></p>'
    drawn = f'{legend}<svg class="figure" width="100%" height="40"></svg>'
    document = Document("Report", "one task", (Section("Scores", figure=drawn), Section("Rules")))
    write_report(tmp_path / "my report.md", document)
    text = (tmp_path / "my report.md").read_text("utf8")
    assert "![Scores](my%20report-figures/01.svg)" in text
    (file,) = (tmp_path / "my report-figures").iterdir()
    figure = ElementTree.fromstring(file.read_text("utf8"))
    assert (figure.get("width"), figure.get("height")) == ("900", "66")
    assert "● people" in "".join(figure.itertext())
