"""``mus drills`` and ``mus drill``: exercises at the terminal, their JSON, and their progress."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.main import main
from assistant.rules import calls as c
from assistant.school.drills.exercises import SKILLS, DrillKind, kind_of, name_of
from assistant.school.drills.mus_drills import drills_path, read_drills
from tests.school.drills.making import made
from tests.speakers.test_mus_enrol import reading
from tests.tables import each_row

pytestmark = pytest.mark.usefixtures("own_folder")

IN_SPANISH = ("--language", "es")
PARES = name_of("gana.pares", 2, 7)


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))


def printed(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    assert main([*command, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_wrong_answer_is_explained_kept_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = made(PARES).best + 1
    typed(monkeypatch, str(right % 2 + 1))
    assert main(["drill", PARES, *IN_SPANISH]) == 0
    out = capsys.readouterr().out
    assert f"Gana el {right}" in out
    assert "0 de 1 bien." in out
    assert read_drills().skills["gana.pares"].wrong == (PARES,)
    typed(monkeypatch, str(right))
    assert main(["drill", PARES, *IN_SPANISH]) == 0
    assert "ya la fallaste" in capsys.readouterr().out
    assert read_drills().skills["gana.pares"].wrong == ()
    [row] = [row for row in printed(capsys, "drills") if row["skill"] == "gana.pares"]
    assert (row["asked"], row["right"], row["wrong"]) == (2, 1, 0)
    assert main(["drills", *IN_SPANISH]) == 0
    assert "1 de 2 bien, nivel 1" in capsys.readouterr().out


def test_a_call_can_be_typed_as_it_is_spoken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "qwerty", "corto")
    assert main(["drill", name_of("cortas", 2, 1), *IN_SPANISH]) == 0
    out = capsys.readouterr().out
    assert "No lo he entendido (qwerty)" in out
    assert "de 1 bien." in out


def test_an_empty_line_skips_one_and_nothing_is_held_against_anybody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "", "")
    assert main(["drill", "gana", "--count", "2", "--seed", "1", *IN_SPANISH]) == 0
    assert "0 de 0 bien." in capsys.readouterr().out
    assert not drills_path().exists()


def test_the_json_of_a_kind_has_answers_and_what_each_costs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = printed(capsys, "drill", "vale", "--count", "4", "--seed", "3")
    assert [row["kind"] for row in rows] == ["vale"] * 4
    assert all(sum(one["right"] for one in row["answers"]) == 1 for row in rows)
    assert rows == printed(capsys, "drill", "vale", "--count", "4", "--seed", "3")
    [judged] = printed(capsys, "drill", name_of("cortas", 2, 1))
    assert min(one["cost"] for one in judged["answers"]) == 0
    assert not drills_path().exists()


def test_all_skills_are_listed_and_only_those_of_the_rules_where_maestro_does_not_know_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert [row["skill"] for row in printed(capsys, "drills")] == list(SKILLS)
    kinds = {kind_of(row["skill"]) for row in printed(capsys, "drills", "--profile", "vasco")}
    assert kinds == {DrillKind.WINS, DrillKind.WORTH}


@pytest.mark.slow
def test_an_answer_of_a_recording_is_heard_by_the_tables_own_ear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = name_of("cortas", 2, 1)
    cut = [type(choice.call) is c.Cut for choice in made(name).choices].index(True)
    sound = reading(["no hay mus"], tmp_path)
    assert main(["drill", name, "--listen", str(sound), *IN_SPANISH]) == 0
    assert "de 1 bien." in capsys.readouterr().out
    record = read_drills().skills["cortas"]
    assert (record.asked, record.right) == (1, int(made(name).choices[cut].right))


@each_row(
    "command, said",
    [
        (["drill", "mus"], "mus"),
        (["drill", "gana.pares-9-1"], "gana.pares-9-1"),
        (["drill", "--count", "0"], "1000"),
        (["drill", "tiras", "--profile", "vasco"], "maestro"),
    ],
)
def test_what_there_is_not_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], command: list[str], said: str
) -> None:
    assert main(command) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_file_that_holds_no_progress_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    drills_path().parent.mkdir(parents=True, exist_ok=True)
    drills_path().write_text("{}", "utf-8")
    assert main(["drills"]) == 2
    assert "drills.json" in capsys.readouterr().err
