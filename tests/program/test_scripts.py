"""The unit tests of the pages' scripts, run by node's own test runner."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.waiting import LONGEST

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed; install it to test the scripts of the pages")
def test_the_scripts_do_what_their_own_tests_say() -> None:
    assert (ROOT / "node_modules" / "jsdom").is_dir(), "run `make node_modules/.done` or `npm ci` first"
    ran = subprocess.run(
        [str(NODE), "--test", "tests/js/"], cwd=ROOT, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
