"""The promises of each format, whoever wins: byes, rematches, match numbers, fates, podium."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.files.paths import data_dir
from assistant.hall.format_files import all_formats, load_format
from assistant.hall.tournament import (
    BYE,
    Act,
    Drawn,
    Format,
    FormatSheet,
    MatchVoided,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    PairWithdrawn,
    PlayerEnrolled,
    ResultCorrected,
    ResultEntered,
    RoundDrawn,
    RoundPaired,
    Stage,
    StageKind,
    TableAssigned,
    Tournament,
    TournamentError,
    Walkover,
    act_from_json,
    act_to_json,
    apply,
    assign,
    due,
    finished,
    fold,
    order_of,
    outcome,
    pair_rounds,
    players,
    podium,
    ready,
    shown,
    standings,
    to_void_first,
)
from assistant.hall.tournament.draw import stages_of
from assistant.hall.tournament.formats import date_of
from assistant.hall.tournament.lists import pairs_from_csv
from assistant.hall.tournament.ranking import Resolver
from assistant.hall.tournament.rounds import lots, meetings
from tests.hall.tournament.playing import both, greedy_matching
from tests.tables import each_row

SEED = 20261224
BEFORE = Path(__file__).with_name("acts_before_formats.json")
SHIPPED = sorted(all_formats())


def sheet(*stages: Stage) -> FormatSheet:
    return FormatSheet("prueba", (("es", "Prueba"),), stages)


def opened(one: FormatSheet | Stage, **options: Any) -> Opened:
    file = one if isinstance(one, FormatSheet) else sheet(one)
    stages = tuple(
        [replace(s, starts="2027-01-11") if s.every and not s.starts else s for s in file.stages]
    )
    return Opened("Torneo", Format.SHEET, Options(**options), sheet=replace(file, stages=stages))


def drawn(one: FormatSheet | Stage, pairs: int, seed: int = SEED, **options: Any) -> Tournament:
    """A tournament by a sheet, drawn; pairs play in four bars."""
    first = opened(one, **options)
    assert first.sheet is not None
    enrolled: list[Act] = [
        PlayerEnrolled(n, f"Jugador {n}")
        if first.sheet.individual
        else PairEnrolled(n, f"P {n}", (f"A {n}", f"B {n}"), bar=f"Bar {n % 4}")
        for n in range(1, pairs + 1)
    ]
    tournament = fold([first, *enrolled])
    return apply(tournament, Drawn(seed, order_of(tournament, seed)))


def result(tournament: Tournament, match: str, winner: int, lost: int = 0) -> ResultEntered:
    needed = tournament.needed(match)
    first = players(tournament, match)[0] == winner
    score = (needed, lost) if first else (lost, needed)
    return ResultEntered(match, score, (0, 0), "mesa-1", "g")


def played(tournament: Tournament, chance: random.Random, leaves: int = 0) -> Tournament:
    """Played to its end in any order of results; ``leaves`` pairs withdraw on the way."""
    while not finished(tournament):
        waiting = ready(tournament)
        if not waiting:
            for act in pair_rounds(tournament, greedy_matching):
                tournament = apply(tournament, act)
            continue
        if leaves and chance.random() < 0.1:
            here = [p for p in tournament.order if p not in tournament.withdrawn]
            if len(here) > 2:
                leaves -= 1
                gone = PairWithdrawn(chance.choice(here), "Se van", "Juez")
                tournament = apply(tournament, gone)
                continue
        match = chance.choice(waiting).id
        winner = chance.choice(both(tournament, match))
        lost = chance.randrange(tournament.needed(match))
        tournament = apply(tournament, result(tournament, match, winner, lost))
    return tournament


def rounds_of(tournament: Tournament) -> list[list[tuple[int | None, int | None]]]:
    """The meetings of each round of the first stage; None for a bye."""
    found: dict[int, list[tuple[int | None, int | None]]] = {}
    for match in tournament.matches.values():
        if match.phase == 1:
            a, b = (p if isinstance(p, int) else None for p in players(tournament, match.id))
            found.setdefault(match.round, []).append((a, b))
    return [found[number] for number in sorted(found)]


REDRAW = Stage(StageKind.REDRAW)
LIVES = Stage(StageKind.LIVES, defeats=3)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32), st.sampled_from([REDRAW, LIVES]), st.data())
def test_nobody_is_exempt_twice_until_all_that_are_still_in_have_been(
    count: int, chance: int, stage: Stage, data: st.DataObject
) -> None:
    leaves = data.draw(st.integers(0, 3))
    tournament = played(drawn(stage, count), random.Random(chance), leaves)
    rested: Counter[int] = Counter()
    for meetings_ in rounds_of(tournament):
        inside = {pair for meeting in meetings_ for pair in meeting if pair is not None}
        exempt = [a for a, b in meetings_ if b is None and a is not None]
        assert len(exempt) == len(inside) % 2
        for pair in exempt:
            assert rested[pair] == min(rested[one] for one in inside)
        rested.update(exempt)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32))
def test_a_knock_out_that_is_drawn_anew_plays_one_match_fewer_than_pairs(
    count: int, chance: int
) -> None:
    tournament = played(drawn(REDRAW, count), random.Random(chance))
    losers = [one.loser for one in tournament.results.values()]
    assert len(losers) == len(set(losers)) == count - 1
    assert len(rounds_of(tournament)) == (count - 1).bit_length()
    ended = podium(tournament)
    assert ended is not None
    assert {*ended.first, *losers} == set(range(1, count + 1))


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 40), st.integers(0, 2**32))
def test_with_all_byes_in_the_first_round_a_power_of_two_is_left(count: int, chance: int) -> None:
    stage = replace(REDRAW, byes="first")
    rounds = rounds_of(played(drawn(stage, count), random.Random(chance)))
    later = len(rounds) - 1
    assert [len(meetings_) for meetings_ in rounds[1:]] == [2**at for at in reversed(range(later))]
    assert all(b is not None for meetings_ in rounds[1:] for _, b in meetings_)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 24), st.integers(1, 4), st.integers(0, 2**32), st.sampled_from(["lots", "equal"])
)
def test_out_after_n_defeats_takes_as_many_matches_as_defeats(
    count: int, defeats: int, chance: int, pairing: str
) -> None:
    stage = Stage(StageKind.LIVES, defeats=defeats, pairing=pairing)
    tournament = played(drawn(stage, count), random.Random(chance))
    lost = Counter(one.loser for one in tournament.results.values())
    ended = podium(tournament)
    assert ended is not None
    (champion,) = ended.first
    assert {pair: lost[pair] for pair in range(1, count + 1) if pair != champion} == dict.fromkeys(
        set(range(1, count + 1)) - {champion}, defeats
    )
    assert lost[champion] < defeats
    assert len(tournament.results) == defeats * (count - 1) + lost[champion]


def fewest_rematches(playing: Sequence[int], met: set[frozenset[int]]) -> int:
    """The fewest rematches of any round, by trying all of them."""
    if not playing:
        return 0
    one, *others = playing
    return min(
        (frozenset({one, other}) in met) + fewest_rematches([o for o in others if o != other], met)
        for other in others
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 8), st.integers(0, 2**32), st.sampled_from(["lots", "equal"]))
def test_nobody_meets_again_before_it_must(count: int, chance: int, pairing: str) -> None:
    stage = Stage(StageKind.LIVES, defeats=3, pairing=pairing)
    met: set[frozenset[int]] = set()
    for meetings_ in rounds_of(played(drawn(stage, count), random.Random(chance))):
        now = [frozenset({a, b}) for a, b in meetings_ if a is not None and b is not None]
        playing = [pair for one in now for pair in one]
        assert sum(one in met for one in now) == fewest_rematches(playing, met)
        met |= set(now)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5), st.data())
def test_meetings_are_the_first_by_lot_of_those_with_fewest_rematches(
    half: int, data: st.DataObject
) -> None:
    order = list(range(2 * half))
    possible = [frozenset(pair) for pair in combinations(order, 2)]
    met = set(data.draw(st.lists(st.sampled_from(possible), unique=True)))
    made = meetings(order, lambda a, b: frozenset({a, b}) in met)
    assert sorted(entry for pair in made for entry in pair) == order
    fewest = fewest_rematches(order, met)
    assert sum(frozenset(pair) in met for pair in made) == fewest
    # By hand: the first takes the first that it has not met with which that number can be kept.
    left = list(order)
    for one, other in made:
        rest = [entry for entry in left if entry not in {one, other}]
        before = fewest_rematches(left, met)
        for better in left[1 : left.index(other)]:
            if frozenset({one, better}) in met and frozenset({one, other}) not in met:
                continue  # it has met that one, and need not again
            remain = [entry for entry in left if entry not in {one, better}]
            cost = (frozenset({one, better}) in met) + fewest_rematches(remain, met)
            assert cost > before
        left = rest


def test_a_round_can_be_drawn_again_by_hand_from_the_printed_seed() -> None:
    tournament = drawn(REDRAW, 7)
    (act,) = pair_rounds(tournament, greedy_matching)
    chance = random.Random(f"{SEED}/1/1/1")
    numbers = [1, 2, 3, 4, 5, 6, 7]
    drawn_lots = {number: chance.random() for number in numbers}
    order = sorted(numbers, key=lambda number: drawn_lots[number])
    exempt, rest = order[-1], order[:-1]
    wanted = [((a,), (b,)) for a, b in zip(rest[::2], rest[1::2], strict=True)]
    assert act == RoundDrawn(1, 1, 1, (*wanted, ((exempt,), ())))
    assert lots(numbers, SEED, 1, 1, 1) == order


def test_a_round_that_the_seed_does_not_give_is_refused() -> None:
    tournament = drawn(REDRAW, 6)
    (act,) = pair_rounds(tournament, greedy_matching)
    assert isinstance(act, RoundDrawn)
    (a, b), (c, d), last = act.meetings
    with pytest.raises(TournamentError, match="not the meetings that the seed gives in round 1"):
        apply(tournament, replace(act, meetings=((a, c), (b, d), last)))
    for wrong in (replace(act, phase=2), replace(act, group=2)):
        with pytest.raises(TournamentError, match="not paired round by round"):
            apply(tournament, wrong)
    with pytest.raises(TournamentError, match="Only a Swiss tournament"):
        apply(tournament, RoundPaired(1, ((1, 2), (3, 4), (5, 6))))


def test_the_next_round_waits_for_the_last_result() -> None:
    tournament = drawn(REDRAW, 4)
    (act,) = pair_rounds(tournament, greedy_matching)
    tournament = apply(tournament, act)
    assert due(tournament) == ()
    with pytest.raises(TournamentError, match=r"D1\.1 is not decided"):
        pair_rounds(tournament, greedy_matching)


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 26), st.integers(0, 2**32), st.integers(1, 6))
def test_partners_and_rests_change_as_long_as_they_can(
    count: int, chance: int, rounds: int
) -> None:
    stage = Stage(StageKind.INDIVIDUAL, rounds=rounds)
    tournament = played(drawn(stage, count), random.Random(chance))
    partners: set[frozenset[int]] = set()
    rested: Counter[int] = Counter()
    for meetings_ in rounds_of(tournament):
        inside: list[int] = []
        for a, b in meetings_:
            assert a is not None
            for side in (a, b):
                if side is not None:
                    inside += tournament.pairs[side].of or (side,)
            if b is None:
                rested[a] += 1
        assert sorted(inside) == list(range(1, count + 1))
        now = [frozenset(tournament.pairs[s].of) for m in meetings_ if m[1] for s in m if s]
        if count <= 9:
            playing = [one for pair in now for one in pair]
            assert sum(pair in partners for pair in now) == fewest_rematches(playing, partners)
        partners |= set(now)
        assert max(rested.values(), default=0) - min(rested[n] for n in range(1, count + 1)) <= 1
    if rounds <= count // 4:  # Dirac: so few partners so far leave a round of new ones
        assert len(partners) == rounds * 2 * (count // 4)
    rows = standings(tournament)
    assert sorted(row.pair for row in rows) == list(range(1, count + 1))
    assert sum(row.won for row in rows) == 2 * len(tournament.results)
    assert all(row.played == rounds - rested[row.pair] for row in rows)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 40), st.integers(0, 2**32))
def test_who_loses_the_first_match_and_nobody_else_plays_the_consolation(
    count: int, chance: int
) -> None:
    tournament = played(drawn(load("ganadores-y-perdedores"), count), random.Random(chance))
    firsts: dict[int, bool] = {}
    for match in tournament.matches.values():
        ended = outcome(tournament, match.id)
        assert ended is not None
        if match.phase == 1 and BYE not in players(tournament, match.id):
            firsts.setdefault(ended.loser, False)  # type: ignore[arg-type]
            firsts.setdefault(ended.winner, True)  # type: ignore[arg-type]
    consoled = {
        pair
        for match in tournament.matches.values()
        if match.phase == 2
        for pair in players(tournament, match.id)
        if pair is not BYE
    }
    assert consoled == {pair for pair, won in firsts.items() if not won}
    in_second = [m for m in tournament.results if tournament.matches[m].phase == 2]
    assert len(in_second) == len(consoled) - 1
    assert shown(tournament)["stages"][1]["podium"]


@settings(max_examples=30, deadline=None)
@given(st.integers(8, 40), st.integers(0, 2**32))
def test_two_of_each_division_go_up_and_two_go_down(count: int, chance: int) -> None:
    tournament = played(drawn(load("ascensos"), count), random.Random(chance))
    resolver = Resolver(tournament)
    divisions = range(1, len(tournament.entries[0]) + 1)
    first = {n: [row.pair for row in resolver.standings(1, n)] for n in divisions}
    second = {n: set(resolver.entered(2, n)) for n in divisions}
    assert sorted(p for group in second.values() for p in group if isinstance(p, int)) == list(
        range(1, count + 1)
    )
    for upper, lower in pairwise(divisions):
        assert set(first[upper][-2:]) <= second[lower]
        assert set(first[lower][:2]) <= second[upper]
        assert len(second[upper]) == len(first[upper])
    ended = podium(tournament)
    assert ended is not None
    assert ended.first[0] in second[1]


@settings(max_examples=30, deadline=None)
@given(st.integers(8, 40), st.integers(0, 2**32))
def test_bars_play_their_own_and_send_their_first_two_to_the_final(count: int, chance: int) -> None:
    tournament = played(drawn(load("bares"), count), random.Random(chance))
    for match in tournament.matches.values():
        there = {
            tournament.pairs[p].bar for p in players(tournament, match.id) if isinstance(p, int)
        }
        assert match.phase == 2 or len(there) == 1
    resolver = Resolver(tournament)
    finalists = set(resolver.entered(2, 1))
    best = [resolver.places(1, bar) for bar in (1, 2, 3, 4)]
    assert finalists == {
        pair for places in best if places for place in places[:2] for pair in place
    }
    assert len(tournament.results) == count - 4 + 8  # four trees, one of eight with its bronze


def load(name: str) -> FormatSheet:
    return load_format(data_dir("models") / "formats" / f"{name}.toml")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_format_comes_to_a_podium_and_every_pair_has_its_fate(name: str) -> None:
    for count in (16, 17, 23):
        tournament = played(drawn(load(name), count), random.Random(count), leaves=2)
        assert all(outcome(tournament, match) is not None for match in tournament.matches)
        ended = podium(tournament)
        assert ended is not None
        assert len(ended.first) == 1
        whole = shown(tournament)
        assert json.loads(json.dumps(whole)) == whole
        assert whole["stage"] == "over"
        assert not whole["to_pair"]
        assert all(m["state"] in {"over", "void"} for m in whole["matches"])


@pytest.mark.parametrize("name", SHIPPED)
def test_any_order_of_results_gives_the_same_podium(name: str) -> None:
    """The stronger wins by chance, but the same matches end alike, whenever they end."""

    def in_order(order: random.Random) -> Tournament:
        tournament = drawn(load(name), 18)
        while not finished(tournament):
            waiting = list(ready(tournament))
            order.shuffle(waiting)
            for match in waiting:
                a, b = both(tournament, match.id)
                fate = random.Random(f"{match.id} {a} {b}")
                lost = fate.randrange(tournament.needed(match.id))
                winner = fate.choice((a, b))
                tournament = apply(tournament, result(tournament, match.id, winner, lost))
            if not waiting:
                for act in pair_rounds(tournament, greedy_matching):
                    tournament = apply(tournament, act)
        return tournament

    one, other = in_order(random.Random(1)), in_order(random.Random(2))
    assert podium(one) == podium(other)
    assert one.results == other.results
    assert {m: players(one, m) for m in one.matches} == {
        m: players(other, m) for m in other.matches
    }


ANY = st.sampled_from(
    [
        REDRAW,
        LIVES,
        Stage(StageKind.INDIVIDUAL, rounds=3),
        Stage(StageKind.SWISS, rounds=2),
        load("ganadores-y-perdedores"),
        load("grupos"),
        load("bares"),
        sheet(
            Stage(StageKind.SWISS, rounds=2),
            Stage(StageKind.REDRAW, source=1, last=4),
            Stage(StageKind.LIVES, source=1, first=5, last=8, defeats=2),
        ),
    ]
)


@settings(max_examples=60, deadline=None)
@given(ANY, st.integers(8, 13), st.integers(0, 2**32), st.data())
def test_results_may_be_reversed_on_the_way_and_the_acts_say_it_all(
    one: FormatSheet | Stage, count: int, chance: int, data: st.DataObject
) -> None:
    first = opened(one)
    done: list[Act] = []
    tournament = drawn(one, count)
    dice = random.Random(chance)

    def do(act: Act) -> None:
        nonlocal tournament
        tournament = apply(tournament, act)
        done.append(act)

    begun = tournament
    turns = data.draw(st.lists(st.integers(1, 20), max_size=4))
    count_of_results = 0
    while not finished(tournament):
        waiting = ready(tournament)
        if not waiting:
            for act in pair_rounds(tournament, greedy_matching):
                do(act)
            continue
        for called in assign(tournament, ["Bar 0 a", "Bar 1 a", "Bar 2 a", "Bar 3 a"]):
            do(called)
        match = dice.choice(waiting).id
        do(result(tournament, match, dice.choice(both(tournament, match))))
        count_of_results += 1
        if count_of_results in turns:
            turned = dice.choice([*tournament.results])
            score = tournament.results[turned].juegos[::-1]
            correction = ResultCorrected(turned, score, (0, 0), "Juez", "Al revés")
            voided = to_void_first(tournament, correction)
            for later in voided:
                with pytest.raises(TournamentError, match=f"{later}.* first"):
                    apply(tournament, correction)
                if later in tournament.matches:
                    do(MatchVoided(later, "Juez", "Otros"))
            do(correction)
        for key, there in tournament.results.items():
            assert players(tournament, key) == there.pairs
    assert podium(tournament) is not None
    again = begun
    for one_done in done:
        again = apply(again, act_from_json(act_to_json(one_done)))
    assert again == tournament
    assert act_from_json(act_to_json(first)) == first


def test_a_corrected_result_drops_the_round_that_it_does_not_give_any_more() -> None:
    tournament = drawn(REDRAW, 4)
    for act in pair_rounds(tournament, greedy_matching):
        tournament = apply(tournament, act)
    for match in ("D1.1", "D1.2"):
        tournament = apply(tournament, result(tournament, match, both(tournament, match)[0]))
    (second,) = pair_rounds(tournament, greedy_matching)
    tournament = apply(tournament, second)
    tournament = apply(tournament, TableAssigned("D2.1", "mesa-1"))
    score = tournament.results["D1.1"].juegos[::-1]
    correction = ResultCorrected("D1.1", score, (0, 0), "Juez", "Al revés")
    undone = apply(tournament, correction)
    assert "D2.1" not in undone.matches
    assert "D2.1" not in undone.tables
    assert due(undone) == ((1, 1),)
    tournament = apply(tournament, result(tournament, "D2.1", both(tournament, "D2.1")[0]))
    with pytest.raises(TournamentError, match=r"void D2\.1 first"):
        apply(tournament, correction)


@each_row(
    "name, form, options",
    [
        ("eliminatoria", Format.KNOCKOUT, Options(bronze=True)),
        ("doble", Format.DOUBLE, Options()),
        ("todos-contra-todos", Format.ROBIN, Options()),
        ("suizo", Format.SWISS, Options(rounds=5)),
    ],
)
def test_the_formats_of_before_are_rows_of_the_same_engine(
    name: str, form: Format, options: Options
) -> None:
    assert load(name).stages == stages_of(form, options)
    named = fold([Opened("Torneo", form, options), *pairs(11)])
    named = apply(named, Drawn(SEED, order_of(named, SEED)))
    assert drawn(load(name), 11).matches == named.matches


def pairs(count: int) -> list[Act]:
    return [PairEnrolled(n, f"P {n}", (f"A {n}", f"B {n}")) for n in range(1, count + 1)]


def test_acts_of_before_there_were_stages_still_open_as_the_formats_that_they_were() -> None:
    """The file was written by the version before; its pages showed what "shown" has."""
    kept = json.loads(BEFORE.read_text("utf-8"))
    assert {entry["shown"]["format"] for entry in kept} == set(Format) - {Format.SHEET}
    for entry in kept:
        now: dict[str, Any] = {**shown(fold([act_from_json(text) for text in entry["acts"]]))}
        assert (
            now.items()
            >= {
                key: value
                for key, value in entry["shown"].items()
                if key not in {"pairs", "matches"}
            }.items()
        )
        for part in ("pairs", "matches"):
            listed = now[part]
            assert len(listed) == len(entry["shown"][part])
            for was, one in zip(entry["shown"][part], listed, strict=True):
                assert one == {**one, **was}


def test_a_league_has_a_date_for_each_round_and_calls_no_match_before_it() -> None:
    tournament = drawn(load("liga"), 6)
    dates = [m["date"] for m in shown(tournament)["matches"]]
    assert dates[:3] == ["2027-01-11"] * 3
    assert dates[3:6] == ["2027-01-18"] * 3
    assert dates[-1] == "2027-02-08"
    tables = [f"mesa-{n}" for n in range(1, 9)]
    assert assign(tournament, tables, "2027-01-10") == ()
    called = assign(tournament, tables, "2027-01-17")
    assert [tournament.matches[act.match].round for act in called] == [1, 1, 1]


def test_a_part_without_a_first_day_follows_the_one_before() -> None:
    stage = Stage(StageKind.ROBIN, every=7, starts="2027-01-11")
    second = Stage(StageKind.ROBIN, source=1, last=4, every=7)
    assert date_of((stage, second), 2, 1, [3, 3]) == "2027-02-01"
    own = replace(stage, every=0, starts="", dates=("2027-01-11", "2027-03-01"))
    assert [date_of((own,), 1, n, [3]) for n in (1, 2, 3)] == [
        "2027-01-11", "2027-03-01", "2027-03-01",
    ]  # fmt: skip


def test_in_bars_a_match_gets_only_tables_of_its_bar() -> None:
    tournament = drawn(load("bares"), 16)
    called = assign(tournament, ["mesa-1", "BAR 2 mesa 1", "bar 2 mesa 2", "bar 3"])
    assert {act.table for act in called} == {"BAR 2 mesa 1", "bar 2 mesa 2", "bar 3"}
    for act in called:
        pair = both(tournament, act.match)[0]
        assert act.table.lower().startswith(tournament.pairs[pair].bar.lower())


def test_a_match_of_vacas_is_won_by_vacas() -> None:
    tournament = drawn(load("vacas"), 4)
    match = ready(tournament)[0]
    assert tournament.needed(match.id) == 2
    with pytest.raises(TournamentError, match="2 vacas win this match, not 3"):
        apply(tournament, ResultEntered(match.id, (3, 1), (0, 0), "Ana"))
    pair = both(tournament, match.id)[1]
    after = apply(tournament, Walkover(match.id, pair, "Juez", "No vinieron"))
    assert after.results[match.id].juegos == (0, 2)


def test_the_final_may_be_longer_than_the_matches_before_it() -> None:
    final = Stage(StageKind.KNOCKOUT, source=1, last=2, juegos=5)
    tournament = drawn(sheet(Stage(StageKind.ROBIN), final), 4, juegos=1)
    assert {tournament.needed(match) for match in tournament.matches if match[0] == "R"} == {1}
    assert tournament.needed("K1.1") == 5


def test_people_enrol_alone_where_partners_change_and_in_pairs_elsewhere() -> None:
    alone, paired = fold([opened(Stage(StageKind.INDIVIDUAL, rounds=1))]), fold([opened(REDRAW)])
    with pytest.raises(TournamentError, match="everybody enrols alone"):
        apply(alone, PairEnrolled(1, "P", ("A", "B")))
    with pytest.raises(TournamentError, match="people enrol in pairs"):
        apply(paired, PlayerEnrolled(1, "A"))
    with pytest.raises(TournamentError, match="There are 3 players"):
        drawn(Stage(StageKind.INDIVIDUAL, rounds=1), 3)


def test_a_player_that_withdraws_loses_the_match_and_is_in_no_later_round() -> None:
    tournament = drawn(Stage(StageKind.INDIVIDUAL, rounds=3), 8)
    (act,) = pair_rounds(tournament, greedy_matching)
    tournament = apply(tournament, act)
    tournament = apply(tournament, PairWithdrawn(5, "Enferma", "Juez"))
    lost = next(m for m in tournament.matches if outcome(tournament, m) is not None)
    loser = outcome(tournament, lost)
    assert loser is not None
    assert 5 in tournament.pairs[loser.loser].of  # type: ignore[index]
    tournament = played(tournament, random.Random(1))
    later = [m for m in tournament.matches.values() if m.round > 1]
    assert later
    assert all(
        5 not in (tournament.pairs[p].of or (p,))
        for m in later
        for p in players(tournament, m.id)
        if isinstance(p, int)
    )


def test_a_pair_without_a_bar_is_asked_for_one_before_the_draw() -> None:
    tournament = fold([opened(load("bares")), *pairs(2)])
    with pytest.raises(TournamentError, match="Pair 1 has no bar"):
        apply(tournament, Drawn(SEED, order_of(tournament, SEED)))
    for number in (1, 2):
        names = tournament.pairs[number].players
        act = PairCorrected(
            number, f"P {number}", (names[0], names[1]), "", "Juez", "Faltaba", bar="Aurrera"
        )
        tournament = apply(tournament, act)
    tournament = apply(tournament, Drawn(SEED, order_of(tournament, SEED)))
    assert {pair.bar for pair in tournament.pairs.values()} == {"Aurrera"}
    with pytest.raises(TournamentError, match="pair 2 plays in its bar"):
        apply(tournament, replace(act, bar="Otro"))
    assert apply(tournament, replace(act, name="Otra", bar=None)).pairs[2].bar == "Aurrera"


def test_a_list_has_bars_or_players_alone_where_the_format_asks() -> None:
    alone = fold([opened(load("individual-parejas"))])
    people_ = pairs_from_csv("jugador,peña\nAna,Alta\nLuis,\n", alone)
    assert people_ == (PlayerEnrolled(1, "Ana", "Alta"), PlayerEnrolled(2, "Luis"))
    in_pairs = pairs_from_csv("jugador 1;jugador 2\nAna;Luis\nEva;\n", alone)
    assert [one.name for one in in_pairs] == ["Ana", "Luis", "Eva"]
    bars = fold([opened(load("bares"))])
    (pair,) = pairs_from_csv("jugador 1,jugador 2,Taberna\nAna,Luis,Aurrera\n", bars)
    assert isinstance(pair, PairEnrolled)
    assert pair.bar == "Aurrera"


def test_the_view_says_of_which_bar_or_stage_an_unknown_pair_will_come() -> None:
    matches = {m["match"]: m for m in shown(drawn(load("bares"), 8))["matches"]}
    sources = [slot["source"] for m in matches.values() for slot in m["slots"] if m["phase"] == 2]
    assert ["of", 1, 4, 2] in sources
    final = sheet(Stage(StageKind.ROBIN), Stage(StageKind.KNOCKOUT, source=1, last=2))
    last = shown(drawn(final, 4))["matches"][-1]
    assert [slot["source"] for slot in last["slots"]] == [["of", 1, 0, 1], ["of", 1, 0, 2]]
