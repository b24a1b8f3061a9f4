"""Properties of the odds that hold for any hand."""

from dataclasses import astuple, fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.odds import Known, chances
from assistant.odds.deck import OddsDeck, hands_of
from assistant.odds.rivals import LanceChance
from assistant.odds.stones import chances_of, tally
from assistant.rules.cards import CALLED_ALIKE, Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from tests.odds.brute import chance, count
from tests.odds.strategies import FORTY, games, seats, small_games

TABLE = Profile()


@given(small_games())
@settings(max_examples=20, deadline=None)
def test_any_small_deck_is_counted_as_dealing_it_out_does(game: tuple[OddsDeck, Known]) -> None:
    deck, known = game
    total, found = count(known, deck)
    for lance, told in chances_of(known, deck).items():
        for one in fields(LanceChance):
            assert getattr(told, one.name) == chance(getattr(found[lance], one.name), total)


@given(games)
@settings(max_examples=15, deadline=None)
def test_chances_add_up_and_a_part_is_never_more_than_the_whole(known: Known) -> None:
    told = chances(known, TABLE)
    for chance_ in told.values():
        assert all(0 <= number <= 1 for number in astuple(chance_))
        assert chance_.side == pytest.approx(chance_.won_contested + chance_.uncontested)
        assert chance_.best <= chance_.side <= chance_.played
        assert chance_.won_contested <= chance_.contested
        assert chance_.contested + chance_.uncontested <= chance_.played + 1e-12
    for lance in (Lance.GRANDE, Lance.CHICA):
        assert (told[lance].contested, told[lance].played) == (1, 1)
    # R19: either juego or punto is played.
    assert told[Lance.JUEGO].played + told[Lance.PUNTO].played == pytest.approx(1)


@given(games, st.integers(1, 3))
@settings(max_examples=8, deadline=None)
def test_turning_the_whole_table_changes_no_chance(known: Known, seats_on: int) -> None:
    moved = replace(
        known,
        seat=(known.seat - 1 + seats_on) % 4 + 1,
        mano=(known.mano - 1 + seats_on) % 4 + 1,
    )
    assert chances(moved, TABLE) == chances(known, TABLE)


@given(games)
@settings(max_examples=8, deadline=None)
def test_r01_a_tres_is_a_rey_and_the_order_of_cards_does_not_matter(known: Known) -> None:
    alike = tuple(CALLED_ALIKE.get(rank, rank) for rank in reversed(known.hand))
    assert chances(replace(known, hand=alike), TABLE) == chances(known, TABLE)


@given(games, seats, st.sampled_from(("pares", "juego")))
@settings(max_examples=12, deadline=None)
def test_the_chances_after_each_declaration_average_to_those_before_it(
    known: Known, seat: int, lance_said: str
) -> None:
    """The law of total probability: yes and no, each weighted by its probability."""
    before = chances(known, TABLE)
    total = tally(known, FORTY).total
    mixed = {lance: dict.fromkeys((f.name for f in fields(LanceChance)), 0.0) for lance in Lance}
    shares = 0.0
    for has in (True, False):
        if seat == known.seat and _holds(known, lance_said) is not has:
            continue  # this hand cannot say it
        declared = tuple(has if one == seat else None for one in range(1, 5))
        pares = lance_said == "pares"
        said = replace(known, pares=declared) if pares else replace(known, juego=declared)
        share = tally(said, FORTY).total / total
        shares += share
        for lance, told in chances(said, TABLE).items():
            for name in mixed[lance]:
                mixed[lance][name] += share * getattr(told, name)
    assert shares == pytest.approx(1)
    for lance, told in before.items():
        for name, number in mixed[lance].items():
            assert getattr(told, name) == pytest.approx(number, abs=1e-12), (lance, name)


def _holds(known: Known, lance: str) -> bool:
    hands = hands_of(FORTY)
    return bool(getattr(hands, lance)[hands.number(known.hand)])


@given(games)
@settings(max_examples=2, deadline=None)
def test_the_chances_over_all_hands_of_the_partner_average_to_those_without_it(
    known: Known,
) -> None:
    counted = tally(known, FORTY)
    shares = counted.ways * counted.deals / counted.total
    assert float(shares.sum()) == pytest.approx(1)
    mixed = dict.fromkeys(Lance, 0.0)
    for number, share in zip(counted.partner, shares, strict=True):
        told = chances(replace(known, partner=counted.hands.ranks[number]), TABLE)
        for lance in Lance:
            mixed[lance] += share * told[lance].side
    for lance, told_before in chances(known, TABLE).items():
        assert mixed[lance] == pytest.approx(told_before.side)


@given(games)
@settings(max_examples=8, deadline=None)
def test_r39_being_mano_is_never_worse(known: Known) -> None:
    as_mano = chances(replace(known, mano=known.seat), TABLE)
    for lance, told in chances(known, TABLE).items():
        assert told.best <= as_mano[lance].best


def test_r01_with_four_kings_a_tres_is_a_tres() -> None:
    four = Profile(kings=4)
    tres = chances(Known((Rank.TRES,) * 2 + (Rank.AS,) * 2), four)
    rey = chances(Known((Rank.REY,) * 2 + (Rank.AS,) * 2), four)
    assert tres[Lance.GRANDE].side < rey[Lance.GRANDE].side
    assert tres[Lance.JUEGO].best == rey[Lance.JUEGO].best == 0
