"""What an ``expect:`` line asks for: stones, juegos and vacas by side, and how the table stands."""

from __future__ import annotations

from assistant.rules.state import SIDE_LETTERS
from assistant.script.lines import ScriptError, count, pair, short

STATE_KEYS = tuple(
    """
    phase to_speak mano deal over winner pending error penalty proposed missing corrido
    """.split()
)
REACHING = ("juegos", "vacas")
"""Words that reach over the sides behind them: "juegos A=1 B=0"."""
ERRORS = ("UnknownCall", "IllegalCall", "AmbiguousCall")


def expectations(line: int, rest: str) -> tuple[tuple[str, str], ...]:
    """``juegos`` and ``vacas`` reach up to ``;`` or a key of another kind. Raises ScriptError."""
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
                    line, f"nothing named {short(key)} can be expected, only {known}."
                )
    if not items:
        raise ScriptError(line, "'expect:' needs something, as in 'expect: A=3 B=8'.")
    return tuple(items)


def _state_value(line: int, key: str, value: str) -> str:
    if key == "error":
        if value not in ERRORS:
            raise ScriptError(line, f"error={value}: choose one of {', '.join(ERRORS)}.")
        return value
    lower = value.lower()
    return lower if key != "winner" or lower == "none" else value.upper()
