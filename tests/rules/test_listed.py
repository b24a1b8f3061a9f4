"""Moments at which ``legal_calls`` lists fewer calls than one might expect."""

from __future__ import annotations

from assistant.rules import calls as c
from assistant.rules import engine
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import BareRaise
from tests.rules.listed import legal_calls
from tests.rules.play import Game, envido, juego, mas, no_queremos, ordago, quiero
from tests.rules.tables import Table
from tests.tables import each_row


def claims_of(game: Game, lance: Lance) -> list[tuple[str | None, tuple[int, ...]]]:
    """The listed claims to a lance: the side, and its values."""
    listed = legal_calls(game.state)
    return [(x.side, x.values) for x in listed if isinstance(x, c.ClaimLance) and x.lance is lance]


@each_row("bettor, rival, side", [(1, 2, "A"), (2, 1, "B")])
def test_r46_a_claim_to_a_refused_lance_is_listed_only_for_its_bettors(
    bettor: int, rival: int, side: str
) -> None:
    game = Table().to_lance(Lance.PARES, "sí sí no no").say(envido(bettor), no_queremos(rival))
    game.declare("no no no no").all_pass()
    assert claims_of(game, Lance.PARES) == [(side, (1,)), (side, (2,)), (side, (3,))]


@each_row("lance", [Lance.PARES, Lance.JUEGO])
def test_r46_a_claim_to_an_ordago_is_listed_once_for_each_side_whatever_they_hold(
    lance: Lance,
) -> None:
    game = Table().to_lance(lance, "sí sí no no").say(ordago(1), quiero(2))
    assert claims_of(game, lance) == [("A", ()), ("B", ())]


def test_r46_a_claim_to_an_accepted_juego_is_listed_with_the_values_it_may_have() -> None:
    game = Table().to_lance(Lance.JUEGO, "sí sí sí no").say(envido(1), quiero(2))
    assert claims_of(game, Lance.JUEGO) == [
        ("A", (2, 2)),
        ("A", (2, 3)),
        ("A", (3, 3)),
        ("B", (2,)),
        ("B", (3,)),
    ]


@each_row(
    "said, phase, deniers",
    [
        ("sí sí no no", Phase.JUEGO, (3, 4)),
        ("no no no no", Phase.PUNTO, (1, 2, 3, 4)),
        ("no sí no sí", Phase.SHOWDOWN, (1, 3)),
    ],
)
def test_r50_corrections_of_juego_are_listed_among_the_legal_calls(
    said: str, phase: Phase, deniers: tuple[int, ...]
) -> None:
    game = Game().to_juego(said)
    listed = [call for call in legal_calls(game.state) if isinstance(call, c.Declare)]
    assert (game.phase, listed) == (phase, [juego(seat) for seat in deniers])


def test_r50_in_the_round_itself_no_declaration_is_listed_twice() -> None:
    game = Game().to_pares("sí no sí no").say(juego(1, holds=False))
    listed = [x for x in legal_calls(game.state) if isinstance(x, c.Declare) and x.holds]
    of_juego = [x.seat for x in listed if x.lance is not Lance.PARES]
    assert of_juego == [1, 2, 3, 4]


def test_r46_a_claimed_lance_is_not_listed_again_and_the_others_are() -> None:
    game = Table().to_lance(Lance.PUNTO).all_pass().say(c.ClaimLance(lance=Lance.GRANDE, side="A"))
    assert claims_of(game, Lance.GRANDE) == []
    for lance in (Lance.CHICA, Lance.PUNTO):
        assert claims_of(game, lance) == [("A", ()), ("B", ())]


@each_row(
    "game, call",
    [
        (Table().cut().say(envido(1, 2)), envido(3, 5)),
        (Table().cut().say(envido(1, 4), mas(2, 1)), mas(4, 5)),
        (Table(min_raise=4).cut().say(envido(1, 6), mas(2, 7)), envido(4, 5)),
        (Table(bare_raise=BareRaise.TO).cut().say(envido(1, 4)), envido(2, 8)),
        (Table(bare_raise=BareRaise.BY, min_raise=3).cut().say(envido(1, 4)), envido(2, 8)),
    ],
)
def test_r35_a_number_that_the_rules_allow_is_among_the_legal_calls(
    game: Game, call: c.Bet | c.Raise
) -> None:
    engine.decide(game.state, call)  # is allowed
    listed = [x for x in engine.legal_calls(game.state) if type(x.call) is type(call)]
    assert [x for x in listed if x.call.seat == call.seat and x.among([call.stones])]
