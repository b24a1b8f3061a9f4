"""What a table settles by agreement (R45, R46): lances, bets, stones and hands."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.changes import Draft
from assistant.rules.engine import missing_hands
from assistant.rules.history import undo_target
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.profile import Penalty, Real31
from assistant.rules.settle import settle
from assistant.rules.state import State
from tests.rules import oracle
from tests.rules.listed import legal_calls
from tests.rules.play import (
    cards,
    corto,
    envido,
    mas,
    mus,
    no_queremos,
    no_quiero,
    nueva_mano,
    ordago,
    paso,
    quiero,
)
from tests.rules.tables import Table, asked, each, refused
from tests.rules.test_oracle import declare, random_deal, talk_over
from tests.tables import each_row

HANDS = ("R R 5 4", "C C 5 4", "R 7 6 1", "S 7 6 1")
US, THEM = c.Whose.US, c.Whose.THEM


def claim(
    lance: Lance,
    side: str | None = None,
    *values: int,
    seat: int | None = None,
    whose: c.Whose | None = None,
) -> c.Call:
    return c.ClaimLance(seat=seat, lance=lance, side=side, whose=whose, values=values)


def eran(lance: Lance, stones: int) -> c.Call:
    """ "La grande eran cinco"."""
    return c.CorrectBet(lance=lance, stones=stones)


def give(
    side: str | None, stones: int, seat: int | None = None, whose: c.Whose | None = None
) -> c.Call:
    return c.AdjustStones(seat=seat, side=side, stones=stones, whose=whose)


def at_showdown(**rules: Any) -> Table:
    """Grande is bet at 5 and accepted, chica is passed, 1 and 2 pass pares, A has refused punto."""
    table = Table(**rules)
    table.cut().say(envido(1, 5), quiero(2)).all_pass().declare("sí sí no no")
    table.say(paso(1), paso(2)).declare("no no no no").say(envido(1), no_queremos(2))
    assert table.phase is Phase.SHOWDOWN
    return table


def counted(**rules: Any) -> Table:
    """The same deal after the count: A has 1 + 5 + 1 + 1 = 8, B has the chica."""
    table = at_showdown(**rules)
    table.show_asked(*HANDS)
    assert (table.phase, table.stones) == (Phase.COUNT, (8, 1))
    return table


# --- R46: lances claimed without cards ------------------------------------------------------------


def test_r46_a_deal_is_counted_by_what_the_table_agrees_on() -> None:
    table = at_showdown()
    table.say(claim(Lance.GRANDE, "A"), claim(Lance.CHICA, "B"))
    assert missing_hands(table.state) == (1, 2)  # only for pares
    table.say(claim(Lance.PARES, "A", 1))
    assert (table.phase, table.stones) == (Phase.COUNT, (8, 1))
    assert table.said(e.LanceDecided) == []  # no card showed whose it was


@each_row("order", list(permutations(range(3))))
def test_r46_claims_come_in_any_order(order: tuple[int, ...]) -> None:
    claims = (
        claim(Lance.GRANDE, "A"),
        claim(Lance.CHICA, "B"),
        claim(Lance.PARES, "A", 1),
    )
    assert at_showdown().say(*(claims[i] for i in order)).stones == (8, 1)


def test_r46_only_the_lances_that_are_not_agreed_on_need_cards() -> None:
    table = at_showdown().say(claim(Lance.CHICA, "B"), claim(Lance.PARES, "B", 2))
    assert table.show_asked(*HANDS) == (1, 2, 3, 4)
    assert table.stones == (1 + 5 + 1, 1 + 2)  # the claim stands: medias, whatever the cards say


@each_row("seat, whose, side", [(1, US, "A"), (3, US, "A"), (2, US, "B"), (4, THEM, "A")])
def test_r46_ours_and_theirs_go_by_who_speaks(seat: int, whose: c.Whose, side: str) -> None:
    table = at_showdown().say(claim(Lance.GRANDE, seat=seat, whose=whose))
    assert table.said(e.LanceClaimed) == [e.LanceClaimed(Lance.GRANDE, side)]


def test_r46_ours_by_an_unknown_speaker_is_asked() -> None:
    question = asked(at_showdown(), claim(Lance.GRANDE, whose=US))
    assert question.code == "whose"
    assert question.options == (claim(Lance.GRANDE, "A"), claim(Lance.GRANDE, "B"))


def test_r46_theirs_is_asked_where_there_are_several_rivals() -> None:
    table = each(3).cut().all_pass(2).declare("no no no").declare("no no no").all_pass()
    question = asked(table, claim(Lance.GRANDE, seat=1, whose=THEM))
    assert [getattr(option, "side", None) for option in question.options] == ["A", "B", "C"]


@each_row(
    "wrong",
    [
        claim(Lance.GRANDE, "A", 1),  # grande has no values
        claim(Lance.PARES, "A", 1, 1),  # one hand of side A holds pares
        claim(Lance.PARES, "A", 4),
        claim(Lance.PARES, "A", 0),
        claim(Lance.PUNTO, "A"),  # refused: the lance is B's already, and no card counts
        claim(Lance.PUNTO, "B"),
        claim(Lance.JUEGO, "A", 2),  # nobody has juego
    ],
)
def test_r46_a_claim_that_contradicts_the_deal_is_refused(wrong: c.Call) -> None:
    assert refused(at_showdown(), wrong) == "claim_wrong"


def test_r46_pares_are_claimed_with_what_the_hands_are_worth() -> None:
    assert refused(at_showdown(), claim(Lance.PARES, "A")) == "claim_values"


@each_row("lance, reason", [(Lance.PARES, "claim_values"), (Lance.JUEGO, "claim_values")])
def test_r46_nobody_is_asked_whose_a_claim_is_that_fails_for_every_side(
    lance: Lance, reason: str
) -> None:
    table = Table().cut().all_pass(2).declare("sí sí no no").all_pass()
    table.declare("sí sí no no").all_pass()
    assert refused(table, claim(lance, whose=US)) == reason
    assert asked(table, claim(lance, None, 2, whose=US)).code == "whose"


def test_r46_a_claim_for_a_side_that_does_not_exist_is_refused() -> None:
    assert refused(at_showdown(), claim(Lance.GRANDE, "C")) == "whose"


def test_article_5_5_a_void_lance_cannot_be_claimed() -> None:
    """Norte said órdago at pares and holds none. The two other hands are asked for as well."""
    table = Table(penalty=Penalty.INTERPENAS).to_lance(Lance.PARES, "sí sí no no")
    table.say(ordago(1), quiero(2), cards(1, "R C 5 4"), cards(2, "C C 5 4"))
    result = table.state.result(Lance.PARES)
    assert result is not None
    assert (result.how, table.phase) == (e.How.VOID, Phase.SHOWDOWN)
    for side in ("A", "B"):
        assert refused(table, claim(Lance.PARES, side, 1)) == "claim_wrong"


@each_row("phase", ["mus", "grande", "count"])
def test_r46_lances_are_claimed_only_at_the_showdown(phase: str) -> None:
    table = {"mus": Table(), "grande": Table().to_lance(Lance.GRANDE), "count": counted()}[phase]
    assert refused(table, claim(Lance.GRANDE, "A")) == "not_now"


def test_r46_a_refused_lance_is_claimed_only_by_its_bettors_and_only_for_its_values() -> None:
    table = Table().cut().all_pass(2).declare("sí sí sí no").say(envido(1, 4), no_queremos(2))
    table.declare("sí no sí no")
    assert refused(table, claim(Lance.PARES, "B", 3)) == "claim_wrong"
    table.say(claim(Lance.PARES, "A", 3, 1), claim(Lance.JUEGO, "A", 3, 2))
    table.say(claim(Lance.GRANDE, "B"), claim(Lance.CHICA, "B"))
    assert table.stones == (1 + 4 + 5, 2)


@each_row("side", ["A", "B"])
def test_r46_an_ordago_can_be_claimed(side: str) -> None:
    table = Table().cut().say(ordago(1), quiero(2), claim(Lance.GRANDE, side))
    assert (table.state.juego_won, table.state.juegos) == (side, (side == "A", side == "B"))


def test_r46_under_an_ordago_nothing_else_is_claimed() -> None:
    table = Table().cut().all_pass().say(ordago(1), quiero(2))
    assert refused(table, claim(Lance.GRANDE, "A")) == "claim_wrong"


def test_r46_an_ordago_at_pares_is_claimed_with_or_without_values() -> None:
    for values in ((), (3,)):
        table = Table().to_lance(Lance.PARES, "sí sí no no").say(ordago(1), quiero(2))
        assert table.say(claim(Lance.PARES, "B", *values)).state.juego_won == "B"


def test_r46_a_claim_may_end_the_juego_and_the_lances_after_it_do_not_count() -> None:
    table = at_showdown(stones=(33, 39)).say(claim(Lance.GRANDE, "A"), claim(Lance.CHICA, "B"))
    assert (table.state.juego_won, table.stones) == ("B", (39, 40))


def test_r46_a_claim_is_undone_and_redone() -> None:
    table = at_showdown().say(claim(Lance.GRANDE, "B"))
    before = at_showdown().state
    assert table.undo().state == before
    assert table.redo().say(claim(Lance.CHICA, "B"), claim(Lance.PARES, "A", 1)).stones == (3, 6)


def test_r46_a_claim_may_be_made_again_until_the_count() -> None:
    table = at_showdown().say(claim(Lance.GRANDE, "B"), claim(Lance.GRANDE, "A"))
    result = table.state.result(Lance.GRANDE)
    assert result is not None
    assert result.side == "A"


@each_row("lance", [Lance.GRANDE, Lance.CHICA, Lance.PUNTO])
@each_row("how", ["passed", "accepted"])
def test_r46_every_listed_claim_is_taken(lance: Lance, how: str) -> None:
    table = Table().to_lance(lance)
    if how == "accepted":
        table.say(envido(1, 3), quiero(2))
    while table.phase is not Phase.SHOWDOWN:
        if table.phase in DECLARING:
            table.declare("no no no no")
        else:
            table.all_pass()
    listed = [x for x in legal_calls(table.state) if isinstance(x, c.ClaimLance)]
    assert {(x.lance, x.side) for x in listed} >= {(lance, "A"), (lance, "B")}
    bet = {"passed": 0, "accepted": 3}[how]
    stones = bet + 1 if lance is Lance.PUNTO else bet or 1
    for call in [x for x in listed if x.lance is lance]:
        others = [x for x in listed if x.lance is not lance and x.side == "A"]
        table.say(*others, call)
        won = sum(n for _side, n, at, _why in table.won() if at == lance)
        assert (table.phase, won) == (Phase.COUNT, stones)
        for _ in (*others, call):
            table.undo()


@each_row("seat", [2, 3])
def test_r46_where_each_plays_for_himself_a_player_claims_for_his_own_hand(seat: int) -> None:
    table = each(3).to_lance(Lance.PARES, "sí sí sí").say(envido(1, 4), quiero(seat))
    table.say(no_quiero(5 - seat)).declare("no no no").all_pass()
    assert refused(table, claim(Lance.PARES, "ABC"[4 - seat], 2)) == "claim_wrong"
    assert table.say(claim(Lance.PARES, "ABC"[seat - 1], 2)).state.result(Lance.PARES)


def test_r46_a_trio_claims_up_to_three_values() -> None:
    table = Table(6).to_lance(Lance.PARES, "sí sí sí no sí no").all_pass()
    table.declare("no no no no no no").all_pass()
    assert refused(table, claim(Lance.PARES, "A", 1, 1)) == "claim_wrong"
    assert table.say(claim(Lance.PARES, "A", 1, 3, 2)).state.result(Lance.PARES)


# --- R46: the hands that are asked for ------------------------------------------------------------


def to_showdown(random: Random, deal: oracle.Deal) -> Table:
    table = Table(
        mano=deal.mano,
        stones=deal.before,
        kings=deal.kings,
        target=deal.target,
        real31=Real31(deal.real31),
    )
    table.cut()
    while table.phase not in (Phase.SHOWDOWN, Phase.COUNT):
        if table.phase in DECLARING:
            declare(table, deal)
        elif table.state.lance is not None:
            talk_over(random, table, deal.talk[table.state.lance.value])
    return table


def stones_with(state: State, hands: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The stones and juegos after the count, if the players who have not shown hold these hands."""
    draft = Draft(state)
    for seat in state.order():
        if state.hands[seat - 1] is None:
            draft.emit(e.HandShown(seat, parse_hand(hands[seat - 1])))
    settle(draft)
    return draft.state.stones, draft.state.juegos


