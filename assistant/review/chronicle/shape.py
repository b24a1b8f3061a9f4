"""The facts of a chronicle, and the same as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from assistant.language.sentences import Wording
from assistant.messages.codec import event_to_dict
from assistant.review.record.shape import RecordedBet
from assistant.rules import events as e
from assistant.rules.cards import Card, Hand
from assistant.rules.events import Event, How, WonBy
from assistant.rules.hands import ParesKind
from assistant.rules.phases import Lance
from assistant.rules.state import SIDE_LETTERS, side_letters

# ---- The facts of a chronicle. Seats count from 1; sides are letters; tuples of stones are by side


LOST, PEDRETE, TABLE = "lost", "pedrete", "table"
"""Reasons of stones that no lance brings: lost by an article, a pedrete, set by the table."""
WHYS = (*map(str, e.Why), PEDRETE, LOST, TABLE)
"""All reasons for which stones move."""
KINDS: dict[type[e.Event], str] = {
    e.StonesSet: "set",
    e.StonesAdjusted: "adjusted",
    e.BetCorrected: "bet",
    e.PenaltyApplied: "penalty",
    e.PenaltyWaived: "waived",
    e.DealVoided: "voided",
    e.CountReopened: "reopened",
}
"""Events that are a dispute -> its kind."""
RETRACTED = "retracted"
"""The kind of a dispute in which something was taken back."""


@dataclass(frozen=True, slots=True)
class TableTold:
    """Who plays: names by seat, how many sides, and to how many stones.

    ``adentro``: whether the table says "adentro" when a side needs five or fewer.
    """

    seats: tuple[str, ...]
    sides: int
    target: int
    adentro: bool

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the sides."""
        return side_letters(self.sides)

    def side_of(self, seat: int) -> str:
        """The letter of the side that a seat plays for."""
        return SIDE_LETTERS[(seat - 1) % self.sides]

    def names(self, side: str) -> tuple[str, ...]:
        """The players of a side."""
        return tuple(
            name for seat, name in enumerate(self.seats, start=1) if self.side_of(seat) == side
        )


@dataclass(frozen=True, slots=True)
class Point:
    """A moment when stones moved: ``stones`` to ``side`` (negative: from it), ``totals`` after it.

    ``deal`` is 0 before the first one. ``why`` is that of StonesWon, or "pedrete", "lost" (given
    back by an article) or "table" (put right by hand).
    """

    deal: int
    juego: int
    side: str
    stones: int
    why: str
    lance: str | None
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JuegoTold:
    """A juego that was won. ``number`` counts from 1 over the whole match; ``by``: see WonBy."""

    number: int
    deal: int
    side: str
    by: str
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LanceTold:
    """A closed lance: how, after which bets, and who took how many stones for what.

    ``side`` is None if nobody won it, or if it was not counted. ``agreed``: the stones that were
    accepted. ``seat`` held the best hand, if cards decided.
    """

    lance: str
    how: str
    bets: tuple[RecordedBet, ...]
    agreed: int
    side: str | None
    seat: int | None
    stones: int
    whys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandTold:
    """A hand that lay open, its best card at grande first.

    ``pares`` is "pareja", "medias", "duples" or None.
    """

    seat: int
    cards: Hand
    pares: str | None
    points: int
    juego: bool


@dataclass(frozen=True, slots=True)
class DealTold:
    """One deal. ``hands`` is by seat, None where it was not shown; times are Unix seconds.

    ``voided``: it counted for nothing; ``won``: the juego that it ended.
    """

    number: int
    juego: int
    mano: int
    table: TableTold
    began: float
    ended: float
    finished: bool
    voided: bool
    before: tuple[int, ...]
    after: tuple[int, ...]
    points: tuple[Point, ...]
    lances: tuple[LanceTold, ...]
    hands: tuple[HandTold | None, ...]
    won: JuegoTold | None


@dataclass(frozen=True, slots=True)
class OrdagoTold:
    """An órdago by ``seat``. ``winner`` took the juego; if it was refused, what stood before it."""

    deal: int
    lance: str
    seat: int
    side: str
    accepted: bool
    winner: str | None


@dataclass(frozen=True, slots=True)
class Wager:
    """A lance with a notable bet: ``stones`` were agreed, after ``raises`` of the first bet."""

    deal: int
    lance: str
    stones: int
    raises: int
    side: str | None


