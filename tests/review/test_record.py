"""The command ``mus record``, on a journal on disk."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.cli.mus_score import play_script
from assistant.language.script import parse_script
from assistant.messages import Command, Pressed
from assistant.rules.calls import AdjustStones, NextDeal
from tests.lexicons import spanish
from tests.tables import each_row

evening = import_module("tests.review.record.evening")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(["record", *args])
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "table.sqlite3"
    evening.play(path, "a_plain_deal", table="game-1")
    evening.play(path, "juegos_and_match", table="game-2")
    return path


@pytest.mark.usefixtures("in_spanish")
def test_the_last_table_is_shown_where_none_is_named(
    capsys: pytest.CaptureFixture[str], journal: Path
) -> None:
    status, out, err = run(capsys, "--journal", str(journal))
    assert (status, err) == (0, "")
    assert out.startswith("# Acta de la mesa game-2\n")
    assert out.count("## Reparto ") == 3
    assert run(capsys, "--md", "game-2", "--journal", str(journal))[1] == out


@each_row(
    "language, title, deal",
    [
        ("es", "# Acta de la mesa game-2\n", "## Reparto 2"),
        ("eu", "# Mahaiaren akta: game-2\n", "## 2. banaketa"),
        ("en", "# Record of the table game-2\n", "## Deal 2"),
    ],
)
def test_the_record_is_in_the_language_of_the_terminal(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    journal: Path,
    language: str,
    title: str,
    deal: str,
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    status, out, _ = run(capsys, "--journal", str(journal))
    assert (status, out.startswith(title), out.count(deal)) == (0, True, 1)


@pytest.mark.usefixtures("in_spanish")
def test_a_single_deal_can_be_shown(capsys: pytest.CaptureFixture[str], journal: Path) -> None:
    _, out, _ = run(capsys, "game-2", "--deal", "2", "--journal", str(journal))
    assert "## Reparto 2" in out
    assert "## Reparto 1\n" not in out
    _, out, _ = run(capsys, "game-2", "--deal", "2", "--json", "--journal", str(journal))
    (deal,) = json.loads(out)["deals"]
    assert (deal["deal"], deal["mano"], deal["agrees"]) == (2, 2, True)
    assert deal["began"][-6] in "+-"  # local time with its offset
    heard = [(m["seat"], m["words"]) for m in deal["messages"][:3]]
    assert heard == [(2, "no hay mus"), (2, "órdago"), (1, "quiero")]


@pytest.mark.parametrize(
    ("args", "stones"), [((), {"A": 10, "B": 1}), (("--deal", "1"), {"A": 10, "B": 1})]
)
def test_the_script_plays_to_the_same_stones(
    capsys: pytest.CaptureFixture[str], journal: Path, args: tuple[str, ...], stones: dict[str, int]
) -> None:
    status, out, _ = run(capsys, "game-1", "--mus", *args, "--journal", str(journal))
    assert status == 0
    played = play_script(parse_script(out), spanish())
    assert played.failure is None
    assert dict(zip("AB", played.state.stones, strict=True)) == stones


@pytest.mark.usefixtures("in_spanish")
def test_the_tables_are_listed_newest_first(
    capsys: pytest.CaptureFixture[str], journal: Path
) -> None:
    status, out, _ = run(capsys, "--list", "--journal", str(journal))
    assert status == 0
    assert [line[:9] for line in out.splitlines()[1:]] == ["- game-2:", "- game-1:"]
    assert "Norte y Sur contra Oeste y Este. A 10, B 1; juegos A 0, B 0." in out
    _, out, _ = run(capsys, "--list", "--json", "--journal", str(journal))
    rows = json.loads(out)["tables"]
    assert [(row["table"], row["juegos"]) for row in rows] == [
        ("game-2", {"A": 2, "B": 1}),
        ("game-1", {"A": 0, "B": 0}),
    ]


@pytest.mark.usefixtures("in_spanish")
def test_a_table_in_play_can_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    table = evening.Evening(path)
    try:
        table.say("no hay mus", 1)
        table.say("envido", 2)
        status, out, err = run(capsys, "--journal", str(path))
        assert (status, err) == (0, "")
        assert "Oeste: «envido» → Oeste envida 2 a grande" in out
        assert "Sin terminar" in out
        table.say("quiero", 1)  # and the table goes on
        assert "querido" in run(capsys, "--journal", str(path))[1]
    finally:
        table.close()


def test_a_match_that_asked_who_is_mano_has_a_record_from_its_first_call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "table.sqlite3"
    table = evening.Evening(path, asks=True)
    try:
        table.post(Pressed(AdjustStones(side="A", stones=2, reason="ventaja")))
        table.post(Pressed(NextDeal(mano=2)))
        table.post(Pressed(Command.UNDO))
        table.post(Pressed(NextDeal(mano=3)))
        table.say("no hay mus", 3)
    finally:
        table.close()
    status, out, err = run(capsys, "--json", "--journal", str(path))
    assert (status, err) == (0, "")
    (deal,) = json.loads(out)["deals"]
    assert (deal["deal"], deal["mano"], deal["before"]["stones"]) == (1, 3, {"A": 2, "B": 0})
    told = [
        line["event"]["type"] for m in deal["messages"] for c in m["calls"] for line in c["lines"]
    ]
    assert [kind for kind in told if kind != "ManoChanged"] == [
        "GameOpened",
        "StonesAdjusted",
        "DealStarted",
        "Retracted",
        "DealStarted",
        "MusCut",
    ]
    status, out, _ = run(capsys, "--mus", "--journal", str(path))
    assert (status, "mano: 3" in out) == (0, True)


@each_row(
    "args, said",
    [
        (("game-9",), "There is no table 'game-9'"),
        (("--deal", "7"), "choose 1 to 3"),
        (("--deal", "7", "--mus"), "was not played"),
        (("--deal", "0"), "counted from 1"),
        (("--list", "game-1"), "leave out TABLE"),
    ],
)
def test_an_unknown_table_or_deal_gives_one_sentence(
    capsys: pytest.CaptureFixture[str], journal: Path, args: tuple[str, ...], said: str
) -> None:
    status, out, err = run(capsys, *args, "--journal", str(journal))
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", [None, b"", b"no journal at all, but text " * 40])
def test_a_missing_journal_gives_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "none.sqlite3"
    if content is not None:
        path.write_bytes(content)
    status, out, err = run(capsys, "--journal", str(path))
    assert (status, out) == (2, "")
    assert err.startswith("mus: ")
    assert err.count("\n") == 1
    assert path.exists() is (content is not None)


def test_the_record_changes_nothing(capsys: pytest.CaptureFixture[str], journal: Path) -> None:
    before = journal.read_bytes()
    for form in ("--md", "--json", "--mus"):
        run(capsys, form, "--journal", str(journal))
    assert journal.read_bytes() == before
