"""The ``.mus`` script: a game as text that people read and write."""

from assistant.language.script.read import (
    DEFAULT_SEATS,
    Agreed,
    Cards,
    Expect,
    Lookup,
    Mano,
    NameFault,
    Said,
    Score,
    Script,
    ScriptError,
    SeatNameError,
    Step,
    parse_script,
    read_rules,
    read_seats,
    rule_pairs,
)
from assistant.language.script.write import write_script

__all__ = [
    "DEFAULT_SEATS",
    "Agreed",
    "Cards",
    "Expect",
    "Lookup",
    "Mano",
    "NameFault",
    "Said",
    "Score",
    "Script",
    "ScriptError",
    "SeatNameError",
    "Step",
    "parse_script",
    "read_rules",
    "read_seats",
    "rule_pairs",
    "write_script",
]
