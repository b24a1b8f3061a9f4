"""The record of a match as plain facts: what ``--json`` writes and the page of text tells.

Times carry their zone. Lines of text are those of the phrases; codes (reasons, outcomes) are keys
of the record's own sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from assistant.record.bets import Bet
from assistant.rules.events import Event


@dataclass(frozen=True, slots=True)
class Score:
    """Stones of the juego and juegos of the vaca, by side letter."""

    stones: dict[str, int]
    juegos: dict[str, int]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The retraction that makes a call count no more, and the words that asked for it, if any."""

    seq: int
    at: datetime
    words: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """One event in words; ``implied`` where nobody said it."""

    seq: int
    event: Event
    text: str
    implied: bool


@dataclass(frozen=True, slots=True)
class CallTold:
    """One call: its events, whom it was given to where nobody knew who spoke, whether it counts.

    ``inferred`` is the seat, ``why`` the reason ("turn", "pair", "voice").
    """

    seq: int
    lines: tuple[Line, ...]
    inferred: int | None
    why: str
    taken_back: TakenBack | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of words that moved nothing: ask, refused, ignored, told; and the reason."""

    outcome: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance, or (``words`` is None) what came in without any: a tap, a camera, a script."""

    at: datetime
    seat: int | None
    words: str | None
    calls: tuple[CallTold, ...]
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand laid open, valued, beside what its player had declared."""

    seat: int
    cards: str
    pares: str | None
    pares_stones: int
    points: int
    juego_stones: int
    said_pares: bool | None
    said_juego: bool | None


@dataclass(frozen=True, slots=True)
class LanceTold:
    """A closed lance: how, after which bets, what was agreed; who won it, with which cards."""

    lance: str
    how: str
    bets: tuple[Bet, ...]
    agreed: int
    side: str | None
    seat: int | None
    cards: str | None
    won: int


@dataclass(frozen=True, slots=True)
class Move:
    """A change of the score. ``when``: at_once, count or table (the players' own decision).

    ``why`` is the reason, ``rows`` those of ``docs/rules.md``, ``article`` or ``reason`` what the
    table named; ``capped`` where the side needed no more. ``score`` is the score after it.
    """

    seq: int
    at: datetime
    when: str
    side: str
    stones: int
    lance: str | None
    why: str
    rows: tuple[str, ...]
    note: str
    capped: bool
    score: Score


@dataclass(frozen=True, slots=True)
class Check:
    """A recount: ``found`` by cards and bets against what the journal ``says``.

    ``code``: sum, prize, winner, juego, or skipped (``agrees`` is None: nothing was recounted).
    """

    code: str
    about: str
    says: str
    found: str
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class DealTold:
    """One deal. ``decisions`` are irregularities, articles and corrections that count.

    ``heard_is_kept``: the heard log reaches back to its beginning.
    """

    deal: int
    mano: int
    began: datetime
    ended: datetime
    finished: bool
    before: Score
    after: Score
    heard_is_kept: bool
    messages: tuple[Message, ...]
    lances: tuple[LanceTold, ...]
    hands: tuple[HandTold, ...]
    moves: tuple[Move, ...]
    decisions: tuple[Line, ...]
    checks: tuple[Check, ...]

    @property
    def agrees(self) -> bool:
        """Whether every recount came to what the journal says."""
        return all(check.agrees is not False for check in self.checks)


@dataclass(frozen=True, slots=True)
class MatchTold:
    """A match: who, by which rules (those that are not the default), and its deals.

    ``left_out`` counts earlier deals that are not told here.
    """

    table: str
    seats: tuple[str, ...]
    sides: dict[str, tuple[str, ...]]
    rules: dict[str, str]
    began: datetime
    score: Score
    winner: str | None
    left_out: int
    deals: tuple[DealTold, ...]
