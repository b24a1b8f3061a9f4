"""How the articles treat honest tables and liars, over dealt hands (R47-R53).

Each number seeds its own deal, so the hands are the same in every run.
"""

from __future__ import annotations

from random import Random

import pytest

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import Hand
from assistant.rules.engine import missing_hands, to_speak
from assistant.rules.errors import CallError
from assistant.rules.hands import value
from assistant.rules.phases import BETTING, DECLARING, Lance, Phase
from assistant.rules.profile import Corrido, Penalty, Profile, Sides
from tests.rules.articles import applied
from tests.rules.listed import legal_calls
from tests.rules.play import PLAIN
from tests.rules.strategies import deal
from tests.rules.tables import Table

DEALS = range(240)
LIES = range(100)
TALK = (c.Pass, c.Bet, c.Raise, c.Ordago, c.Accept, c.Refuse)


def truth(hand: Hand, lance: Lance) -> bool:
    worth = value(hand, PLAIN)
    return worth.pares is not None if lance is Lance.PARES else worth.juego


def call_of(game: Table, hands: tuple[Hand, ...], random: Random) -> c.Call:
    """A call of the player whose turn it is: true declarations, and random other calls."""
    state = game.state
    seat = to_speak(state)
    assert seat is not None
    if state.phase in DECLARING and state.lance:
        return c.Declare(seat=seat, holds=truth(hands[seat - 1], state.lance))
    if state.phase is Phase.SHOWDOWN:
        return c.ShowHand(seat=seat, cards=hands[seat - 1])
    if state.phase not in BETTING:
        return c.Cut(seat=seat)
    talk = [x for x in legal_calls(state) if x.seat == seat and isinstance(x, TALK)]
    weight = [1 if isinstance(x, c.Ordago) else 6 for x in talk]
    return random.choices(talk, weight)[0]


def play_honestly(seed: int, penalty: Penalty, script: list[c.Call]) -> Table:
    """Play an honest deal. The first table fills ``script``, and the others repeat it."""
    random = Random(seed)
    each = seed % 4 == 3
    players = random.choice((2, 3, 4, 5)) if each else random.choice((2, 4, 4, 6))
    hands = deal(random, players)
    game = Table(players, penalty=penalty, sides=Sides.EACH if each else Sides.TWO)
    repeat, written = list(script), bool(script)
    while game.phase is not Phase.COUNT:
        if game.phase is Phase.SHOWDOWN or not written:
            call = call_of(game, hands, random)
        else:
            call = repeat.pop(0)
        if not written and game.phase is not Phase.SHOWDOWN:
            script.append(call)
        game.say(call)
    for seat in game.state.order():
        if game.state.hands[seat - 1] is None:
            game.say(c.ShowHand(seat=seat, cards=hands[seat - 1]))
    return game


def test_an_honest_table_loses_only_by_a_quiero_that_could_not_win() -> None:
    """Every penalty rule counts them the same. Only article 4.8 looks at honest cards."""
    seen = set()
    for seed in DEALS:
        script: list[c.Call] = []
        off = play_honestly(seed, Penalty.OFF, script)
        by_article = play_honestly(seed, Penalty.INTERPENAS, script)
        articles = {article for article, _seat in applied(by_article)}
        assert articles <= {"4.8"}, seed
        if not articles:
            counted = (by_article.stones, by_article.state.juego_won)
            assert counted == (off.stones, off.state.juego_won), seed
        seen |= articles
        assert off.all(e.DeclarationDisproved) == []
    assert seen == {"4.8"}  # otherwise these deals would not test 4.8


# --- a lie does not pay ---------------------------------------------------------------------------

ANSWERS = {
    "passed": (),
    "refused": (c.Bet, c.Refuse),
    "accepted": (c.Bet, c.Accept),
}


def denied_deal(hands: tuple[Hand, ...], liars: tuple[int, ...], answer: str, bettor: str) -> Table:
    """A deal with every lance passed but pares, at which a side bets five.

    The liars deny theirs.
    """
    game = Table(penalty=Penalty.INTERPENAS).cut().all_pass(2)
    for seat in game.state.order():
        game.say(
            c.Declare(seat=seat, holds=seat not in liars and truth(hands[seat - 1], Lance.PARES))
        )
    if game.phase is Phase.PARES and answer != "passed":
        holders = game.state.holders(Lance.PARES)
        first = next(seat for seat in holders if game.state.side_of(seat) == bettor)
        game.say(c.Bet(seat=first, stones=5))
        rival = next(seat for seat in holders if game.state.side_of(seat) != bettor)
        plural = c.Refuse(seat=rival, plural=True)
        game.say(plural if answer == "refused" else c.Accept(seat=rival))
    elif game.phase is Phase.PARES:
        game.all_pass()
    for seat in game.state.order():
        game.say(c.Declare(seat=seat, holds=truth(hands[seat - 1], Lance.JUEGO)))
    if game.phase in BETTING:
        game.all_pass()
    for seat in game.state.order():
        if game.state.hands[seat - 1] is None:
            game.say(c.ShowHand(seat=seat, cards=hands[seat - 1]))
    assert game.phase is Phase.COUNT
    return game


