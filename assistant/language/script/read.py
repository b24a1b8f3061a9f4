"""Reading the ``.mus`` form of a game (docs/script.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from assistant.messages import Heard, Word
from assistant.rules.cards import Hand, parse_hand
from assistant.rules.engine import sides_of
from assistant.rules.errors import MusError, ProfileError, Translatable
from assistant.rules.profile import Profile, profile_from
from assistant.rules.state import SIDE_LETTERS, side_letters

# ---- The parts of a script's lines: pairs, numbers, and the error that names its line -----------


QUOTED = 60
"""The most letters of a line that an error repeats."""
T = TypeVar("T")


class ScriptError(MusError, ValueError):
    """A line that is no script; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__("line {line}: {why}", line=line, why=message)
        self.line, self.why = line, message


def pairs(line: int, rest: str) -> list[tuple[str, str]]:
    """The ``KEY=VALUE`` words of a line. Raises ScriptError."""
    return [pair(line, word) for word in rest.replace(",", " ").replace(";", " ").split()]


def pair(line: int, word: str) -> tuple[str, str]:
    """One ``KEY=VALUE``. Raises ScriptError."""
    key, equals, value = word.partition("=")
    if not equals or not key or not value:
        raise ScriptError(line, Translatable("{word} is no KEY=VALUE.", word=short(word)))
    return key, value


def count(line: int, text: str) -> int:
    """A number of stones, juegos or vacas. Raises ScriptError."""
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise ScriptError(line, Translatable("{text} is no number of stones.", text=short(text)))
    return int(text)


def short(text: str) -> str:
    """A text as an error message quotes it: never a page long."""
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "...")


def at(line: int, read: Callable[[], T]) -> T:
    """Do it, and give its error the line. Raises ScriptError."""
    try:
        return read()
    except ScriptError:
        raise
    except MusError as error:
        raise ScriptError(line, str(error)) from error


# ---- ``expect:`` lines: stones, juegos and vacas by side, and how the table stands --------------


STATE_KEYS = tuple(
    """
    phase to_speak mano deal over winner pending error penalty proposed missing corrido
    """.split()
)
REACHING = ("juegos", "vacas")
"""Words that apply to all sides after them: "juegos A=1 B=0"."""
ERRORS = ("UnknownCall", "IllegalCall", "AmbiguousCall")


def expectations(line: int, rest: str) -> tuple[tuple[str, str], ...]:
    """``juegos`` and ``vacas`` apply up to ``;`` or a key of another kind. Raises ScriptError."""
    items: list[tuple[str, str]] = []
    for part in rest.split(";"):
        prefix = ""
        for word in part.replace(",", " ").split():
            if word.lower() in REACHING:
                prefix = f"{word.lower()} "
                continue
            key, value = pair(line, word)
            if len(key) == 1 and key.upper() in SIDE_LETTERS:
                items.append((prefix + key.upper(), str(count(line, value))))
            elif key.lower() in STATE_KEYS:
                prefix = ""
                items.append((key.lower(), _state_value(line, key.lower(), value)))
            else:
                known = ", ".join(("A to F", *REACHING, *STATE_KEYS))
                raise ScriptError(
                    line,
                    Translatable(
                        "nothing named {key} can be expected, only {known}.",
                        key=short(key),
                        known=known,
                    ),
                )
    if not items:
        raise ScriptError(line, "'expect:' needs something, as in 'expect: A=3 B=8'.")
    return tuple(items)


def _state_value(line: int, key: str, value: str) -> str:
    if key == "error":
        if value not in ERRORS:
            raise ScriptError(
                line,
                Translatable(
                    "error={value}: choose one of {known}.", value=value, known=", ".join(ERRORS)
                ),
            )
        return value
    lower = value.lower()
    return lower if key != "winner" or lower == "none" else value.upper()


# ---- The players and their rules: the lines ``rules:`` and ``seats:`` ---------------------------
# The command line asks for the same things in the same words, so it uses the same functions.


SEAT_NAMES = ("Norte", "Oeste", "Sur", "Este", "Valle", "Monte")
"""The players' names by default; a table of N takes the first N."""
DEFAULT_SEATS = SEAT_NAMES[:4]
FEWEST, MOST = 2, len(SEAT_NAMES)
LONGEST_NAME = 20