EXTREMES = ("RRRR", "RRR1", "1111", "777S", "RCS1", "RC64", "RR71", "4444", "5544", "RRCC")


def some_hand(random: Random) -> str:
    """A random hand. Extreme ones are frequent, because they decide against good ones."""
    if random.random() < 0.4:
        return random.choice(EXTREMES)
    return "".join(random.sample(list(oracle.HIGH_TO_LOW) * 4, 4))


def can_matter(random: Random, state: State, hands: tuple[str, ...], seat: int) -> bool:
    """Whether two hands of this seat are found that change the stones, all else equal."""
    for tried in range(150):
        rest = hands if tried == 0 else tuple(some_hand(random) for _ in hands)
        first = stones_with(state, rest)
        for _ in range(6):
            if stones_with(state, (*rest[: seat - 1], some_hand(random), *rest[seat:])) != first:
                return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_r46_the_hands_asked_for_bring_the_same_stones_as_all_of_them(seed: int) -> None:
    random = Random(seed)
    for _ in range(150):
        deal = random_deal(random)
        table = to_showdown(random, deal)
        showdown, scored = table.state, oracle.score(deal).stones
        if showdown.phase is Phase.SHOWDOWN:
            assert stones_with(showdown, deal.hands)[0] == scored, deal
        table.show_asked(*(" ".join(hand) for hand in deal.hands))
        assert table.stones == scored, deal
        for seat in [s for s in showdown.order() if table.state.hands[s - 1] is None]:
            table.say(cards(seat, " ".join(deal.hands[seat - 1])))
        assert table.stones == scored, deal


