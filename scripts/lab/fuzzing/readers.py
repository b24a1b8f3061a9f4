"""The readers of what people hand over, each with valid inputs to damage.

A reader takes an input or refuses it with one of the project's own errors. It is a fault if it
raises anything else, if the page answers above 499, or if it takes a second too many or unbounded
memory.
"""

from __future__ import annotations

import io
import json
import shutil
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from assistant.cli.archive import pack
from assistant.cli.main import main
from assistant.cli.mus_score import play_script, script_lexicon
from assistant.ear.audio import read_wav
from assistant.eye.calibration import Calibration, load_calibration, save_calibration
from assistant.eye.deck import load_deck
from assistant.eye.enrol import EnrolError, enrolled_rows
from assistant.eye.images import read_image
from assistant.files.paths import data_dir
from assistant.files.profile_files import load_profile, rules_named
from assistant.files.resources import load_toml, load_wording
from assistant.files.settings import read_settings
from assistant.hall.format_files import load_format
from assistant.hall.hub import wire
from assistant.hall.tournament.acts import PairEnrolled, act_from_json, act_to_json
from assistant.language.lexicon import lexicon_from
from assistant.language.script import parse_script
from assistant.messages.codec import call_from_dict, event_from_json
from assistant.messages.documents import parse_json
from assistant.rules.cards import Suit
from assistant.rules.errors import MusError
from assistant.school.lessons import Kept, kept_to
from assistant.school.lessons.files import lesson_tongue, read_progress
from assistant.school.lessons.read import parse_lesson
from assistant.speakers.enrolled import enrolled, own_dir
from assistant.telephones.seats import (
    HEADER,
    TelephoneError,
    read_frame,
    read_hello,
    read_said,
)
from scripts.lab.fuzzing import page

Read = Callable[[bytes], object]
SHIPPED = data_dir("models")
GAMES = Path(__file__).resolve().parents[3] / "tests" / "games"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader, and valid inputs for it.

    open  makes the reader, in a folder of its own; what it holds open is closed afterwards
    """

    name: str
    seeds: Callable[[], list[bytes]]
    open: Callable[[Path], Any]


def _files(*patterns: str) -> list[bytes]:
    found = [path.read_bytes() for pattern in patterns for path in sorted(SHIPPED.glob(pattern))]
    return [data for data in found if len(data) < 30_000]


def _json(*values: object) -> list[bytes]:
    return [json.dumps(value).encode() for value in values]


@contextmanager
def _text_reader(read: Callable[[str], object]) -> Iterator[Read]:
    """A reader of texts. Bytes that are no UTF-8 are refused before it gets them."""

    def take(data: bytes) -> object:
        return read(data.decode("utf-8", "replace"))

    yield take


def _of_text(read: Callable[[str], object]) -> Callable[[Path], Any]:
    return lambda _folder: _text_reader(read)


def _of_file(name: str, read: Callable[[Path], object]) -> Callable[[Path], Any]:
    """A reader of a file of this name."""

    @contextmanager
    def opened(folder: Path) -> Iterator[Read]:
        def take(data: bytes) -> object:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            return read(path)

        yield take

    return opened


def _script(text: str) -> object:
    script = parse_script(text, rules_named)
    return play_script(script, script_lexicon(script.profile))


def _photograph(path: Path) -> object:
    """A reader of a deck's photograph. A picture without cards is refused once it was read."""
    picture = read_image(path)
    with suppress(EnrolError):
        enrolled_rows(picture, [Suit.OROS], (61.0, 95.0))
    return picture


def _calibration(path: Path) -> object:
    return load_calibration(path.parent)


def _deck(path: Path) -> object:
    return load_deck(path.parent)


def _deck_folder(folder: Path) -> Any:
    """A deck with valid pictures and a damaged description."""
    shutil.copytree(SHIPPED / "decks" / "mus", folder / "mus")
    return _of_file("mus/deck.toml", _deck)(folder)


def _voice(path: Path) -> object:
    return enrolled(path.parent.name)


def _voice_folder(_folder: Path) -> Any:
    """A voice with valid readings and a damaged description."""
    folder = own_dir() / "Ana"
    folder.mkdir(parents=True)
    (folder / "1.wav").write_bytes(_wavs()[0])
    return _of_file("voice.json", _voice)(folder)


def _command(*words: str) -> Callable[[Path], object]:
    """A command of mus on a file. It may refuse the file, and must not fail."""

    def run(path: Path) -> object:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return main([*words, str(path)])

    return run


def _call(text: str) -> object:
    return call_from_dict(parse_json(text))


def _messages() -> list[bytes]:
    event = json.dumps(EVENT)
    rows = [wire.EventRow(seq, 1, 1_700_000_000.0, event) for seq in (1, 2, 3)]
    batch = wire.pack_batch("game-1-01234567", 1.0, rows)
    status = wire.pack_status(wire.Status("mesa-1", True, (("game-1-01234567", 3),), 1.0, "1"))
    names = (wire.topic("mesa-1", kind).encode() for kind in ("events", "status"))
    return [name + b"\n" + body for name, body in zip(names, (batch, status), strict=True)]


def _telephone_texts() -> list[bytes]:
    hello = {"is": "hello", "seat": 2, "key": "ab12", "name": "Pixel 7", "take": False}
    ping = {"is": "ping", "at": 12.5, "battery": 0.5, "charging": True}
    return [json.dumps(said).encode() for said in (hello, ping)]


def _telephone_text(text: str) -> object:
    try:
        return read_hello(text)
    except TelephoneError:
        return read_said(text)


def _telephone_frames() -> list[bytes]:
    return [HEADER.pack(number, 40_000 * number) + bytes(1280) for number in (0, 7)]


