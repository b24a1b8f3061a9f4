"""The protocol between a table and the hub: topics, messages, and the check of each."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any
from zlib import crc32

from assistant.hall.tournament.errors import MAX_CLOCK, TournamentError
from assistant.hall.tournament.house_rules import check_rules, plays_by, table_profile
from assistant.messages.codec import CodecError, NewerVersionError, event_from_json
from assistant.rules.errors import MusError
from assistant.rules.events import GameOpened
from assistant.rules.profile import Profile, Sides

# Nothing that arrives is trusted: sizes are bounded before anything is parsed, types are strict,
# and whatever is wrong raises a ``WireError`` that says so. ``docs/hub.md`` lists the topics.


VERSION = 1
"""The version of the messages; a message of a later version is refused with that reason."""
ROOT = "mus/2"
"""The prefix of all topics; its number changes with their layout."""
TABLES = f"{ROOT}/t"
"""The prefix of every table's topics: ``mus/2/t/SLICE/TABLE/...``."""
SLICES = 64
"""The number of slices of the tables; one process of the hub takes in all tables of a slice."""
HELLO = f"{ROOT}/hub/hello"
"""The prefix of the topics on which a process of the hub announces that it takes in a slice."""

MOST_BYTES = 64 * 1024
"""Bytes of a message. Two hundred records take about half of it."""
MOST_RECORDS = 200
MOST_GAMES = 50
"""Games in a status."""
MOST_LETTERS = 200
"""Letters of a name."""
LARGEST = 10_000_000
"""The highest seq. A table that plays day and night needs a year for so many."""
LATEST = 1e11
"""The latest time, in Unix seconds: three thousand years from now."""
TABLE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}", re.ASCII)
GAME_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
_UNWRITABLE = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
"""Escapes of a lone surrogate or NUL. Most events have none, and need no further check."""


class WireError(MusError):
    """A message that is refused. ``code`` names the kind of fault, for the metrics."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class EventRow:
    """One record as it is sent and stored; the event is the journal's own JSON text."""

    seq: int
    batch: int
    at: float
    event: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive records of one game; ``sent`` is the table's clock, in Unix seconds.

    ``table`` comes from the topic, which the broker guards, and never from the message.
    """

    table: str
    game: str
    sent: float
    rows: tuple[EventRow, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a table is online, and the last seq of its latest games, the newest game last."""

    table: str
    online: bool
    games: tuple[tuple[str, int], ...] = ()
    at: float = 0.0
    version: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """The last seq of a game that the hub has without a gap; ``again``: send the rest again."""

    game: str
    seq: int
    again: bool = False


def slice_of(table: str) -> int:
    """The slice of a table, the same on every machine: 0 to SLICES - 1."""
    return crc32(table.encode()) % SLICES


@dataclass(frozen=True, slots=True)
class HubHello:
    """A process of the hub takes in a slice now. ``hall`` changes with the hub's database."""

    hall: str


def topic(table: str, kind: str) -> str:
    """A table's topic: "events", "status" and "snapshot" are its own, "stored" the hub's."""
    return f"{TABLES}/{slice_of(table)}/{table}/{kind}"


def topics_of(number: int, kind: str) -> str:
    """The topics of one kind of all tables of a slice."""
    return f"{TABLES}/{number}/+/{kind}"


def hello(number: int) -> str:
    """The topic on which the tables of a slice hear that a process takes it in now."""
    return f"{HELLO}/{number}"


def table_of(name: str) -> tuple[str, str]:
    """The table and the kind of a topic. Raises WireError."""
    head, _, kind = name.rpartition("/")
    root, _, table = head.rpartition("/")
    if not TABLE_ID.fullmatch(table) or root != f"{TABLES}/{slice_of(table)}":
        raise WireError("topic", f"No table has the topic {name[:100]!a}.")
    return table, kind


def game_id(name: str, at: float, opening: str) -> str:
    """A game's name in the hall: its name at the table, and a fingerprint of its first record.

    Every machine's first game is "game-1"; the time and content of the first record tell them
    apart. A copy of a journal has the same name.
    """
    return f"{name[:50]}-{sha256(f'{at!r} {opening}'.encode()).hexdigest()[:8]}"


def fitting(rows: Sequence[EventRow]) -> list[EventRow]:
    """The rows that fit into one message; at least the first."""
    left, taken = MOST_BYTES - 1024, list(rows[:1])
    for row, following in pairwise(rows):
        left -= 2 * row.event.count('"') + len(row.event) + 60
        if left < 2 * len(following.event):
            break
        taken.append(following)
    return taken


def pack_batch(game: str, sent: float, rows: Sequence[EventRow]) -> bytes:
    """A batch as the payload of a message."""
    return packed(
        {
            "v": VERSION,
            "game": game,
            "sent": sent,
            "records": [[row.seq, row.batch, row.at, row.event] for row in rows],
        }
    )


