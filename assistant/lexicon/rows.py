"""A row of the lexicon: phrases that mean the same, and the moments when they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.lexicon.context import Moment
from assistant.lexicon.reading import Why
from assistant.lexicon.text import Tokens
from assistant.messages import Command
from assistant.rules import calls as c
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance

NUMBER = "{n}"
LANCE = "{lance}"
SLOTS = (NUMBER, LANCE)

Meaning = Callable[[int | None, Lance | None], c.Call | Command]


def _bet(number: int | None, lance: Lance | None) -> c.Call:
    return c.Bet(lance=lance, stones=c.ENVIDO if number is None else number)


def _bet_both(number: int | None, _lance: Lance | None) -> c.Call:
    return c.Bet(stones=c.ENVIDO if number is None else number, both=True)


def _raise(number: int | None, lance: Lance | None) -> c.Call:
    return c.Raise(lance=lance, stones=c.ENVIDO if number is None else number)


def _command(command: Command) -> Meaning:
    return lambda _number, _lance: command


COMMANDS: dict[str, Meaning] = {command.value: _command(command) for command in Command}
MEANINGS: dict[str, Meaning] = {
    "mus": lambda _, lance: c.Mus(lance=lance),
    "cut": lambda _, lance: c.Cut(lance=lance),
    "pass": lambda _, lance: c.Pass(lance=lance),
    "bet": _bet,
    "bet_both": _bet_both,
    "raise": _raise,
    "reenvido": lambda _, lance: c.Reenvido(lance=lance),
    "ordago": lambda _, lance: c.Ordago(lance=lance),
    "ordago_both": lambda _n, _l: c.Ordago(both=True),
    "accept": lambda _, lance: c.Accept(lance=lance),
    "refuse": lambda _, lance: c.Refuse(lance=lance),
    "refuse_plural": lambda _, lance: c.Refuse(lance=lance, plural=True),
    "holds": lambda _, lance: c.Declare(lance=lance, holds=True),
    "lacks": lambda _, lance: c.Declare(lance=lance, holds=False),
    "next_deal": lambda _n, _l: c.NextDeal(),
    "exposed_card": lambda _n, _l: c.Report(kind=Irregularity.EXPOSED_CARD),
    **COMMANDS,
}
"""What a row's ``means`` makes of its number and its lance (R21-R23, R35, R55)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One ``[[call]]`` or ``[[talk]]`` of the file; talk has no ``means``.

    when    the moments it belongs to
    also    moments when it is understood all the same, for the rules to say why not
    lance   the lance it speaks of without naming it ("duples")
    weight  how often it stands in the recogniser's grammar; 0: read, but never listened for
    """

    means: str | None
    when: frozenset[Moment]
    also: frozenset[Moment] = frozenset()
    lance: Lance | None = None
    why: Why = Why.TALK
    weight: int = 1

    @property
    def alone(self) -> bool:
        """A command stands alone in its segment, or "cinco tantos" would ask for the score."""
        return self.means in COMMANDS


@dataclass(frozen=True, slots=True)
class Phrase:
    """One wording of a row: as written, and as tokens to compare; slots stand as they are."""

    written: tuple[str, ...]
    pattern: Tokens
    row: Row