class NameFault(StrEnum):
    """What is wrong with a player's name: another has it, or it is a call."""

    TWICE = "twice"
    CALL = "call"


class SeatNameError(ProfileError):
    """A name that no player can have at this table."""

    def __init__(self, message: str, fault: NameFault, name: str) -> None:
        super().__init__(message, "seats")
        self.fault = fault
        self.name = name


PROFILE = "profile"
"""The key that names a whole profile, among those that name one rule each."""

Lookup = Callable[[str], Profile]
"""Name -> profile. Raises MusError if there is none of that name."""


def no_profiles(name: str) -> Profile:
    """The lookup of a reader without profiles. Always raises ProfileError."""
    raise ProfileError(
        Translatable(
            "profile={name}: no profiles can be looked up here; write its rules out.", name=name
        ),
        PROFILE,
    )


def read_rules(
    pairs: Iterable[tuple[str, str]], lookup: Lookup = no_profiles, base: Profile | None = None
) -> Profile:
    """House rules from pairs: first ``profile=NAME``, wherever it comes, then the single rules.

    Raises ProfileError, and what ``lookup`` raises.
    """
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise ProfileError(Translatable("{key} is set twice.", key=key), key)
        values[key] = value
    named = values.pop(PROFILE, None)
    return profile_from(values, base if named is None else lookup(str(named)))


def rule_pairs(text: str) -> list[tuple[str, str]]:
    """Single rules as people type them, "target=30 kings=4". Raises ProfileError."""
    pairs: list[tuple[str, str]] = []
    for word in text.replace(",", " ").split():
        key, equals, value = word.partition("=")
        if not equals:
            raise ProfileError(
                Translatable("{word!r} is no KEY=VALUE, as in 'kings=4 target=30'.", word=word),
                "rules",
            )
        pairs.append((key, value))
    return pairs


def read_seats(text: str) -> tuple[str, ...]:
    """The players' names, anticlockwise; a number takes so many of the default names.

    Raises SeatNameError for a name that two players have, else ProfileError.
    """
    names = tuple(text.replace(",", " ").split())
    if len(names) == 1 and names[0].isascii() and names[0].isdigit() and len(names[0]) < 3:
        names = SEAT_NAMES[: int(names[0])] if int(names[0]) <= MOST else ()
    if not FEWEST <= len(names) <= MOST:
        raise ProfileError(
            Translatable(
                "{fewest} to {most} different names are needed, as in 'Ana Luis Eva Juan', "
                "or how many play.",
                fewest=FEWEST,
                most=MOST,
            ),
            "seats",
        )
    for place, name in enumerate(names):
        if name.casefold() in [other.casefold() for other in names[:place]]:
            raise SeatNameError(
                Translatable(
                    "Two players are called {name!r}: {fewest} to {most} different names "
                    "are needed.",
                    name=name,
                    fewest=FEWEST,
                    most=MOST,
                ),
                NameFault.TWICE,
                name,
            )
        if len(name) > LONGEST_NAME:
            raise ProfileError(
                Translatable("A name has at most {most} letters.", most=LONGEST_NAME), "seats"
            )
        if "#" in name or not any(char.isalpha() for char in name):
            raise ProfileError(
                Translatable("{name!r} is no name: it needs letters, and no '#'.", name=name),
                "seats",
            )
    return names


# ---- Reading a ``.mus`` script: a game as text. One line, one thing -----------------------------
#     rules: profile=vasco target=30 real31=sota
#     seats: Norte Oeste Sur Este    # two to six
#     juegos: A=1                    # before the first deal, given by a referee
#     score: A=0 B=0
#     mano: 1
#     1: mus                         # seat: the words as said
#     ?: quiero                      # the seat is not known
#     cards 1: R R C 1
#     agreed: A=-1 se contó mal
#     expect: A=3 B=8; juegos A=1 B=0; phase=chica to_speak=2 error=IllegalCall
#
# Nothing is played here: reading gives the steps in their order.


