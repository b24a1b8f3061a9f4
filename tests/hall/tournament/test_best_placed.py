"""The best of a place across the groups: a fair comparison, lots, pairs apart, with reasons."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assistant.hall.format_files import FormatFileError, find_format, load_format
from assistant.hall.tournament import (
    MatchVoided,
    ResultCorrected,
    Stage,
    StageKind,
    Tournament,
    TournamentError,
    act_from_json,
    act_to_json,
    apply,
    fold,
    order_of,
    players,
    podium,
    ready,
    shown,
    to_void_first,
)
from assistant.hall.tournament.draw import apart, spared, with_best
from assistant.hall.tournament.model import BestOf, EitherOf, PlaceOf, Slot
from assistant.hall.tournament.ranking import Resolver
from assistant.hall.tournament.trees import size_for
from tests.hall.tournament.playing import both
from tests.hall.tournament.test_stages import drawn, opened, played, result, sheet

GROUPS = Stage(StageKind.ROBIN, size=4)
FINAL = Stage(StageKind.KNOCKOUT, source=1, last=2, fill=True)
SECOND = Stage(StageKind.KNOCKOUT, source=1, first=3, last=4)
BOTH_BOARDS = sheet(GROUPS, FINAL, SECOND)


def groups_played(tournament: Tournament, chance: random.Random) -> Tournament:
    """The tournament after the last match of its groups."""
    while waiting := [match for match in ready(tournament) if match.phase == 1]:
        match = chance.choice(waiting).id
        winner = chance.choice(both(tournament, match))
        lost = chance.randrange(tournament.needed(match))
        act = result(tournament, match, winner, lost)
        stones = (chance.randrange(30), chance.randrange(30))
        tournament = apply(tournament, replace(act, stones=stones))
    return tournament


def group_of(tournament: Tournament) -> dict[int, int]:
    return {pair: at for at, group in enumerate(tournament.groups, 1) for pair in group}


def entering(tournament: Tournament, phase: int) -> set[int]:
    found = Resolver(tournament).entered(phase, 1)
    return {player for player in found if isinstance(player, int)}


def compared_by_hand(
    tournament: Tournament, place: int, *, average: bool
) -> list[tuple[tuple[Fraction, ...], int]]:
    """The pairs of a place, the best first, counted anew from nothing but the results."""
    resolver = Resolver(tournament)
    lists = [
        [row.pair for row in resolver.standings(1, group + 1)]
        for group in range(len(tournament.groups))
    ]
    lists = [rows for rows in lists if len(rows) >= place]
    least = min(map(len, lists))
    found = []
    for rows in lists:
        pair, last = rows[place - 1], set() if average else set(rows[least:])
        won = juegos = stones = many = 0
        for match, came in tournament.results.items():
            if tournament.matches[match].phase != 1 or pair not in came.pairs:
                continue
            me = came.pairs.index(pair)
            if came.pairs[1 - me] in last:
                continue
            many += 1
            won += came.winner == pair
            juegos += came.juegos[me] - came.juegos[1 - me]
            stones += came.stones[me] - came.stones[1 - me]
        by = many if average else 1
        worth = Fraction(won, by), Fraction(juegos, by), Fraction(stones, by)
        found.append(((*worth, Fraction(-tournament.order.index(pair))), pair))
    return sorted(found, reverse=True)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(9, 47),
    st.integers(3, 5),
    st.integers(0, 2**32),
    st.sampled_from(["last", "average"]),
)
def test_the_best_go_on_by_what_counts_alike_in_groups_of_any_size(
    count: int, size: int, chance: int, way: str
) -> None:
    assume(count // size > 1)
    one = sheet(replace(GROUPS, size=size), replace(FINAL, compare=way))
    tournament = groups_played(drawn(one, count), random.Random(chance))
    wanted = compared_by_hand(tournament, 3, average=way == "average")
    groups = len(tournament.groups)
    best = min(size_for(2 * groups) - 2 * groups, len(wanted))
    firsts = {
        row.pair
        for group in range(1, groups + 1)
        for row in Resolver(tournament).standings(1, group)
        if row.place < 3
    }
    chosen = {pair for _, pair in wanted[:best]}
    assert entering(tournament, 2) == firsts | chosen
    told = shown(tournament)["best"]
    assert len(told) == (best > 0)
    for comparison in told:
        assert comparison["settled"]
        rows = comparison["rows"]
        assert [row["pair"] for row in rows] == [pair for _, pair in wanted]
        assert {row["pair"] for row in rows if row["goes"]} == chosen
        if way == "last":  # so nobody has played more matches that count than another
            assert len({row["played"] for row in rows}) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(9, 40), st.integers(0, 2**32))
def test_each_is_told_the_first_criterion_that_parts_it_from_the_last_that_goes_on_or_the_next(
    count: int, chance: int
) -> None:
    one = sheet(replace(GROUPS, size=3), replace(FINAL, fill=False, best=1))
    tournament = groups_played(drawn(one, count), random.Random(chance))
    wanted = compared_by_hand(tournament, 3, average=False)
    (comparison,) = shown(tournament)["best"]
    (best, taken), *others = wanted
    for (worth, pair), row in zip(wanted, comparison["rows"], strict=True):
        if not others:
            assert row["why"] is None
            continue
        (rival_worth, rival) = others[0] if pair == taken else (best, taken)
        at = next(n for n in range(4) if worth[n] != rival_worth[n])
        why = row["why"]
        assert why is not None
        assert (why["by"], why["pair"]) == (("won", "juegos", "stones", "draw")[at], rival)
        if at < 3:
            assert (why["own"], why["other"]) == (float(worth[at]), float(rival_worth[at]))
            assert (why["own"] > why["other"]) == row["goes"]


@settings(max_examples=50, deadline=None)
@given(st.integers(8, 50), st.integers(0, 2**32))
def test_no_pair_is_on_both_boards_and_every_third_or_fourth_is_on_one(
    count: int, chance: int
) -> None:
    tournament = played(drawn(BOTH_BOARDS, count), random.Random(chance))
    one, other = entering(tournament, 2), entering(tournament, 3)
    assert not one & other
    resolver = Resolver(tournament)
    for group in range(1, len(tournament.groups) + 1):
        rows = resolver.standings(1, group)
        assert {row.pair for row in rows[:4]} <= one | other
        assert not {row.pair for row in rows[4:]} & (one | other)
    ended = podium(tournament)
    assert ended is not None
    assert {*ended.first, *ended.second} <= one


@settings(max_examples=60, deadline=None)
@given(st.integers(12, 52), st.integers(0, 2**32))
def test_nobody_meets_his_own_group_in_the_first_round_of_either_board(
    count: int, chance: int
) -> None:
    tournament = groups_played(drawn(BOTH_BOARDS, count), random.Random(chance))
    group = group_of(tournament)
    for match in tournament.matches.values():
        if match.phase > 1 and match.round == 1:
            a, b = players(tournament, match.id)
            if isinstance(a, int) and isinstance(b, int):
                assert group[a] != group[b]


def first_round(entries: list[Slot], chosen: tuple[int, ...]) -> list[tuple[int, int]]:
    """Who meets in the first round of a bracket, by groups, if these groups send their best."""
    size = size_for(len(entries))
    groups = []
    for slot in entries:
        if isinstance(slot, EitherOf):
            groups.append((slot.other if slot.barred in chosen else slot.usual).group)
        else:
            groups.append(slot.group if isinstance(slot, PlaceOf) else 0)
    lines = [at for at, slot in enumerate(entries) if isinstance(slot, BestOf)]
    facing = [size - 1 - at for at in lines]
    faced = [groups[at] if at < len(groups) else 0 for at in facing]
    for line, at in zip(lines, apart(faced, chosen), strict=True):
        groups[line] = chosen[at]
    return [
        (a, groups[size - 1 - at]) for at, a in enumerate(groups) if size - 1 - at < len(groups)
    ]


@pytest.mark.parametrize("groups", range(2, 9))
@pytest.mark.parametrize("last", [1, 2, 3])
def test_whichever_groups_send_their_best_nobody_meets_his_own_at_once(
    groups: int, last: int
) -> None:
    """Every choice of groups, in every bracket of up to eight; so also 3 groups and one best."""
    stage = Stage(StageKind.KNOCKOUT, source=1, last=last, best=1)
    for best in range(1, groups):
        ranks = {last + 1: range(1, best + 1)}
        entries = spared(with_best([last + 1] * groups, stage, 2, ranks))
        usual = [slot.usual if isinstance(slot, EitherOf) else slot for slot in entries]
        places = [(slot.group, slot.place) for slot in usual if isinstance(slot, PlaceOf)]
        everybody = [(group, at) for group in range(1, groups + 1) for at in range(1, last + 1)]
        assert sorted(places) == everybody
        assert [s.rank for s in usual if isinstance(s, BestOf)] == [*range(1, best + 1)]
        for chosen in combinations(range(1, groups + 1), best):
            assert all(a != b for a, b in first_round(entries, chosen)), (entries, chosen)


def test_three_winners_and_the_best_second_play_semifinals_across_the_groups() -> None:
    """The case in which an exchange of the best among each other is not enough."""
    one = sheet(replace(GROUPS, size=3), replace(FINAL, last=1))
    semifinals = set()
    for chance in range(40):
        tournament = groups_played(drawn(one, 9), random.Random(chance))
        group = group_of(tournament)
        (first, second) = (both(tournament, name) for name in ("K1.1", "K1.2"))
        assert all(group[a] != group[b] for a, b in (first, second))
        (best,) = [row["group"] for row in shown(tournament)["best"][0]["rows"] if row["goes"]]
        semifinals.add(best)
    assert semifinals == {1, 2, 3}  # each group sent it


@settings(max_examples=25, deadline=None)
@given(st.integers(9, 30), st.integers(0, 2**32))
def test_the_same_results_in_another_order_give_the_same_bracket(count: int, chance: int) -> None:
    before = drawn(BOTH_BOARDS, count)
    tournament = groups_played(before, random.Random(chance))
    again = before
    shuffled = [*tournament.results.items()]
    random.Random(chance + 1).shuffle(shuffled)
    for match, came in shuffled:
        act = result(again, match, came.winner or 0)
        again = apply(again, replace(act, juegos=came.juegos, stones=came.stones))
    assert [players(again, m) for m in again.matches] == [
        players(tournament, m) for m in tournament.matches
    ]


def test_nobody_is_taken_before_the_last_match_of_all_groups() -> None:
    tournament = drawn(BOTH_BOARDS, 12)
    chance = random.Random(3)
    while any(match.phase == 1 for match in ready(tournament)):
        assert all(not row["settled"] for row in shown(tournament)["best"])
        entered = Resolver(tournament).entered(2, 1)
        taken = [slot for slot in tournament.entries[1][0] if not isinstance(slot, PlaceOf)]
        assert entered.count(None) >= len(taken) > 0
        match = chance.choice([match for match in ready(tournament) if match.phase == 1]).id
        tournament = apply(tournament, result(tournament, match, both(tournament, match)[0]))
    assert None not in Resolver(tournament).entered(2, 1)
    sources = [one["slots"][0]["source"] for one in shown(drawn(BOTH_BOARDS, 12))["matches"]]
    assert ["rest", 1, 3] in sources


def level(count: int, seed: int) -> Tournament:
    """Groups of three in which everybody wins once, so that all thirds are alike."""
    one = sheet(replace(GROUPS, size=3), replace(FINAL, fill=False, best=1))
    tournament = drawn(one, count, seed)
    for match in [*ready(tournament)]:
        group = tournament.groups[match.group - 1]
        a, b = both(tournament, match.id)
        after = group[(group.index(a) + 1) % 3]
        tournament = apply(tournament, result(tournament, match.id, a if after == b else b))
    return tournament


def test_what_nothing_separates_is_decided_by_the_printed_draw() -> None:
    tournament = level(12, 5)
    (comparison,) = shown(tournament)["best"]
    order = [row["pair"] for row in comparison["rows"]]
    assert order == sorted(order, key=tournament.order.index)
    first, *others = comparison["rows"]
    place = {pair: at for at, pair in enumerate(tournament.order, 1)}
    second = others[0]["pair"]
    assert first["why"] == {
        "by": "draw", "pair": second, "own": place[first["pair"]], "other": place[second]
    }  # fmt: skip
    assert all(row["why"] and row["why"]["by"] == "draw" for row in others)
    chosen = {shown(level(12, seed))["best"][0]["rows"][0]["pair"] for seed in range(1, 12)}
    assert len(chosen) > 3  # another seed draws another pair
    assert order_of(tournament, 5) == tournament.order  # and anybody can draw it again


def test_a_correction_that_changes_who_is_best_needs_the_matches_after_it_voided() -> None:
    """Two of three thirds go on, by stones. Then the one that stays turns out to have more."""
    tournament = groups_played(drawn(BOTH_BOARDS, 12), random.Random(8))
    out = shown(tournament)["best"][0]["rows"][2]
    assert out["why"]
    assert out["why"]["by"] == "stones"
    before = entering(tournament, 2)
    assert out["pair"] not in before
    for match in tournament.matches.values():  # the first round of both boards
        if match.phase > 1 and match.round == 1:
            winner = both(tournament, match.id)[0]
            tournament = apply(tournament, result(tournament, match.id, winner))
    won, came = next(
        (match, came)
        for match, came in tournament.results.items()
        if tournament.matches[match].phase == 1 and came.winner == out["pair"]
    )
    stones = (900, 0) if came.pairs[0] == out["pair"] else (0, 900)
    act = ResultCorrected(won, came.juegos, stones, "Juez", "Mal apuntado")
    with pytest.raises(TournamentError, match="would have other pairs"):
        apply(tournament, act)
    for name in to_void_first(tournament, act):
        tournament = apply(tournament, MatchVoided(name, "Juez", "Sube otra"))
    after = entering(apply(tournament, act), 2)
    assert out["pair"] in after
    assert len(after - before) == len(before - after) == 1


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("fill = true", "best = 2\nfill = true", ":13: .* not both"),
        ("fill = true", 'fill = true\ncompare = "wins"', ":14: .* one of last, average"),
        ('"robin"\nsize = 4', '"knockout"\ngroups = 4', ":13: .* all meet all"),
        ('"robin"\nsize = 4', '"robin"\ngroups = 3\ndivisions = true', ":14: .* no divisions"),
        ("size = 4", "size = 4\nfill = true", ":5: The first stage takes all"),
    ],
)
def test_a_wrong_file_is_told_by_the_line(old: str, new: str, why: str, tmp_path: Path) -> None:
    text = (
        'name = "mio"\ntitle = "Mío"\njuegos = 3\n\n[[stage]]\nkind = "robin"\nsize = 4\n\n'
        '[[stage]]\nkind = "knockout"\nfrom = 1\nplaces = [1, 2]\nfill = true\n'
    )
    assert old in text
    path = tmp_path / "mio.toml"
    path.write_text(text, "utf-8")
    assert load_format(path).stages[1].fill
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(FormatFileError, match=why):
        load_format(path)


def test_two_stages_cannot_both_take_the_best_of_a_place() -> None:
    with pytest.raises(TournamentError, match="already"):
        sheet(GROUPS, FINAL, replace(FINAL, fill=False, best=2))


def test_more_than_there_are_are_refused_at_the_draw() -> None:
    one = sheet(GROUPS, replace(FINAL, fill=False, best=4))
    with pytest.raises(TournamentError, match="4 pairs of place 3 are to go on, and 3 groups"):
        drawn(one, 12)
    assert len(drawn(one, 16).entries[1][0]) == 12


def test_an_opening_without_the_best_is_written_as_it_was_before() -> None:
    """So a hall of the version before reads it, and its acts stay the same byte for byte."""
    plain = act_to_json(opened(find_format("grupos")))
    assert not any(f'"{key}"' in plain for key in ("best", "fill", "compare"))
    act = opened(find_format("mejores-terceros"))
    assert act_from_json(act_to_json(act)) == act
    assert fold([act]).stages[1].fill
