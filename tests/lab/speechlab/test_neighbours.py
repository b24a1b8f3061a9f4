"""Actors and telephone prompts in neighbour languages: which line belongs to which sound."""

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("soundfile", reason="needs the train extra")
pytest.importorskip("scipy", reason="needs the train extra")

import soundfile

from scripts.lab.speechlab import neighbours, packaged, split

SCRIPT = """
dialogId("let-m-divna", "font_small", "What kind (of) ship is that?")
dialogStr("nic takového")


dialogId("let-v-oko", "font_big", "Gone.")
dialogStr("to je %1")


dialogId("budik", "font_big", "Ring.")
dialogStr("to je to")


dialogId("let-x-none", "font_big", "No sound.")
dialogStr("ne")
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(neighbours, "_FILLETS", tmp_path / "fillets")
    monkeypatch.setattr(neighbours, "_DOCUMENTS", tmp_path / "doc")
    readers = {
        "asterisk_it_carlo": ("it", tmp_path / "it", ".g722", "CC BY 3.0"),
        "asterisk_ru": ("ru", tmp_path / "ru", ".g722", "CC BY 3.0"),
        "asterisk_it_menardi": ("it", tmp_path / "menardi", ".wav", "CC BY-SA 3.0"),
    }
    monkeypatch.setattr(neighbours, "_READERS", readers)
    monkeypatch.setattr(packaged, "_STAMPS", tmp_path / "stamps")
    return tmp_path


def write_tone(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tone = 0.3 * np.sin(np.arange(20000) / 10)
    soundfile.write(path, tone, 16000)


def act(root: Path, names: tuple[str, ...] = ("let-m-divna", "let-v-oko", "budik")) -> None:
    script = root / "fillets" / "script" / "airplane" / "dialogs_cs.lua"
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT, "utf-8")
    for name in names:
        write_tone(root / "fillets" / "sound" / "airplane" / "cs" / f"{name}.ogg")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_an_actors_file_has_the_line_of_the_same_name(packages: Path) -> None:
    act(packages)
    clips = [clip for clip, _ in neighbours.for_training()]
    assert [(clip.text, clip.voice) for clip in clips] == [
        ("ñíts takobejo", "human:fillets_cs_small"),
        ("to ye to", "human:fillets_cs_others"),
    ]
    for clip in clips:
        split.check_trains(clip.voice)


def test_prompts_with_lost_letters_or_sound_effects_are_left_out(packages: Path) -> None:
    folder = packages / "doc" / "asterisk-core-sounds-it"
    folder.mkdir(parents=True)
    lines = "piena: La conferenza ? piena.\npuo: non pu? essere\nbeep: [un tono]\nok: Vuoi?\n; no\n"
    with gzip.open(folder / "core-sounds-it.txt.gz", "wt", encoding="utf-8") as listed:
        listed.write(lines)
    for name in ("piena", "puo", "beep", "ok"):
        path = packages / "it" / f"{name}.g722"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"g722")
    assert [row.text for row in neighbours._prompts("asterisk_it_carlo")] == ["Vuoi?"]


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_a_picture_description_has_the_text_beside_it_in_spanish_spelling(
    packages: Path,
) -> None:
    stamps = packages / "stamps"
    write_tone(stamps / "house_desc_el.ogg")
    write_tone(stamps / "house_desc_sv.ogg")
    (stamps / "house.txt").write_text("A house.\nel.utf8=Θέα.\nsv.utf8=Ett hus.\n", "utf-8")
    (clip,) = (clip for clip, _ in neighbours.readers())
    assert (clip.text, clip.voice) == ("zea", "human:tuxpaint_el")
    assert clip.seseo is False, "z is theta for all these readers"


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_menardis_files_have_the_texts_of_the_italian_list(packages: Path) -> None:
    folder = packages / "doc" / "asterisk-core-sounds-it"
    folder.mkdir(parents=True)
    with gzip.open(folder / "core-sounds-it.txt.gz", "wt", encoding="utf-8") as listed:
        listed.write("ok: Due porte.\nlost: Uno.\n")
    write_tone(packages / "menardi" / "ok.wav")
    assert [(clip.text, clip.voice) for clip, _ in neighbours.readers()] == [
        ("dúe porte", "human:asterisk_it_menardi")
    ]


def test_no_measuring_speaker_is_among_them() -> None:
    assert not neighbours._READERS.keys() & split.MEASURING_SPEAKERS


@pytest.mark.usefixtures("packages")
def test_without_the_packages_there_are_no_speakers() -> None:
    assert list(neighbours.for_training()) == list(neighbours.readers()) == []
    assert list(neighbours.bystanders()) == []
