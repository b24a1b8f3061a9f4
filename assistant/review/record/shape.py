"""The facts of a match's record: bets, reasons of stones, deals; the same as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from typing import Any

from assistant.messages.codec import event_to_dict
from assistant.rules import events as e
from assistant.rules.events import BetMade, BetRaised, Event, OrdagoMade
from assistant.rules.phases import Lance

# ---- The bets of one lance, in the order they were called ---------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedBet:
    """A bet, or a raise by ``stones``; accepting it would agree to ``total``.

    Both are 0 for an órdago.
    """

    seat: int
    kind: str
    stones: int
    total: int


def bets(events: Iterable[Event], lance: Lance) -> tuple[RecordedBet, ...]:
    """The bets of a lance among the events of its deal."""
    found: list[RecordedBet] = []
    for event in events:
        match event:
            case BetMade(seat=seat, lance=where, stones=stones) if where is lance:
                found = [RecordedBet(seat, "bet", stones, stones)]
            case BetRaised(seat=seat, lance=where, stones=stones) if where is lance:
                found.append(RecordedBet(seat, "raise", stones, stones + standing(found)))
            case OrdagoMade(seat=seat, lance=where) if where is lance:
                found.append(RecordedBet(seat, "ordago", 0, 0))
    return tuple(found)


def standing(chain: Iterable[RecordedBet]) -> int:
    """The stones of the bet after these calls; 0 if there are none."""
    return next((bet.total for bet in reversed(tuple(chain)) if bet.total), 0)


def deje(chain: tuple[RecordedBet, ...]) -> int:
    """The stones for refusing the last bet: the bet before it, or 1 (R24, R25, R34)."""
    return standing(chain[:-1]) or 1


# ---- The reasons of stones, each with its rows of the rule table ---------------------------------
# The codes are keys of the record's sentences (``[why]`` in ``record.toml``); the rows are those
# of ``docs/rules.md``.


ROWS: dict[str, tuple[str, ...]] = {
    "deje_first": ("R24", "R27"),
    "deje_first_ordago": ("R24", "R34", "R27"),
    "deje_raise": ("R25", "R26", "R27"),
    "deje_ordago": ("R34", "R26", "R27"),
    "paso": ("R20",),
    "bet": ("R27", "R30"),
    "pares_accepted": ("R13",),
    "pares_passed": ("R13", "R20"),
    "pares_refused": ("R13", "R28"),
    "pares_uncontested": ("R13", "R17"),
    "juego_accepted": ("R15",),
    "juego_passed": ("R15", "R20"),
    "juego_refused": ("R15", "R28"),
    "juego_uncontested": ("R15", "R17"),
    "punto_accepted": ("R29",),
    "punto_passed": ("R20", "R29"),
    "punto_refused": ("R29", "R31"),
    "claimed": ("R46",),
    "penalty": ("R47",),
    "other": (),
    "juego_target": ("R30",),
    "juego_deje": ("R60",),
    "juego_ordago": ("R32",),
    "vaca": ("R41",),
    "match": ("R41",),
    "set": ("R45",),
    "adjusted": ("R45",),
    "lost": ("R47",),
    "pedrete": ("R54",),
    "voided": ("R08",),
    "reopened": ("R45",),
}
CAPPED = "R30"
"""The row by which a side gets no more stones than it needs."""

_OWN = {e.Why.PARES: "pares", e.Why.JUEGO: "juego", e.Why.PUNTO: "punto"}
_ENDS = {
    e.How.ACCEPTED: "accepted",
    e.How.PASSED: "passed",
    e.How.REFUSED: "refused",
    e.How.UNCONTESTED: "uncontested",
}
_MOVES: dict[type[e.Event], str] = {
    e.StonesSet: "set",
    e.StonesAdjusted: "adjusted",
    e.StonesLost: "lost",
    e.PedreteSung: "pedrete",
    e.DealVoided: "voided",
    e.CountReopened: "reopened",
    e.VacaWon: "vaca",
    e.MatchWon: "match",
}


def why_won(
    won: e.StonesWon, how: e.How | None, chain: tuple[RecordedBet, ...], claimed: bool
) -> str:
    """The reason of stones won in a lance that was closed so, after these bets."""
    if won.why is e.Why.DEJE:
        ordago = bool(chain) and chain[-1].kind == "ordago"
        if len(chain) < 2:
            return "deje_first_ordago" if ordago else "deje_first"
        return "deje_ordago" if ordago else "deje_raise"
    if won.why is e.Why.PASO:
        return "paso"
    if claimed:
        return "claimed"
    if won.why is e.Why.BET:
        return "bet"
    if won.why is e.Why.PENALTY:
        return "penalty"
    code = f"{_OWN[won.why]}_{_ENDS[how]}" if how in _ENDS and won.why in _OWN else "other"
    return code if code in ROWS else "other"


def why_moved(event: e.Event, by_deje: bool = False) -> str:
    """The reason of any other change of the score; ``by_deje``: a deje reached the target."""
    if isinstance(event, e.JuegoWon):
        if event.by is e.WonBy.ORDAGO:
            return "juego_ordago"
        return "juego_deje" if by_deje else "juego_target"
    return _MOVES.get(type(event), "other")


# ---- The record of a match as plain facts, for ``--json`` and for the page of text ---------------
# Times carry their zone. Lines of text are those of the phrases; codes (reasons, outcomes) are
# keys of the record's own sentences.


@dataclass(frozen=True, slots=True)
class RecordedScore:
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
class RecordLine:
    """One event in words; ``implied`` where nobody said it."""

    seq: int
    event: Event
    text: str
    implied: bool


@dataclass(frozen=True, slots=True)
class CallTold:
    """One call: its events, its seat if that was inferred, and what took it back, if anything.

    ``inferred`` is the seat, ``why`` the reason ("turn", "pair", "voice").
    """

    seq: int
    lines: tuple[RecordLine, ...]
    inferred: int | None
    why: str
    taken_back: TakenBack | None


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """The outcome of words that moved nothing: ask, refused, ignored, told, lost; and why."""

    outcome: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance, or (``words`` is None) a message without words: a tap, a camera, a script."""

    at: datetime
    seat: int | None
    words: str | None
    calls: tuple[CallTold, ...]
    verdicts: tuple[RecordedVerdict, ...]