def read_batch(name: str, payload: bytes) -> Batch:
    """Read a table's events. Raises WireError."""
    table, _ = table_of(name)
    body = body_of(payload)
    game, sent, parts = body.get("game"), body.get("sent"), body.get("records")
    if type(parts) is not list or not 0 < len(parts) <= MOST_RECORDS:
        raise WireError("malformed", f"A message has 1 to {MOST_RECORDS} records.")
    rows = tuple([_row(part) for part in parts])
    for row, following in pairwise(rows):
        if following.seq != row.seq + 1 or following.batch not in (row.batch, following.seq):
            raise WireError("malformed", f"Record {following.seq} does not follow {row.seq}.")
    return Batch(table, _game(game), _time(sent), rows)


def pack_status(status: Status) -> bytes:
    """A status as the payload of a message, or of the last will."""
    return packed(
        {
            "v": VERSION,
            "online": status.online,
            "games": [list(game) for game in status.games],
            "at": status.at,
            "version": status.version,
        }
    )


def read_status(name: str, payload: bytes) -> Status:
    """Read a table's status. Raises WireError."""
    table, _ = table_of(name)
    body = body_of(payload)
    online, version = body.get("online"), body.get("version", "")
    if type(online) is not bool:
        raise WireError("malformed", "A status says whether its table is there.")
    parts = body.get("games", [])
    if type(parts) is not list or len(parts) > MOST_GAMES:
        raise WireError("malformed", f"A status names {MOST_GAMES} games at most.")
    games = tuple([_place(part) for part in parts])
    return Status(
        table, online, games, _time(body.get("at", 0.0)), _line(version, "A version")[:32]
    )


def pack_stored(stored: Stored) -> bytes:
    """The hub's confirmation to a table, as the payload of a message."""
    return packed(
        {"v": VERSION, "game": stored.game, "seq": stored.seq, "again": stored.again},
    )


def read_stored(payload: bytes) -> Stored:
    """Read the hub's confirmation at the table. Raises WireError."""
    body = body_of(payload)
    again = body.get("again", False)
    if type(again) is not bool:
        raise WireError("malformed", "Again is true or false.")
    return Stored(_game(body.get("game")), whole(body.get("seq"), 0), again)


def pack_hub_hello(said: HubHello) -> bytes:
    """A hello as the payload of a message."""
    return packed({"v": VERSION, "hall": said.hall})


def read_hub_hello(payload: bytes) -> HubHello:
    """Read the hub's hello at the table. Raises WireError."""
    return HubHello(_line(body_of(payload).get("hall"), "A hall's name"))


def _place(part: object) -> tuple[str, int]:
    if type(part) is not list or len(part) != 2:
        raise WireError("malformed", "A game in a status is its name and its last seq.")
    return _game(part[0]), whole(part[1], 0)


def _row(part: object) -> EventRow:
    if type(part) is not list or len(part) != 4:
        raise WireError("malformed", "A record is a list of four.")
    seq, batch, at, text = part
    row = EventRow(whole(seq, 1), whole(batch, 1), _time(at), _line(text, "An event"))
    if row.batch > row.seq:
        raise WireError("malformed", f"Record {row.seq} belongs to a call after it.")
    event = _event(row)
    if isinstance(event, GameOpened) != (row.seq == 1):
        raise WireError("malformed", "A game is opened by its first record, and by no other.")
    return row


def _event(row: EventRow) -> object:
    try:
        event = event_from_json(row.event)
    except NewerVersionError as error:
        raise WireError("newer", str(error)) from None
    except CodecError as error:
        raise WireError("malformed", f"Record {row.seq}: {error}") from None
    if _UNWRITABLE.search(row.event) and not _writable(json.loads(row.event)):
        raise WireError("malformed", f"Record {row.seq} has a text that nobody can write.")
    return event


def _writable(value: object) -> bool:
    """Whether all texts can be encoded as UTF-8 and have no NUL; pages and databases refuse others.

    Escaped in an event they are ASCII, so they pass wherever the event is only stored.
    """
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return all(_writable(key) and _writable(part) for key, part in value.items())
    return not isinstance(value, list) or all(map(_writable, value))


