"""The ``.mus`` script: a game as text that people read and write. Rank 1."""

from assistant.script.header import DEFAULT_SEATS, Lookup, read_rules, read_seats
from assistant.script.lines import ScriptError
from assistant.script.read import Cards, Expect, Mano, Said, Score, Script, Step, parse_script
from assistant.script.write import write_script

__all__ = [
    "DEFAULT_SEATS",
    "Cards",
    "Expect",
    "Lookup",
    "Mano",
    "Said",
    "Score",
    "Script",
    "ScriptError",
    "Step",
    "parse_script",
    "read_rules",
    "read_seats",
    "write_script",
]
