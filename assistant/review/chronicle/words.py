"""A chronicle as text and as JSON: its words, one TOML file a language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from assistant.language.sentences import Wording
from assistant.messages.codec import event_to_dict
from assistant.review.chronicle.build import KINDS, RETRACTED, WHYS
from assistant.review.chronicle.shape import Chronicle, Dispute, OrdagoTold, Wager
from assistant.rules.cards import Card
from assistant.rules.events import Event, How, WonBy
from assistant.rules.hands import ParesKind
from assistant.rules.phases import Lance

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
"""What an event says in the log of the table."""


def told(chronicle: Chronicle, words: Wording, line: Line) -> str:
    """The text; ``line`` says an event of a dispute."""
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
    """Sides in columns, what they have in rows; a sum stands over what it is made of."""
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


# ---- A chronicle as JSON: the facts of ``shape``, cards as written, events as in the journal ----


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
