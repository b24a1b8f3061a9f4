"""Groups, then a knock-out in which pairs of one group meet as late as possible."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import (
    BYE,
    Format,
    TournamentError,
    players,
    podium,
    ready,
    standings,
)
from assistant.hall.tournament.draw import qualified, snake
from assistant.hall.tournament.trees import meets, places, size_for
from tests.hall.tournament.playing import both, drawn, entered, played, stronger
from tests.tables import each_row


def test_pairs_are_distributed_over_the_groups_to_and_fro() -> None:
    assert snake(range(1, 12), 3) == ((1, 6, 7), (2, 5, 8, 11), (3, 4, 9, 10))


@given(st.integers(2, 60), st.integers(1, 12))
def test_all_qualified_pairs_have_a_line_and_never_meet_their_group_in_the_first_round(
    groups: int, advance: int
) -> None:
    entries = qualified(groups, advance)
    at = places(size_for(len(entries)))
    assert len(set(entries)) == groups * advance
    by_place = {at[line]: entry for line, entry in enumerate(entries, 1)}
    for place, entry in by_place.items():
        other = by_place.get(place ^ 1)
        assert other is None or other.group != entry.group
    # The winners get their lines first, then the second-placed pairs.
    assert [entry.place for entry in entries] == sorted(entry.place for entry in entries)


@given(st.integers(2, 60))
def test_two_qualified_pairs_of_a_group_are_in_different_halves(groups: int) -> None:
    entries = qualified(groups, 2)
    size = size_for(len(entries))
    at = places(size)
    of_group: dict[int, list[int]] = {}
    for line, entry in enumerate(entries, 1):
        of_group.setdefault(entry.group, []).append(at[line])
    assert all(meets(a, b) == size.bit_length() - 1 for a, b in of_group.values())


@given(st.integers(2, 6), st.integers(1, 4), st.integers(0, 9), st.integers(0, 2**32))
def test_played_to_the_end_the_first_round_has_no_two_pairs_of_one_group(
    groups: int, advance: int, more: int, chance: int
) -> None:
    def winner(a: int, b: int) -> int:
        return a if hash((a, b, chance)) % 2 else b

    count = groups * max(advance, 2) + more
    tournament = played(drawn(count, Format.GROUPS, groups=groups, advance=advance), winner)
    group_of = {pair: at for at, group in enumerate(tournament.groups) for pair in group}
    sizes = [len(group) for group in tournament.groups]
    assert max(sizes) - min(sizes) <= 1
    for match in tournament.matches.values():
        if match.stage == "knockout" and match.round == 1:
            a, b = players(tournament, match.id)
            assert a is BYE or b is BYE or group_of[a or 0] != group_of[b or 0]
    ended = podium(tournament)
    assert ended is not None
    of_groups = Counter(match.group for match in tournament.matches.values() if match.group)
    assert of_groups == {at: size * (size - 1) // 2 for at, size in enumerate(sizes, 1)}


def test_the_knock_out_waits_for_the_whole_group_and_takes_its_best() -> None:
    tournament = drawn(6, Format.GROUPS, groups=2, advance=1)
    assert tournament.groups == ((1, 4, 5), (2, 3, 6))
    for match in ready(tournament)[:-1]:
        tournament = entered(tournament, match.id, stronger(*both(tournament, match.id)))
    # One group has finished; the other has one open match.
    assert {type(player) for player in players(tournament, "K1.1")} == {int, type(None)}
    (last,) = ready(tournament)
    tournament = entered(tournament, last.id, stronger(*both(tournament, last.id)))
    assert both(tournament, "K1.1") == (1, 2)
    assert [row.pair for row in standings(tournament, 2)] == [2, 3, 6]


@each_row("group", [0, 3])
def test_a_group_that_does_not_exist_has_no_standings(group: int) -> None:
    with pytest.raises(TournamentError, match="There are groups 1 to 2"):
        standings(drawn(6, Format.GROUPS, groups=2, advance=1), group)