def test_r46_no_hand_is_asked_for_that_could_not_change_the_stones() -> None:
    """With another hand of that player, all else equal, the stones would differ.

    One hand in a hundred may be asked for and not matter: two lances together would have ended the
    juego anyway, or the search misses a rare hand.
    """
    random = Random(0)
    asked_for, idle = 0, []
    for _ in range(250):
        deal = random_deal(random)
        table = to_showdown(random, deal)
        while missing := missing_hands(table.state):
            asked_for += 1
            if not can_matter(random, table.state, deal.hands, missing[0]):
                idle.append((deal, missing[0]))
            table.say(cards(missing[0], " ".join(deal.hands[missing[0] - 1])))
    assert asked_for > 600
    assert len(idle) * 100 <= asked_for, idle


@each_row(
    "lance, best, good",
    [
        (Lance.GRANDE, "R R R R", "R R R C"),
        (Lance.CHICA, "1 1 1 1", "1 1 1 4"),
        (Lance.PARES, "R R R R", "R R C C"),
        (Lance.JUEGO, "R C S 1", "R C 6 6"),
        (Lance.PUNTO, "R C 6 4", "R C 5 4"),
    ],
)
def test_r46_a_hand_of_mano_that_nobody_can_beat_needs_no_other_hand(
    lance: Lance, best: str, good: str
) -> None:
    """Real tables do the same: "treinta y una de mano" ends the talk."""
    for hand, still_asked in ((best, False), (good, True)):
        table = Table().to_lance(lance, "sí sí no no").say(ordago(1), quiero(2), cards(1, hand))
        assert (table.state.juego_won is None) is still_asked


