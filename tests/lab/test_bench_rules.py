"""The bench of the rules: its deals are reproducible and natural."""

import json

import pytest

from assistant.rules import events as e
from assistant.rules.history import fold
from assistant.rules.phases import Phase
from assistant.table.journal import MemoryJournal
from scripts.lab import bench_rules

DEALS = 40


@pytest.fixture(scope="module")
def played() -> list[bench_rules.Calls]:
    return bench_rules.matches(DEALS)


def test_the_deals_are_the_same_in_every_run(played: list[bench_rules.Calls]) -> None:
    assert bench_rules.matches(DEALS) == played


def test_all_deals_are_played_to_the_count_and_nobody_lies(
    played: list[bench_rules.Calls],
) -> None:
    kinds: list[type[e.Event]] = []
    for said in played:
        journal = MemoryJournal()
        bench_rules.play_into(journal, said)
        records = journal.read()
        state = fold(records)
        assert state
        assert state.phase in (Phase.COUNT, Phase.OVER)
        kinds += [type(record.event) for record in records]
    assert kinds.count(e.DealStarted) == DEALS
    assert e.DeclarationDisproved not in kinds
    # Every kind of call of a real table occurs more than once.
    for kind in (e.BetRaised, e.BetAccepted, e.BetRefused, e.DiscardBegan, e.SeatInferred):
        assert kinds.count(kind) > 1, kind


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_rules.main(["--deals", "2", "--repeats", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["deals"] == 2
    assert figures["events"] > figures["calls"] > 30
    assert all(figure > 0 for figure in figures.values())


@pytest.mark.parametrize("wrong", [["--deals", "0"], ["--folder", "/dev/null"]])
def test_a_wrong_option_exits_with_code_2(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        bench_rules.main(wrong)
    assert caught.value.code == 2
