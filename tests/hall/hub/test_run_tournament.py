"""A tournament of 64 pairs in each format, from its CSV list to the podium, without help."""

from __future__ import annotations

import json

import pytest

from assistant.hall.format_files import find_format as shipped
from assistant.hall.format_files import format_paths
from scripts.lab.run_tournament import SEED, main, run

PAIRS = 64
MATCHES = {
    "ascensos": 2 * 8 * 28,  # eight divisions of eight, twice
    "bares": 64 - 8 + 16,  # eight trees, then one of sixteen and its third place
    "doble": 2 * 63,  # and one more if the first final does not decide
    "eliminatoria": 64,  # 63 and the third place
    "ganadores-y-perdedores": 64 + 31,
    "grupos": 16 * 6 + 32 + 31,
    "mejores-terceros": 16 * 6 + 32 + 31,  # 32 fill the bracket without a third
    "individual-parejas": 6 * 32,
    "liga": 4 * 120,
    "sorteo-cada-ronda": 63,
    "suizo": 5 * 32,
    "todos-contra-todos": 63 * 32,
    "tres-ceros": 3 * 63,  # and the champion's defeats
    "vacas": 64,
}
"""The textbook numbers of matches of 64 pairs."""
MORE = {"doble": 1, "tres-ceros": 2}


def test_every_shipped_format_has_its_number_of_matches() -> None:
    assert MATCHES.keys() == format_paths().keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_64_pairs_come_from_the_list_to_the_podium(name: str) -> None:
    told = run(shipped(name), PAIRS)
    assert 0 <= told.matches - MATCHES[name] <= MORE.get(name, 0)
    first, second, third = told.podium
    assert len(first) == len(second) == 1
    assert third
    assert len({*first, *second, *third}) == 2 + len(third)
    assert len(told.consolations) == (
        name in {"ganadores-y-perdedores", "grupos", "mejores-terceros"}
    )


def test_50_pairs_in_unequal_groups_run_to_the_podium_with_the_best_thirds() -> None:
    """Twelve groups, two of them of five: 24 go up, and eight of twelve thirds fill the bracket."""
    told = run(shipped("mejores-terceros"), 50)
    assert told.matches == 10 * 6 + 2 * 10 + 32 + 15
    assert told.rests == 0
    assert [len(step) for step in told.podium] == [1, 1, 1]


def test_the_same_seed_gives_the_same_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    def told() -> dict[str, object]:
        assert main(["--pairs", "9", "--format", "tres-ceros", "--json"]) == 0
        return {**json.loads(capsys.readouterr().out), "seconds": 0}

    assert told() == told()
    assert run(shipped("tres-ceros"), 9, SEED + 1).podium != run(shipped("tres-ceros"), 9).podium


def test_so_many_pairs_that_a_format_cannot_hold_are_told_in_its_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--pairs", "65", "--format", "todos-contra-todos"]) == 0
    assert "64 pairs play a round robin at the most" in capsys.readouterr().out