@dataclass(frozen=True, slots=True)
class SideTold:
    """One side's evening.

    won      lance -> how it closed -> how many this side won so
    by_why   what stones were won for -> how many, less those given back
    highest  the largest accepted bet that it won, 0 for none
    vacas    0 where the match is not played for them
    """

    side: str
    names: tuple[str, ...]
    stones: int
    juegos: int
    vacas: int
    won: Mapping[str, Mapping[str, int]]
    by_why: Mapping[str, int]
    highest: int

    def lances(self, lance: str) -> int:
        """How many of one lance it won."""
        return sum(self.won[lance].values())

    def closed(self, how: str) -> int:
        """How many lances it won that closed so."""
        return sum(row[how] for row in self.won.values())


@dataclass(frozen=True, slots=True)
class Dispute:
    """A correction, or a decision of the table: its events, its deal and its reason.

    ``kind``: "retracted", "set", "adjusted", "bet", "penalty", "waived", "voided", "reopened".
    ``reason`` is as it was said, or the article; "" where nobody gave one. ``at`` is Unix time.
    """

    deal: int
    at: float
    kind: str
    reason: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A match in figures. ``highest``: the largest accepted bet; ``longest``: the most raises."""

    table: TableTold
    began: float
    ended: float
    deals: tuple[DealTold, ...]
    points: tuple[Point, ...]
    juegos: tuple[JuegoTold, ...]
    sides: tuple[SideTold, ...]
    ordagos: tuple[OrdagoTold, ...]
    highest: Wager | None
    longest: Wager | None
    disputes: tuple[Dispute, ...]
    totals: tuple[int, ...]
    winner: str | None

    def deal(self, number: int) -> DealTold | None:
        """The deal with a number, the last one if it was dealt again; None if there is none."""
        return next((deal for deal in reversed(self.deals) if deal.number == number), None)


# ---- The words of a chronicle: one TOML file for each language, which players may edit ----------


SHAPE: dict[str, str] = {
    "names.comma": "",
    "names.and": "first last",
    "names.and_soft": "first last",
    "names.soft_before": "",
    "names.versus": "one other",
    "score.title": "",
    "score.told": "side stones juegos",
    "score.side": "side juegos",
    "score.stones": "",
    "score.deals": "",
    "score.adentro": "",
    "score.juego": "n",
    "score.running": "n",
    "score.won": "n side by",
    "score.none": "",
    "lances.title": "",
    "lances.told": "lance side n",
    "lances.count": "",
    "lances.legend": "",
    "deal.title": "n",
    "deal.voided": "n",
    "deal.juego": "n",
    "deal.mano": "",
    "deal.hand": "name cards worth",
    "deal.hidden": "name",
    "deal.points": "n",
    "deal.has_juego": "n",
    "deal.bet": "n",
    "deal.raise": "n",
    "deal.agreed": "how n",
    "deal.won": "side n",
    "deal.won_juego": "side",
    "deal.uncounted": "",
    "deal.nobody": "",
    "deal.open": "",
    "deal.not_shown": "",
    "deal.juego_won": "side by",
    "text.title": "sides",
    "text.winner": "side",
    "text.played": "deals juegos",
    "text.juegos": "",
    "text.vacas": "",
    "text.stones": "",
    "text.lances": "",
    "text.highest_won": "",
    "text.highest": "n lance deal side",
    "text.longest": "n lance deal side",
    "text.ordago": "deal lance name answer",
    "text.accepted": "side",
    "text.refused": "side",
    "text.nobody": "",
    "text.by_nobody": "",
    "text.dispute": "deal kind what reason",
    "text.dispute_plain": "deal kind what",
    **{f"lance.{lance}": "" for lance in Lance},
    **{f"how.{how}": "" for how in How},
    **{f"why.{why}": "" for why in WHYS},
    **{f"by.{by}": "" for by in WonBy},
    **{f"pares.{kind.name.lower()}": "" for kind in ParesKind},
    **{f"dispute.{kind}": "" for kind in (*KINDS.values(), RETRACTED)},
}
"""Every text and the words that the code fills into it."""


# ---- A chronicle as a page of text: the evening in a dozen lines --------------------------------


Line = Callable[[Event], str]
"""Puts an event into the words of the table's log."""


