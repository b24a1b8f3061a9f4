"""The view of a tournament: the state of each match, and which tie-break decided."""

from __future__ import annotations

import json

from assistant.hall.tournament import Format, ResultEntered, TableAssigned, apply, shown, standings
from tests.hall.tournament.playing import both, drawn, entered, played, stronger
from tests.tables import each_row


def states(tournament: object) -> dict[str, str]:
    return {match["match"]: match["state"] for match in shown(tournament)["matches"]}  # type: ignore[arg-type]


def test_the_states_of_a_match_follow_each_other_until_it_is_over() -> None:
    tournament = drawn(5, Format.KNOCKOUT)
    assert states(tournament)["K2.1"] == "later"
    first = next(match for match, state in states(tournament).items() if state == "ready")
    tournament = apply(tournament, TableAssigned(first, "mesa-3"))
    assert states(tournament)[first] == "playing"
    tournament = apply(tournament, ResultEntered(first, (3, 1), (120, 80), "Ana"))
    assert states(tournament)[first] == "waiting"
    tournament = entered(drawn(5, Format.KNOCKOUT), first, both(tournament, first)[0])
    assert states(tournament)[first] == "over"
    assert "void" in states(tournament).values()  # a match with a bye


def test_the_view_says_where_an_unknown_pair_will_come_from() -> None:
    matches = {m["match"]: m for m in shown(drawn(4, Format.KNOCKOUT))["matches"]}
    assert [slot["source"] for slot in matches["K2.1"]["slots"]] == [
        ["winner", "K1.1"],
        ["winner", "K1.2"],
    ]
    groups = shown(drawn(6, Format.GROUPS, groups=2, advance=1))
    final = groups["matches"][-1]
    assert [slot["source"] for slot in final["slots"]] == [["place", 1, 1], ["place", 2, 1]]


@each_row(
    "form, options, lists",
    [
        (Format.KNOCKOUT, {}, 0),
        (Format.DOUBLE, {}, 0),
        (Format.ROBIN, {}, 1),
        (Format.GROUPS, {"groups": 2, "advance": 2}, 2),
    ],
)
def test_every_format_is_shown_completely_and_as_json(
    form: Format, options: dict[str, int], lists: int
) -> None:
    tournament = played(drawn(8, form, **options), stronger)
    whole = shown(tournament)
    assert json.loads(json.dumps(whole)) == whole
    assert whole["stage"] == "over"
    assert whole["podium"]
    assert len(whole["standings"]) == lists
    assert {match["state"] for match in whole["matches"]} <= {"over", "void"}
    if form is Format.ROBIN:
        rows = standings(tournament)
        assert [row["pair"] for row in whole["standings"][0]] == [row.pair for row in rows]
        assert [row["by"] for row in whole["standings"][0]] == [row.by for row in rows]
