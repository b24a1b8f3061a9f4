"""The lanes of the tests: a fast one starts no process, and the pages know the command."""

import re
import subprocess
import sys
from pathlib import Path

import pytest


def test_a_fast_test_that_starts_a_process_fails_and_is_told_what_to_do() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"starts true: mark it slow"):
        subprocess.run(["true"], check=True)


@pytest.mark.slow
def test_a_slow_test_may_start_one() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def test_the_pages_and_scripts_name_no_option_that_the_command_does_not_have(
    checkout: Path,
) -> None:
    command = (checkout / "scripts/test").read_text("utf-8")
    options = set(re.findall(r"^  (--\w+) ", command, re.MULTILINE))
    assert options == {"--slow", "--lab", "--all", "--tests"}
    pages = [*checkout.glob("*.md"), *checkout.glob("docs/*.md"), *checkout.glob("scripts/**/*.py")]
    for page in (*pages, checkout / ".ci/run"):
        named = set(re.findall(r"scripts/test (--\w+)", page.read_text("utf-8")))
        assert named <= options, page
