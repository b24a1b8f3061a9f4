"""Standings, worked out by hand for each tie-break; each row names what decided it."""

import pytest

from assistant.hall.tournament import (
    Format,
    PairWithdrawn,
    TournamentError,
    Walkover,
    apply,
    standings,
)
from assistant.hall.tournament.ranking import Encounter, rank
from tests.hall.tournament.playing import drawn, entered

A, B = 1, 2
NAMES = dict(enumerate("ABCDEF", 1))


OF = {name: pair for pair, name in NAMES.items()}


def won(text: str) -> list[Encounter]:
    """Matches as "A>B 3:1 120:90, C>A": the winner first, then juegos (3:0) and stones (0:0)."""
    found = []
    for part in text.split(","):
        words = part.split()
        who, juegos, stones = [*words, *["", "3:0", "0:0"][len(words) :]]
        winner, loser = OF[who[0]], OF[who[2]]
        found.append(Encounter((winner, loser), winner, two(juegos), two(stones)))
    return found


def two(score: str) -> tuple[int, int]:
    one, other = score.split(":")
    return int(one), int(other)


def standings_as_text(order: str, matches: str, *tiebreaks: str) -> str:
    """The standings as "A won, C direct, B direct"."""
    rows = rank([OF[name] for name in order], won(matches), tiebreaks)
    assert [row.place for row in rows] == list(range(1, len(order) + 1))
    return ", ".join(f"{NAMES[row.pair]} {row.by}" for row in rows)


def test_matches_won_come_before_every_tie_break() -> None:
    matches = "A>B 3:2 0:99, A>C 3:2 0:99, B>C 3:0 99:0"
    assert standings_as_text("CBA", matches, "stones", "juegos") == "A won, B won, C won"


def test_the_juegos_tie_break_is_juegos_won_minus_juegos_lost() -> None:
    # A has 3:0 and 2:3, which is +2; B has 3:2 and 1:3, which is -1; C has 3:1 and 0:3, which is
    # -1.
    matches = "A>C 3:0, B>A 3:2, C>B 3:1"
    assert standings_as_text("CBA", matches, "juegos") == "A juegos, C draw, B draw"


def test_stones_decide_between_pairs_level_on_juegos() -> None:
    matches = "A>C 3:0 120:20, B>A 3:2 150:140, C>B 3:1 140:100"
    # B and C have -1 juegos each. Stones: B +10-40 = -30, C -100+40 = -60.
    assert standings_as_text("CBA", matches, "juegos", "stones") == "A juegos, B stones, C stones"


def test_tie_breaks_apply_in_the_order_of_the_options() -> None:
    matches = "A>C 3:0 100:90, B>A 3:2 200:100, C>B 3:1 110:100"
    # Juegos: A +2, B -1, C -1. Stones: A -90, B +90, C 0.
    assert standings_as_text("ABC", matches, "juegos", "stones") == "A juegos, B stones, C stones"
    assert standings_as_text("ABC", matches, "stones", "juegos") == "B stones, C stones, A stones"


def test_direct_puts_the_winner_of_two_level_pairs_first() -> None:
    matches = "B>A, A>C, A>D, B>C, D>B, C>D"
    # A and B have won two, C and D one. B beat A, and C beat D.
    assert standings_as_text("ABCD", matches, "direct") == "B direct, A direct, C direct, D direct"


def test_three_pairs_that_beat_each_other_in_a_circle_stay_level_for_the_next_tie_break() -> None:
    matches = "A>B 3:0, B>C 3:2, C>A 3:1"
    # Juegos: A +3-2 = +1, B -3+1 = -2, C -1+2 = +1.
    assert standings_as_text("BCA", matches, "direct") == "B draw, C draw, A draw"
    # Each tie-break applies once: that C beat A does not count again after juegos.
    assert standings_as_text("BAC", matches, "direct", "juegos") == "A draw, C draw, B juegos"