@pytest.mark.parametrize("bettor", ["A", "B"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_a_side_that_denies_pares_never_gains_by_it(answer: str, bettor: str) -> None:
    """Norte denies, or Norte and Sur do; all other calls are as in the honest deal (S2 5.2, 5.3).

    A false claim of pares is another matter: S2 punishes it only with an órdago (5.5). Then 31 of
    mano wins a negada that a deal in paso would not have paid.
    """
    compared = 0
    for seed in LIES:
        hands = deal(Random(seed))
        honest = denied_deal(hands, (), answer, bettor)
        for liars in ((1,), (1, 3)):
            if not any(truth(hands[seat - 1], Lance.PARES) for seat in liars):
                continue
            lied = denied_deal(hands, liars, answer, bettor)
            assert lied.stones[0] <= honest.stones[0], (seed, liars)
            compared += 1
    assert compared > len(LIES)


# --- no deal gets stuck ---------------------------------------------------------------------------


def any_profile(random: Random) -> tuple[Profile, int]:
    each = random.random() < 0.3
    profile = Profile(
        target=random.choice((10, 40)),
        juegos=random.choice((1, 3)),
        sides=Sides.EACH if each else Sides.TWO,
        corrido=random.choice(list(Corrido)),
        show_is_accept=random.random() < 0.5,
        pedrete=random.choice((0, 1)),
        penalty=random.choice((Penalty.WARN, Penalty.WARN, Penalty.INTERPENAS)),
    )
    return profile, random.choice((2, 3, 4, 5, 6)) if each else random.choice((2, 4, 4, 6))


def something(game: Table, random: Random) -> c.Call:
    """Any call: a bet, a lie, a card, a report, a verdict or a claim."""
    state, players = game.state, game.state.players
    player = random.randint(1, players)
    kind = random.random()
    if kind < 0.08:
        what = random.choice(list(e.Irregularity))
        return c.Report(kind=what, player=player, cards=random.choice((2, 3, 4, 5)))
    if kind < 0.12:
        return c.AdjustStones(side=state.side_of(player), stones=random.choice((-3, 4, 20)))
    if kind < 0.15:
        return c.CorrectBet(lance=random.choice(list(Lance)), stones=random.randint(1, 9))
    if kind < 0.17:
        return c.SetStones(stones=(0,) * state.sides)
    missing = missing_hands(state)
    if missing or (state.phase is Phase.COUNT and kind < 0.5):
        seat = missing[0] if missing and kind < 0.8 else player
        return c.ShowHand(seat=seat, cards=a_hand(game, seat, random))
    listed = legal_calls(state)
    if not listed:
        return c.NextDeal()
    weight = [3 if isinstance(x, c.Ordago) else 10 for x in listed]
    return random.choices(listed, weight)[0]


def a_hand(game: Table, seat: int, random: Random) -> Hand:
    """Cards that nobody else has shown, as many as the player holds."""
    held = {card for s, h in enumerate(game.state.hands, start=1) if h and s != seat for card in h}
    left = [card for hand in deal(random, 10) for card in hand if card not in held]
    return tuple(left[: game.state.cards_of(seat)])


def finish(game: Table, random: Random) -> None:
    """Play the deal to its end with the calls that the table asks for."""
    for _ in range(200):
        state = game.state
        if state.phase in (Phase.COUNT, Phase.OVER):
            return
        seat = to_speak(state)
        if state.phase is Phase.SHOWDOWN and state.proposals and seat is None:
            game.say(c.Verdict(apply=random.random() < 0.5))
        elif seat is None:
            assert not state.in_play(), state.phase
            game.say(c.Redeal())
        elif state.phase is Phase.SHOWDOWN:
            game.say(c.ShowHand(seat=seat, cards=a_hand(game, seat, random)))
        elif state.pending:
            game.say(c.Refuse(seat=seat))
        elif state.phase in DECLARING:
            game.say(c.Declare(seat=seat, holds=random.random() < 0.5))
        else:
            game.say(c.Cut(seat=seat) if state.phase not in BETTING else c.Pass(seat=seat))
    raise AssertionError(f"stuck in {game.phase}")


@pytest.mark.parametrize("part", range(8))
def test_every_deal_comes_to_its_end_whatever_went_wrong(part: int) -> None:
    """Each call is accepted, refused or asked about; nothing else happens."""
    for seed in range(part * 60, part * 60 + 60):
        random = Random(seed)
        profile, players = any_profile(random)
        game = Table(players, profile=profile)
        for _ in range(random.randint(1, 120)):
            try:
                game.say(something(game, random))
            except CallError:
                continue
        before = game.state
        finish(game, random)
        assert all(0 <= n <= profile.target for n in game.stones), seed
        if game.state != before:
            assert game.undo().redo().phase in (Phase.COUNT, Phase.OVER)
