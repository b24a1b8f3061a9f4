"""Requests to enrol: one pair, or a list that is previewed first; nothing in a request is trusted.

All wrong lines of a list are reported at once, also those whose name, seed place, person or
telephone is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.hall.hub.book import BookPage
from assistant.hall.tournament import (
    PairEnrolled,
    People,
    PlayerEnrolled,
    Tournament,
    TournamentError,
)
from assistant.hall.tournament.lists import (
    FIELDS,
    ColumnGuess,
    ListLine,
    guess_columns,
    lines_from_csv,
    lines_of,
    sheet_of,
    telephone_keys,
    telephone_of,
)
from assistant.hall.tournament.model import Enrolled
from assistant.messages.codec import CodecError, short

MOST_COLUMNS = 100
MOST_PREVIEWED = 60
"""Right lines of a list that a preview shows; it shows all that are wrong or asked about."""
SAMPLES = 3
"""Cells of a column that a preview shows."""
ASKED_ABOUT = ("person_twice", "person_alone", "person_perhaps", "telephone_twice")
"""Faults of a line that go if somebody confirms that they are two people."""


def lines_asked(asked: Mapping[str, Any], now: Tournament) -> list[ListLine]:
    """The pair of a request, or its list. Raises TournamentError, CodecError."""
    by = text_of(asked, "by")
    said = asked.get("namesakes")
    if "pair" in asked:
        return [one_pair(object_of(asked["pair"]), now, by, namesakes=said is True)]
    lines = lines_from_csv(text_of(asked, "csv"), now, by, _columns(asked))
    if said is True:
        return [_confirmed(one) for one in lines]
    confirmed = set(_numbers(said)) if said else set()
    return [_confirmed(one) if one.line in confirmed else one for one in lines]


def _confirmed(line: ListLine) -> ListLine:
    """A line with the confirmation that its players are not those who they seem to be."""
    if isinstance(line.pair, TournamentError):
        return line
    return replace(line, pair=replace(line.pair, namesakes=True))


def one_pair(
    pair: Mapping[str, Any], now: Tournament, by: str, *, namesakes: bool = False
) -> ListLine:
    """A single pair of a request; without a name it gets its players' names, as in a list.

    Where everybody enrols alone it is a player, who has a name, a club and a category.
    """
    number = max([*now.pairs, *now.gone], default=0) + 1
    club, category = text_of(pair, "club").strip(), text_of(pair, "category").strip()
    telephone = telephone_of(text_of(pair, "telephone"))
    made: Enrolled
    if now.individual:
        name = text_of(pair, "name").strip()
        made = PlayerEnrolled(number, name, club, by, namesakes, category)
        return ListLine(1, made, telephone, pair.get("paid") is True)
    both = pair.get("players")
    if type(both) is not list or len(both) != 2:
        raise CodecError("A pair has two players.")
    one, other = (text_of({"player": player}, "player").strip() for player in both)
    name = text_of(pair, "name").strip() or (f"{one} y {other}" if one and other else "")
    bar = text_of(pair, "bar").strip()
    made = PairEnrolled(
        *(number, name, (one, other), club, None, by, namesakes, bar),
        category=category,
        late=pair.get("late") is True,
    )
    return ListLine(1, made, telephone, pair.get("paid") is True)


def looked_over(lines: Sequence[ListLine], now: Tournament, book: BookPage) -> list[ListLine]:
    """The lines of a list; those that cannot enrol have their faults."""
    names = {pair.name: number for number, pair in now.pairs.items()}
    seeds = {pair.seed: number for number, pair in now.pairs.items()}
    people = People(now)
    telephones: dict[str, int] = {}
    for number, telephone in book.telephones.items():
        if number in now.pairs:
            telephones |= dict.fromkeys(telephone_keys(telephone), number)
    found: list[ListLine] = []
    for line in lines:
        pair = line.pair
        if isinstance(pair, TournamentError):
            found.append(line)
            continue
        seed = pair.seed if isinstance(pair, PairEnrolled) else None
        keys = telephone_keys(line.telephone)
        try:
            if pair.name in names:
                raise TournamentError("name_taken", pair=names[pair.name], name=short(pair.name))
            if seed is not None and seed in seeds:
                raise TournamentError("seed_taken", pair=seeds[seed], seed=seed)
            people.check(pair)
            for key in keys & telephones.keys() if not pair.namesakes else ():
                raise TournamentError("telephone_twice", pair=telephones[key])
            if now.stages[0].bars and isinstance(pair, PairEnrolled) and not pair.bar:
                raise TournamentError("no_bar", pair=pair.pair)
        except TournamentError as error:
            found.append(replace(line, pair=error))
            continue
        names[pair.name] = seeds[seed] = pair.pair
        people.add(pair)
        telephones |= dict.fromkeys(keys, pair.pair)
        found.append(line)
    return found


def previewed(asked: Mapping[str, Any], now: Tournament, book: BookPage) -> dict[str, Any]:
    """A list as it would be enrolled.

    "columns" has the title, the field and some cells of each; "sure" says whether their titles say
    where the players are. "lines" are those to look at, "good" and "wrong" count all.
    """
    sheet = sheet_of(text_of(asked, "csv"))
    guess = guess_columns(sheet, now.individual)
    chosen = _columns(asked)
    if chosen is not None:
        guess = ColumnGuess((*chosen, *[""] * (sheet.width - len(chosen))), sure=True)
    told: dict[str, Any] = {
        "columns": [
            {
                "title": sheet.titles[at] if at < len(sheet.titles) else "",
                "field": guess.columns[at],
                "sample": [f"{cell:.60}" for cell in sheet.column(at)[:SAMPLES]],
            }
            for at in range(min(sheet.width, MOST_COLUMNS))
        ],
        "fields": list(FIELDS),
        "sure": guess.sure,
        "mark": sheet.mark,
    }
    try:
        read = lines_of(sheet, guess.columns, now, text_of(asked, "by"))
    except TournamentError as error:
        return told | {"why": _told(error), "lines": [], "good": 0, "wrong": 0}
    said = asked.get("namesakes")
    confirmed = set(_numbers(said)) if isinstance(said, list) else set()
    whole = [_confirmed(one) if said is True or one.line in confirmed else one for one in read]
    lines = looked_over(whole, now, book)
    shown, good = [], 0
    for before, line in zip(whole, lines, strict=True):
        wrong = line.pair if isinstance(line.pair, TournamentError) else None
        good += wrong is None
        if wrong or good <= MOST_PREVIEWED or line.line in confirmed:
            shown.append(_line_told(before, wrong))
    return told | {"lines": shown, "good": good, "wrong": len(lines) - good}


def _line_told(line: ListLine, wrong: TournamentError | None) -> dict[str, Any]:
    told: dict[str, Any] = {"line": line.line, "telephone": line.telephone, "paid": line.paid}
    pair = line.pair
    if isinstance(pair, PairEnrolled):
        told |= {"name": pair.name, "players": list(pair.players), "seed": pair.seed}
        told |= {"club": pair.club, "category": pair.category, "bar": pair.bar}
    elif isinstance(pair, PlayerEnrolled):
        told |= {"name": pair.name, "players": [pair.name], "seed": None}
        told |= {"club": pair.club, "category": pair.category, "bar": ""}
    if not isinstance(pair, TournamentError):
        told["confirmed"] = pair.namesakes
    if wrong:
        told |= {"why": _told(wrong), "asks": wrong.code in ASKED_ABOUT}
    return told


def _told(error: TournamentError) -> dict[str, Any]:
    return {"code": error.code, "facts": error.facts, "error": str(error)}


def _columns(asked: Mapping[str, Any]) -> list[str] | None:
    """The content of the columns as a request names it; None if it does not. Raises CodecError."""
    columns = asked.get("columns")
    if columns is None:
        return None
    if type(columns) is not list or len(columns) > MOST_COLUMNS:
        raise CodecError("columns are a list of fields.")
    return [text_of({"column": column}, "column") for column in columns]


def _numbers(value: object) -> list[int]:
    """Numbers of lines. Raises CodecError."""
    if type(value) is not list or not all(type(one) is int for one in value):
        raise CodecError("namesakes is true, or the numbers of lines.")
    return value


def object_of(value: object) -> dict[str, Any]:
    """A value of a request that has to be a JSON object. Raises CodecError."""
    if type(value) is not dict:
        raise CodecError("An act is a JSON object.")
    return value


def text_of(asked: Mapping[str, Any], key: str) -> str:
    """A text of a request; "" if it was left out. Raises CodecError."""
    text = asked.get(key, "")
    if type(text) is not str:
        raise CodecError(f"{key} is a text.")
    return text