def test_direct_counts_only_matches_among_the_level_pairs() -> None:
    matches = "A>B, A>C, B>C, B>D, C>D, C>E, D>A, E>A, D>E, B>E, E>F, D>F, C>F, F>B"
    # B, C and D have won three, A and E two, F one. B beat C and D, and C beat D; that F beat B,
    # and D A, does not count among them. E beat A.
    assert standings_as_text("DCBAEF", matches, "direct") == (
        "B direct, C direct, D direct, E direct, A direct, F won"
    )


def test_direct_is_applied_again_to_pairs_it_leaves_level() -> None:
    matches = "A>C, A>D, B>A, B>C, D>B, C>D, C>E, D>E"
    # A, B, C and D have won two each. Among them A and B won two, C and D one; B beat A, C beat D.
    assert standings_as_text("ABDC" + "E", matches, "direct") == (
        "B direct, A direct, C direct, D direct, E won"
    )


def test_direct_decides_nothing_where_some_level_pairs_never_met() -> None:
    matches = "A>B, B>D, C>D"
    # A, B and C have won one each. C met neither of the others.
    assert standings_as_text("CBAD", matches, "direct") == "C draw, B draw, A draw, D won"


def test_buchholz_is_the_number_of_matches_won_by_the_opponents() -> None:
    matches = "A>C, B>D, A>B, C>D, E>F, E>D"
    # C and B have won one. C met A (2) and D (0), B met D (0) and A (2). A met C and B, E met F and
    # D.
    assert standings_as_text("BCEADF", matches, "buchholz") == (
        "A buchholz, E buchholz, B draw, C draw, D buchholz, F buchholz"
    )


def test_the_draw_decides_last() -> None:
    assert standings_as_text("CAB", "A>B, B>C, C>A", "juegos", "stones", "direct") == (
        "C draw, A draw, B draw"
    )


def test_a_row_has_the_totals_of_its_pair() -> None:
    (first, second) = rank([A, B], won("B>A 3:1 110:80"), ("juegos",))
    assert (first.pair, first.played, first.won, first.lost) == (B, 1, 1, 0)
    assert (first.juegos, first.stones, first.buchholz) == ((3, 1), (110, 80), 0)
    assert (second.juegos, second.stones, second.buchholz) == ((1, 3), (80, 110), 1)


def test_a_walkover_counts_as_all_juegos_and_no_stones() -> None:
    tournament = entered(drawn(3, Format.ROBIN), "R1.1", 2, lost=1, stones=(90, 90))
    tournament = apply(tournament, Walkover("R2.1", 1, "Juez", "No vinieron"))
    rows = {row.pair: row for row in standings(tournament)}
    assert (rows[1].juegos, rows[1].stones) == ((4, 3), (90, 90))


def test_a_withdrawn_pair_loses_its_open_matches_and_keeps_the_played_ones() -> None:
    tournament = entered(drawn(4, Format.ROBIN), "R1.1", 1, lost=2)
    tournament = apply(tournament, PairWithdrawn(1, "Enfermo", "Juez"))
    rows = {row.pair: row for row in standings(tournament)}
    assert (rows[1].won, rows[1].lost, rows[1].juegos) == (1, 2, (3, 8))
    assert sum(row.won for row in rows.values()) == 3
    both_gone = apply(tournament, PairWithdrawn(2, "Enfermo", "Juez"))
    rows = {row.pair: row for row in standings(both_gone)}
    # The match between the two withdrawn pairs has no winner.
    assert {pair: (row.won, row.lost) for pair, row in rows.items()} == {
        1: (1, 2),
        2: (0, 3),
        3: (2, 0),
        4: (1, 1),
    }


def test_a_bracket_and_a_tournament_without_a_draw_have_no_standings() -> None:
    with pytest.raises(TournamentError, match="look at its matches"):
        standings(drawn(4, Format.KNOCKOUT))