def _json_refused(read: Callable[[str], object]) -> Callable[[str], object]:
    """The parser refuses what is no JSON with ValueError."""

    def take(text: str) -> object:
        try:
            return read(text)
        except ValueError:
            return None

    return take


def _message(data: bytes) -> object:
    topic, _, payload = data.partition(b"\n")
    name = topic.decode("utf-8", "replace")
    read = wire.read_status if name.endswith("status") else wire.read_batch
    return read(name, payload)


@contextmanager
def _mqtt(_folder: Path) -> Iterator[Read]:
    yield _message


def _wavs() -> list[bytes]:
    found = []
    for channels, width, rate in ((1, 2, 16_000), (2, 2, 44_100), (1, 1, 8_000)):
        data = io.BytesIO()
        with wave.open(data, "wb") as file:
            file.setnchannels(channels)
            file.setsampwidth(width)
            file.setframerate(rate)
            file.writeframes(bytes(4_000))
        found.append(data.getvalue())
    return found


def _pictures() -> list[bytes]:
    picture = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    kinds = (".png", ".jpg", ".webp", ".bmp", ".tiff")
    found = [cv2.imencode(kind, picture)[1].tobytes() for kind in kinds]
    thin = [np.zeros(shape, np.uint8) for shape in ((1, 1, 3), (3, 30_000, 3), (30_000, 3, 3))]
    return [*found, *(cv2.imencode(".png", one)[1].tobytes() for one in thin)]


def _archives() -> list[bytes]:
    with TemporaryDirectory() as name:
        folder, file = Path(name) / "in", Path(name) / "out"
        for member, data in (
            ("settings.toml", b'level = "full"\n'),
            ("profiles/mesa.toml", _files("profiles/vasco.toml")[0]),
            ("lessons.json", _json(kept_to(Kept()))[0]),
            ("table/table.toml", _calibrations()[0]),
        ):
            (folder / member).parent.mkdir(parents=True, exist_ok=True)
            (folder / member).write_bytes(data)
        pack(folder, file)
        return [file.read_bytes()]


def _calibrations() -> list[bytes]:
    zone = np.array([[10, 10], [90, 10], [90, 90], [10, 90]], np.float64)
    with TemporaryDirectory() as name:
        save_calibration(Path(name), Calibration((640, 480), {1: zone}))
        return [(Path(name) / "table.toml").read_bytes()]


FIRST_LESSON = "01-que-es-un-lance"


def _lesson(game: str) -> object:
    prose = load_wording(f"lessons/{FIRST_LESSON}", "es").texts
    return parse_lesson(FIRST_LESSON, game, prose, lesson_tongue("es"), rules_named)


EVENT = {"type": "BetMade", "v": 1, "seat": 2, "lance": "grande", "stones": 5}

READERS = {
    reader.name: reader
    for reader in (
        Reader(
            "script",
            lambda: [path.read_bytes() for path in sorted(GAMES.glob("*.mus"))],
            _of_text(_script),
        ),
        Reader(
            "lesson",
            lambda: _files(f"lessons/{FIRST_LESSON}.mus"),
            _of_text(_lesson),
        ),
        Reader("score", lambda: [b"1: mus\n", b"mano: 2\n"], _of_file("a.mus", _command("score"))),
        Reader("wav", _wavs, _of_file("a.wav", lambda path: list(read_wav(path)))),
        Reader("picture", _pictures, _of_file("a.png", _photograph)),
        Reader("cards", _pictures, _of_file("a.png", _command("cards"))),
        Reader(
            "settings",
            lambda: [b'level = "full"\nvolume = 0.5\n', b'voice = "on"\nport = 80\n'],
            _of_file("settings.toml", read_settings),
        ),
        Reader(
            "profile", lambda: _files("profiles/vasco.toml"), _of_file("vasco.toml", load_profile)
        ),
        Reader(
            "format", lambda: _files("formats/grupos.toml"), _of_file("grupos.toml", load_format)
        ),
        Reader("calibration", _calibrations, _of_file("table.toml", _calibration)),
        Reader("deck", lambda: _files("decks/mus/deck.toml"), _deck_folder),
        Reader(
            "lexicon",
            lambda: _files("eu/lexicon.toml"),
            _of_file("eu.toml", lambda path: lexicon_from(load_toml(path))),
        ),
        Reader(
            "progress",
            lambda: _json(kept_to(Kept({"05-envidar-y-querer": 2}, {}, {}))),
            _of_file("lessons.json", read_progress),
        ),
        Reader(
            "voice",
            lambda: _json(
                {"language": "es", "made": "x", "said": [{"say": "mus", "file": "1.wav"}]}
            ),
            _voice_folder,
        ),
        Reader("event", lambda: _json(EVENT), _of_text(event_from_json)),
        Reader(
            "call",
            lambda: _json({"type": "Bet", "seat": 1, "stones": 2}),
            _of_text(_json_refused(_call)),
        ),
        Reader(
            "act",
            lambda: [act_to_json(PairEnrolled(1, "Ana y Luis", ("Ana", "Luis"))).encode()],
            _of_text(act_from_json),
        ),
        Reader("archive", _archives, _of_file("a.mus-backup", _command("import", "--dry-run"))),
        Reader(
            "mqtt",
            _messages,
            _mqtt,
        ),
        Reader("telephone", _telephone_texts, _of_text(_telephone_text)),
        Reader("telephone-sound", _telephone_frames, lambda _folder: nullcontext(read_frame)),
        Reader("http", lambda: page.requests(_pictures()), page.page),
    )
}
REFUSALS = (MusError,)
"""The errors that a reader may raise."""