def test_r46_the_best_hand_of_another_player_may_still_be_tied_by_mano() -> None:
    table = Table(mano=2).to_lance(Lance.JUEGO, "sí sí no no").say(ordago(1), quiero(2))
    table.say(cards(1, "R C S 1"))
    assert missing_hands(table.state) == (2,)


def test_r46_31_of_mano_may_be_beaten_where_the_real_is_played() -> None:
    table = Table(real31=Real31.SOTA).to_lance(Lance.JUEGO, "sí sí no no")
    table.say(ordago(1), quiero(2), cards(1, "R C S 1"))
    assert missing_hands(table.state) == (2,)


# --- R45: corrected bets --------------------------------------------------------------------------


def test_r45_a_pending_bet_is_corrected() -> None:
    table = Table().cut().say(envido(1, 5), eran(Lance.GRANDE, 6))
    assert table.said(e.BetCorrected) == [e.BetCorrected(Lance.GRANDE, 6)]
    result = table.say(quiero(2)).state.result(Lance.GRANDE)
    assert result is not None
    assert result.stones == 6


def test_r45_an_accepted_bet_is_corrected_before_the_count() -> None:
    table = at_showdown().say(eran(Lance.GRANDE, 7))
    table.show_asked(*HANDS)
    assert table.stones == (10, 1)


