"""A chronicle as a page of text: the evening in a dozen lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assistant.chronicle.shape import Chronicle, Dispute, Ordago, Wager
from assistant.chronicle.words import Words
from assistant.rules.events import Event

Line = Callable[[Event], str]
"""What an event says in the log of the table."""


def told(chronicle: Chronicle, words: Words, line: Line) -> str:
    """The text; ``line`` says an event of a dispute."""
    return "\n".join(_lines(chronicle, words, line))


def _lines(chronicle: Chronicle, words: Words, line: Line) -> Iterator[str]:
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


def _grid(chronicle: Chronicle, names: list[str], words: Words) -> Iterator[str]:
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


def _wager(chronicle: Chronicle, key: str, wager: Wager, words: Words) -> str:
    side = words.names(chronicle.table.names(wager.side)) if wager.side else words("text.by_nobody")
    n = wager.stones if key == "highest" else wager.raises
    lance = words(f"lance.{wager.lance}")
    return words(f"text.{key}", n=n, lance=lance, deal=wager.deal, side=side)


def _ordago(chronicle: Chronicle, ordago: Ordago, words: Words) -> str:
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


def _dispute(dispute: Dispute, words: Words, line: Line) -> str:
    what = "; ".join(filter(None, map(line, dispute.events)))
    kind = words(f"dispute.{dispute.kind}")
    if dispute.reason and dispute.reason not in what:
        return words("text.dispute", deal=dispute.deal, kind=kind, what=what, reason=dispute.reason)
    return words("text.dispute_plain", deal=dispute.deal, kind=kind, what=what)