@dataclass(frozen=True, slots=True)
class HandRecord:
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
class LanceRecord:
    """A closed lance: how, after which bets, for how many stones; who won it, with which cards."""

    lance: str
    how: str
    bets: tuple[RecordedBet, ...]
    agreed: int
    side: str | None
    seat: int | None
    cards: str | None
    won: int


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A change of the score.

    when    "at_once", "count", "end" (of a juego or match), or "table": the players' own decision
    why     the reason, a key of ROWS; ``rows`` are the rows of ``docs/rules.md`` behind it
    note    the reason or the article that the table named, or ""
    capped  whether the side got fewer stones than it won, because it needed no more
    score   the score after it
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
    score: RecordedScore


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
class DealRecord:
    """One deal. ``decisions`` are irregularities, articles and corrections that count.

    ``heard_is_kept``: the heard log reaches back to its beginning.
    """

    deal: int
    mano: int
    began: datetime
    ended: datetime
    finished: bool
    before: RecordedScore
    after: RecordedScore
    heard_is_kept: bool
    messages: tuple[Message, ...]
    lances: tuple[LanceRecord, ...]
    hands: tuple[HandRecord, ...]
    moves: tuple[RecordedMove, ...]
    decisions: tuple[RecordLine, ...]
    checks: tuple[Check, ...]

    @property
    def agrees(self) -> bool:
        """Whether every recount came to what the journal says."""
        return all(check.agrees is not False for check in self.checks)


@dataclass(frozen=True, slots=True)
class MatchTold:
    """A match: its players, its rules (those that are not the default), and its deals.

    ``left_out`` counts earlier deals that are left out.
    """

    table: str
    seats: tuple[str, ...]
    sides: dict[str, tuple[str, ...]]
    rules: dict[str, str]
    began: datetime
    score: RecordedScore
    winner: str | None
    left_out: int
    deals: tuple[DealRecord, ...]


# ---- The record as JSON: the same facts, times in ISO 8601, events as in the journal -----------


def as_json(told: MatchTold) -> dict[str, Any]:
    """The match as plain values; each deal has ``agrees`` beside its checks."""
    result: dict[str, Any] = plain(told)
    return result


def plain(value: Any) -> Any:
    """Any part of a record as plain values."""
    if isinstance(value, Event):
        return event_to_dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        found = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {**found, "agrees": value.agrees} if isinstance(value, DealRecord) else found
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