def test_r45_a_bet_that_nobody_heard_is_counted_once_it_is_told() -> None:
    """Chica went for passed. Whose bet it was does not matter: it was accepted."""
    table = at_showdown().say(eran(Lance.CHICA, 5))
    chica = table.state.result(Lance.CHICA)
    assert chica is not None
    assert (chica.how, chica.stones) == (e.How.ACCEPTED, 5)
    table.show_asked(*HANDS)
    assert sum(table.stones) == sum(counted().stones) + 4  # five in place of one for the paso


def test_r45_a_bet_that_nobody_heard_is_counted_after_the_count_too() -> None:
    table = counted().say(eran(Lance.CHICA, 5))
    assert isinstance(table.last[0], e.CountReopened)
    assert sum(table.stones) == sum(counted().stones) + 4
    assert table.undo().stones == counted().stones


def test_r45_an_accepted_bet_corrected_after_the_count_is_counted_again() -> None:
    table = counted().say(eran(Lance.GRANDE, 2))
    assert isinstance(table.last[0], e.CountReopened)
    assert (table.phase, table.stones) == (Phase.COUNT, (5, 1))
    assert table.undo().stones == (8, 1)
    assert table.redo().stones == (5, 1)


@each_row("stones", [1, 200])
def test_r45_a_bet_is_corrected_to_at_least_one_stone_and_at_most_two_hundred(stones: int) -> None:
    table = at_showdown().say(eran(Lance.GRANDE, stones))
    assert table.said(e.BetCorrected) == [e.BetCorrected(Lance.GRANDE, stones)]


def test_r45_claims_stand_when_the_count_is_made_again() -> None:
    table = at_showdown().say(claim(Lance.GRANDE, "B"), claim(Lance.CHICA, "B"))
    table.say(claim(Lance.PARES, "A", 3), eran(Lance.GRANDE, 9))
    assert table.stones == (1 + 3 + 1, 9 + 1)


def test_r45_a_corrected_bet_takes_back_a_won_juego_and_gives_it_again() -> None:
    table = Table(stones=(34, 0))
    table.cut().say(envido(1, 5), quiero(2)).all_pass().declare("no no no no")
    table.declare("no no no no").say(envido(1), no_queremos(2)).show_asked(*HANDS)
    assert (table.state.juego_won, table.state.juegos) == ("A", (1, 0))
    table.say(eran(Lance.GRANDE, 2))
    assert (table.state.juego_won, table.state.juegos, table.stones) == (None, (0, 0), (38, 1))
    table.say(eran(Lance.GRANDE, 5))
    assert table.state.juegos == (1, 0)


def test_r45_a_corrected_bet_takes_back_a_won_match() -> None:
    table = Table(stones=(34, 0), juegos=1)
    table.cut().say(envido(1, 5), quiero(2)).all_pass().declare("no no no no")
    table.declare("no no no no").say(envido(1), no_queremos(2)).show_asked(*HANDS)
    assert (table.state.winner, table.phase) == ("A", Phase.OVER)
    table.say(eran(Lance.GRANDE, 2))
    assert (table.state.winner, table.phase, table.stones) == (None, Phase.COUNT, (38, 1))


