"""The stakes of a choice: the worked figures of the rules, and the stones that deals then pay."""

from __future__ import annotations

from random import Random

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import Hand
from assistant.rules.engine import to_speak
from assistant.rules.hands import value
from assistant.rules.phases import BETTING, DECLARING, Lance, Phase
from assistant.rules.profile import Sides
from assistant.rules.state import State
from assistant.school.apprentice.choices import Stake, stakes
from tests.rules.play import PLAIN, Game, envido, mas, no_quiero, ordago, paso, quiero
from tests.rules.strategies import deal
from tests.rules.tables import Table
from tests.school.apprentice.tables import view_of
from tests.tables import each_row

DEALS = range(60)


def ends(game: Game, call: c.Call) -> dict[str, Stake]:
    """The stakes of a call, by kind of outcome."""
    return {stake.kind: stake for stake in stakes(game.state, call)}


def test_r24_a_refused_first_bet_brings_one_whatever_its_size() -> None:
    game = Game().cut()
    for call in (envido(1, 2), envido(1, 7), envido(1, 40), ordago(1)):
        assert ends(game, call)["refused"].stones == 1


def test_r25_a_refused_raise_brings_the_bet_before_it() -> None:
    game = Game().cut().say(envido(1), mas(2, 5), mas(1, 10))
    raised = ends(game, mas(2, 10))
    assert raised["refused"].stones == 17
    assert raised["won"].stones == raised["lost"].stones == 27
    game.say(mas(2, 10))
    assert ends(game, no_quiero(1))["given"].stones == 17
    assert ends(game, quiero(1))["won"].stones == 27


def test_r34_a_refused_ordago_brings_the_bet_before_it() -> None:
    game = Game().cut().say(envido(1))
    told = ends(game, ordago(2))
    assert told["refused"].stones == 2
    assert told["won"].juego
    assert told["lost"].juego


def test_r20_a_lance_that_all_pass_brings_one_at_grande() -> None:
    assert ends(Game().cut(), paso(1))["passed"].stones == 1
    assert ends(Game().to_pares("sí sí no no"), paso(1))["passed"].stones == 0


def test_r29_punto_brings_one_more_at_the_count() -> None:
    game = Game().to_juego("no no no no")
    told = ends(game, envido(1, 5))
    assert told["won"].stones == told["lost"].stones == 6
    assert (told["refused"].stones, told["refused"].later) == (1, 1)
    assert ends(game, paso(1))["passed"].stones == 1


def test_r13_r28_pares_also_bring_the_values_of_the_winners_hands() -> None:
    game = Game().to_pares("sí sí sí no")
    told = ends(game, envido(1))
    assert told["won"].more == (2, 6), "two of ours hold pares"
    assert told["lost"].more == (1, 3), "one of theirs does"
    assert told["refused"].more == (2, 6)
    assert ends(game, paso(1))["passed"].more == (1, 6)


def test_r15_juego_brings_two_or_three_for_each_hand() -> None:
    game = Game().to_juego("sí sí no no")
    told = ends(game, envido(1))
    assert told["won"].more == told["lost"].more == (2, 3)


def test_r60_a_deje_that_reaches_the_target_wins_the_juego_and_is_capped() -> None:
    game = Game(stones=(38, 0)).cut().say(envido(1, 5))
    told = ends(game, mas(2, 5))
    assert not told["refused"].juego
    game.say(mas(2, 5))
    assert ends(game, mas(1, 5))["refused"] == Stake("refused", Lance.GRANDE, 2, juego=True), (
        "the side needs only two stones"
    )


def test_r35_one_no_quiero_is_not_final_and_no_queremos_is() -> None:
    game = Game().cut().say(envido(1))
    assert not ends(game, no_quiero(2))["given"].sure
    assert ends(game, c.Refuse(seat=2, plural=True))["given"].sure
    assert ends(game.say(no_quiero(2)), no_quiero(4))["given"].sure


def test_a_call_that_moves_no_stones_has_no_stakes() -> None:
    game = Game()
    assert stakes(game.state, c.Mus(seat=1)) == ()
    assert stakes(game.state, c.Cut(seat=1)) == ()
    assert stakes(Game().cut().all_pass(2).state, c.Declare(seat=1)) == ()


def test_a_page_shows_every_amount_with_its_own_stakes() -> None:
    view = view_of(Game().cut(), 1)
    (bet,) = [choice for choice in view["may"] if choice["kind"] == "bet"]
    assert [(way["say"], way["stones"]) for way in bet["ways"]] == [
        ("Envido", 2),
        ("Envido cinco", 5),
        ("Envido diez", 10),
    ]
    assert [way["stakes"][0]["stones"] for way in bet["ways"]] == [2, 5, 10]


@each_row("seed", DEALS)
def test_the_deal_pays_the_stakes_that_were_shown(seed: int) -> None:
    """Whole deals are played. Each answer that closed a lance must have brought its stakes."""
    random = Random(seed)
    each = seed % 5 == 4
    players = 3 if each else random.choice((2, 4, 4, 6))
    hands = deal(random, players)
    game = Table(players, sides=Sides.EACH if each else Sides.TWO)
    promised: dict[Lance, tuple[Stake, str]] = {}
    while game.phase is not Phase.COUNT:
        state, seat = game.state, to_speak(game.state)
        assert seat is not None
        call = said_by(state, seat, hands, random)
        told = {stake.kind: stake for stake in stakes(state, call)}
        bettor = state.pending.side if state.pending else ""
        game.say(call)
        for closed in game.said(e.LanceClosed):
            if closed.how is e.How.ACCEPTED and "won" in told:
                promised[closed.lance] = told["won"], ""
            if closed.how is e.How.REFUSED and "given" in told:
                promised[closed.lance] = told["given"], bettor
            if closed.how is e.How.PASSED and "passed" in told:
                promised[closed.lance] = told["passed"], ""
    if game.all(e.JuegoWon):
        return  # the target caps the stones, or an órdago decided the juego
    for lance, (stake, side) in promised.items():
        won = [x for x in game.all(e.StonesWon) if x.lance is lance]
        assert {x.side for x in won} <= {side} or not side
        plain = sum(x.stones for x in won if x.why not in (e.Why.PARES, e.Why.JUEGO))
        assert plain == stake.stones + stake.later, (lance, stake, won)
        own = sum(x.stones for x in won if x.why in (e.Why.PARES, e.Why.JUEGO))
        if stake.more and stake.kind != "won":
            assert stake.more[0] <= own <= stake.more[1], (lance, stake, won)


def said_by(state: State, seat: int, hands: tuple[Hand, ...], random: Random) -> c.Call:
    """A call of the player whose turn it is: true declarations and small bets."""
    hand = value(hands[seat - 1], PLAIN)
    if state.phase in DECLARING:
        holds = hand.pares is not None if state.lance is Lance.PARES else hand.juego
        return c.Declare(seat=seat, holds=holds)
    if state.phase is Phase.SHOWDOWN:
        return c.ShowHand(seat=seat, cards=hands[seat - 1])
    if state.phase not in BETTING:
        return c.Cut(seat=seat)
    if state.pending is None:
        return random.choice((c.Pass(seat=seat), c.Bet(seat=seat, stones=random.choice((2, 3, 5)))))
    return random.choice((c.Accept(seat=seat), c.Refuse(seat=seat), c.Raise(seat=seat, stones=2)))
