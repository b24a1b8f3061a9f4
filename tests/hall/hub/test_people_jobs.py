"""``mus tournament enrol``, ``fees``, ``forget`` and ``publish``, from the list to the folder."""

from __future__ import annotations

import html
import json
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.hall import mus_people
from assistant.hall.format_files import all_formats
from assistant.hall.hub.database import migrate, opened
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.tournament import Format, Opened, ready
from scripts.lab.run_tournament import list_of, results

Run = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("in_spanish")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """A job of ``mus tournament`` on a database with one tournament: status, output, errors."""
    where = str(tmp_path / "hub.sqlite3")
    with opened(where) as engine:
        migrate(engine)
        Ledger(engine).open(Opened("San Blas", Format.KNOCKOUT, by="Maite"))

    def job(name: str, *words: object) -> tuple[int, str, str]:
        given = [str(word) for word in words]
        status = main(["tournament", name, "1", *given, "--database", where])
        told = capsys.readouterr()
        return status, told.out, told.err

    return job


def pairs(tmp_path: Path) -> list[tuple[str, str]]:
    with opened(str(tmp_path / "hub.sqlite3")) as engine:
        found = Desk(Ledger(engine), tuple).show(1)["pairs"]
        return [(pair["name"], pair["club"]) for pair in found]


