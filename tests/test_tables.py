"""Tables of cases: no row is lost, and each row that fails is named with its error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import count_rows, each_row


def failure_of(test: object) -> str:
    """The failure message of a table."""
    assert callable(test)
    with pytest.raises(AssertionError) as caught:
        test()
    return str(caught.value)


def test_every_row_is_checked_and_each_failing_row_is_named() -> None:
    seen: list[int] = []

    @each_row("stones, want", [(1, 1), (2, 3), (4, 4), (5, 6)])
    def table(stones: int, want: int) -> None:
        seen.append(stones)
        assert stones == want, f"wanted {want}, came {stones}"

    text = failure_of(table)
    assert seen == [1, 2, 4, 5]
    assert text.startswith("2 of 4 rows fail\nrow 2, stones=2, want=3: AssertionError at test_")
    assert "wanted 3, came 2" in text
    assert "row 4, stones=5, want=6" in text
    assert "row 1" not in text
    assert "row 3" not in text


def test_a_row_may_have_a_name_and_fail_with_any_error() -> None:
    @each_row("text", ["1", "x"], name=lambda text: f"<{text}>")
    def table(text: str) -> None:
        with pytest.raises(ValueError, match="x"):
            int(text)

    text = failure_of(table)
    assert "row 1, <1>: Failed at test_tables.py" in text
    assert "DID NOT RAISE" in text
    assert "row 2" not in text


def test_tables_of_one_test_multiply() -> None:
    seen = []

    @each_row("a", [1, 2])
    @each_row("b", "xyz")
    def table(a: int, b: str) -> None:
        seen.append((a, b))

    table()
    assert len(seen) == len(set(seen)) == count_rows(table) == 6


def test_rows_given_as_a_function_are_made_once_and_late() -> None:
    made = []

    def rows() -> list[int]:
        made.append(1)
        return [1, 2, 3]

    @each_row("a", rows)
    def table(a: int) -> None:
        assert a

    assert made == []
    table()
    assert (count_rows(table), made) == (3, [1])


def test_a_table_without_rows_fails() -> None:
    @each_row("a", [])
    def table(a: int) -> None:
        raise NotImplementedError(a)

    assert failure_of(table) == "a table without rows checks nothing"


def test_a_skipped_row_is_reported_and_hides_no_failure() -> None:
    @each_row("a", [1, 2, 3])
    def skips(a: int) -> None:
        if a == 2:
            pytest.skip("not here")

    with pytest.raises(pytest.skip.Exception, match="1 of 3 rows: row 2, a=2: not here"):
        skips()

    @each_row("a", [1, 2, 3])
    def fails(a: int) -> None:
        if a < 3:
            pytest.skip("not here")
        raise ValueError("no")

    assert "row 3, a=3: ValueError" in failure_of(fails)


def test_the_time_limit_of_the_whole_table_ends_it() -> None:
    @each_row("a", [1, 2])
    def table(a: int) -> None:
        pytest.fail(f"Timeout (>{a}.0s) from pytest-timeout.")

    with pytest.raises(pytest.fail.Exception, match="from pytest-timeout"):
        table()


@each_row("n", [1, 2, 3])
def test_each_row_has_a_folder_and_patches_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    assert list(tmp_path.iterdir()) == []
    assert "ROW_OF_A_TABLE" not in os.environ
    (tmp_path / "file").touch()
    monkeypatch.setenv("ROW_OF_A_TABLE", str(n))


def test_each_row_of_a_property_has_examples_of_its_own() -> None:
    tried: dict[str, list[int]] = {"a": [], "b": []}

    @each_row("key", ["a", "b"])
    @settings(max_examples=20)
    @given(n=st.integers())
    def table(key: str, n: int) -> None:
        tried[key].append(n)

    table()
    first = {key: list(numbers) for key, numbers in tried.items()}
    assert min(map(len, first.values())) >= 20
    assert first["a"] != first["b"]
    table()
    assert tried == {key: numbers * 2 for key, numbers in first.items()}


def test_a_row_must_give_the_parameters_of_the_test() -> None:
    with pytest.raises(AssertionError, match="takes no b"):

        @each_row("a, b", [(1, 2)])
        def table(a: int) -> None:
            raise NotImplementedError(a)


def test_a_row_must_have_as_many_values_as_the_table_has_names() -> None:
    @each_row("a, b", [(1, 2, 3)])
    def table(a: int, b: int) -> None:
        raise NotImplementedError(a, b)

    with pytest.raises(ValueError, match="zip"):
        table()
