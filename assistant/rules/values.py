"""The values that a house rule takes: how they are listed, read from text or TOML, and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assistant.rules.cards import Hand, parse_hand
from assistant.rules.errors import CardError, ProfileError, Translatable

MAX_LANGUAGES = 4

Reader = Callable[[str, object], Any]
"""Turns a key's value from text or TOML into the field's type; raises ProfileError if it cannot."""
Check = Callable[[str, Any], None]
"""Raises ProfileError for a value of the field's type that the rule does not allow."""


@dataclass(frozen=True, slots=True)
class Values:
    """The values that a house rule takes.

    ``told`` is their list for people: "on|off", "5-200". ``numbers`` holds all that are allowed,
    and is empty if the values are no numbers.
    """

    told: str
    read: Reader
    check: Check
    numbers: Sequence[int] = ()


def _number(key: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    raise ProfileError(
        Translatable("{key}={value}: a whole number is needed.", key=key, value=value), key
    )


def _off_or_number(key: str, value: object) -> int:
    return 0 if value in ("off", False) else _number(key, value)


def _switch(key: str, value: object) -> bool:
    match value:
        case True | "on" | "true" | "yes":
            return True
        case False | "off" | "false" | "no":
            return False
    raise ProfileError(Translatable("{key}={value}: choose on or off.", key=key, value=value), key)


def _cards(key: str, value: object) -> Hand:
    text = str(value).replace("+", " ")
    if text == "off":
        return ()
    try:
        return parse_hand(text)
    except CardError as error:
        raise ProfileError(
            Translatable("{key}={value}: {error}", key=key, value=value, error=error), key
        ) from None


def _codes(_key: str, value: object) -> tuple[str, ...]:
    parts = list(value) if isinstance(value, list | tuple) else str(value).split("+")
    return tuple(str(part).strip() for part in parts)


def _code(_key: str, value: object) -> str:
    return str(value)


def _unchecked(_key: str, _value: object) -> None:
    """Allow every value of the field's type."""


def _check_codes(key: str, value: str | tuple[str, ...]) -> None:
    codes = (value,) if isinstance(value, str) else value
    plain = all(code.replace("-", "").isalnum() and code.isascii() for code in codes)
    if not plain or not 1 <= len(codes) <= MAX_LANGUAGES or len(set(codes)) != len(codes):
        raise ProfileError(
            Translatable(
                "{key}={value}: name a language, as in 'es' or 'eu'.",
                key=key,
                value=value_text(codes),
            ),
            key,
        )


def numbers(told: str, allowed: Sequence[int], choose: str, read: Reader = _number) -> Values:
    """Whole numbers; ``choose`` ends the sentence that refuses another: "choose ..."."""

    def check(key: str, value: int) -> None:
        if value not in allowed:
            raise ProfileError(
                Translatable(
                    "{key}={value}: choose {choose}.", key=key, value=value, choose=choose
                ),
                key,
            )

    return Values(told, read, check, allowed)


def from_to(least: int, most: int, what: str) -> Values:
    """Whole numbers from ``least`` to ``most``; ``what`` they count, in the plural."""
    choose = Translatable("{least} to {most} {what}", least=least, most=most, what=what)
    return numbers(f"{least}-{most}", range(least, most + 1), choose)


def one_of(kind: type[StrEnum]) -> Values:
    """The members of an enumeration."""

    def read(key: str, value: object) -> StrEnum:
        try:
            return kind(str(value))
        except ValueError:
            raise ProfileError(
                Translatable(
                    "{key}={value}: choose one of {known}.",
                    key=key,
                    value=value,
                    known=", ".join(kind),
                ),
                key,
            ) from None

    return Values("|".join(kind), read, _unchecked)


SWITCH = Values("on|off", _switch, _unchecked)
OFF_OR_ONE = numbers("off|1", (0, 1), "off, or 1 stone", _off_or_number)
CARDS = Values("cards", _cards, _unchecked)
LANGUAGES = Values("languages", _codes, _check_codes)
LANGUAGE = Values("language", _code, _check_codes)


def value_text(value: object) -> str:
    """A value as profile files, scripts and the command line write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "off"
    return str(value)