__all__ = ["DEFAULT_SEATS", "parse_script"]

MAX_SCRIPT = 1_000_000
"""The most characters of a script; a whole evening has some 50,000."""
MAX_WORDS = 100
"""The most words of a line: a long breath has some 40, and time grows with the square."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line that does something, with its place in the file."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Said(Step):
    """Words, and their speaker if known."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class Cards(Step):
    """A hand laid open."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Mano(Step):
    """The mano of the deal that begins here."""

    seat: int


@dataclass(frozen=True, slots=True)
class Score(Step):
    """The stones before the deal, by side letter."""

    stones: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Agreed(Step):
    """Stones more or fewer for a side, put right by hand, with the reason."""

    side: str
    stones: int
    reason: str


@dataclass(frozen=True, slots=True)
class Expect(Step):
    """What must be true here. Keys: side letters (stones), "juegos A", "vacas A", STATE_KEYS."""

    items: tuple[tuple[str, str], ...]

    @property
    def error(self) -> str | None:
        """The error that the line before must have raised."""
        return dict(self.items).get("error")


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script: the players, their house rules and sides, and the steps."""

    profile: Profile
    seats: tuple[str, ...]
    steps: tuple[Step, ...]
    given: tuple[int, ...] = ()
    """The juegos that each side has before the first deal; () for none."""

    @property
    def sides(self) -> int:
        """How many sides the players form (R56)."""
        return sides_of(self.profile, len(self.seats))

    @property
    def first_mano(self) -> int | None:
        """The mano that is named before anybody speaks; ``None`` if nobody is named (R04)."""
        for step in self.steps:
            if isinstance(step, Mano):
                return step.seat
            if isinstance(step, Said | Cards):
                return None
        return None


def parse_script(text: str, lookup: Lookup = no_profiles) -> Script:
    """Read a script; ``lookup`` finds the profiles that it names.

    Raises ScriptError with the line that is wrong.
    """
    if len(text) > MAX_SCRIPT:
        raise ScriptError(
            1, Translatable("a script is at most {most} characters long.", most=MAX_SCRIPT)
        )
    header: dict[str, tuple[int, str]] = {}
    steps: list[Step] = []
    for line, content in _lines(text):
        key, rest = _split(line, content)
        if key in ("rules", "seats", "juegos"):
            _take_header(header, steps, line, key, rest)
        else:
            steps.append(_step(line, content, key, rest))
    script = Script(_profile(header, lookup), _seats(header), tuple(steps))
    line = max((line for line, _ in header.values()), default=1)
    sides = at(line, lambda: script.sides)
    for step in script.steps:
        _check_table(step, len(script.seats), side_letters(sides))
    return replace(script, given=_given(header, script.profile, side_letters(sides)))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        content = content.partition("#")[0].strip()
        if content:
            yield line, content


def _split(line: int, content: str) -> tuple[str, str]:
    key, colon, rest = content.partition(":")
    if not colon or not rest.strip():
        raise ScriptError(
            line,
            Translatable(
                "{content} is no 'KEY: something', as in '2: envido'.", content=short(content)
            ),
        )
    return key.strip().lower(), rest.strip()


def _take_header(
    header: dict[str, tuple[int, str]], steps: list[Step], line: int, key: str, rest: str
) -> None:
    if key in header:
        raise ScriptError(line, Translatable("'{key}:' stands twice.", key=key))
    if any(not isinstance(step, Mano | Score) for step in steps):
        raise ScriptError(line, Translatable("'{key}:' belongs before the first call.", key=key))
    header[key] = (line, rest)


def _profile(header: dict[str, tuple[int, str]], lookup: Lookup) -> Profile:
    if "rules" not in header:
        return Profile()
    line, rest = header["rules"]
    return at(line, lambda: read_rules(pairs(line, rest), lookup))


def _seats(header: dict[str, tuple[int, str]]) -> tuple[str, ...]:
    if "seats" not in header:
        return DEFAULT_SEATS
    line, rest = header["seats"]
    return at(line, lambda: read_seats(rest))


