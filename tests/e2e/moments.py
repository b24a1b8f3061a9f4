"""The moments of a game at which somebody looks at the table's page, and what is read there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assistant.messages import Ask
from assistant.rules.calls import (
    Accept,
    Bet,
    Cut,
    Declare,
    Mus,
    Ordago,
    Pass,
    SetStones,
    ShowHand,
)
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Phase
from tests.e2e.browsing import say_all
from tests.page.fake_board import FakeBoard

STONES = (28, 39, 27, 13, 22, 10)
"""Two digits a side, and one side is adentro."""
HANDS = ("R R C 1", "4 4 5 6", "R 7 7 7", "C C S S", "R C 6 5", "S 7 6 4")
POOR_HANDS = ("R R C 1", "4 4 5 6", "7 7 4 4", "5 5 S S", "6 6 7 5", "S S 6 1")
"""Hands with pares and without juego."""
CALLING = ("mus", "grande", "bet", "ordago")
"""The moments at which calls are tapped."""
CLOSING = ("count", "juego", "match", "stones")
"""The moments at which all cards lie open."""
ENDING = ("match", "stones")
"""The moments at which the match is over: by an órdago, and by the last stone of a count."""


def moments(board: FakeBoard) -> Iterator[str]:
    """Walk the board of a table of any size from one moment to the next."""
    profile = board.state.profile
    score = SetStones(stones=STONES[: len(board.state.stones)])
    board.reopen(profile, mano=None)
    board.say("")
    yield "mano"
    board.reopen(profile)
    say_all(board, score)
    board.say("mus", Mus(seat=1))
    yield "mus"
    say_all(board, Cut(seat=2))
    yield "grande"
    say_all(board, Pass(seat=1))
    board.say("envido siete", Bet(seat=2, stones=7))
    yield "bet"
    _accept(board)
    play_on(board, Phase.PARES, holds=True)
    board.say("órdago", Ordago(seat=2))
    yield "ordago"
    board.reopen(profile)
    say_all(board, score, Cut(seat=1), Bet(seat=1, stones=2))
    board.ask("envido", Ask("sure", (Bet(stones=2),)))
    yield "question"
    say_all(board, Bet(seat=2, stones=7))
    yield "which"
    board.reopen(profile)
    low = SetStones(stones=(28, 17, *score.stones[2:]))
    say_all(board, low, Cut(seat=1), Bet(seat=1, stones=7))
    _accept(board)
    play_on(board, Phase.SHOWDOWN, holds=True, juego=False)
    yield "showdown"
    _show(board, POOR_HANDS)
    yield "count"
    for moment, rules in (("juego", profile), ("match", replace(profile, juegos=1, vacas=1))):
        board.reopen(rules)
        say_all(board, score, Cut(seat=1), Ordago(seat=1))
        _accept(board)
        _show(board, HANDS)
        yield moment
    if (board.state.players, board.state.sides) == (4, 2):
        board.reopen(replace(profile, juegos=1, vacas=1))
        say_all(board, SetStones(stones=(28, 35)), Cut(seat=1), Bet(seat=1, stones=7))
        _accept(board)
        play_on(board, Phase.SHOWDOWN, holds=True, juego=False)
        _show(board, POOR_HANDS)
        yield "stones"


def play_on(board: FakeBoard, phase: Phase, *, holds: bool, juego: bool = True) -> None:
    """Let everybody pass, and declare, until a phase begins."""
    while board.state.phase is not phase:
        match board.state.phase:
            case Phase.PARES_SAY:
                board.say("", Declare(holds=holds))
            case Phase.JUEGO_SAY:
                board.say("", Declare(holds=juego))
            case _:
                board.say("", Pass())


def _accept(board: FakeBoard) -> None:
    """Let everybody accept the bet who is asked."""
    while board.state.pending is not None:
        board.say("quiero", Accept())


def _show(board: FakeBoard, hands: tuple[str, ...]) -> None:
    for seat, hand in enumerate(hands[: len(board.state.seats)], start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))


def wanted(moment: str) -> list[str]:
    """The parts of the table's page that whoever plays needs at a moment, as selectors."""
    parts = [".side .count", ".side .names", ".main"]
    if moment in CALLING:
        parts += ["#actions .tab", "#actions .call > button", "#lances .lance", ".heard-say"]
        if moment != "ordago":  # it cannot be raised
            parts += ["#actions .amount"]
    elif moment in ("question", "which"):
        parts += ["#question h2", "#question button"]
    elif moment == "showdown":
        parts += ["#showdown .tab", "#showdown .card", "#showdown .rank"]
        parts += ["#showdown .options button", "#lances .how", ".heard-say"]
    elif moment == "mano":
        parts += ["#centre button"]
    else:
        parts += [".seat .name", ".seat .card", "#lances .lance"]
        parts += [".under", "#final button"] if moment in ENDING else ["#centre button"]
        if moment != "stones":  # on a telephone the count has its place
            parts += [".heard-say"]
    if moment in ("bet", "ordago", "which"):
        parts += [".over", ".under"]
    if moment in ("count", "stones"):
        parts += [
            "#lances .won",
            "#lances .how",
            "#lances .letter",
            "#lances .held",
            "#lances .sum",
        ]
    return parts


def on_the_wall(moment: str) -> list[str]:
    """The parts of the page for a wall that are read at a moment, as selectors."""
    parts = [".side .count", ".side .names", ".main", "#lances .lance", ".seat .name"]
    if moment in ("question", "which"):
        parts += ["#question h2"]
    elif moment != "mano":
        parts += [".heard-say"]
    if moment in (*CALLING, "question", "which"):
        parts += [".seat.turn .tag.now"]
    if moment in ("bet", "ordago", "which"):
        parts += [".over", ".under"]
    if moment in ("count", "stones"):
        parts += ["#lances .won", "#lances .how", "#lances .letter", "#lances .who .names"]
        parts += ["#lances .held", "#lances .sum"]
    if moment in CLOSING:
        parts += [".seat .card"]
    return parts