def test_r45_a_match_won_by_a_deje_is_not_counted_again() -> None:
    table = Table(stones=(39, 0), juegos=1).cut().say(envido(2), quiero(1))
    table.say(envido(1), no_queremos(2))
    assert table.phase is Phase.OVER
    assert refused(table, eran(Lance.GRANDE, 5)) == "claim_closed"


@each_row("call", [mus(1), nueva_mano(), c.SetStones(stones=(0, 0)), give("A", 1), c.Redeal()])
def test_r41_after_the_match_nothing_but_a_bet_is_corrected(call: c.Call) -> None:
    table = Table(stones=(39, 0), juegos=1).cut().say(envido(1), no_queremos(2))
    assert refused(table, call) == "game_over"


@each_row(
    "call, code",
    [
        (eran(Lance.GRANDE, 5), "nothing_to_correct"),  # that is what it was already
        (eran(Lance.GRANDE, 0), "nothing_to_correct"),
        (eran(Lance.GRANDE, 201), "nothing_to_correct"),
        (eran(Lance.PUNTO, 5), "nothing_to_correct"),  # refused
        (eran(Lance.JUEGO, 5), "nothing_to_correct"),  # not played
        (c.CorrectBet(stones=5), "nothing_to_correct"),
    ],
)
def test_r45_only_a_bet_that_is_owed_is_corrected(call: c.Call, code: str) -> None:
    assert refused(at_showdown(), call) == code
    assert refused(counted(), call) == code


def test_r45_a_bet_of_the_last_deal_is_not_corrected_once_the_next_has_begun() -> None:
    table = counted().say(nueva_mano())
    assert refused(table, eran(Lance.GRANDE, 2)) == "claim_closed"


def test_r45_a_bet_that_one_rival_has_answered_is_not_corrected() -> None:
    table = Table().cut().say(envido(1, 5), no_quiero(2))
    assert refused(table, eran(Lance.GRANDE, 6)) == "nothing_to_correct"


def test_r45_a_raise_is_corrected_to_no_less_than_the_bet_before_it() -> None:
    table = Table().cut().say(envido(1, 5), mas(2, 3))
    for stones in (5, 3):
        assert refused(table, eran(Lance.GRANDE, stones)) == "nothing_to_correct"
    assert table.say(eran(Lance.GRANDE, 6), no_queremos(1)).stones == (0, 5)


# --- R45: corrected stones ------------------------------------------------------------------------


@each_row(
    "call, stones",
    [
        (give("A", 2), (10, 1)),
        (give("B", -1), (8, 0)),
        (give(None, 3, seat=3, whose=US), (11, 1)),
        (give(None, -2, seat=2, whose=THEM), (6, 1)),
        (give(None, 4, seat=4, whose=US), (8, 5)),
    ],
)
def test_r45_stones_are_given_and_taken_by_agreement(call: c.Call, stones: tuple[int, int]) -> None:
    table = counted().say(call)
    assert table.stones == stones
    assert table.undo().stones == (8, 1)
    assert table.redo().stones == stones


def test_r45_stones_for_us_by_an_unknown_speaker_are_asked_about() -> None:
    question = asked(counted(), give(None, 2, whose=US))
    assert question.options == (give("A", 2), give("B", 2))


def test_r45_stones_for_a_side_that_does_not_exist_are_refused() -> None:
    assert refused(counted(), give("C", 1)) == "whose"


@each_row("stones", [0, -9, 33])
def test_r45_nobody_has_fewer_than_no_stones_nor_more_than_the_target(stones: int) -> None:
    assert refused(counted(), give("A", stones)) == "score_wrong"


def test_r45_stones_that_reach_the_target_win_the_juego() -> None:
    table = counted().say(give("B", 39))
    assert (table.stones, table.state.juego_won, table.state.juegos) == ((8, 40), "B", (0, 1))
    assert table.undo().state.juego_won is None


def test_r45_stones_given_before_a_second_count_win_the_juego_at_once() -> None:
    """B was given the stones it lacked, and then the bet at grande was corrected."""
    table = counted().say(give("B", 39), eran(Lance.GRANDE, 2))
    assert (table.state.juego_won, table.state.juegos) == ("B", (0, 1))


def test_r45_between_two_juegos_no_stones_are_given() -> None:
    assert refused(counted().say(give("B", 39)), give("A", 1)) == "score_wrong"


