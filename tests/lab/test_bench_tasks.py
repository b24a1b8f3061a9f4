"""scripts/lab/bench_tasks: a new user can do the ten tasks, in few taps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.lab import bench_tasks
from scripts.lab.bench_tasks import Done, Room, UnfinishedError

MOST_TAPS = {
    "start": 6,  # four names, the button, and who is mano
    "join": 4,  # the table's menu, the field of the PIN, its button, the call
    "answer": 1,
    "mend": 1,
    "pares": 0,
    "stones": 4,
    "deje": 3,  # the menu, the page of words, the field
    "afar": 0,
    "touch": 40,  # 20 calls, 16 cards, 4 times "Poner cartas"
    "rematch": 1,
}
LONGEST = 300
"""Seconds."""


@pytest.mark.browser
def test_a_new_user_can_do_all_ten_tasks_in_few_taps(checkout: Path) -> None:
    done = subprocess.run(
        [sys.executable, checkout / "scripts" / "lab" / "bench_tasks.py", "--json"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    rows = {row["task"]: row for row in json.loads(done.stdout)["now"]}
    assert {task: row["fault"] for task, row in rows.items() if row["fault"]} == {}
    assert done.returncode == 0
    assert rows.keys() == MOST_TAPS.keys()
    assert {task: row["taps"] for task, row in rows.items() if row["taps"] > MOST_TAPS[task]} == {}


@pytest.mark.browser
def test_a_task_that_cannot_be_done_is_told_by_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def small(_room: Room, _done: Done) -> None:
        raise UnfinishedError("the figures are too small")

    monkeypatch.setitem(bench_tasks.TASKS, "afar", (small, "read the score", "television"))
    assert bench_tasks.main(["--only", "afar"]) == 1
    assert "not done: the figures are too small" in capsys.readouterr().out


def test_a_person_is_added_by_the_keystroke_level_model() -> None:
    done = Done("x", "telephone", taps=3, decisions=2, letters=4, words=25, seconds=1.0)
    # 3 times 1.1 s, 2 times 1.35 s, 4 times 0.28 s, and a tenth of a minute of reading
    assert done.modelled == pytest.approx(1.0 + 3.3 + 2.7 + 1.12 + 6.0)
