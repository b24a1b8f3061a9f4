"""A pair after the draw: it takes a bye and changes nobody's draw, or a new draw says why."""

from __future__ import annotations

import pytest

from assistant.hall.tournament import (
    BYE,
    Act,
    DrawAnnulled,
    Drawn,
    Format,
    FormatSheet,
    Opened,
    Options,
    PairEnrolled,
    Stage,
    StageKind,
    TableAssigned,
    Tournament,
    TournamentError,
    act_from_json,
    act_to_json,
    apply,
    draw,
    finished,
    fold,
    players,
    ready,
    shown,
)
from tests.hall.tournament.playing import drawn, result_acts
from tests.tables import each_row

LATE = PairEnrolled(9, "Tarde", ("Eva Mur", "Jon Sáez"), by="Juez", late=True)


def meetings(tournament: Tournament, number: int = 1) -> dict[str, tuple[object, object]]:
    return {
        match.id: players(tournament, match.id)
        for match in tournament.matches.values()
        if match.round == number and match.stage in {"knockout", "winners"}
    }


def refused(tournament: Tournament, act: Act) -> str:
    with pytest.raises(TournamentError) as error:
        apply(tournament, act)
    return error.value.code


@each_row("form", [Format.KNOCKOUT, Format.DOUBLE])
def test_a_late_pair_takes_the_last_bye_and_nobody_elses_draw_changes(form: Format) -> None:
    before = drawn(5, form)
    after = apply(before, LATE)
    then, now = meetings(before), meetings(after)
    changed = {match for match in then if then[match] != now[match]}
    assert len(changed) == 1
    match = changed.pop()
    assert (then[match], now[match]) == ((3, BYE), (3, 9))  # 3 is the last line with a bye
    assert after.seed == before.seed
    assert after.order == (*before.order, 9)
    while matches := ready(after):
        for act in result_acts(after, matches[0].id, players(after, matches[0].id)[0]):  # type: ignore[arg-type]
            after = apply(after, act)
    assert finished(after)


def test_all_byes_can_be_taken_one_after_the_other() -> None:
    tournament = drawn(5, Format.KNOCKOUT)
    for number in (9, 10, 11):
        assert shown(tournament)["takes_late"]
        late = PairEnrolled(number, f"P{number}", (f"a{number}", f"b{number}"), late=True)
        tournament = apply(tournament, late)
    assert BYE not in {one for two in meetings(tournament).values() for one in two}
    assert not shown(tournament)["takes_late"]
    assert refused(tournament, PairEnrolled(12, "x", ("c", "d"), late=True)) == "no_bye"


def test_results_and_tables_of_others_stay() -> None:
    tournament = drawn(5, Format.KNOCKOUT)
    (match,) = [m.id for m in ready(tournament) if m.round == 1]
    for act in result_acts(tournament, match, 4):
        tournament = apply(tournament, act)
    after = apply(tournament, LATE)
    assert after.results == tournament.results
    assert players(after, match) == players(tournament, match)


def test_who_was_exempt_and_plays_on_keeps_his_bye() -> None:
    tournament = drawn(6, Format.KNOCKOUT)  # 1 and 2 are exempt, and 2 is the last of them
    two = next(m.id for m in tournament.matches.values() if 2 in players(tournament, m.id)
               and m.round == 2)  # fmt: skip
    for match in [m.id for m in ready(tournament) if m.round == 1]:
        winner = players(tournament, match)[0]
        assert isinstance(winner, int)
        for act in result_acts(tournament, match, winner):
            tournament = apply(tournament, act)
    assert shown(tournament)["takes_late"]
    called = apply(tournament, TableAssigned(two, "mesa-1"))
    assert refused(called, LATE) == "no_bye"
    for act in result_acts(called, two, 2):
        called = apply(called, act)
    assert refused(called, LATE) == "no_bye"


def test_where_there_are_no_byes_a_late_pair_is_told_what_else_to_do() -> None:
    assert refused(drawn(8, Format.KNOCKOUT), LATE) == "no_bye"
    assert refused(drawn(5, Format.ROBIN), LATE) == "no_bye"
    assert refused(drawn(5, Format.SWISS, rounds=2), LATE) == "no_bye"
    opened = fold([Opened("T", Format.KNOCKOUT), PairEnrolled(1, "x", ("a", "b"))])
    assert refused(opened, LATE) == "not_drawn"
    plain = PairEnrolled(9, "Tarde", ("Eva", "Jon"))
    assert refused(drawn(5, Format.KNOCKOUT), plain) == "too_late"
    taken = PairEnrolled(3, "Tarde", ("Eva", "Jon"), late=True)
    assert refused(drawn(5, Format.KNOCKOUT), taken) == "number_taken"


def test_whoever_repeats_the_draw_knows_which_pairs_to_leave_out() -> None:
    after = apply(drawn(5, Format.KNOCKOUT, seeds=0), LATE)
    here = {one["pair"]: one["late"] for one in shown(after)["pairs"]}
    assert here == {1: False, 2: False, 3: False, 4: False, 5: False, 9: True}
    listed = [pair for pair in after.pairs.values() if not pair.late]
    assert (*draw(listed, 7), 9) == after.order
    again = apply(after, DrawAnnulled("Juez", "Otra pareja"))
    assert not any(one["late"] for one in shown(again)["pairs"])
    again = apply(again, Drawn(8, draw(again.pairs.values(), 8)))
    assert sorted(again.order) == [1, 2, 3, 4, 5, 9]
    assert shown(again)["annulled"] == [[7, "Otra pareja"]]


def test_a_consolation_takes_the_loser_of_the_late_pairs_match() -> None:
    stages = (
        Stage(StageKind.KNOCKOUT),
        Stage(StageKind.KNOCKOUT, source=1, losers=True),
    )
    sheet = FormatSheet("mio", (("es", "Mío"),), stages)
    acts: list[Act] = [Opened("T", Format.SHEET, Options(juegos=1), sheet=sheet)]
    acts += [PairEnrolled(n, f"P{n}", (f"a{n}", f"b{n}"), seed=n) for n in range(1, 6)]
    tournament = fold(acts)
    tournament = apply(tournament, Drawn(7, draw(tournament.pairs.values(), 7)))
    after = apply(tournament, LATE)
    while matches := ready(after):
        winner = min(p for p in players(after, matches[0].id) if isinstance(p, int))
        for act in result_acts(after, matches[0].id, winner):
            after = apply(after, act)
    assert finished(after)
    side = [players(after, m.id) for m in after.matches.values() if m.phase == 2]
    assert any(9 in two for two in side)


def test_the_act_survives_and_old_ones_are_not_late() -> None:
    assert act_from_json(act_to_json(LATE)) == LATE
    old = act_from_json('{"type":"PairEnrolled","v":1,"pair":1,"name":"x","players":["a","b"]}')
    assert isinstance(old, PairEnrolled)
    assert not old.late
