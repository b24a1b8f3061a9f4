"""Recordings of people in Debian's packages: their texts, and who may train."""

from pathlib import Path

import pytest

pytest.importorskip("soundfile", reason="needs the train extra")
pytest.importorskip("scipy", reason="needs the train extra")

from scripts.lab.speechlab import packaged, split
from tests.lab.speechlab.test_drascula import table


@pytest.fixture
def stamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("_STAMPS", "_LETTERS", "_POTATO", "_MEXICAN", "_COLOMBIAN", "_DRASCULA"):
        monkeypatch.setattr(packaged, name, tmp_path / name)
    folder = tmp_path / "_STAMPS" / "animals"
    folder.mkdir(parents=True)
    return folder


def describe(folder: Path, name: str, text: str, sound: bytes = b"ogg") -> None:
    (folder / f"{name}_desc_es.ogg").write_bytes(sound)
    (folder / f"{name}.txt").write_text(f"A thing.\nes.utf8={text}\nit.utf8=Cosa.\n", "utf-8")


def test_a_picture_has_the_text_written_beside_it(stamps: Path) -> None:
    describe(stamps, "zebu", "¡Un cebú!")
    assert [row.text for row in packaged.for_training()] == ["un cebú"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("La letra «B».", "la letra be"),
        ("Intersección en T", "intersección en te"),
        ("Pan y agua o vino", "pan y agua o vino"),
    ],
)
def test_a_letter_is_read_by_its_name(stamps: Path, written: str, said: str) -> None:
    describe(stamps, "picture", written)
    assert [row.text for row in packaged.for_training()] == [said]


def test_a_text_with_foreign_letters_is_left_out(stamps: Path) -> None:
    describe(stamps, "smoker", "Un räuchermännchen alemán.")
    assert not list(packaged.for_training())


def test_digits_and_second_copies_are_left_out(stamps: Path) -> None:
    describe(stamps, "coin", "Una moneda de 50 céntimos.", b"coin")
    describe(stamps, "A_filled", "La letra A")
    describe(stamps, "A_outline", "La letra A")
    assert [row.text for row in packaged.for_training()] == ["la letra a"]


def test_syllables_and_letters_are_named_by_their_files(stamps: Path) -> None:
    letters = stamps.parent.parent / "_LETTERS" / "es"
    for name in ("alpha/nn", "alpha/z", "syllab/nne", "syllab/guue"):
        path = letters / f"{name}.ogg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"ogg")
    said = [row.text for row in packaged.for_training()]
    assert said == ["eñe", "zeta", "güe", "ñe"]


def test_prompts_only_measure_and_their_numbers_are_words_of_the_game(
    stamps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = stamps.parent.parent / "_COLOMBIAN"
    for name in ("digits/2", "digits/h-2", "digits/31", "vm-no", "vm-goodbye", "beep"):
        path = prompts / f"{name}.gsm"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"gsm")
    (stamps.parent.parent / "_MEXICAN" / "digits").mkdir(parents=True)
    (stamps.parent.parent / "_MEXICAN" / "digits" / "3.g722").write_bytes(b"g722")
    monkeypatch.setattr(packaged, "DECODER", "no-such-decoder")
    assert "no-such-decoder" in packaged.missing(packaged.MEASURING_PACKAGES)
    rows = list(packaged.measuring())
    assert [(row.path.stem, row.text) for row in rows] == [("2", "dos"), ("vm-goodbye", "")]
    assert {row.speaker for row in rows} <= split.MEASURING_SPEAKERS


def test_actors_say_the_line_of_their_number_and_two_roles_only_measure(stamps: Path) -> None:
    game = stamps.parent.parent / "_DRASCULA"
    for name in ("es/1.ALS", "es/BJ1.ALS", "es/VB2.ALS", "es/S1.ALS", "en/1.ALS"):
        path = game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"als")
    heroes = ["", "¡Sí, B.J.!"]
    (game / "en" / "drascula.dat").write_bytes(
        table({"": heroes, "BJ": ["", "NO"], "VB": ["", "", "TOMA 3"]})
    )
    said = {row.speaker: row.text for row in packaged.acted("es")}
    assert said == {
        "drascula_es_hero": "sí be jota", "drascula_es_BJ": "no", "drascula_es_VB": "",
        "drascula_es_S": "",
    }  # fmt: skip
    trains = {row.speaker for row in packaged.for_training()}
    assert trains == {"drascula_es_hero", "drascula_es_VB", "drascula_es_S"}


def test_no_speaker_both_trains_and_measures() -> None:
    rows = [*packaged.for_training(), *packaged.bystanders()]
    assert not {row.speaker for row in rows} & split.MEASURING_SPEAKERS
