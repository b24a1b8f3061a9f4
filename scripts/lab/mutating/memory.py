"""The results of earlier runs, as a line of JSON for each mutant, so that a run can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from scripts.lab.mutating.mutants import Mutant
from scripts.lab.mutating.pool import SURVIVED, Result


def fingerprint(root: Path, places: Iterable[str]) -> str:
    """A hash of the text of all files in some places."""
    digest = hashlib.sha256()
    for place in places:
        path = root / place
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


class Memory:
    """A file of results. Results of another project or of other tests are no longer valid.

    With ``keep_killed``, a mutant that was killed or timed out stays so as long as its own module
    is the same, whatever changed in the others. This is near enough while tests are added, but not
    final.
    """

    def __init__(self, path: Path, code: str, tests: str, *, keep_killed: bool = False) -> None:
        self._path = path
        self._head = {"code": code, "tests": tests}
        self._known: dict[str, tuple[str, str, float]] = {}
        self._read(keep_killed)
        self._write_anew()

    def known(self, mutants: Iterable[Mutant]) -> list[Result]:
        """The results of those of the mutants that were tried."""
        return [Result(m, *self._known[m.key]) for m in mutants if m.key in self._known]

    def remember(self, result: Result) -> None:
        """Add one result. It is on disk when this returns."""
        told = (result.outcome, result.by, result.seconds)
        self._known[result.mutant.key] = told
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(result.mutant.key, told))

    def _read(self, keep_killed: bool) -> None:
        lines = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        parsed = [line for line in map(_parsed, lines) if line is not None]
        if not parsed or not isinstance(parsed[0], dict):
            return
        same = parsed[0] == self._head
        for line in parsed[1:]:
            # A mutant's key depends on its whole module, so a changed module's are never found.
            if isinstance(line, list) and (same or (keep_killed and line[1] != SURVIVED)):
                key, outcome, by, seconds = line
                self._known[key] = (outcome, by, seconds)

    def _write_anew(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(self._head) + "\n", *(_line(k, v) for k, v in self._known.items())]
        self._path.write_text("".join(lines), "utf-8")


def _line(key: str, told: Sequence[str | float]) -> str:
    return json.dumps([key, *told]) + "\n"


def _parsed(line: str) -> object:
    """A line's value; None for the half line that a run cut short may leave."""
    try:
        return json.loads(line)
    except ValueError:
        return None
