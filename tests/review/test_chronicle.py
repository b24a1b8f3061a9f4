"""The command ``mus chronicle``: its output, its pictures and its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli.main import main
from tests.review.record.evening import play
from tests.tables import each_row


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "table.sqlite3"
    play(path, "a_plain_deal")
    return path


def run_chronicle(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    status = main(["chronicle", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_evening_is_printed(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_chronicle(capsys, "--journal", journal)
    assert status == 0
    assert "Crónica: Norte y Sur contra Oeste y Este" in out
    assert "Mayor envite querido: 5, Grande, reparto 1; Norte y Sur." in out


def test_a_deal_is_printed_with_its_cards(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run_chronicle(capsys, "--deal", "1", "--journal", journal)
    assert status == 0
    assert "Norte: R R 5 4 (pareja, 29 de punto)." in out


def test_pictures_are_written(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = {"score": (), "lances": ("--picture", "lances"), "deal": ("--deal", "1")}
    for name, options in ways.items():
        path = tmp_path / f"{name}.svg"
        status, out, err = run_chronicle(capsys, *options, "--svg", path, "--journal", journal)
        assert (status, out, err) == (0, "", f"{path}\n")
        assert path.read_text("utf-8").startswith("<svg")
    assert len({(tmp_path / f"{name}.svg").read_text("utf-8") for name in ways}) == len(ways)


def test_the_whole_chronicle_is_printed_as_json(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run_chronicle(capsys, "--json", "--journal", journal)
    told = json.loads(out)
    assert [side["stones"] for side in told["sides"]] == [10, 1]
    assert told["deals"][0]["hands"][0]["cards"] == ["R", "R", "5", "4"]
    _, out, _ = run_chronicle(capsys, "--json", "--deal", "1", "--journal", journal)
    assert json.loads(out)["number"] == 1


@each_row(
    "words, why",
    [
        (("--deal", "7"), "no deal 7"),
        (("--deal", "0"), "no deal 0"),
        (("nobody's",), "no table"),
        (("--picture", "lances"), "add --svg"),
        (("--deal", "1", "--picture", "score", "--svg", "x.svg"), "no --deal"),
        (("--svg", "/nowhere/x.svg"), "cannot be written"),
    ],
)
def test_an_impossible_request_gives_one_sentence(
    journal: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], why: str
) -> None:
    status, out, err = run_chronicle(capsys, *words, "--journal", journal)
    assert (status, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1


def test_a_missing_journal_gives_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run_chronicle(capsys, "--journal", tmp_path / "none.sqlite3")
    assert status == 2
    assert "There is no journal" in err
