"""A row of the lexicon: phrases that mean the same, and the moments when they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assistant.language.lexicon.context import Moment, Needs
from assistant.language.lexicon.reading import TalkReason
from assistant.language.lexicon.text import LANCE, NUMBER, PLAYER, VALUES, WHOSE, Filled, Tokens
from assistant.messages import Command
from assistant.rules import calls as c
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance
from assistant.rules.state import MAX_SEATS

Meaning = Callable[[Filled], c.Call | Command]


def _stones(said: Filled) -> int:
    return c.ENVIDO if said.number is None else said.number


def _adjust(sign: int) -> Meaning:
    return lambda f: c.AdjustStones(
        stones=sign * (f.number or 0), side=f.side, whose=f.whose, reason=f.said
    )


def _report(kind: Irregularity) -> Meaning:
    return lambda f: c.Report(kind=kind, player=f.player, cards=f.number or 0)


def _command(command: Command) -> Meaning:
    return lambda _: command


EVERYBODY = tuple(range(1, MAX_SEATS + 1))
"""All seats of any table."""

COMMANDS: dict[str, Meaning] = {command.value: _command(command) for command in Command}
PLACES: dict[str, Meaning] = {
    "place": lambda f: c.Place(lance=f.lance),
    "place_mus": lambda _: c.Place(),
    "place_bet": lambda f: c.Place(lance=f.lance, told=c.Where.BET, stones=_stones(f)),
    "place_turn": lambda f: c.Place(told=c.Where.TURN, player=f.player),
    "place_nobody": lambda f: c.Place(lance=f.lance, told=c.Where.HOLDERS),
    "place_everybody": lambda f: c.Place(lance=f.lance, told=c.Where.HOLDERS, holders=EVERYBODY),
    "place_only": lambda f: c.Place(lance=f.lance, told=c.Where.HOLDERS, holders=f.players),
    "place_again": lambda f: c.Place(lance=f.lance, told=c.Where.AGAIN),
}
"""Where the deal stands; the ear expects it at no moment more than at others."""
BY_HAND: dict[str, Meaning] = {
    "correct_bet": lambda f: c.CorrectBet(lance=f.lance, stones=_stones(f)),
    "give": _adjust(1),
    "take": _adjust(-1),
    "redeal": lambda _: c.Redeal(),
    "apply": lambda _: c.Verdict(apply=True),
    "waive": lambda _: c.Verdict(apply=False),
    **{kind.value: _report(kind) for kind in Irregularity},
    **PLACES,
}
"""What changes the game from outside: corrections, reports, where it stands."""
MEANINGS: dict[str, Meaning] = {
    "mus": lambda f: c.Mus(lance=f.lance),
    "cut": lambda f: c.Cut(lance=f.lance),
    "pass": lambda f: c.Pass(lance=f.lance),
    "bet": lambda f: c.Bet(lance=f.lance, stones=_stones(f)),
    "bet_both": lambda f: c.Bet(stones=_stones(f), both=True),
    "raise": lambda f: c.Raise(lance=f.lance, stones=_stones(f)),
    "reenvido": lambda f: c.Reenvido(lance=f.lance),
    "ordago": lambda f: c.Ordago(lance=f.lance),
    "ordago_both": lambda _: c.Ordago(both=True),
    "accept": lambda f: c.Accept(lance=f.lance, stones=f.number),
    "refuse": lambda f: c.Refuse(lance=f.lance),
    "refuse_plural": lambda f: c.Refuse(lance=f.lance, plural=True),
    "holds": lambda f: c.Declare(lance=f.lance, holds=True),
    "lacks": lambda f: c.Declare(lance=f.lance, holds=False),
    "pedrete": lambda _: c.Pedrete(),
    "claim": lambda f: c.ClaimLance(lance=f.lance, side=f.side, whose=f.whose, values=f.values),
    "next_deal": lambda _: c.NextDeal(),
    "mano": lambda f: c.NextDeal(mano=f.player),
    **BY_HAND,
    **COMMANDS,
}
"""What a row's ``means`` makes of what filled its slots (R21-R23, R35, R54, R55)."""
NEEDED: dict[str, tuple[str, ...]] = {
    "claim": (LANCE, WHOSE),
    "correct_bet": (LANCE, NUMBER),
    "give": (NUMBER, WHOSE),
    "take": (NUMBER, WHOSE),
    "card_count": (NUMBER,),
    "peeked": (PLAYER,),
    "in_deck": (PLAYER,),
    "mano": (PLAYER,),
    "place": (LANCE,),
    "place_bet": (LANCE, NUMBER),
    "place_turn": (PLAYER,),
    "place_nobody": (LANCE,),
    "place_everybody": (LANCE,),
    "place_only": (LANCE, PLAYER),
    "place_again": (LANCE,),
}
"""The slots without which a meaning is none; a row's ``lance`` and ``whose`` stand for theirs."""


@dataclass(frozen=True, slots=True)
class Row:
    """One ``[[call]]`` or ``[[talk]]`` of the file; talk has no ``means``.

    when       the moments it belongs to
    also       moments when it is understood all the same, for the rules to say why not
    needs      what else must be so, or it is none of this row
    lance      the lance it speaks of without naming it ("duples"); ``whose``: the side ("nuestra")
    weight     how often it stands in the recogniser's grammar; 0: read, but never listened for
    overrides  it is right where the file of another language on the table says otherwise
    goes_on    of talk: what follows in the utterance belongs to it ("si echan órdago ... quiero")
    """

    means: str | None
    when: frozenset[Moment]
    also: frozenset[Moment] = frozenset()
    needs: Needs | None = None
    lance: Lance | None = None
    whose: c.Whose | None = None
    why: TalkReason = TalkReason.TALK
    weight: int = 1
    overrides: bool = False
    goes_on: bool = False
    command: bool = field(init=False, compare=False)
    """It asks something of the assistant, so a question mark belongs to it."""
    alone: bool = field(init=False, compare=False)
    """It stands alone in its segment, or "cinco tantos" would ask for the score."""
    moments: frozenset[Moment] = field(init=False, compare=False)
    """All the moments when it is understood."""

    def __post_init__(self) -> None:
        """Work out what follows from the rest once: a row is asked at every word."""
        command = self.means in COMMANDS
        object.__setattr__(self, "command", command)  # past the frozen class
        object.__setattr__(self, "alone", command or self.means in BY_HAND)
        object.__setattr__(self, "moments", self.when | self.also)

    @property
    def sense(self) -> tuple[object, ...]:
        """What it says; two rows of the same sense do not contradict each other."""
        return (self.means, self.needs, self.lance, self.whose, self.means or self.why)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One wording of a row: as written, and as tokens to compare; slots stand as they are.

    ``place`` is where it stands, for a message about it.
    """

    written: tuple[str, ...]
    pattern: Tokens
    row: Row
    place: str = ""

    @property
    def provides(self) -> frozenset[str]:
        """The slots that a match will fill."""
        found = {word for word in self.pattern if word.startswith("{")}
        if self.row.lance or VALUES in found:
            found.add(LANCE)
        if self.row.whose:
            found.add(WHOSE)
        return frozenset(found)
