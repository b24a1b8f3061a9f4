"""The lanes of the tests: no fast test starts a process, and the docs name the options."""

import re
import subprocess
import sys
from pathlib import Path

import pytest


def test_a_fast_test_that_starts_a_process_fails_with_advice() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"starts true: mark it slow"):
        subprocess.run(["true"], check=True)


@pytest.mark.slow
def test_a_slow_test_may_start_a_process() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)


def test_docs_and_scripts_name_only_existing_options_of_the_test_command(
    checkout: Path,
) -> None:
    command = (checkout / "scripts/test").read_text("utf-8")
    options = set(re.findall(r"^  (--\w+) ", command, re.MULTILINE))
    assert options == {"--slow", "--lab", "--all", "--tests"}
    pages = [*checkout.glob("*.md"), *checkout.glob("docs/*.md"), *checkout.glob("scripts/**/*.py")]
    for page in (*pages, checkout / ".ci/run"):
        named = set(re.findall(r"scripts/test (--\w+)", page.read_text("utf-8")))
        assert named <= options, page
