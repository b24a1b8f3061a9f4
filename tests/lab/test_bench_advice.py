"""The bench of the advice: its reference shares no code with the judge, and the two agree."""

from __future__ import annotations

import json

import numpy as np
import pytest

from assistant.rules import calls as c
from assistant.school.judge.judging import Judge, shipped_judge
from scripts.lab.bench_advice import main
from scripts.lab.playing.matches import cautious, novice
from scripts.lab.playing.positions import ANSWER, KINDS, OPENING, Position, positions
from scripts.lab.selfplay.reference import Reference

pytestmark = pytest.mark.slow


def some() -> list[Position]:
    """Some openings and answers of one juego."""
    players = [cautious(1), novice(2), cautious(3), novice(4)]
    return [one for one in positions(players, 3) if one.kind in (OPENING, ANSWER)][2::9][:8]


def test_the_judge_and_the_reference_value_each_call_alike_where_all_play_as_maestro() -> None:
    lore = shipped_judge().tables.lore
    judge, reference = Judge(lore, ()), Reference(lore)
    off = []
    for position in some():
        found = judge.judge(position.sight, worlds=4000)
        calls = [one.call for one in found.calls]
        worth = reference.values(position.past, position.sight.state, calls, 8000, 1).mean(axis=1)
        off += [abs(one.chance - other) for one, other in zip(found.calls, worth, strict=True)]
    assert len(off) > 20
    assert np.mean(off) < 0.02
    assert max(off) < 0.08


def test_the_reference_contradicts_a_call_that_throws_the_juego_away() -> None:
    reference, told = Reference(shipped_judge().tables.lore), 0
    for position in some():
        state = position.sight.state
        if state.pending is None:
            calls: list[c.Call] = [c.Ordago(seat=position.sight.seat)]
            calls.append(c.Pass(seat=position.sight.seat))
            worth = reference.values(position.past, state, calls, 4000, 1).mean(axis=1)
            hands = shipped_judge().judge(position.sight)
            assert hands.wins is not None
            if hands.wins < 0.3 and state.lance is not None:
                assert worth[0] < worth[1] + 0.05
                told += 1
    assert told


def test_the_bench_tells_what_the_advice_the_old_rule_and_the_players_lost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status = main(["--positions", "8", "--rollouts", "500", "--worlds", "200", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert status in (0, 1)
    assert status == int(told["advice"]["all"]["lost"] > told["reach"] == 0.3)
    for name in ("advice", "rule of thumb"):
        assert {kind for kind in told[name] if kind != "all"} == set(KINDS)
        assert told[name]["all"]["positions"] == 8
        assert all(row["lost"] >= 0 for row in told[name].values())
