#!/usr/bin/env python3
"""How many tests and table rows does each test file have, and were any lost since a commit?

    python scripts/lab/count_tests.py tests/rules
    python scripts/lab/count_tests.py --against REVISION tests/rules tests/language
    python scripts/lab/count_tests.py --against REVISION --json

A test that walks a table (``each_row`` in ``tests/tables.py``) is one item and many rows. Any other
item is one row. Nothing is lost as long as no file has fewer rows than before.

Each line has the items before and now, the rows before and now, and the file. Then come the names
of the tests that have fewer rows. The exit status is 1 if a file has fewer rows than at REVISION.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Counted:
    """The items and rows of a checkout's tests, by ``FILE::TEST`` without its parameters."""

    items: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)

    def of_files(self) -> dict[str, tuple[int, int]]:
        """The items and rows of each file."""
        items, rows = Counter[str](), Counter[str]()
        for test, number in self.rows.items():
            file = test.partition("::")[0]
            items[file] += self.items[test]
            rows[file] += number
        return {file: (items[file], rows[file]) for file in sorted(rows)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. 0: nothing is lost; 1: a file has fewer rows; 2: the count is impossible."""
    parser = argparse.ArgumentParser(prog="count_tests", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("paths", nargs="*", default=["tests"], help="files and folders of tests")
    parser.add_argument("--against", metavar="REVISION", help="the commit to compare with")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    args = parser.parse_args(argv)
    try:
        now = _counted_apart(ROOT, args.paths)
        before = _counted_at(args.against, args.paths) if args.against else None
    except subprocess.CalledProcessError as error:
        print(f"count_tests: {error}\n{error.stderr}{error.stdout}", file=sys.stderr)
        return 2
    found = compare(before, now)
    print(json.dumps(found, indent=2) if args.json else as_text(found))
    return 1 if any(file["rows"] < file["rows_before"] for file in found["files"].values()) else 0


Found = dict[str, dict[str, dict[str, int]]]
"""The figures by "files" and by "fewer", the tests that have fewer rows. Each maps a key to a
number."""


def compare(before: Counted | None, now: Counted) -> Found:
    """The items and rows of each file before and now, and the tests that have fewer rows."""
    was = (before or now).of_files()
    new = now.of_files()
    files = {}
    for file in sorted({*was, *new}):
        (items_before, rows_before), (items, rows) = was.get(file, (0, 0)), new.get(file, (0, 0))
        files[file] = {
            "items_before": items_before,
            "items": items,
            "rows_before": rows_before,
            "rows": rows,
        }
    fewer = {
        test: {"rows_before": rows, "rows": now.rows[test]}
        for test, rows in sorted((before or now).rows.items())
        if now.rows[test] < rows
    }
    return {"files": files, "fewer": fewer}


def as_text(found: Found) -> str:
    """The figures as a table with the sum last, and then the tests that have fewer rows."""
    keys = ("items_before", "items", "rows_before", "rows")
    files = found["files"]
    total = {key: sum(file[key] for file in files.values()) for key in keys}
    lines = [f"{'items before':>12} {'items':>7} {'rows before':>12} {'rows':>7}"]
    for file, counts in [*files.items(), ("all", total)]:
        figures = (
            f"{counts[key]:>{width}}" for key, width in zip(keys, (12, 7, 12, 7), strict=True)
        )
        lines.append(f"{' '.join(figures)}  {file}")
    for test, counts in found["fewer"].items():
        lines.append(f"fewer rows: {test}, {counts['rows_before']} -> {counts['rows']}")
    return "\n".join(lines)


@contextmanager
def _checked_out(revision: str) -> Iterator[Path]:
    """The files of a commit, in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "files.tar"
        git = ["git", "archive", "--output", str(packed), revision]
        subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True)
        subprocess.run(["tar", "-xf", packed], cwd=folder, check=True, capture_output=True)
        yield Path(folder)


def _counted_at(revision: str, paths: Sequence[str]) -> Counted:
    with _checked_out(revision) as folder:
        return _counted_apart(folder, [path for path in paths if (folder / path).exists()])


def _counted_apart(folder: Path, paths: Sequence[str]) -> Counted:
    """Count in a process of its own, because two checkouts have modules of the same names."""
    program = "import runpy, sys; runpy.run_path(sys.argv[1])['collect'](sys.argv[2:])"
    done = subprocess.run(
        [sys.executable, "-c", program, __file__, *paths],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    return Counted(Counter(told["items"]), Counter(told["rows"]))


def collect(paths: Sequence[str]) -> None:
    """Collect the tests of this checkout, and print their items and rows as JSON."""
    import pytest

    counted = Counted()

    class Plugin:
        def pytest_collection_finish(self, session: pytest.Session) -> None:
            for item in session.items:
                test = item.nodeid.partition("[")[0]
                rows = getattr(getattr(item, "obj", None), "count_rows", lambda: 1)
                counted.items[test] += 1
                counted.rows[test] += rows()

    code = pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", *paths], [Plugin()])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"pytest ended with {code!s}")
    print(json.dumps({"items": counted.items, "rows": counted.rows}))


if __name__ == "__main__":
    sys.exit(main())
