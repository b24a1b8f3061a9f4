"""Who plays, and by which rules: the lines ``rules:`` and ``seats:``.

The command line asks for the same things in the same words, so it reads them here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from assistant.rules.errors import ProfileError
from assistant.rules.profile import Profile, profile_from

SEAT_NAMES = ("Norte", "Oeste", "Sur", "Este", "Valle", "Monte")
"""Who sits where if nobody says so; a table of N takes the first N."""
DEFAULT_SEATS = SEAT_NAMES[:4]
FEWEST, MOST = 2, len(SEAT_NAMES)
LONGEST_NAME = 20
PROFILE = "profile"
"""The key that names a whole profile, among those that name one rule each."""

Lookup = Callable[[str], Profile]
"""The profile of a name. Raises MusError where there is none of that name."""


def no_profiles(name: str) -> Profile:
    """Read for somebody who has no profiles at hand. Raises ProfileError, always."""
    raise ProfileError(
        f"profile={name}: no profiles can be looked up here; write its rules out.", PROFILE
    )


def read_rules(
    pairs: Iterable[tuple[str, str]], lookup: Lookup = no_profiles, base: Profile | None = None
) -> Profile:
    """House rules from pairs: ``profile=NAME`` first, wherever it stands, then the single rules.

    Raises ProfileError, and what ``lookup`` raises.
    """
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise ProfileError(f"{key} is set twice.", key)
        values[key] = value
    named = values.pop(PROFILE, None)
    return profile_from(values, base if named is None else lookup(str(named)))


def read_seats(text: str) -> tuple[str, ...]:
    """The players' names, anticlockwise; a number takes so many of the usual ones.

    Raises ProfileError.
    """
    names = tuple(text.replace(",", " ").split())
    if len(names) == 1 and names[0].isascii() and names[0].isdigit() and len(names[0]) < 3:
        names = SEAT_NAMES[: int(names[0])] if int(names[0]) <= MOST else ()
    if not FEWEST <= len(names) <= MOST or len({name.casefold() for name in names}) != len(names):
        raise ProfileError(
            f"{FEWEST} to {MOST} different names are needed, as in 'Ana Luis Eva Juan', "
            "or how many play.",
            "seats",
        )
    for name in names:
        if len(name) > LONGEST_NAME:
            raise ProfileError(f"A name has at most {LONGEST_NAME} letters.", "seats")
        if "#" in name or not any(char.isalpha() for char in name):
            raise ProfileError(f"{name!r} is no name: it needs letters, and no '#'.", "seats")
    return names
