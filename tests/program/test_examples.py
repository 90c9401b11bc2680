"""The examples in docstrings run and show what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.program.test_layers import ROOT, files

SHOWING = [path for _, path in files() if ">>> " in (ROOT / path).read_text("utf8")]


@pytest.mark.parametrize("path", SHOWING, ids=str)
def test_the_examples_of_a_file_show_what_comes_out(path: Path) -> None:
    ran = doctest.testmod(import_module(".".join(path.with_suffix("").parts)))
    assert ran.attempted
    assert not ran.failed
