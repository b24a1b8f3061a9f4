"""The ``.mus`` script: a game as text that people read and write. Rank 1."""

from assistant.script.read import (
    Cards,
    Expect,
    Mano,
    Said,
    Score,
    Script,
    ScriptError,
    Step,
    parse_script,
)
from assistant.script.write import write_script

__all__ = [
    "Cards",
    "Expect",
    "Mano",
    "Said",
    "Score",
    "Script",
    "ScriptError",
    "Step",
    "parse_script",
    "write_script",
]
