"""The glossary names files that are there and say the term themselves: who greps for it lands in the right one."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = re.findall(r"^\| (.+?) \| .+ \| `(.+?)` \|$", (ROOT / "docs" / "glossary.md").read_text("utf8"), re.MULTILINE)
TERMS = (
    "adjudication",
    "alternative-annotator test",
    "attention check",
    "advantage",
    "batch",
    "bootstrap",
    "Bradley-Terry",
    "ceiling",
    "cluster",
    "Cohen's kappa",
    "confidence",
    "confusion matrices",
    "connected components",
    "consent",
    "contamination",
    "control question",
    "Davidson",
    "Dawid-Skene",
    "doubted gold",
    "dynamic overlap",
    "effective number",
    "Elo",
    "epsilon",
    "equivalence margin",
    "expectation-maximisation",
    "few-shot",
    "Fleiss' kappa",
    "gold",
    "ground truth",
    "Gwet's AC1",
    "Holm",
    "honeypot",
    "inter-annotator agreement",
    "interval scale",
    "judge",
    "Krippendorff's alpha",
    "label errors",
    "leakage",
    "lease",
    "leave-one-out",
    "majority vote",
    "McNemar",
    "ordinal",
    "overlap",
    "pinned run",
    "plurality",
    "power",
    "prediction-powered inference",
    "public gold",
    "rate limit",
    "sample size",
    "smallest difference",
    "soft labels",
    "Tango",
    "trap item",
    "Wei et al.",
    "Wilson",
    "winning rate",
    "skill of a worker",
)
"""What a researcher greps for."""


@pytest.mark.parametrize(("terms", "file"), ROWS, ids=[terms for terms, _ in ROWS])
def test_a_file_of_the_glossary_says_its_terms(terms: str, file: str) -> None:
    text = (ROOT / file).read_text("utf8")
    said = plain(ast.get_docstring(ast.parse(text)) or "")
    for term in terms.split(", "):
        assert plain(term) in said or plain(term) in plain(text), term
    assert any(plain(term) in said for term in terms.split(", ")), f"the first words of {file} do not say {terms}"


def test_terms_are_in_order_and_stand_once() -> None:
    terms = [terms.lower() for terms, _ in ROWS]
    assert terms == sorted(set(terms))
    assert len(terms) > 90


@pytest.mark.parametrize("term", TERMS)
def test_a_term_that_researchers_look_for_is_in_the_glossary(term: str) -> None:
    assert any(plain(term) in plain(terms) for terms, _ in ROWS)


def plain(words: str) -> str:
    """Words as a reader looks for them, whatever their case, plural and dashes."""
    return re.sub(r"[\s-]+", " ", words.lower())
