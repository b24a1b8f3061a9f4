"""Categories: a podium for each, by how far its pairs came in the common tournament."""

from __future__ import annotations

import json

import pytest

from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    FormatSheet,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    PlayerEnrolled,
    Stage,
    StageKind,
    Tournament,
    TournamentError,
    act_from_dict,
    act_from_json,
    act_to_dict,
    apply,
    draw,
    fold,
    pair_rounds,
    players,
    ready,
    shown,
)
from assistant.hall.tournament.shown import podiums_by_category
from tests.hall.tournament.playing import result_acts

CATEGORIES = ("Mixta", "Senior", "mixta", "", "Senior", "MIXTA", "Júnior", "Senior")


def enrolled(form: Format, **options: int) -> list[Act]:
    """Eight pairs that are seeded by their strength; the lower number always wins."""
    opened = Opened("Torneo", form, Options(**options))  # type: ignore[arg-type]
    return [opened, *(
        PairEnrolled(n, f"P{n}", (f"Ana {n}", f"Luis {n}"), seed=n, category=category)
        for n, category in enumerate(CATEGORIES, 1)
    )]  # fmt: skip


def played(tournament: Tournament) -> Tournament:
    """The tournament after its last match."""
    while True:
        while matches := ready(tournament):
            two = players(tournament, matches[0].id)
            winner = min(one for one in two if isinstance(one, int))
            for act in result_acts(tournament, matches[0].id, winner):
                tournament = apply(tournament, act)
        try:
            for act in pair_rounds(tournament, lambda edges: {edges[0][:2]}):
                tournament = apply(tournament, act)
        except TournamentError:
            return tournament


def drawn(acts: list[Act]) -> Tournament:
    tournament = fold(acts)
    return apply(tournament, Drawn(7, draw(tournament.pairs.values(), 7)))


def test_each_category_has_its_podium_at_the_end_of_a_knock_out() -> None:
    tournament = drawn(enrolled(Format.KNOCKOUT, bronze=True))
    assert podiums_by_category(tournament) == {}
    ended = podiums_by_category(played(tournament))
    assert list(ended) == ["Júnior", "Mixta", "Senior"]  # however each pair wrote it
    assert (ended["Mixta"].first, ended["Mixta"].second) == ((1,), (3,))
    assert (ended["Senior"].first, ended["Senior"].second) == ((2,), (5, 8))
    assert ended["Senior"].third == ()  # two that came equally far share the second step
    assert (ended["Júnior"].first, ended["Júnior"].second) == ((7,), ())


def test_a_category_is_ranked_by_the_standings_where_all_meet_all() -> None:
    ended = podiums_by_category(played(drawn(enrolled(Format.ROBIN))))
    assert ended["Senior"].first + ended["Senior"].second + ended["Senior"].third == (2, 5, 8)
    assert ended["Mixta"].first + ended["Mixta"].second + ended["Mixta"].third == (1, 3, 6)


def test_who_was_out_in_the_groups_comes_after_who_went_on() -> None:
    tournament = played(drawn(enrolled(Format.GROUPS, groups=2, advance=1)))
    ended = podiums_by_category(tournament)
    assert ended["Senior"].first == (2,)
    assert set(ended["Senior"].second) <= {5, 8}
    told = {one["name"]: one["podium"] for one in shown(tournament)["categories"]}
    assert told["Senior"][0] == [2]
    json.dumps(told)


def test_every_category_is_listed_once_however_it_is_written() -> None:
    assert shown(drawn(enrolled(Format.ROBIN)))["category_names"] == ["Júnior", "Mixta", "Senior"]


def test_players_who_enrol_alone_have_categories_too() -> None:
    sheet = FormatSheet("solos", (("es", "Solos"),), (Stage(StageKind.INDIVIDUAL, rounds=3),))
    acts: list[Act] = [Opened("Torneo", Format.SHEET, sheet=sheet)]
    acts += [PlayerEnrolled(n, f"Ana {n}", category="Mixta" if n > 4 else "") for n in range(1, 9)]
    ended = podiums_by_category(played(drawn(acts)))
    assert list(ended) == ["Mixta"]
    assert set(ended["Mixta"].first) <= {5, 6, 7, 8}


def test_without_categories_there_is_nothing_to_show() -> None:
    acts: list[Act] = [Opened("Torneo", Format.KNOCKOUT, Options(juegos=1)),
            PairEnrolled(1, "P1", ("a", "b")), PairEnrolled(2, "P2", ("c", "d"))]  # fmt: skip
    assert shown(played(drawn(acts)))["categories"] == []


def test_a_category_is_corrected_and_kept_where_a_correction_says_nothing_of_it() -> None:
    tournament = fold(enrolled(Format.KNOCKOUT))
    names = ("P2", ("Ana 2", "Luis 2"), "")
    with pytest.raises(TournamentError, match="nothing to correct"):
        apply(tournament, PairCorrected(2, *names, "Juez", "Error"))
    moved = apply(tournament, PairCorrected(2, *names, "Juez", "Error", category="Mixta"))
    assert moved.pairs[2].category == "Mixta"
    club = ("P2", ("Ana 2", "Luis 2"), "Alta")
    assert apply(moved, PairCorrected(2, *club, "Juez", "Peña")).pairs[2].category == "Mixta"


def test_an_act_from_before_there_were_categories_is_read() -> None:
    told = {"type": "PairEnrolled", "v": 1, "pair": 1, "name": "P", "players": ["a", "b"]}
    act = act_from_json(json.dumps(told))
    assert isinstance(act, PairEnrolled)
    assert act.category == ""
    assert act_from_dict(act_to_dict(act)) == act
