"""Tables of cases for one test: every row is checked, and every row that fails is named.

``each_row`` reads like ``pytest.mark.parametrize`` and makes one test of a table, not one test of
each row, because collecting and reporting an item costs more than most rows do. Rows share the
fixtures of their test, so a fixture that a row changes does not fit here; only ``tmp_path`` and
``monkeypatch`` are new for each row. Rows that take half a second each stay ``parametrize``, so
that several processes can share them.
"""

from __future__ import annotations

import inspect
import reprlib
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import cache, wraps
from pathlib import Path
from textwrap import indent
from typing import Any

import hypothesis
import pytest

Rows = Iterable[Any] | Callable[[], Iterable[Any]]
"""The rows, or a function that makes them when the test runs, if they are costly."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 40


def each_row(
    names: str, rows: Rows, name: Callable[[Any], str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test for each row, and raise one AssertionError that names all rows that fail.

    Args:
        names: The parameters that a row gives, separated by commas. With one name the row is the
            value itself, otherwise a tuple of the values.
        rows: The rows, or a function that makes them when the test runs.
        name: What a row is called in a failure; its values, if nothing is given.

    A row may raise what a test may raise. Where some rows skip and none fails, the test is skipped.
    """
    fields = [field.strip() for field in names.split(",")]
    table = _once(rows)

    def given(row: Any) -> dict[str, Any]:
        return dict(zip(fields, row if len(fields) > 1 else (row,), strict=True))

    def called(row: Any) -> str:
        return name(row) if name else _told(given(row))

    def walking(test: Callable[..., None]) -> Callable[..., None]:
        wanted = inspect.signature(test)
        missing = [field for field in fields if field not in wanted.parameters]
        assert not missing, f"{test.__qualname__} takes no {', '.join(missing)}"

        @wraps(test)
        def walk(*args: Any, **fixtures: Any) -> None:
            __tracebackhide__ = True
            failed: list[tuple[str, BaseException]] = []
            skipped, number = [], 0
            for number, row in enumerate(table(), 1):
                values = given(row)
                if hasattr(test, "hypothesis"):
                    hypothesis.seed(number)(test)  # each row has examples of its own
                try:
                    with ExitStack() as own:
                        test(*args, **{**fixtures, **_own(fixtures, number, own), **values})
                except pytest.skip.Exception as error:
                    skipped.append(f"row {number}, {called(row)}: {error}")
                except (Exception, pytest.fail.Exception) as error:
                    if "pytest-timeout" in str(error):
                        raise  # the time limit of the whole table is over
                    failed.append((f"row {number}, {called(row)}", error))
            assert number, "a table without rows checks nothing"
            if failed:
                raise AssertionError(_report(failed, number)) from failed[0][1]
            if skipped:
                pytest.skip(f"{len(skipped)} of {number} rows: {skipped[0]}")

        kept = [one for key, one in wanted.parameters.items() if key not in fields]
        walk.__dict__["__signature__"] = wanted.replace(parameters=kept)
        walk.__dict__["count_rows"] = lambda: len(table()) * count_rows(test)
        return walk

    return walking


def count_rows(test: Callable[..., None]) -> int:
    """The number of rows of a test; 1 for a test without a table."""
    count: Callable[[], int] = getattr(test, "count_rows", lambda: 1)
    return count()


def _once(rows: Rows) -> Callable[[], list[Any]]:
    """The rows as a function that makes the list at its first call."""
    if isinstance(rows, Iterable):  # an enum can be called, too
        made = list(rows)
        return lambda: made
    make = rows

    @cache
    def table() -> list[Any]:
        return list(make())

    return table


def _own(fixtures: Mapping[str, Any], number: int, own: ExitStack) -> dict[str, Any]:
    """The fixtures that are new for each row, until ``own`` closes."""
    fresh: dict[str, Any] = {}
    if "tmp_path" in fixtures:
        path: Path = fixtures["tmp_path"] / f"row{number}"
        path.mkdir()
        fresh["tmp_path"] = path
    if "monkeypatch" in fixtures:
        fresh["monkeypatch"] = own.enter_context(pytest.MonkeyPatch.context())
    return fresh


def _told(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_SHORT.repr(value)}" for name, value in values.items())


def _report(failed: list[tuple[str, BaseException]], number: int) -> str:
    """The failures: each row with its place and its error."""
    told = [f"{len(failed)} of {number} rows fail"]
    for row, error in failed:
        place = traceback.extract_tb(error.__traceback__)
        here = next((f for f in reversed(place) if "/tests/" in f.filename), place[-1])
        notes = "\n".join([str(error), *getattr(error, "__notes__", ())])
        told.append(f"{row}: {type(error).__name__} at {Path(here.filename).name}:{here.lineno}")
        told.append(indent(notes, "    "))
    return "\n".join(told)
