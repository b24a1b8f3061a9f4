"""The figures of a report: counted by hand for one deal, and consistent for whole evenings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.language.lexicon import Lexicon
from assistant.review.chronicle import chronicle
from assistant.review.report import EveningReport, PlayerTold, report, report_json
from assistant.rules.errors import HistoryError
from assistant.rules.phases import Lance
from tests.review.chronicle.test_chronicle import GAMES, game, lexicon, played
from tests.review.report.evenings import juego
from tests.tables import each_row

__all__ = ["lexicon"]

SEEDS = (1, 2, 3)


def player(found: EveningReport, name: str) -> PlayerTold:
    return next(one for one in found.players if one.name == name)


def test_the_report_of_a_plain_deal_equals_a_count_by_hand(lexicon: Lexicon) -> None:
    """Norte accepts five at grande. His bet at pares is refused, and Sur's at punto accepted."""
    found = report([game("a_plain_deal", lexicon)])
    norte, oeste, sur, este = (player(found, name) for name in ("Norte", "Oeste", "Sur", "Este"))
    assert (found.deals, found.juegos, found.hidden) == (1, 0, 0)
    assert (norte.count.called("mus"), oeste.count.called("cut")) == (1, 1)
    assert (norte.count.mano, oeste.count.mano) == (1, 0)
    assert norte.count.calls["grande", "pass"] == 1
    assert norte.count.calls["grande", "accept"] == 1
    assert [one.count.calls["chica", "pass"] for one in (norte, oeste, sur, este)] == [1, 1, 1, 1]
    assert (norte.count.dejes_won, norte.count.deje_stones_won) == (1, 1)
    assert (oeste.count.dejes_given, oeste.count.deje_stones_given) == (1, 1)
    assert dict(norte.count.answers) == {"won": 1, "won stones": 5}
    assert dict(oeste.count.bets) == {"lost": 1, "lost stones": 5}
    assert dict(sur.count.bets) == {"won": 1, "won stones": 2}
    assert dict(este.count.answers) == {"lost": 1, "lost stones": 2}
    assert dict(norte.count.by_hand) == {"grande": 5, "punto": 3}
    assert dict(oeste.count.by_hand) == {"chica": 1}
    ours, theirs = found.pairs
    assert (ours.names, ours.total, theirs.total) == (("Norte", "Sur"), 10, 1)
    assert dict(ours.stones) == {"pares": 2, "grande": 5, "punto": 3}
    assert ours.shared == 1  # the pareja that a refused bet left to the pair (R28)


def test_each_answer_is_compared_with_its_odds(lexicon: Lexicon) -> None:
    found = report([game("a_plain_deal", lexicon)])
    (grande,) = player(found, "Norte").decisions
    (pares,) = player(found, "Oeste").decisions
    (punto,) = player(found, "Este").decisions
    assert (grande.lance, grande.stones, grande.deje) == (Lance.GRANDE, 5, 1)
    assert grande.needed == pytest.approx(4 / 10)
    assert (grande.accepted, grande.won, grande.above) == (True, True, True)
    assert grande.gain == pytest.approx(10 * grande.chance - 4)
    assert pares.needed == pytest.approx(1 / 6)  # a pareja on each side at least
    assert (pares.accepted, pares.won) == (False, None)
    assert pares.gain == pytest.approx(1 - 6 * pares.chance)
    assert punto.needed == pytest.approx(1 / 6)  # one stone for punto on each side
    assert (punto.accepted, punto.won) == (True, False)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_stones_of_a_pair_are_those_of_its_players_and_their_cards(seed: int) -> None:
    found = report([juego(seed)])
    told = chronicle(juego(seed))
    for pair, side in zip(found.pairs, told.sides, strict=True):
        assert pair.total == side.stones
        assert pair.juegos == side.juegos
        players = pair.players
        brought = sum(sum(one.count.by_hand.values()) for one in players)
        dejes = sum(one.count.deje_stones_won for one in players)
        assert pair.total == brought + dejes + pair.shared
        assert dejes == pair.by_why.get("deje", 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_stones_that_one_pair_wins_are_given_or_lost_by_the_other(seed: int) -> None:
    found = report([juego(seed)])
    one, other = found.pairs
    for ours, theirs in ((one, other), (other, one)):
        counts = [player.count for player in ours.players]
        others = [player.count for player in theirs.players]
        given = [
            sum(one.dejes_given for one in others),
            sum(one.deje_stones_given for one in others),
        ]
        assert [
            sum(one.dejes_won for one in counts),
            sum(one.deje_stones_won for one in counts),
        ] == given
        for mine, yours in (("won", "lost"), ("lost", "won")):
            bets = sum(one.bets[f"{mine} stones"] for one in counts)
            assert bets == sum(one.answers[f"{yours} stones"] for one in others)
            assert sum(one.ordagos[mine] for one in counts) == sum(
                one.ordagos[f"wanted {yours}"] for one in others
            )


def test_an_evening_is_the_sum_of_its_matches() -> None:
    found = report([juego(seed) for seed in SEEDS])
    alone = [report([juego(seed)]) for seed in SEEDS]
    assert (found.matches, found.juegos) == (3, 3)
    assert found.deals == sum(one.deals for one in alone)
    assert found.hidden == sum(one.hidden for one in alone)
    for together in found.players:
        parts = [player(one, together.name) for one in alone]
        assert together.count.calls == sum(
            (one.count.calls for one in parts[1:]), parts[0].count.calls
        )
        assert len(together.decisions) == sum(len(one.decisions) for one in parts)
        assert together.gain == pytest.approx(sum(one.gain for one in parts))


def test_a_player_who_changes_seats_stays_the_same_player_of_the_same_pair() -> None:
    turned = juego(2, ("Luis", "Eva", "Iñaki", "Ana"))
    found = report([juego(1), turned])
    assert {frozenset(pair.names) for pair in found.pairs} == {
        frozenset(("Ana", "Eva")),
        frozenset(("Luis", "Iñaki")),
    }
    assert sum(pair.juegos for pair in found.pairs) == 2
    assert all(one.count.deals == found.deals for one in found.players)


def test_the_best_and_the_costliest_decision_are_the_extremes_of_all() -> None:
    found = report([juego(seed) for seed in SEEDS])
    gains = sorted(one.gain for player in found.players for one in player.decisions)
    assert [one.gain for one in found.best] == gains[::-1][:3]
    assert [one.gain for one in found.dearest] == gains[:3]
    assert found.dearest[0].gain < 0 < found.best[0].gain


def test_before_the_first_deal_there_is_no_report() -> None:
    with pytest.raises(HistoryError, match="Nothing was dealt"):
        report([juego(1)[:1]])


@each_row("path", GAMES, name=lambda path: path.stem)
def test_every_golden_game_is_reported(path: Path, lexicon: Lexicon) -> None:
    records, state = played(path, lexicon)
    found = report([records])
    told = chronicle(records)
    assert [pair.total for pair in found.pairs] == [side.stones for side in told.sides]
    assert len(found.players) == state.players
    json.dumps(report_json(found))