def test_a_list_of_a_form_in_windows_letters_is_previewed_and_enrolled(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "lista.csv"
    file.write_bytes(
        "Correo;Jugador 1;Jugador 2;Peña;Móvil\r\n"
        "a@b.es;Begoña Núñez;Íñigo Pérez;Ñandú;600111222\r\n".encode("cp1252")
    )
    status, out, _ = run("enrol", file, "--preview")
    assert status == 0
    assert "1. Correo = -  (a@b.es)" in out
    assert "3. Jugador 2 = jugador 2  (Íñigo Pérez)" in out
    assert "Bien: 1. Mal: 0." in out
    assert pairs(tmp_path) == []
    assert run("enrol", file, "--by", "Maite")[:2] == (0, "Apuntadas: 1. En total: 1.\n")
    assert pairs(tmp_path) == [("Begoña Núñez y Íñigo Pérez", "Ñandú")]


def test_guessed_columns_are_shown_and_have_to_be_confirmed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lista.txt"
    file.write_text("Ana Ruiz\tLuis Gil\tAlta\nEva Mur\tJon Sáez\tAlta\nPau Mas\tMar Rey\tAlta\n")
    status, out, _ = run("enrol", file)
    assert status == 2
    assert "Las columnas son una suposición. Si están bien: --columns first,second,club" in out
    assert "Columnas, entre tab:" in out
    assert pairs(tmp_path) == []
    chosen = "jugador 2, jugador 1, -"
    assert run("enrol", file, "--columns", chosen)[0] == 0
    assert pairs(tmp_path)[0] == ("Luis Gil y Ana Ruiz", "")


def test_all_wrong_lines_and_all_questions_are_told_at_once(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lista.csv"
    file.write_text(
        "jugador 1,jugador 2,tel\nAna Ruiz,Luis Gil,600111222\nEva Mur,,\n"
        '"Ruiz, Anita",Jon Sáez,\nPau Mas,Mar Rey,600 111 222\n'
    )
    status, out, _ = run("enrol", file)
    assert status == 2
    assert "Línea 3: Falta el nombre de un jugador: escríbelo." in out
    assert "Línea 4: Anita Ruiz puede ser Ana Ruiz, de la pareja 1" in out
    assert "Línea 5: La pareja 1 tiene el mismo teléfono" in out
    assert "Si son otras personas: --namesakes 4,5" in out
    assert pairs(tmp_path) == []
    file.write_text(file.read_text().replace("Eva Mur,,", "Eva Mur,Iker Paz,"))
    assert run("enrol", file, "--namesakes", "4,5")[0] == 0
    assert len(pairs(tmp_path)) == 4


def test_fees_are_noted_and_who_still_owes_is_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lista.csv"
    file.write_text("jugador 1,jugador 2,tel\nAna,Luis,600111222\nEva,Jon,\nPau,Mar,\n")
    run("enrol", file)
    status, out, _ = run("fees", "--fee", "20,50", "--paid", "2,3", "--by", "Maite")
    assert status == 0
    assert "Inscripción: 20.50. Han pagado: 2; en total 41." in out
    assert "Deben: 1\n  1: Ana y Luis (600111222)\n" in out
    out = run("fees", "--unpaid", "3", "--by", "Maite", "--json")[1]
    assert json.loads(out)["owing"] == [1, 3]
    assert run("fees", "--paid", "1")[0] == 2  # nobody says who took the money
    assert "No hay pareja 9" in run("fees", "--paid", "1,9", "--by", "Maite")[2]
    assert json.loads(run("fees", "--json")[1])["owing"] == [1, 3]
    assert run("forget")[1] == "Teléfonos borrados: 1\n"
    assert "600111222" not in run("fees")[1]


def test_the_results_are_published_and_updated(run: Run, tmp_path: Path) -> None:
    file, folder = tmp_path / "lista.csv", tmp_path / "out"
    file.write_text("jugador 1,jugador 2\nAna,Luis\n")
    run("enrol", file)
    status, out, _ = run("publish", folder)
    assert status == 0
    assert out == f"11 ficheros; se abren con {folder / 'index.html'}\n"
    assert '<html lang="es">' in (folder / "index.html").read_text("utf-8")
    file.write_text("jugador 1,jugador 2\nEva,Jon\n")
    run("enrol", file)
    assert run("publish", folder, "--language", "eu")[0] == 0
    assert "Eva y Jon" in (folder / "es" / "pairs.html").read_text("utf-8")
    assert '<html lang="eu">' in (folder / "index.html").read_text("utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    status, _, err = run("publish", tmp_path / "mine")
    assert status == 2
    assert "que no es de los resultados: di otra carpeta" in err


def test_publishing_goes_on_after_a_fault_and_stops_when_it_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops: list[threading.Event] = []
    written: list[Path] = []

    def publish(_shown: object, folder: Path, _language: str) -> list[str]:
        written.append(folder)
        if len(written) == 1:
            raise OSError(28, "No space left on device")
        stops[0].set()
        return ["index.html"]

    monkeypatch.setattr(mus_people, "publish", publish)
    monkeypatch.setattr(mus_people, "stop_on_signals", stops.append)
    monkeypatch.setattr(mus_people, "SHORTEST_S", 0)
    status, out, _ = run("publish", tmp_path / "out", "--every", "0")
    assert status == 0
    assert "No space left on device" in out
    assert written == [tmp_path / "out"] * 2


def drawn(tmp_path: Path) -> None:
    with opened(str(tmp_path / "hub.sqlite3")) as engine:
        Desk(Ledger(engine), tuple).do(1, "draw", {"seed": 7, "by": "Maite"})


def add(run: Run, one: str, other: str, *words: str) -> tuple[int, str, str]:
    return run("add", one, other, "--by", "Maite", *words)


def test_a_pair_is_enrolled_by_a_command_and_after_the_draw_takes_the_last_bye(
    run: Run, tmp_path: Path
) -> None:
    more = ("--club", "Alta", "--category", "Mixta", "--telephone", "600111222", "--paid")
    assert add(run, "Ana Ruiz", "Luis Gil", *more)[:2] == (0, "1: Ana Ruiz y Luis Gil, apuntada.\n")
    assert add(run, "Eva Mur", "Jon Sáez", "--name", "Tres reyes")[0] == 0
    assert add(run, "Pau Mas", "Noa Rey")[0] == 0
    assert pairs(tmp_path)[:2] == [("Ana Ruiz y Luis Gil", "Alta"), ("Tres reyes", "")]
    assert "Han pagado: 1" in run("fees")[1]
    drawn(tmp_path)
    status, out, _ = add(run, "Iker Paz", "Ane Ros", "--json")
    assert (status, json.loads(out)) == (
        0, {"pair": 4, "name": "Iker Paz y Ane Ros", "late": True},
    )  # fmt: skip
    with opened(str(tmp_path / "hub.sqlite3")) as engine:
        shown = Desk(Ledger(engine), tuple).show(1)
    assert not any(slot["bye"] for match in shown["matches"] for slot in match["slots"])
    status, _, err = add(run, "Unai Gil", "Mar Leo")  # no bye is left
    assert status == 2
    assert "Torneo 1" in err
    assert len(pairs(tmp_path)) == 4


def test_a_person_who_seems_to_be_in_twice_is_asked_about(run: Run) -> None:
    assert add(run, "Ana Ruiz", "Luis Gil")[0] == 0
    assert add(run, "Ruiz, Ana", "Jon Sáez")[0] == 2
    assert add(run, "Ruiz, Ana", "Jon Sáez", "--namesakes")[0] == 0
    status, _, err = run("add", "Ana Ruiz", "--by", "Maite")
    assert status == 2
    assert "Una pareja tiene dos jugadores" in err


def test_the_standings_of_a_category_are_shown_by_a_command(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lista.csv"
    file.write_text(
        "jugador 1;jugador 2;categoría\nAna Ruiz;Luis Gil;Mixta\nEva Mur;Jon Sáez;Senior\n"
        "Iker Paz;Ane Ros;mixta\n"
    )
    assert run("enrol", file)[0] == 0
    assert run("standings") == (1, "En este torneo nadie juega por puntos, o todavía no.\n", "")
    with opened(str(tmp_path / "hub.sqlite3")) as engine:
        desk = Desk(Ledger(engine), tuple)
        act = {"type": "Opened", "v": 1, "name": "Liga", "by": "Maite", "format": "robin"}
        other = desk.open({"act": act | {"options": {"juegos": 1}}})
        desk.do(other, "enrol", {"csv": file.read_text(), "by": "Maite"})
        desk.do(other, "draw", {"seed": 7, "by": "Maite"})
        for match in [one["match"] for one in desk.show(other)["matches"]]:
            slots = next(m for m in desk.show(other)["matches"] if m["match"] == match)["slots"]
            first = slots[0]["pair"] == max(slot["pair"] for slot in slots)
            score = {"juegos": [int(first), int(not first)], "stones": [40, 20]}
            entered = {"type": "ResultEntered", "v": 1, "match": match, "by": "Ana", **score}
            desk.do(other, "act", {"act": entered})
            signed = {"type": "ResultCountersigned", "v": 1, "match": match, "by": "Eva"}
            desk.do(other, "act", {"act": signed, "seen": score})
    where = str(tmp_path / "hub.sqlite3")
    asked = ["tournament", "standings", str(other), "--database", where]
    assert main([*asked, "--category", "MIXTA", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (rows,) = [one["rows"] for one in told["standings"]]
    assert told["category"] == "Mixta"
    assert [row[:5] for row in rows] == [
        [1, "Iker Paz y Ane Ros", 2, 2, 0], [2, "Ana Ruiz y Luis Gil", 2, 0, 2],
    ]  # fmt: skip
    assert main([*asked]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Pareja" in lines[0]
    assert [line.split()[0] for line in lines[1:4]] == ["1", "2", "3"]
    assert main([*asked, "--category", "Infantil"]) == 2
    assert "No hay ninguna categoría Infantil. Hay: Mixta, Senior." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("enrol", "nowhere.csv"), "nowhere.csv"),
        (("enrol", "{file}", "--columns", "color"), "no es ninguna columna"),
        (("enrol", "{file}", "--namesakes", "x"), "no es una lista de números"),
        (("fees", "--fee", "mucho", "--by", "x"), "no es una cantidad"),
        (("publish", "out", "--every", "1"), "--every va de 5 a"),
    ],
)
def test_what_cannot_be_done_is_told_in_the_language_of_the_terminal(
    run: Run, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    file = tmp_path / "lista.csv"
    file.write_text("jugador 1,jugador 2\nAna,Luis\n")
    status, _, err = run(*[word.replace("{file}", str(file)) for word in words])
    assert status == 2
    assert told in err


def test_the_best_thirds_and_why_are_told_by_the_command_and_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "hub.sqlite3")
    with opened(where) as engine:
        migrate(engine)
        ledger = Ledger(engine)
        desk = Desk(ledger, tuple, sheets=all_formats)
        act = {"type": "Opened", "v": 1, "name": "San Blas", "format": "sheet", "by": "Juez"}
        number = desk.open({"act": act, "sheet": "mejores-terceros"})
        sheet = all_formats()["mejores-terceros"]
        desk.do(number, "enrol", {"csv": list_of(25, sheet), "by": "Juez"})
        desk.do(number, "draw", {"seed": 7, "by": "Juez"})
        chance = random.Random(1)
        while any(match.phase == 1 for match in ready(ledger.standing(number).tournament)):
            entered = results(ledger.standing(number).tournament, chance)
            ledger.do(number, lambda _now, acts=entered: acts)  # type: ignore[misc]
        (comparison,) = desk.show(number)["best"]
        names = {pair["pair"]: pair["name"] for pair in desk.show(number)["pairs"]}
    asked = ["tournament", "standings", str(number), "--database", where]
    assert main(asked) == 0
    told = capsys.readouterr().out.partition("Las 3.ª de cada grupo: suben las 4 mejores\n")[2]
    rows = told.splitlines()[1:]
    assert len(rows) == len(comparison["rows"]) == 6
    for line, row in zip(rows, comparison["rows"], strict=True):
        assert f"{names[row['pair']]} · Grupo {row['group']}" in line
        assert ("  sube" if row["goes"] else "  no sube") in line
        left = [names[pair] for pair in row["left_out"]]
        assert ("sin contar lo jugado con" in line) == bool(left)
        assert all(name in line for name in left)
    assert any(row["left_out"] for row in comparison["rows"])
    assert main([*asked, "--json"]) == 0
    last = json.loads(capsys.readouterr().out)["standings"][-1]
    assert [row[-1] for row in last["rows"]] == [line.split("  ")[-1] for line in rows]
    folder = tmp_path / "out"
    assert main(["tournament", "publish", str(number), str(folder), "--database", where]) == 0
    page = html.unescape((folder / "es" / "index.html").read_text("utf-8"))
    assert "Las 3.ª de cada grupo: suben las 4 mejores" in page
    for row in last["rows"]:
        assert f"<td>{row[-1]}</td>" in page
    in_english = html.unescape((folder / "en" / "index.html").read_text("utf-8"))
    assert "Number 3 of each group: the best 4 go on" in in_english
    assert "goes on: " in in_english
