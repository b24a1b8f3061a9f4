"""Misdeals and other irregularities that no card proves, and articles that other rules keep.

Articles 1.4 to 1.7 of S2 (R51) come first. Articles 4.1, 4.2, 4.6, 4.11, 6.1, 7.1, 8.2 and 8.4 are
house rules or follow from the rules of the count.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_card
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Corrido, Exposed, PartnerConflict, Penalty, Real31
from tests.rules.articles import APPLY, BY_ARTICLE, MODES, WAIVE, applied, show_all, table
from tests.rules.listed import legal_calls
from tests.rules.play import (
    cards,
    corto,
    envido,
    mus,
    no_queremos,
    nueva_mano,
    ordago,
    pares,
    paso,
    quiero,
)
from tests.rules.tables import Table, asked, bet_now, each, refused
from tests.tables import each_row

WARNED = [mode for mode in MODES if mode != "off"]


def exposed() -> c.Call:
    return c.Report(kind=e.Irregularity.EXPOSED_CARD)


def holds(player: int, n: int) -> c.Call:
    return c.Report(kind=e.Irregularity.CARD_COUNT, player=player, cards=n)


def same_mano() -> c.Call:
    return c.Report(kind=e.Irregularity.SAME_MANO)


def next_deal(game: Table, mano: int | None = None) -> Table:
    """Everybody passes and shows, and the next deal begins."""
    game.to_pares("no no no no").declare("no no no no").all_pass()
    show_all(game, ("7 6 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4"))
    game.say(nueva_mano(mano))
    return game


# --- 1.4 and 1.7: the other side decides ----------------------------------------------------------


@each_row("mode", WARNED)
@each_row("report, article", [(exposed(), "1.7"), (holds(1, 5), "1.4"), (holds(3, 3), "1.4")])
def test_article_1_4_and_1_7_are_put_to_the_table_always(
    mode: str, report: c.Call, article: str
) -> None:
    """Este deals. A card was turned over, or a rival of his has five or three cards."""
    game = table(mode).say(report)
    assert [x.article for x in game.said(e.PenaltyProposed)] == [article]
    waiting = game.state
    game.say(APPLY)
    assert (game.phase, game.stones, game.state.results) == (Phase.COUNT, (0, 0), ())
    assert game.said(e.DealVoided) == [e.DealVoided(1)]
    assert game.undo().state == waiting
    game.redo().say(nueva_mano())
    assert (game.state.mano, game.state.deal) == (1, 2)  # dealt again: mano does not move


@each_row("report", [exposed(), holds(1, 5)])
def test_article_1_4_and_1_7_a_deal_that_the_table_accepts_is_played(report: c.Call) -> None:
    game = table().say(report, WAIVE, corto(1))
    assert (game.phase, game.state.proposals) == (Phase.GRANDE, ())


def test_article_1_7_a_player_who_plays_on_accepts_the_deal() -> None:
    game = table().say(exposed(), mus(1))
    assert game.said(e.PenaltyWaived) == [e.PenaltyWaived("1.7", e.Remedy.REDEAL, implied=True)]
    assert refused(game, APPLY) == "nothing_to_decide"


def test_article_1_7_applies_to_the_deal_and_not_to_the_lances() -> None:
    assert refused(table().cut(), exposed()) == "not_now"


@each_row("mode", MODES)
@each_row("cuts", [corto(1), paso(1), envido(1), ordago(1)])
def test_r08_a_card_exposed_forces_the_mus_where_the_house_has_it_so(
    mode: str, cuts: c.Call
) -> None:
    """S3: the mus is forced until the first discard; after it, the mus is cut as usual."""
    game = table(mode, exposed=Exposed.MUS).say(exposed())
    assert game.state.proposals == ()
    assert refused(game, cuts) == "mus_forced"
    assert all(not isinstance(call, c.Cut) for call in legal_calls(game.state))
    game.say(mus(1), mus(2), mus(3))
    assert refused(game, corto(4)) == "mus_forced"
    game.say(mus(4))
    assert game.say(cuts).state.lance is Lance.GRANDE


def test_r08_a_card_exposed_after_a_mus_changes_nothing_where_the_house_has_it_so() -> None:
    """FFM 4: all is dealt again in the first deal. FFM 6: after a mus the game goes on."""
    game = table("applied", exposed=Exposed.FIRST).say(exposed())
    assert [x.article for x in game.said(e.PenaltyProposed)] == ["1.7"]
    game = table("applied", exposed=Exposed.FIRST).say(mus(1), mus(2), mus(3), mus(4), exposed())
    assert game.state.incidents.proposals == ()
    assert game.say(corto(1)).state.lance is Lance.GRANDE


def test_r08_an_exposed_card_is_forgotten_in_the_next_deal() -> None:
    game = table(exposed=Exposed.MUS).say(exposed(), c.Redeal(), nueva_mano())
    assert not game.state.incidents.forced


@each_row("cards_held", [3, 5])
@each_row("player", [2, 4])
def test_article_1_4_the_dealers_own_side_corrects_its_number_of_cards(
    player: int, cards_held: int
) -> None:
    """The cards that are too many are taken away, and nothing else happens."""
    game = table().say(holds(player, cards_held))
    assert (len(game.last), game.state.proposals) == (1, ())


def test_article_1_4_in_a_mus_corrido_the_dealer_is_the_player_who_dealt() -> None:
    """Oeste cuts and is mano. Este has dealt all the same, and Norte is his rival."""
    game = table(corrido=Corrido.MATCH).say(corto(2))
    assert game.state.mano == 2
    assert game.say(holds(1, 5)).state.proposals
    assert not table(corrido=Corrido.MATCH).say(corto(2), holds(2, 5)).state.proposals


def test_article_1_4_is_proposed_once_though_two_players_report_it() -> None:
    game = table().say(holds(1, 5), holds(1, 5))
    assert len(game.state.proposals) == 1


@each_row("report", [exposed(), holds(1, 5), holds(1, 3)])
def test_r51_an_irregularity_is_only_reported_where_penalties_are_off(report: c.Call) -> None:
    game = table("off").say(report)
    assert [type(x) for x in game.last] == [e.IrregularityReported]


@each_row(
    "call, code",
    [
        (holds(1, 4), "cards_wrong"),
        (holds(1, 0), "cards_wrong"),
        (holds(1, 13), "cards_wrong"),
        (holds(9, 5), "seat_unknown"),
        (c.Report(kind=e.Irregularity.CARD_COUNT, cards=5), "seat_unknown"),
        (c.Report(kind=e.Irregularity.PEEKED, player=1), "not_now"),
    ],
)
def test_r51_an_impossible_report_is_refused(call: c.Call, code: str) -> None:
    assert refused(table(), call) == code


@each_row("cards_held", [1, 12])
def test_article_1_4_takes_reports_of_one_to_twelve_cards(cards_held: int) -> None:
    """A report of more than a dozen is a recognition error."""
    assert [p.article for p in table().say(holds(1, cards_held)).state.proposals] == ["1.4"]


@each_row("report", [holds(0, 5), c.Report(player=0)])
def test_r51_a_report_about_a_seat_that_does_not_exist_is_refused(report: c.Call) -> None:
    assert refused(table(), replace(report, seat=1)) == "seat_unknown"


def test_article_4_7_a_report_of_looking_needs_a_player() -> None:
    look = c.Report(kind=e.Irregularity.PEEKED)
    assert refused(table().cut(), look) == "seat_unknown"
    assert table().cut().say(replace(look, seat=2)).state.incidents.peeked


# --- 1.5: too many or too few after a discard -----------------------------------------------------


def discarded(mode: str = "interpenas") -> Table:
    game = table(mode)
    game.say(*(mus(seat) for seat in (1, 2, 3, 4)))
    return game


def test_article_1_5_more_than_four_cards_are_out_of_play() -> None:
    """Sur had the kings, which do not count: grande goes to Este's sota, punto to B's 27."""
    game = discarded().say(holds(3, 5), corto(1))
    assert (applied(game), game.state.out) == ([("1.5", 3)], (3,))
    for call in (paso(3), envido(3), ordago(3)):
        assert refused(game, call) == "out_of_play"
    game.all_pass(2).say(*(pares(seat, False) for seat in (1, 2, 4)))
    assert refused(game, pares(3)) == "out_of_play"
    game.say(*(c.Declare(seat=seat, holds=False) for seat in (1, 2, 4))).all_pass()
    assert 3 not in missing_hands(game.state)
    assert refused(game, cards(3, "R R R R")) == "out_of_play"
    show_all_in_play(game, ("7 5 6 4", "7 6 5 4", "", "S 7 6 4"))
    # Grande S 7 6 4 (B); chica 7 6 5 4 of Norte, mano (A); punto 27 (B).
    assert (game.phase, game.stones) == (Phase.COUNT, (1, 2))


def show_all_in_play(game: Table, hands: tuple[str, ...]) -> None:
    for seat in game.state.in_play():
        if game.phase is Phase.SHOWDOWN:
            game.say(cards(seat, hands[seat - 1]))


def test_article_1_5_fewer_than_four_are_played_as_they_are() -> None:
    """Norte has R R C: he wins grande and a pareja, and has no juego. His stones are good."""
    game = discarded().say(holds(1, 3), corto(1)).all_pass(2)
    game.declare("sí sí no no").all_pass().declare("no no no no").all_pass()
    assert refused(game, cards(1, "R R C 1")) == "cards_wrong"
    three = c.ShowHand(seat=1, cards=tuple(parse_card(card) for card in ("R", "R", "C")))
    game.say(three, cards(2, "5 5 6 4"), cards(3, "7 6 4 2"), cards(4, "S 7 6 4"))
    # Grande R R C (A); chica 2 4 6 7 of Sur (A); pares R R (A) 1; punto Norte's 30 (A).
    assert (applied(game), game.stones) == ([("1.5", 1)], (4, 0))


def test_article_1_5_where_the_house_warns_the_table_decides() -> None:
    game = discarded("waived").say(holds(3, 5))
    assert game.state.proposals[0].remedy is e.Remedy.OUT
    assert game.say(APPLY).state.out == (3,)
    assert game.undo().say(WAIVE).state.out == ()
    assert game.undo().undo().redo().redo().state.out == ()


def test_article_1_5_a_short_hand_is_recorded_for_its_own_player() -> None:
    """Norte plays with three cards. The table does not believe the report about Oeste."""
    game = discarded("waived").say(holds(1, 3), APPLY, holds(2, 3), WAIVE)
    assert [game.state.cards_of(seat) for seat in (1, 2, 3, 4)] == [3, 4, 4, 4]


def test_article_1_5_a_fourth_card_found_later_is_played() -> None:
    game = discarded().say(holds(1, 3), holds(1, 4), corto(1))
    assert game.state.cards_of(1) == 4
    assert refused(game, holds(1, 4)) == "cards_wrong"


def test_article_1_5_a_hand_that_is_out_cannot_be_reported_again() -> None:
    assert refused(discarded().say(holds(3, 5)), holds(3, 6)) == "not_now"


def test_article_1_5_a_lance_waits_for_its_last_player_though_a_hand_that_passed_is_out() -> None:
    game = table().say(mus(1), mus(2), mus(3), mus(4)).cut().say(paso(1), paso(2), paso(3))
    game.say(c.Report(kind=e.Irregularity.CARD_COUNT, player=2, cards=5))
    assert (game.state.out, game.phase) == ((2,), Phase.GRANDE)
    assert game.say(paso(4)).phase is Phase.CHICA


def test_article_1_5_waits_while_a_bet_of_that_hand_is_pending() -> None:
    game = discarded().say(envido(1, 5))
    assert refused(game, holds(1, 5)) == "not_now"
    assert game.say(no_queremos(2)).say(holds(1, 5)).state.out == (1,)


def test_article_1_5_waits_while_the_second_of_two_bets_of_that_hand_is_to_come() -> None:
    """Norte bets at both lances and is raised at grande.

    His bet at chica is still to come (R55).
    """
    game = discarded().say(envido(1, 2, both=True), c.Raise(seat=2, stones=2))
    assert refused(game, holds(1, 5)) == "not_now"
    game.say(quiero(3))
    assert refused(game, holds(1, 5)) == "not_now"  # his bet at chica is pending now
    game.say(c.Raise(seat=4, stones=2))
    assert game.say(holds(1, 5)).state.out == (1,)  # the bet is Este's now
    assert game.say(quiero(3)).phase is Phase.PARES_SAY


def test_article_1_5_a_hand_that_has_no_bet_to_come_is_out_at_once() -> None:
    game = discarded().say(envido(1, 2, both=True))
    assert game.say(holds(3, 5), holds(4, 5)).state.out == (3, 4)


def test_article_1_5_a_mus_goes_on_without_the_hand_that_is_out() -> None:
    """Norte has said mus and is out. The three others are still to be asked."""
    game = discarded().say(mus(1), mus(2), holds(1, 5))
    assert (game.phase, to_speak(game.state)) == (Phase.MUS, 3)
    assert game.say(mus(3)).phase is Phase.MUS
    assert game.say(mus(4)).phase is Phase.DISCARD


def test_article_1_5_where_no_rival_is_left_there_is_no_betting() -> None:
    """Only Norte and Oeste play pares, and Oeste has five cards. That leaves one pair alone."""
    game = discarded().cut().all_pass(2).declare("sí sí no no").say(holds(2, 5))
    result = game.state.result(Lance.PARES)
    assert result is not None
    assert (result.how, result.side, game.phase) == (e.How.UNCONTESTED, "A", Phase.JUEGO_SAY)


def test_article_1_5_a_bet_is_refused_when_the_only_player_who_could_answer_is_out() -> None:
    game = discarded().cut().all_pass(2).declare("sí sí no no").say(envido(1, 5), holds(2, 5))
    assert (game.stones, game.phase) == ((1, 0), Phase.JUEGO_SAY)


def test_article_1_5_at_a_table_of_two_the_other_wins_the_lances_in_paso() -> None:
    game = table(players=2).say(mus(1), mus(2)).cut().say(holds(2, 5))
    assert [r.how for r in game.state.results] == [e.How.PASSED] * 2
    game.say(c.Declare(seat=1, holds=False), c.Declare(seat=1, holds=False))
    assert (game.phase, missing_hands(game.state)) == (Phase.SHOWDOWN, (1,))
    assert game.say(cards(1, "7 6 5 4")).stones == (3, 0)


def test_article_1_5_a_hand_found_out_at_the_showdown_does_not_count() -> None:
    game = discarded().cut().all_pass(2).declare("sí sí no no").all_pass().declare("no no no no")
    game.all_pass().say(cards(1, "R R 4 5"), holds(1, 5))
    show_all_in_play(game, ("", "5 5 6 4", "7 6 4 2", "S 7 6 4"))
    # Grande is Este's (B), chica Sur's (A), pares the fives' (B) for 1, punto Este's 27 (B).
    assert game.stones == (1, 3)


def test_article_1_5_an_ordago_of_a_hand_that_is_out_wins_nothing() -> None:
    game = each(3, penalty=Penalty.INTERPENAS).say(mus(1), mus(2), mus(3)).cut()
    game.say(ordago(1), quiero(2), c.Refuse(seat=3))
    game.say(holds(1, 5))
    game.say(cards(2, "7 6 5 4"))
    assert game.state.juego_won == "B"


# --- 1.6: mano twice ------------------------------------------------------------------------------


@each_row("again, right", [(1, 2), (3, 2)])
@each_row("mode", MODES)
def test_article_1_6_a_pair_that_is_mano_twice_plays_for_nothing(
    mode: str, again: int, right: int
) -> None:
    """ "Una pareja" is Norte again, or Sur after him. The deal goes to Oeste, whose it was."""
    game = next_deal(table(mode), again)
    before = game.stones
    game.cut().say(envido(1), no_queremos(2), same_mano())
    if mode in ("applied", "waived"):
        game.say(APPLY if mode == "applied" else WAIVE)
    if mode in BY_ARTICLE:
        assert (game.phase, game.stones, applied(game)) == (Phase.COUNT, before, [("1.6", None)])
        assert game.say(nueva_mano()).state.mano == right
    else:
        assert (game.phase, game.stones[0]) == (Phase.CHICA, before[0] + 1)


def test_article_1_6_can_be_reported_until_the_next_deal() -> None:
    game = next_deal(next_deal(table(), 1), 2)
    assert refused(game, same_mano()) == "not_now"  # "si han transcurrido más de una"
    game = next_deal(table(), 1)
    game.to_pares("no no no no").declare("no no no no").all_pass()
    show_all(game, ("7 6 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4"))
    assert game.phase is Phase.COUNT
    assert game.say(same_mano()).said(e.DealVoided) == [e.DealVoided(2)]
    assert refused(game, same_mano()) == "not_now"


def test_article_1_6_is_refused_where_mano_moved_on_and_in_the_first_deal() -> None:
    assert refused(table(), same_mano()) == "not_now"
    assert refused(next_deal(table()), same_mano()) == "not_now"
    assert refused(next_deal(table(), 4), same_mano()) == "not_now"


def test_article_1_6_a_deal_dealt_again_is_not_mano_twice() -> None:
    game = table().say(c.Redeal(), nueva_mano())
    assert (game.state.mano, game.state.deal) == (1, 2)
    assert refused(game, same_mano()) == "not_now"


def test_article_1_6_is_the_only_misdeal_that_moves_mano_on() -> None:
    """Any other void deal is dealt again by the same dealer, in the first deal of a match too."""
    assert next_deal(table()).say(c.Redeal()).said(e.DealVoided) == [e.DealVoided(2)]
    assert next_deal(table(), 1).say(exposed(), APPLY).said(e.DealVoided) == [e.DealVoided(1)]


def test_article_1_6_where_each_plays_for_himself_it_is_the_same_player() -> None:
    game = each(3, penalty=Penalty.INTERPENAS)
    game.say(c.Redeal(), nueva_mano(), corto(1)).all_pass(2)
    game.declare("no no no").declare("no no no").all_pass()
    show_all(game, ("7 6 5 4", "S 7 6 4", "7 6 4 2"))
    game.say(nueva_mano(1))
    assert game.say(same_mano()).said(e.DealVoided) == [e.DealVoided(2)]


def test_article_1_6_a_deal_that_won_a_juego_stands() -> None:
    game = next_deal(table(stones=(36, 0)), 1)
    game.to_pares("no no no no").declare("no no no no").all_pass()
    game.say(c.AdjustStones(side="A", stones=40 - game.stones[0]))
    assert game.state.juego_won == "A"
    game.say(same_mano())
    assert (game.said(e.DealVoided), game.state.juego_won) == ([], "A")


def test_a_won_juego_leaves_no_proposal_to_decide() -> None:
    """A card was turned over. Before anybody decided, the stones were corrected to 40."""
    game = table().say(exposed(), c.AdjustStones(side="A", stones=40))
    assert (game.state.juego_won, game.state.proposals) == ("A", ())
    assert refused(game, APPLY) == "nothing_to_decide"
    assert game.say(nueva_mano()).phase is Phase.MUS


# --- 4.1 to 8.4: kept by house rules --------------------------------------------------------------


def test_article_4_1_the_rivals_choose_between_the_partners_two_amounts() -> None:
    game = table(partner_conflict=PartnerConflict.RIVALS_CHOOSE).cut().say(envido(1, 2))
    game.say(envido(3, 6))
    assert asked(game, quiero(2)).options == (
        c.Accept(seat=2, stones=2),
        c.Accept(seat=2, stones=6),
    )
    result = game.say(c.Accept(seat=2, stones=2)).state.result(Lance.GRANDE)
    assert result is not None
    assert result.stones == 2


def test_article_4_1_the_highest_amount_stands_without_the_house_rule() -> None:
    game = table().cut().say(envido(1, 2), envido(3, 6))
    assert bet_now(game) == (6, 1)


def test_article_4_2_talk_of_the_next_lance_refuses_the_bet() -> None:
    game = table(implicit_no=True).cut().say(envido(1, 5), paso(2, Lance.CHICA))
    assert (game.stones, game.phase) == ((1, 0), Phase.CHICA)
    assert asked(table().cut().say(envido(1, 5)), paso(2, Lance.CHICA)).code == "no_quereis"


@each_row("call, how", [(ordago(1), "ordago"), (envido(1, 5), "accepted")])
def test_article_4_6_cards_that_are_shown_accept(call: c.Call, how: str) -> None:
    game = table(show_is_accept=True).cut().say(call, cards(2, "S 7 6 4"))
    result = game.state.result(Lance.GRANDE)
    assert result is not None
    assert result.how == how
    assert refused(table().cut().say(call), cards(2, "S 7 6 4")) == "cards_shown_early"


def test_article_4_6_a_player_without_pares_binds_his_partner_by_showing() -> None:
    game = table(show_is_accept=True).to_pares("sí sí no no").say(ordago(1), cards(4, "S 7 6 4"))
    assert game.said(e.BetAccepted) == [e.BetAccepted(2, Lance.PARES, implied=True)]


def in_deck(player: int) -> c.Call:
    return c.Report(kind=e.Irregularity.IN_DECK, player=player)


@each_row("player", [2, 4])
def test_article_4_6_putting_the_cards_into_the_deck_accepts_an_ordago(player: int) -> None:
    game = table(show_is_accept=True).cut().say(ordago(1), in_deck(player))
    assert game.said(e.BetAccepted) == [e.BetAccepted(player, Lance.GRANDE, implied=True)]
    assert game.phase is Phase.SHOWDOWN
    assert game.undo().phase is Phase.GRANDE


def test_article_4_6_a_player_without_pares_binds_his_partner_by_the_deck_too() -> None:
    game = table(show_is_accept=True).to_pares("sí sí no no").say(ordago(1), in_deck(4))
    assert game.said(e.BetAccepted) == [e.BetAccepted(2, Lance.PARES, implied=True)]


def test_article_4_6_the_deck_accepts_only_a_rivals_ordago() -> None:
    game = table(show_is_accept=True).cut()
    assert refused(game, in_deck(2)) == "not_now"
    assert refused(game.say(ordago(1)), in_deck(3)) == "not_now"
    assert refused(game, c.Report(kind=e.Irregularity.IN_DECK)) == "seat_unknown"
    assert refused(table(show_is_accept=True).cut().say(envido(1, 5)), in_deck(2)) == "not_now"
    assert refused(table().cut().say(ordago(1)), in_deck(2)) == "not_now"  # another house


@each_row("stones", [40, 100])
def test_article_4_11_forty_stones_are_no_ordago(stones: int) -> None:
    game = table().cut().say(envido(1, stones), quiero(2))
    assert (game.phase, game.state.juego_won) == (Phase.CHICA, None)


@each_row("real", [Real31.SOTA, Real31.OFF])
def test_article_6_1_the_real_wins_from_any_seat(real: Real31) -> None:
    game = table(real31=real).to_juego("sí no no sí").say(ordago(1), quiero(4))
    game.say(cards(1, "R C S 1"))
    if game.phase is Phase.SHOWDOWN:
        game.say(cards(4, "7 7 7 S"))
    assert game.state.juego_won == ("B" if real is Real31.SOTA else "A")


def test_article_7_1_advice_to_a_partner_is_no_call() -> None:
    """Nobody hears what partners tell each other, so the pass of 31 of mano is an ordinary pass."""
    game = table().to_juego("sí sí no no").say(paso(1), paso(2))
    show_all(game, ("R C S 1", "R C S 1", "7 6 4 2", "S 7 6 4"))
    assert (applied(game), game.stones) == ([], (1 + 1 + 3, 0))


def test_article_8_2_a_refused_punto_pays_one_at_once_and_one_in_its_turn() -> None:
    """The negada gives A its 39th stone. Punto waits for its turn, and B wins before it."""
    game = table(stones=(38, 38)).to_juego("no no no no").say(envido(1, 10), no_queremos(2))
    assert game.stones == (39, 38)
    show_all(game, ("S 7 6 5", "C 7 6 4", "S 7 6 5", "7 6 5 4"))
    assert (game.stones, game.state.juego_won) == ((39, 40), "B")


@each_row("mode", MODES)
def test_article_8_4_no_stone_is_claimed_once_the_next_deal_has_begun(mode: str) -> None:
    claim = c.AdjustStones(side="A", stones=2)
    game = next_deal(table(mode))
    assert refused(game, claim) == "claim_closed"
    correction = c.CorrectBet(lance=Lance.GRANDE, stones=7)
    assert refused(game, correction) == "claim_closed"


# --- no deal gets stuck ---------------------------------------------------------------------------


def test_a_table_with_no_hand_in_play_deals_again() -> None:
    game = discarded().say(*(holds(seat, 5) for seat in (1, 2, 3, 4)))
    assert to_speak(game.state) is None
    assert game.say(c.Redeal(), nueva_mano()).phase is Phase.MUS


def test_a_proposal_at_the_showdown_can_always_be_decided() -> None:
    game = table("waived").say(holds(1, 5)).say(WAIVE).to_pares("no no no no")
    game.declare("no no no no").all_pass().say(holds(1, 3))
    assert {APPLY, WAIVE} <= set(legal_calls(game.state))
    show_all(game, ("7 6 5 4", "S 7 6 4", "7 6 4 2", "C 7 6 4"))
    assert game.phase is Phase.SHOWDOWN
    assert game.say(WAIVE).phase is Phase.COUNT


def test_stones_agreed_on_before_the_count_end_the_juego_with_it() -> None:
    game = table("waived", stones=(37, 0)).to_pares("sí sí no no").all_pass()
    game.declare("no no no no").all_pass()
    show_all(game, ("7 7 6 4", "5 5 6 S", "R R 1 1", "S 7 6 4"))
    game.say(c.AdjustStones(side="A", stones=3))
    assert (game.state.juego_won, game.state.proposals) == ("A", ())
    assert game.say(nueva_mano()).stones == (0, 0)


def test_a_repeated_count_keeps_the_deje_of_the_last_lance() -> None:
    """Punto is refused.

    Its deje is not part of the count, so a corrected grande leaves it alone.
    """
    game = table("off").cut().say(envido(1, 5), quiero(2)).all_pass()
    game.declare("no no no no").declare("no no no no").say(envido(1), no_queremos(2))
    show_all(game, ("C 7 6 4", "S 7 6 4", "7 6 4 2", "S 7 6 5"))
    assert game.stones == (1 + 5 + 1 + 1, 0)
    assert game.say(c.CorrectBet(lance=Lance.GRANDE, stones=4)).stones == (1 + 4 + 1 + 1, 0)