def _given(
    header: dict[str, tuple[int, str]], profile: Profile, letters: tuple[str, ...]
) -> tuple[int, ...]:
    if "juegos" not in header:
        return ()
    line, rest = header["juegos"]
    told = dict(_score(line, rest))
    _check_sides(line, list(told), letters)
    if max(told.values()) >= profile.juegos * profile.vacas:
        raise ScriptError(line, "so many juegos would win the match before its first deal.")
    return tuple([told.get(letter, 0) for letter in letters])


def _step(line: int, content: str, key: str, rest: str) -> Step:
    if re.fullmatch(r"\?|\d", key):
        seat = None if key == "?" else _seat(line, key)
        words = rest.split(maxsplit=MAX_WORDS)
        if len(words) > MAX_WORDS:
            raise ScriptError(
                line,
                Translatable("nobody says more than {most} words in one breath.", most=MAX_WORDS),
            )
        return Said(line, content, Heard(tuple(map(Word, words)), seat))
    if match := re.fullmatch(r"cards\s+(\d)", key):
        hand = at(line, lambda: parse_hand(rest))
        return Cards(line, content, _seat(line, match[1]), hand)
    readers: dict[str, Callable[[], Step]] = {
        "mano": lambda: Mano(line, content, _seat(line, rest)),
        "score": lambda: Score(line, content, _score(line, rest)),
        "agreed": lambda: _agreed(line, content, rest),
        "expect": lambda: Expect(line, content, expectations(line, rest)),
    }
    if key not in readers:
        raise ScriptError(
            line,
            Translatable(
                "unknown key {key}: rules, seats, juegos, score, mano, 1-{most}, ?, 'cards N', "
                "agreed or expect.",
                key=short(key),
                most=MOST,
            ),
        )
    return readers[key]()


def _seat(line: int, text: str) -> int:
    if text not in {str(seat) for seat in range(1, MOST + 1)}:
        raise ScriptError(
            line, Translatable("a seat is 1 to {most}, not {text}.", most=MOST, text=short(text))
        )
    return int(text)


def _score(line: int, rest: str) -> tuple[tuple[str, int], ...]:
    stones = [(side.upper(), count(line, number)) for side, number in pairs(line, rest)]
    for side, _ in stones:
        if len(side) != 1 or side not in SIDE_LETTERS:
            raise ScriptError(
                line, Translatable("{side} is no side: write A=3 B=8.", side=short(side))
            )
    return tuple(stones)


def _agreed(line: int, content: str, rest: str) -> Agreed:
    """Read "A=-1 se contó mal". Raises ScriptError."""
    match = re.fullmatch(r"([A-Fa-f])=([+-]\d{1,3})\s+(.{1,60})", rest)
    if match is None:
        raise ScriptError(line, "write the side, the stones and why: 'agreed: A=-1 se contó mal'.")
    return Agreed(line, content, match[1].upper(), int(match[2]), match[3])


def _check_table(step: Step, players: int, letters: tuple[str, ...]) -> None:
    """Whether the seats and sides of a step are at this table. Raises ScriptError."""
    match step:
        case Cards(seat=seat) | Mano(seat=seat) | Said(heard=Heard(seat=int(seat))):
            if seat > players:
                raise ScriptError(
                    step.line,
                    Translatable(
                        "a seat is 1 to {players}, not {seat}.", players=players, seat=seat
                    ),
                )
        case Score(stones=named):
            _check_sides(step.line, [side for side, _ in named], letters)
        case Agreed(side=side):
            _check_sides(step.line, [side], letters)
        case Expect(items=items):
            sides = [key[-1] for key, _ in items if key[-1] in SIDE_LETTERS]
            _check_sides(step.line, sides, letters)


def listed_sides(letters: Sequence[str]) -> str:
    """The sides of a table: "A and B", "A, B and C"."""
    *firsts, last = letters
    return Translatable("{firsts} and {last}", firsts=", ".join(firsts), last=last)


def _check_sides(line: int, sides: list[str], letters: tuple[str, ...]) -> None:
    for side in sides:
        if side not in letters:
            raise ScriptError(
                line,
                Translatable(
                    "the sides are {letters}, not {side}.", letters=listed_sides(letters), side=side
                ),
            )
