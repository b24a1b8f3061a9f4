"""A tournament as lists for a spreadsheet: its pairs, its matches, its standings."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would compute rather than show."""
BY = {
    "won": "ganadas",
    "juegos": "juegos",
    "stones": "piedras",
    "direct": "entre ellas",
    "draw": "sorteo",
}
"""What separated a pair from the others, as the page says it."""
Shown = Mapping[str, Any]


def pairs(shown: Shown) -> Iterator[list[object]]:
    """As they can be enrolled again, with their numbers."""
    yield ["número", "pareja", "jugador 1", "jugador 2", "peña", "cabeza"]
    for pair in shown["pairs"]:
        if pair["here"]:
            yield [pair["pair"], pair["name"], *pair["players"], pair["club"], pair["seed"]]


def matches(shown: Shown) -> Iterator[list[object]]:
    """Each with its result, if it has one."""
    names = _names(shown)
    yield [
        *("partida", "mesa", "pareja 1", "pareja 2", "juegos 1", "juegos 2"),
        *("piedras 1", "piedras 2", "gana", "puesto por", "motivo"),
    ]
    for match in shown["matches"]:
        who = [names.get(slot["pair"], "") for slot in match["slots"]]
        result = match["result"] or {}
        score = [*result.get("juegos", ("", "")), *result.get("stones", ("", ""))]
        told = [result.get("by", ""), result.get("reason", "")]
        yield [match["match"], match["table"], *who, *score, names.get(match["winner"], ""), *told]


def standings(shown: Shown) -> Iterator[list[object]]:
    """Of all groups, one after the other."""
    names = _names(shown)
    yield [
        *("grupo", "puesto", "pareja", "jugadas", "ganadas", "perdidas"),
        *("juegos", "juegos en contra", "piedras", "piedras en contra", "por"),
    ]
    for group, rows in enumerate(shown["standings"], 1):
        for row in rows:
            yield [
                *(group, row["place"], names[row["pair"]], row["played"], row["won"], row["lost"]),
                *(*row["juegos"], *row["stones"], BY.get(row["by"], row["by"])),
            ]


LISTS: Mapping[str, Callable[[Shown], Iterator[list[object]]]] = {
    "pairs": pairs,
    "matches": matches,
    "standings": standings,
}


def as_csv(rows: Iterator[list[object]]) -> bytes:
    """With semicolons and a mark of its encoding, as a Spanish spreadsheet opens it by itself."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value


def _names(shown: Shown) -> dict[int | None, str]:
    return {pair["pair"]: pair["name"] for pair in shown["pairs"]}
