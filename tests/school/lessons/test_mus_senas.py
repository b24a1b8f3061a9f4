"""The lists of señas: what each teaches, and where they differ (R58)."""

from __future__ import annotations

import json

import pytest

from assistant.cli.main import main
from assistant.rules.profile import Senas
from assistant.school.lessons.mus_senas import load_senas


def gestures(name: Senas) -> dict[str, str]:
    return {sign["holds"]: sign["gesture"] for sign in load_senas(name)["sena"]}


@pytest.mark.parametrize("name", Senas)
def test_r58_every_list_is_printed(name: Senas, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["senas", name]) == 0
    page = capsys.readouterr().out
    assert all(f"{holds} " in page and gesture in page for holds, gesture in gestures(name).items())


def test_r58_the_federation_and_interpenas_differ_where_the_rule_table_says() -> None:
    fem, interpenas = gestures(Senas.FEM), gestures(Senas.INTERPENAS)
    assert "lengua" in fem["dos ases"]
    assert "nariz" in interpenas["dos ases"]
    assert "pares" in fem
    assert "pares" not in interpenas
    assert fem["veintinueve"] == "alzar un hombro"
    assert interpenas["dos reyes y un caballo"] == "levantar un hombro"


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["senas", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == load_senas(Senas.FEM)


def test_an_unknown_list_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["senas", "burgos"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert all(name in told.err for name in Senas)
    assert told.err.count("\n") == 1
