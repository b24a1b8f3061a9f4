"""The mutants that survive for a reason, as people list them in ``explained.toml``."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scripts.lab.mutating.mutants import Mutant

FILE = Path(__file__).with_name("explained.toml")
NEEDED = ("was", "now", "reason")


class ExplanationError(Exception):
    """The file of explanations is not valid. The message says where."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why no test can or should notice a change: ``was`` -> ``now``, words of the line.

    ``module`` is the short name of a module of the rules, or "*" for all of them. ``within`` is the
    function, if the same line stands in others too.
    """

    module: str
    was: str
    now: str
    reason: str
    within: str = ""

    def covers(self, mutant: Mutant) -> bool:
        """Whether this explains a mutant: the very change, in that module or in any."""
        if self.module not in ("*", mutant.module.rpartition(".")[2]):
            return False
        line, part, other = map(_plain, (mutant.was, self.was, self.now))
        places = [found.start() for found in re.finditer(re.escape(part), line)]
        changed = (line[:at] + other + line[at + len(part) :] for at in places)
        fits = _plain(mutant.now) in map(_plain, changed)
        return fits and (not self.within or self.within in _functions_at(mutant))


def _functions_at(mutant: Mutant) -> list[str]:
    """The functions that contain the changed line."""
    return [
        node.name
        for node in ast.walk(ast.parse(mutant.source))
        if isinstance(node, ast.FunctionDef)
        and node.lineno <= mutant.line <= (node.end_lineno or node.lineno)
    ]


def _plain(code: str) -> str:
    """A line without the blanks at signs and commas at brackets that operators change at random."""
    return re.sub(r"\s*([(),=])\s*", r"\1", " ".join(code.split())).replace(",)", ")")


def read_explanations(path: Path = FILE) -> tuple[Explanation, ...]:
    """Read the file. Raises ExplanationError."""
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("explained", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ExplanationError(f"{path.name} cannot be read: {error}.") from None
    found = []
    for number, entry in enumerate(entries, start=1):
        wrong = set(entry) ^ set(NEEDED)
        if wrong - {"module", "within"} or not all(
            isinstance(text, str) for text in entry.values()
        ):
            raise ExplanationError(
                f"{path.name}, entry {number}: write was, now and reason, and the module and "
                "within (a function) if it is for one alone, each as text."
            )
        found.append(Explanation(**{"module": "*", **entry}))
    return tuple(found)


def explanation_of(mutant: Mutant, known: Iterable[Explanation]) -> Explanation | None:
    """The first explanation that covers a mutant."""
    return next((one for one in known if one.covers(mutant)), None)
