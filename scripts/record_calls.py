"""Record a person who reads calls aloud, and check and label each reading, for a donated set.

    python scripts/record_calls.py FOLDER --speaker laurel1
    python scripts/record_calls.py FOLDER --speaker laurel2 --mic jabra --limit 30

It takes about eight minutes for all of scripts/recording/es.txt, and a microphone. Each reading
that fits its text becomes a WAV file and a row of manifest.tsv, in the form that bench_ears.py and
train_model.py read (--human FOLDER). After Ctrl-C, the next run goes on. Nothing leaves the machine
by itself. Send the folder to whoever collects such sets, if everybody who speaks in it agrees.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.ear import AudioSource, Block, FileSource, MicrophoneSource
from assistant.ear.audio import RATE
from assistant.ear.network import BaseNetwork, load_base
from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from assistant.speakers.enrolled import write_wav
from assistant.speakers.enrolment import Enrolment, SaidPrompt
from assistant.speakers.mus_enrol import enrol_words, metered, read_aloud, say_over_meter
from scripts.lab.speechlab.spoken import prompt_of

TEXTS = Path(__file__).resolve().parent / "recording" / "es.txt"
MANIFEST = "manifest.tsv"
COLUMNS = ("path", "text", "lang", "kind", "speaker", "source", "commit", "licence", "orig_sr",
           "seconds")  # fmt: skip
SPEAKER = re.compile(r"[a-z][a-z0-9_]{1,30}")
NUMBERS = frozenset(
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte veintiuno veinticinco veintisiete veintiocho "
    "veintinueve treinta cuarenta y una".split()
)
TOGETHER = 15
"""Texts that a reading is compared with: what was read instead is often the one after it."""
CONSENT = """Vas a leer en voz alta unas {count} frases cortas de mus. Se guardan en
{folder} con la licencia {licence} y el seudónimo {speaker}, sin tu nombre: quien reciba
esa carpeta podrá usarlas para que un programa entienda el mus. Puedes parar con Ctrl-C y
borrar la carpeta."""


def main(arguments: list[str] | None = None) -> int:
    """Record. The exit status is 0 if all was read, 1 if texts are left, and 2 on an error."""
    args = _parser().parse_args(arguments)
    try:
        left = _record(args)
    except (MusError, OSError) as error:
        print(f"record_calls: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nLo leído está guardado; el mismo mandato sigue donde estaba.", file=sys.stderr)
        return 130
    _told(args, left)
    return int(bool(left))


class UsageError(MusError):
    """The command cannot do what the options ask for. The text says why in one sentence."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--speaker", required=True, metavar="CODE", help="code of the person who reads, not a name"
    )
    parser.add_argument(
        "--texts", type=Path, default=TEXTS, metavar="FILE", help="file with one text a line"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="ask for at most N texts")
    parser.add_argument(
        "--licence", default="CC0-1.0", help="licence of the recordings; default: %(default)s"
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help="do not ask for the agreement of the person who reads, because it was given before",
    )
    parser.add_argument("--mic", metavar="NAME", help="a part of the microphone's name")
    parser.add_argument(
        "--listen",
        type=Path,
        metavar="FILE.wav",
        help="take this recording in place of the microphone",
    )
    parser.add_argument("--json", action="store_true", help="print as JSON what has been recorded")
    return parser


def _record(args: argparse.Namespace) -> list[str]:
    """Let the person read what is left. Returns what is still left. Raises MusError, OSError."""
    if not SPEAKER.fullmatch(args.speaker):
        raise UsageError("--speaker takes small letters, digits and _, as in laurel1: no name.")
    base = load_base(model_dir())
    done = _done(args.folder, args.speaker)
    texts = [text for text in _texts(args.texts) if text not in done][: args.limit]
    if texts and not (args.yes or args.listen or _agreed(args, len(texts))):
        raise UsageError("Nothing was recorded: nobody agreed.")
    with closing(_source(args)) as source:
        blocks = metered(source, not args.json)
        for at in range(0, len(texts), TOGETHER):
            for said in _readings(blocks, texts[at : at + TOGETHER], base, args):
                _keep(args, said)
                done.add(said.say)
    return [text for text in _texts(args.texts) if text not in done]


def _readings(
    blocks: Iterator[Block], texts: list[str], base: BaseNetwork, args: argparse.Namespace
) -> Iterator[SaidPrompt]:
    enrolment = Enrolment([prompt_of(text, base) for text in texts], base)
    return read_aloud(blocks, enrolment, enrol_words("es"), partial(_say, args))


def _texts(path: Path) -> list[str]:
    """The texts to read. Raises UsageError if one is no Spanish spelling."""
    try:
        lines = [line.strip().lower() for line in path.read_text(encoding="utf-8").splitlines()]
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8: save it as UTF-8.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    texts = list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    for text in texts:
        if not re.fullmatch(r"[a-záéíóúüñ ]{1,80}", text):
            raise UsageError(f"{path}: {text[:40]!r} is no text of Spanish letters and spaces.")
    return texts


def _agreed(args: argparse.Namespace, count: int) -> bool:
    told = vars(args) | {"count": count}
    print(CONSENT.format(**told))
    try:
        return input("¿De acuerdo? (s/N) ").strip().lower() in ("s", "si", "sí")
    except EOFError:
        return False


def _source(args: argparse.Namespace) -> AudioSource:
    if args.listen:
        return FileSource(args.listen, realtime=False)
    return MicrophoneSource(args.mic)


def _done(folder: Path, speaker: str) -> set[str]:
    """The texts that this speaker has read already."""
    path = folder / MANIFEST
    if not path.is_file():
        return set()
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["text"] for row in rows if row.get("speaker") == speaker}


def _keep(args: argparse.Namespace, said: SaidPrompt) -> None:
    """Write the sound before its row, because a row without a sound would be the worse error."""
    name = Path("es", args.speaker, f"{said.say.replace(' ', '_')}.wav")
    path = args.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_wav(path, said.sound)
    manifest = args.folder / MANIFEST
    begins = not manifest.is_file()
    with manifest.open("a", encoding="utf-8") as file:
        if begins:
            file.write("\t".join(COLUMNS) + "\n")
        row = (name.as_posix(), said.say, "es", _kind(said.say), args.speaker, "record_calls", "",
               args.licence, str(RATE), f"{len(said.sound) / RATE:.2f}")  # fmt: skip
        file.write("\t".join(row) + "\n")


def _kind(text: str) -> str:
    words = text.split()
    if NUMBERS.issuperset(words):
        return "number"
    return "word" if len(words) == 1 else "phrase"


def _told(args: argparse.Namespace, left: list[str]) -> None:
    done = len(_done(args.folder, args.speaker))
    if args.json:
        told = {"folder": str(args.folder), "speaker": args.speaker, "read": done, "left": left}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(f"{args.folder}: {done} frases de {args.speaker}; faltan {len(left)}.")


def _say(args: argparse.Namespace, sentence: str) -> None:
    if not args.json:
        say_over_meter(sentence)


if __name__ == "__main__":
    sys.exit(main())
