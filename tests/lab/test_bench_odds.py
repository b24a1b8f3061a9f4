"""The bench of the odds: random deals agree with the odds, and would show wrong ones."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.odds.rivals import Known, LanceChance
from assistant.odds.stones import chances
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from scripts.lab import bench_odds, tabulate_odds

DEALS = 20_000


def simulate(name: str) -> bench_odds.Simulated:
    chance, known = np.random.default_rng(1), bench_odds.QUESTIONS[name]
    return bench_odds.simulate(name, known, Profile(), DEALS, chance)


@pytest.mark.parametrize("name", bench_odds.QUESTIONS)
def test_random_deals_agree_within_their_standard_error(name: str) -> None:
    told = simulate(name)
    assert abs(told.off) < 4.5  # the seed is fixed, so the outcome is too
    assert told.over_two <= 4
    assert told.deals <= DEALS


def test_wrong_chances_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(known: Known, profile: Profile) -> dict[Lance, LanceChance]:
        told = chances(known, profile)
        told[Lance.CHICA] = replace(told[Lance.CHICA], side=told[Lance.CHICA].side + 0.05)
        return told

    monkeypatch.setattr(bench_odds, "chances", wrong)
    told = simulate("RRC1, mano")
    assert told.worst == "chica side"
    assert abs(told.off) > 8


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_odds.main(["--deals", "0", "--questions", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [deck["kings"] for deck in told["times"]] == [8, 4]
    assert all(figure > 0 for deck in told["times"] for figure in deck.values())


def test_a_wrong_option_exits_with_code_2() -> None:
    with pytest.raises(SystemExit) as caught:
        bench_odds.main(["--questions", "1"])
    assert caught.value.code == 2


def test_a_table_that_cannot_be_written_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tabulate_odds, "table", lambda _: {})
    (tmp_path / "file").write_text("")
    assert tabulate_odds.main(["--out", str(tmp_path / "file" / "odds.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert tabulate_odds.main(["--out", str(tmp_path / "new" / "odds.json")]) == 0