def body_of(payload: bytes, newest: int = VERSION) -> dict[str, Any]:
    """The JSON object of a message. Raises WireError, also for a version above ``newest``."""
    if len(payload) > MOST_BYTES:
        raise WireError("oversized", f"A message of {len(payload)} bytes; {MOST_BYTES} is most.")
    try:
        body = json.loads(payload.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise WireError("malformed", "This is no JSON in UTF-8.") from None
    if type(body) is not dict or type(body.get("v")) is not int:
        raise WireError("malformed", "A message is an object with its version.")
    if body["v"] > newest:
        raise WireError("newer", "This was sent by a newer version of mus: update this one.")
    return body


def _no_number(text: str) -> None:
    raise ValueError(text)


def whole(value: object, least: int) -> int:
    """A whole number from ``least`` to ``LARGEST``. Raises WireError."""
    if type(value) is not int or not least <= value <= LARGEST:
        raise WireError("malformed", f"A seq goes from {least} to {LARGEST}.")
    return value


def _time(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LATEST:
        return float(value)
    raise WireError("malformed", "A time is Unix seconds.")


def _line(value: object, what: str) -> str:
    # Tables write only ASCII, so no database meets letters that it cannot store.
    if type(value) is not str or not value.isascii() or not value.isprintable():
        raise WireError("malformed", f"{what} is one line of ASCII.")
    return value


def _game(value: object) -> str:
    if type(value) is not str or not GAME_ID.fullmatch(value):
        raise WireError("malformed", "A game is named by 1 to 64 letters, digits and dashes.")
    return value


def packed(body: dict[str, Any]) -> bytes:
    """An object as the payload of a message."""
    return json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")


# The message about the match that was called to a table: who plays, how long, by which rules.


WITH_RULES = 2
"""The version of a message with rules. An older table would seat its players and let them play by
other rules. So it refuses this version, and says that it is too old. Without rules the message has
version 1."""
WITH_VACAS = 3
"""The version of a message with vacas: an older table would play one vaca."""


@dataclass(frozen=True, slots=True)
class Called:
    """A match that was called to a table: who sits at seats 1 to 4, and how many juegos win it.

    With more than one of ``vacas``, so many juegos win a vaca, and so many vacas the match.
    ``rules`` are those of its tournament; "": it is played by the table's own rules. ``given``: the
    juegos that the pair at seats 1 and 3, and the other one, have by lateness or a sanction. A
    table of an older version does not read them; the hub adds what its game does not count.
    ``ends``: when its round ends by itself, in Unix seconds, once that is near; else 0.
    """

    match: str
    seats: tuple[str, str, str, str]
    juegos: int
    rules: str = ""
    vacas: int = 1
    given: tuple[int, int] = (0, 0)
    ends: int = 0

    def profile(self, usual: Profile) -> Profile:
        """The house rules of the match at a table whose own profile is ``usual``."""
        profile = table_profile(usual, self.rules) if self.rules else usual
        return replace(profile, juegos=self.juegos, vacas=self.vacas, sides=Sides.TWO)

    def allows(self, profile: Profile) -> bool:
        """Whether a game with this profile may be the match."""
        return plays_by(profile, self.rules)


def pack_called(called: Called) -> bytes:
    """A called match as the payload of a message."""
    body = {"match": called.match, "seats": list(called.seats), "juegos": called.juegos}
    if any(called.given):
        body["given"] = list(called.given)
    if called.ends:
        body["ends"] = called.ends
    if called.vacas > 1:
        return packed({"v": WITH_VACAS, **body, "rules": called.rules, "vacas": called.vacas})
    if called.rules:
        return packed({"v": WITH_RULES, **body, "rules": called.rules})
    return packed({"v": VERSION, **body})


def read_called(payload: bytes) -> Called:
    """Read a called match at the table. Raises WireError."""
    body = body_of(payload, WITH_VACAS)
    match, seats, juegos = body.get("match"), body.get("seats"), body.get("juegos")
    if type(match) is not str or len(match) > MOST_LETTERS or not match.isprintable():
        raise WireError("malformed", "A match has a name.")
    if type(seats) is not list or len(seats) != 4:
        raise WireError("malformed", "Four play a match.")
    for name in seats:
        if type(name) is not str or not 0 < len(name) <= MOST_LETTERS or not name.isprintable():
            raise WireError("malformed", "A player has a name.")
    one, two, three, four = seats
    rules, vacas = _rules(body.get("rules", "")), whole(body.get("vacas", 1), 1)
    seated = (one, two, three, four)
    wins = whole(juegos, 1)
    given = _given(body.get("given", [0, 0]), wins * vacas)
    ends = body.get("ends", 0)
    if type(ends) is not int or not 0 <= ends <= MAX_CLOCK:
        raise WireError("malformed", "The end of a round is in Unix seconds.")
    return Called(match, seated, wins, rules, vacas, given, ends)


def _given(given: object, wins: int) -> tuple[int, int]:
    if type(given) is not list or len(given) != 2:
        raise WireError("malformed", "The juegos given are one number for each pair.")
    first, second = (whole(juegos, 0) for juegos in given)
    if max(first, second) >= wins:
        raise WireError("malformed", "So many juegos would win the match before its first deal.")
    return first, second


def _rules(rules: object) -> str:
    if type(rules) is not str:
        raise WireError("malformed", "The rules of a match are a text.")
    try:
        check_rules(rules)
    except TournamentError as error:
        raise WireError("malformed", f"The rules of the match: {error}") from None
    return rules