def test_r45_stones_stay_given_when_the_count_is_made_again() -> None:
    assert counted().say(give("B", 3), eran(Lance.GRANDE, 2)).stones == (5, 4)


def test_r45_claims_close_when_the_next_deal_begins() -> None:
    table = counted().say(nueva_mano())
    assert refused(table, give("A", 1)) == "claim_closed"
    assert refused(table.say(corto(2)), give("A", 1)) == "claim_closed"


def test_r45_claims_are_open_where_the_house_takes_them_late() -> None:
    assert counted(late_claims=True).say(nueva_mano(), give("A", 1)).stones == (9, 1)


def test_r45_stones_that_moved_in_this_deal_can_be_corrected() -> None:
    table = counted().say(nueva_mano()).cut().say(envido(2), no_queremos(1))
    assert table.say(give("B", -1)).stones == (8, 1)


def test_r45_a_page_may_set_the_score_at_any_time() -> None:
    table = counted().say(nueva_mano(), corto(2), c.SetStones(stones=(20, 30)))
    assert table.stones == (20, 30)


def test_r45_a_void_deal_keeps_what_was_agreed() -> None:
    table = counted().say(nueva_mano()).cut().say(envido(2), no_queremos(1), give("A", 5))
    assert table.say(c.Redeal()).stones == (13, 1)


# --- R45: undo ------------------------------------------------------------------------------------


def test_r45_undo_stops_at_a_deal_in_which_somebody_has_spoken() -> None:
    table = counted().say(nueva_mano(), corto(2)).undo()
    assert (table.phase, table.state.deal) == (Phase.MUS, 2)
    # The cards of the deal before are in the pile by then. A deal that nobody has spoken in may
    # have begun by mistake.
    assert undo_target(table.records) is None


def test_r45_a_deal_begun_by_mistake_is_undone() -> None:
    table = counted().say(nueva_mano()).undo()
    assert (table.phase, table.state.deal) == (Phase.COUNT, 1)


def test_r45_a_deal_that_a_mus_began_is_undone_with_it() -> None:
    table = counted().say(mus(2))
    assert table.state.deal == 2
    assert table.undo().phase is Phase.COUNT


def test_r45_undo_goes_back_further_where_the_house_takes_late_claims() -> None:
    table = counted(late_claims=True).say(nueva_mano(), corto(2)).undo().undo()
    assert (table.phase, table.stones) == (Phase.COUNT, (8, 1))
    assert table.undo().phase is Phase.SHOWDOWN


def test_r45_every_correction_is_undone_in_turn_and_redone() -> None:
    table = at_showdown()
    calls = (
        eran(Lance.GRANDE, 3),
        claim(Lance.GRANDE, "B"),
        claim(Lance.CHICA, "A"),
        claim(Lance.PARES, "B", 3),
        eran(Lance.GRANDE, 8),
        give("A", 4),
        give("B", -2),
        nueva_mano(),
    )
    states = [table.state]
    for call in calls:
        states.append(table.say(call).state)
    for state in reversed(states[:-1]):
        assert table.undo().state == state
    for state in states[1:]:
        assert table.redo().state == state


def test_r45_a_raise_counts_from_the_corrected_bet() -> None:
    table = Table().cut().say(envido(1, 5), eran(Lance.GRANDE, 3), mas(2, 4), no_queremos(1))
    assert table.stones == (0, 3)


# --- R08: a deal dealt again ----------------------------------------------------------------------


def test_r08_a_void_deal_gives_back_its_dejes_and_keeps_its_dealer() -> None:
    table = counted().say(nueva_mano()).cut().say(envido(2), no_queremos(1))
    assert table.stones == (8, 2)
    table.say(c.Redeal())
    assert (table.stones, table.phase) == ((8, 1), Phase.COUNT)
    table.say(mus(2))  # the first call begins the deal, as always
    assert (table.state.mano, table.state.deal, table.phase) == (2, 3, Phase.MUS)


def test_r08_after_the_count_there_is_nothing_to_deal_again() -> None:
    assert refused(counted(), c.Redeal()) == "not_now"
