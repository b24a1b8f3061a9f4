"""Formats as files: those that ship, an organiser's own, and errors with their line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assistant.cli.main import main
from assistant.files.process import UsageError
from assistant.hall.format_files import (
    FormatFileError,
    all_formats,
    find_format,
    format_paths,
    load_format,
    own_formats,
)
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.tournament import StageKind, TournamentError
from assistant.page.app import page_words
from tests.tables import each_row

GOOD = """name = "mio"
title = "Mi torneo"

[[stage]]
name = "grupos"
kind = "robin"
size = 4

[[stage]]
kind = "knockout"
from = "grupos"
places = [1, 2]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mio.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "es_ES.UTF-8")


def test_every_kind_of_stage_ships_in_a_format_that_can_be_read() -> None:
    sheets = all_formats()
    assert sheets.keys() == format_paths().keys()
    assert {stage.kind for sheet in sheets.values() for stage in sheet.stages} == set(StageKind)
    for sheet in sheets.values():
        texts = [sheet.title, sheet.explains, *[stage.title for stage in sheet.stages]]
        assert all(dict(words).keys() == {"es", "eu", "en"} for words in texts if words)
        assert sheet.title
        assert sheet.explains


def test_an_organisers_own_file_lies_beside_and_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    own_formats().mkdir(parents=True)
    written(own_formats(), GOOD)
    theirs = (format_paths()["vacas"]).read_text("utf-8").replace("vacas = 2", "vacas = 4")
    (own_formats() / "vacas.toml").write_text(theirs, "utf-8")
    assert find_format("mio").title == (("", "Mi torneo"),)
    assert find_format("mio").stages[1].source == 1
    assert find_format("vacas").stages[0].vacas == 4
    (own_formats() / "roto.toml").write_text("name = 3", "utf-8")
    assert "roto" not in all_formats()
    assert "mio" in all_formats()


@each_row(
    "old, new, line, told",
    [
        ('kind = "robin"', "kind = robin", 6, "this is no TOML"),
        ('kind = "robin"', 'kind = "liga"', 6, "kind is one of knockout, double"),
        ("size = 4", "size = true", 7, "a whole number is needed"),
        ("size = 4", "sise = 4", 7, "'sise' is unknown"),
        ("size = 4", "size = 9999", 7, "A group has 0 to 2600 pairs, not 9999"),
        ("size = 4", "defeats = 3", 7, "defeats is only for lives"),
        ("size = 4", 'starts = "2027-02-30"', 7, "'2027-02-30' is no date"),
        ("size = 4", "size = 4\ngroups = 3", 7, "how many groups there are"),
        ('from = "grupos"', 'from = "nadie"', 11, "from names a stage that is written before"),
        ('from = "grupos"\n', "", 9, "Say from which stage its pairs come"),
        ("places = [1, 2]", "places = [2, 1]", 12, "the better one"),
        ("places = [1, 2]", "places = 2", 12, "places are two numbers"),
        ("places = [1, 2]", "losers = true", 12, "Only a knock-out has losers"),
        ("places = [1, 2]", "promote = 2", 12, "promote is only for robin"),
        ("places = [1, 2]", "places = [1, 2]\nsize = 4", 13, "add a final in which one pair wins"),
        ('name = "mio"', 'name = "otro"', 1, "a format is called as its file"),
        ('title = "Mi torneo"', 'titel = "x"', 2, "'titel' is unknown"),
        ('title = "Mi torneo"', "title = 3", 2, "write a text, or one in each language"),
    ],
)
def test_an_error_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, told: str
) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(FormatFileError if "TOML" not in told else UsageError) as wrong:
        load_format(path)
    assert str(wrong.value).startswith(f"{path}:{line}: ")
    assert told in str(wrong.value)
    assert "\n" not in str(wrong.value)


@pytest.mark.usefixtures("spanish")
def test_an_error_is_told_in_the_language_of_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, GOOD.replace("size = 4", "defeats = 3"))
    assert main(["tournament", "formats", "--format", str(path)]) == 2
    assert f"{path}:7: defeats solo vale para lives: quítalo." in capsys.readouterr().err


@pytest.mark.usefixtures("spanish")
def test_the_command_lists_and_explains_the_formats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tournament", "formats"]) == 0
    out = capsys.readouterr().out
    assert all(f"{name}: " in out for name in format_paths())
    assert "A tres ceros" in out
    assert main(["tournament", "formats", "--format", "tres-ceros"]) == 0
    assert "fuera tras tantas derrotas; defeats = 3" in capsys.readouterr().out
    assert main(["tournament", "formats", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["formats"]
    assert {one["name"] for one in listed} == format_paths().keys()
    assert main(["tournament", "formats", "--format", "nadie"]) == 2
    assert "No hay formato 'nadie'" in capsys.readouterr().err


@pytest.mark.usefixtures("spanish")
def test_a_tournament_is_opened_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "hub.sqlite3")
    path = written(tmp_path, GOOD)
    opened = ["tournament", "open", "San Blas", "--format", str(path), "--database", where]
    assert main([*opened, "--juegos", "2", "--rules", "kings=4", "--by", "Maite"]) == 0
    assert "San Blas está abierto: /tournaments/1" in capsys.readouterr().out
    engine = open_database(where)
    migrate(engine)
    tournament = Ledger(engine).standing(1).tournament
    engine.dispose()
    assert (tournament.options.juegos, tournament.sheet) == (2, load_format(path))
    assert main(opened) == 2
    assert "Ya hay un torneo" in capsys.readouterr().err
    league = ["tournament", "open", "Liga", "--format", "liga", "--database", where]
    assert main(league) == 2
    assert "--starts" in capsys.readouterr().err
    assert main([*league, "--starts", "pronto"]) == 2
    assert "no es una fecha" in capsys.readouterr().err
    assert main([*league, "--starts", "2027-01-11"]) == 0


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_the_desk_opens_a_format_by_its_name_and_writes_it_out(engine: Engine) -> None:
    desk = Desk(Ledger(engine), tuple, sheets=all_formats)
    act = {"type": "Opened", "v": 1, "name": "Liga", "format": "sheet", "by": "Juez"}
    with pytest.raises(TournamentError, match="no format 'nadie'"):
        desk.open({"act": act, "sheet": "nadie"})
    number = desk.open({"act": act, "sheet": "liga", "starts": "2027-01-11"})
    kept = Desk(Ledger(engine), tuple).show(number)  # a hall that has no such file any more
    assert kept["title"]["es"] == "Liga por semanas"
    assert [one["starts"] for one in desk.formats() if one["name"] == "liga"] == [True]


def test_the_page_has_a_word_for_every_kind() -> None:
    for language in ("es", "eu", "en"):
        words = page_words("hall", language)["t"]
        assert words["kinds"].keys() == set(StageKind)
        assert words["round"].keys() >= {"redraw", "lives", "individual"}
