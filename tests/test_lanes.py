"""The lanes of the tests: a fast one starts no process, and the check that says so works."""

import subprocess
import sys

import pytest


def test_a_fast_test_that_starts_a_process_fails_and_is_told_what_to_do() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"starts true: mark it slow"):
        subprocess.run(["true"], check=True)


@pytest.mark.slow
def test_a_slow_test_may_start_one() -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)
