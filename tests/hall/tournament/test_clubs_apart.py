"""Clubs apart: pairs of one club do not meet at the beginning if this can be avoided."""

import time
from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import (
    Drawn,
    Format,
    Match,
    Opened,
    Options,
    PairEnrolled,
    Tournament,
    TournamentError,
    apply,
    draw,
    fold,
    order_of,
    pair_round,
    players,
)
from tests.hall.tournament.playing import best_matching
from tests.tables import each_row

FORMATS = {
    Format.KNOCKOUT: Options(clubs_apart=True),
    Format.DOUBLE: Options(clubs_apart=True),
    Format.SWISS: Options(rounds=1, clubs_apart=True),
}
clubs = st.lists(st.sampled_from(["", "Alta", "Baja", "Río"]), min_size=2, max_size=24)


def of_clubs(names: Sequence[str], form: Format, options: Options, seeds: int = 0) -> Tournament:
    """A tournament before its draw; pair 1 belongs to the first club, and so on."""
    acts = [
        PairEnrolled(n, f"P{n}", ("A", "B"), club, n if n <= seeds else None)
        for n, club in enumerate(names, 1)
    ]
    return fold([Opened("Torneo", form, options), *acts])


def drawn(tournament: Tournament, seed: int) -> Tournament:
    return apply(tournament, Drawn(seed, order_of(tournament, seed)))


def first_matches(tournament: Tournament) -> list[tuple[int, int]]:
    """The pairs of each first-round or group match."""
    if tournament.format is Format.GROUPS:
        return [two for group in tournament.groups for two in combinations(group, 2)]
    if tournament.format is Format.SWISS:
        tournament = apply(tournament, pair_round(tournament, best_matching))
    met = [players(tournament, m.id) for m in tournament.matches.values() if begins(m)]
    return [(a, b) for a, b in met if isinstance(a, int) and isinstance(b, int)]


def begins(match: Match) -> bool:
    return match.round == 1 and match.stage in {"knockout", "winners", "swiss"}


def clashes(tournament: Tournament) -> int:
    """How many first matches are between pairs of one club."""
    club = {number: pair.club for number, pair in tournament.pairs.items()}
    return sum(club[a] == club[b] != "" for a, b in first_matches(tournament))


@each_row("form", FORMATS)
@given(names=clubs, seed=st.integers(0, 999))
def test_no_pair_meets_its_own_club_first_where_no_club_has_more_than_half(
    form: Format, names: list[str], seed: int
) -> None:
    tournament = drawn(of_clubs(names[:12], form, FORMATS[form]), seed)
    most = max(names[:12].count(club) for club in ("Alta", "Baja", "Río"))
    if most <= len(names[:12]) // 2:
        assert clashes(tournament) == 0


@given(st.lists(st.sampled_from("ABC"), min_size=4, max_size=7), st.integers(0, 99))
def test_no_other_order_has_fewer_first_matches_within_a_club(names: list[str], seed: int) -> None:
    tournament = of_clubs(names, Format.KNOCKOUT, Options(clubs_apart=True))
    free = of_clubs(names, Format.KNOCKOUT, Options())
    least = min(_clashes_of(names, order) for order in permutations(order_of(free, seed)))
    assert clashes(drawn(tournament, seed)) == least


def _clashes_of(names: Sequence[str], order: Sequence[int]) -> int:
    size = 1 << (len(order) - 1).bit_length()
    met = [(at, size - 1 - at) for at in range(size // 2) if size - 1 - at < len(order)]
    return sum(names[order[a] - 1] == names[order[b] - 1] for a, b in met)


@given(clubs, st.integers(2, 6), st.integers(0, 999))
def test_groups_share_a_club_as_evenly_as_exchanges_allow(
    names: list[str], groups: int, seed: int
) -> None:
    names = [*names, *[""] * (2 * groups)][: max(len(names), 2 * groups)]
    options = Options(groups=groups, advance=1, clubs_apart=True)
    apart = drawn(of_clubs(names, Format.GROUPS, options), seed)
    plain = Options(groups=groups, advance=1)
    assert clashes(apart) <= clashes(drawn(of_clubs(names, Format.GROUPS, plain), seed))
    if max(names.count(club) for club in ("Alta", "Baja", "Río")) <= groups == len(names) // 2:
        assert clashes(apart) == 0


def test_the_later_pair_is_exchanged_with_the_next_one_that_fits() -> None:
    names = ["Alta", "", "", "", "", "", "", ""]
    free = of_clubs(names, Format.KNOCKOUT, Options())
    order = draw(free.pairs.values(), 3)
    # The first line meets the last: put both into one club.
    names = ["alta " if n in {order[0], order[7]} else "" for n in range(1, 9)]
    names[order[0] - 1] = "Álta"
    apart = of_clubs(names, Format.KNOCKOUT, Options(clubs_apart=True))
    # After the last comes the first, which would not help; then the second.
    assert order_of(apart, 3) == (order[0], order[7], *order[2:7], order[1])


def test_a_seeded_pair_keeps_its_place() -> None:
    names = ["Alta", "Baja", "Alta", "Alta", "Baja", "", "", "Alta"]
    for seed in range(40):
        tournament = drawn(
            of_clubs(names, Format.KNOCKOUT, Options(clubs_apart=True), seeds=2), seed
        )
        assert tournament.order[:2] == (1, 2)
        assert clashes(tournament) == 0


def test_pairs_without_a_club_leave_the_draw_unchanged() -> None:
    for form, options in FORMATS.items():
        tournament = of_clubs([""] * 9, form, options)
        assert order_of(tournament, 5) == draw(tournament.pairs.values(), 5)


def test_the_plain_order_of_the_seed_is_refused_where_clubs_are_apart() -> None:
    tournament = of_clubs(["Alta", "Alta", "", ""], Format.KNOCKOUT, Options(clubs_apart=True))
    orders = {seed: draw(tournament.pairs.values(), seed) for seed in range(20)}
    seed = next(s for s, order in orders.items() if order != order_of(tournament, s))
    with pytest.raises(TournamentError, match="not the order that the seed"):
        apply(tournament, Drawn(seed, orders[seed]))


def test_the_largest_tournament_of_one_club_is_drawn_in_bounded_time() -> None:
    begun = time.process_time()
    order_of(of_clubs(["Alta"] * 2_600, Format.SWISS, FORMATS[Format.SWISS]), 1)
    assert time.process_time() - begun < 20.0
