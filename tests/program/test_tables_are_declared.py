"""A table is rows and columns declared in Python; what draws one is a renderer, and there is one for every form."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.drawing.environment import TEMPLATES, environment
from data.tables import Column, Table, markdown_table, name_value_table, text_table

ROOT = Path(__file__).parents[2]
MARKUP = re.compile(r"</?(table|thead|tbody|caption|tr|td|th)\b")
BY_HAND = re.compile(
    r"""</?(table|thead|tbody|tr|td|th)\b | ["']\s\|\s["'] | ["']\s&\s["'] | \|\s?:?--- | \\begin\{(tabular|longtable)
    | \.(ljust|rjust|to_string|to_html|to_markdown|to_latex)\( | csv\.(writer|DictWriter)""",
    re.VERBOSE,
)
RENDERERS = {
    "data/drawing/html_tables.py": "on pages and in the HTML of reports",
    "data/tables.py": "in a terminal, and Markdown",
    "data/table_files.py": "CSV, JSONL and Parquet",
    "baseline/output/latex.py": "LaTeX for a paper",
    "baseline/output/templates/report.tex.jinja": "LaTeX in a report, broken to the width of its page",
}
OTHERWISE = {
    "data/drawing/templates/field_table.html": "a table that is a text of an item: what the task asks about",
    "data/field_text.py": "the same as plain text, for prompts",
    "baseline/comparison/score_breakdowns.py": "numbers are filled up to be sorted, not shown",
    "annotate/imports/log_import.py": "texts of an item in a sentence",
    "annotate/imports/log_reading.py": "several columns that name one cluster",
    "annotate/pages/manage/own_table_form.py": "how a line of a field is to be written",
}
"""What looks like a table drawn by hand and is none."""


def drawings(root: Path) -> Iterator[str]:
    """Yield every line of the program that draws a part of a table outside the renderers."""
    for folder in ("annotate", "baseline", "data", "db", "eval"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in (".py", ".html", ".jinja", ".js") and name not in RENDERERS | OTHERWISE:
                by_hand = BY_HAND if path.suffix == ".py" else re.compile(f"{MARKUP.pattern}|{BY_HAND.pattern}", re.X)
                for number, line in enumerate(path.read_text("utf8").splitlines(), 1):
                    if by_hand.search(line):
                        yield f"{name}:{number}: {line.strip()[:80]}"


def test_only_renderers_draw_tables() -> None:
    found = list(drawings(ROOT))
    assert not found, "declare a Table and let a renderer draw it:\n" + "\n".join(found)


@pytest.mark.parametrize("name", [*RENDERERS, *OTHERWISE])
def test_what_may_look_like_a_table_is_still_there_and_does(name: str) -> None:
    assert BY_HAND.search((ROOT / name).read_text("utf8"))


def test_a_table_drawn_by_hand_is_found(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name, line in {
        "bad.py": 'print(" | ".join(row))',
        "bad.html": "<td>{{ one }}</td>",
        "good.py": "x = 1",
    }.items():
        (tmp_path / "data" / name).write_text(line)
    assert [found.split(":")[0] for found in drawings(tmp_path)] == ["data/bad.html", "data/bad.py"]


COLUMNS: tuple[Column[int], ...] = (
    Column("n", "number", "How many", lambda n: n, style="wide-only"),
    Column("half", "half of it", "", lambda n: n / 2, "{:.1f} <b>".format),
)


def drawn(table: Table[int], how: str = "{{ draw(table) }}") -> str:
    template = environment(TEMPLATES).from_string("" + how)
    return re.sub(r"\n", "", template.render(table=table))


def test_a_page_escapes_cells_names_rows_and_says_what_columns_mean() -> None:
    html = drawn(Table("Halves", COLUMNS, (3,)))
    assert html == (
        '<table><caption class="unseen">Halves</caption>'
        '<thead><tr><th scope="col" class="wide-only" title="How many">number</th>'
        '<th scope="col">half of it</th></tr></thead>'
        '<tbody><tr><th scope="row" class="wide-only">3</th><td>1.5 &lt;b&gt;</td></tr></tbody></table>'
    )


def test_a_cell_may_be_more_than_words_and_a_row_may_have_no_name() -> None:
    more = '{% macro half(row, column) %}{% call td(column, "good", data_value=row) %}<i>{{ column.words(row) }}</i>'
    more += '{% endcall %}{% endmacro %}{{ draw(table.plain, cells={"half": half}, named=false) }}'
    html = drawn(Table("", COLUMNS, (3,)), more)
    assert "<td>3</td>" in html
    assert '<td class="good" data-value="3"><i>1.5 &lt;b&gt;</i></td>' in html
    assert "wide-only" not in html


def test_columns_without_titles_have_no_heads() -> None:
    html = drawn(name_value_table([("Gold", "yes")]))  # type: ignore[arg-type]
    assert html == '<table><tbody><tr><th scope="row">Gold</th><td>yes</td></tr></tbody></table>'


def test_text_aligns_numbers_to_the_right_and_markdown_keeps_bars_in_their_cell() -> None:
    table = Table("", (Column[int]("n", "n", "", int), Column[int]("bar", "a|b", "", lambda n: "|" * n)), (5, 12))
    assert text_table(table).splitlines() == [" n  a|b", " 5  |||||", "12  ||||||||||||"]
    assert markdown_table(table).splitlines()[:3] == [
        "| n | a\\|b |",
        "| --- | --- |",
        f"| 5 | {chr(92) + '|'}" + "\\|" * 4 + " |",
    ]