def told(chronicle: Chronicle, words: Wording, line: Line) -> str:
    """The chronicle as text; ``line`` puts an event of a dispute into words."""
    return "\n".join(_lines(chronicle, words, line))


def _lines(chronicle: Chronicle, words: Wording, line: Line) -> Iterator[str]:
    table = chronicle.table
    sides = [words.names(table.names(letter)) for letter in table.letters]
    versus = sides[0]
    for other in sides[1:]:
        versus = words("names.versus", one=versus, other=other)
    yield words("text.title", sides=versus)
    if chronicle.winner:
        yield words("text.winner", side=words.names(table.names(chronicle.winner)))
    yield words("text.played", deals=len(chronicle.deals), juegos=len(chronicle.juegos))
    yield ""
    yield from _grid(chronicle, sides, words)
    yield ""
    for key, wager in (("highest", chronicle.highest), ("longest", chronicle.longest)):
        if wager:
            yield _wager(chronicle, key, wager, words)
    yield from (_ordago(chronicle, one, words) for one in chronicle.ordagos)
    yield from (_dispute(one, words, line) for one in chronicle.disputes)


def _grid(chronicle: Chronicle, names: list[str], words: Wording) -> Iterator[str]:
    """A table of figures with a column for each side. A sum stands above its parts."""
    sides = chronicle.sides
    whys = [why for why in sides[0].by_why if any(side.by_why[why] for side in sides)]
    lances = list(sides[0].won)
    rows: list[tuple[str, list[int]]] = [
        (words("text.juegos"), [side.juegos for side in sides]),
        (words("text.stones"), [side.stones for side in sides]),
        *((f"  {words(f'why.{why}')}", [side.by_why[why] for side in sides]) for why in whys),
        (words("text.lances"), [sum(map(side.lances, lances)) for side in sides]),
        *((f"  {words(f'lance.{one}')}", [side.lances(one) for side in sides]) for one in lances),
        (words("text.highest_won"), [side.highest for side in sides]),
    ]
    if any(side.vacas for side in sides):
        rows.insert(0, (words("text.vacas"), [side.vacas for side in sides]))
    first = max(len(name) for name, _ in rows)
    yield " " * first + "".join(f"  {name}" for name in names)
    for name, values in rows:
        cells = (f"  {value:>{len(side)}}" for value, side in zip(values, names, strict=True))
        yield name.ljust(first) + "".join(cells)


def _wager(chronicle: Chronicle, key: str, wager: Wager, words: Wording) -> str:
    side = words.names(chronicle.table.names(wager.side)) if wager.side else words("text.by_nobody")
    n = wager.stones if key == "highest" else wager.raises
    lance = words(f"lance.{wager.lance}")
    return words(f"text.{key}", n=n, lance=lance, deal=wager.deal, side=side)


def _ordago(chronicle: Chronicle, ordago: OrdagoTold, words: Wording) -> str:
    answer = words("text.nobody")
    if ordago.winner:
        side = words.names(chronicle.table.names(ordago.winner))
        answer = words("text.accepted" if ordago.accepted else "text.refused", side=side)
    return words(
        "text.ordago",
        deal=ordago.deal,
        lance=words(f"lance.{ordago.lance}"),
        name=chronicle.table.seats[ordago.seat - 1],
        answer=answer,
    )


def _dispute(dispute: Dispute, words: Wording, line: Line) -> str:
    what = "; ".join(filter(None, map(line, dispute.events)))
    kind = words(f"dispute.{dispute.kind}")
    if dispute.reason and dispute.reason not in what:
        return words("text.dispute", deal=dispute.deal, kind=kind, what=what, reason=dispute.reason)
    return words("text.dispute_plain", deal=dispute.deal, kind=kind, what=what)


# ---- A chronicle as JSON: the same facts, cards as written, events as in the journal ------------


def as_json(told: object) -> dict[str, Any]:
    """A match, one deal, or any other dataclass of facts as plain values."""
    result: dict[str, Any] = _plain(told)
    return result


def _plain(value: Any) -> Any:
    if isinstance(value, Event):
        return event_to_dict(value)
    if isinstance(value, Card):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
