"""How many single calls does the table understand, and how often does talk become a call?

    python scripts/lab/bench_calls.py                   # MBROLA's voices, none of which trains
    python scripts/lab/bench_calls.py --voices pico,espeak --floors 0.2 0.3 0.4 0.5

Synthesised voices say random deals. Each call is heard by itself, at a table that stands where the
deal truly stands, so one missed call spoils nothing after it (unlike in bench_deals.py). The table
talk comes from rendering/table_talk.txt and is heard at four moments of a deal. It needs the voices
that --voices names. --floors tries values of the lexicon's ``floor``; to choose one, measure on
voices that are not the ones whose figures are quoted.

Each row is one floor: calls that were said; the shares of them that the table understood, took for
another call, and missed; and how often it took talk for a call, in an hour of talk. The line below
a row says at which moments these false calls happened.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.ear import Recogniser
from assistant.ear.audio import RATE
from assistant.files.paths import data_dir
from assistant.files.resources import lexicon_tables, load_lexicon, load_toml, model_dir
from assistant.language.lexicon import Lexicon, lexicon_from
from assistant.language.script import parse_script
from assistant.messages import Heard
from assistant.rules.errors import MusError
from assistant.rules.events import Event
from assistant.rules.state import State
from scripts.lab.rendering.deal import Setting, render, write_wav
from scripts.lab.rendering.dealing import StuckError, deal
from scripts.lab.rendering.moments import (
    AFTERWARDS,
    MARGIN,
    MOMENTS,
    excerpts,
    happened,
    heard_at,
    state_after,
)
from scripts.lab.rendering.voices import Floats, Manner, Voice, speak, voices_named
from scripts.lab.rendering.wordings import Wordings

TALK = Path(__file__).parent / "rendering" / "table_talk.txt"


@dataclass(frozen=True, slots=True)
class Heeded:
    """One call, what was heard of it, and the table at which it was said."""

    state: State
    wanted: tuple[Event, ...]
    words: str
    heard: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """A piece of talk, what was heard of it, and the table at which it was said."""

    state: State
    heard: tuple[tuple[Heard, ...], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Calls understood, mistaken or missed; and talk that was taken for a call, by the hour."""

    floor: float
    calls: int
    right: float
    wrong: float
    missed: float
    talk_minutes: float
    false_per_hour: float
    false_at: dict[str, int]
    """False calls in all of the talk, by the moment at which they happened."""


def main() -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    try:
        figures = _measure(args)
    except (MusError, OSError) as error:
        print(f"bench_calls: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps([asdict(row) for row in figures]))
        return 0
    print("floor  calls   right   wrong  missed  false calls an hour of talk")
    for row in figures:
        print(
            f"{row.floor:5.2f} {row.calls:6} {row.right:7.1%} {row.wrong:7.1%} {row.missed:7.1%}"
            f"  {row.false_per_hour:.1f} (in {row.talk_minutes:.0f} minutes)"
        )
        print("       " + ", ".join(f"{moment} {n}" for moment, n in row.false_at.items()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=20, help="number of deals; default: %(default)s"
    )
    parser.add_argument(
        "--voices",
        default="mbrola",
        metavar="NAMES",
        help="voices that say the calls; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1000, help="seed of the first deal")
    parser.add_argument(
        "--noise",
        type=Path,
        metavar="FILE.wav",
        help="recording of a room's noise, to be put behind the speech",
    )
    parser.add_argument(
        "--snr",
        type=float,
        metavar="DB",
        help="how many dB the speech is above the noise (default: 15)",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument(
        "--lexicon", default="es", metavar="CODES", help="languages that the ear knows, as es+eu"
    )
    parser.add_argument(
        "--floors", type=float, nargs="+", metavar="P", help="values of the lexicon's floor to try"
    )
    parser.add_argument("--show", action="store_true", help="print what was not understood")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measure(args: argparse.Namespace) -> list[Figures]:
    codes = args.lexicon.split("+")
    lexicon = load_lexicon(codes)
    recogniser = Recogniser(model_dir(args.model), lexicon.grammar())
    voices = voices_named(args.voices)
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "heard.wav"
        calls = list(_calls(args, voices, recogniser, lexicon, wav))
        sounds = _talk(voices)
        seconds = sum(len(sound) for sound in sounds) / RATE
        talk = _talk_at_every_moment(sounds, recogniser, lexicon, wav)
    floors = args.floors or [lexicon.hearing.floor]
    if args.show:
        _show(calls, lexicon)
    return [_figures(floor, calls, talk, seconds, codes) for floor in floors]


def _calls(
    args: argparse.Namespace,
    voices: Sequence[Voice],
    recogniser: Recogniser,
    lexicon: Lexicon,
    wav: Path,
) -> Iterator[Heeded]:
    """Hear every call of the deals, each cut out of its recording."""
    wordings = Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"))
    seed, done = args.seed, 0
    while done < args.deals:
        seed += 1
        try:
            dealt = deal(seed, lexicon, wordings)
        except StuckError:
            continue
        done += 1
        snr = (args.snr if args.snr is not None else 15.0) if args.noise else None
        setting = Setting(tuple(voices), seed, noise=args.noise, snr=snr)
        recording = render(parse_script(dealt.script()), setting)
        for call in excerpts(dealt, recording, lexicon):
            write_wav(wav, call.sound)
            heard = heard_at(call.state, wav, recogniser, lexicon)
            yield Heeded(call.state, call.spoken.events, call.spoken.words, heard)


def _talk(voices: Sequence[Voice]) -> list[Floats]:
    """Hear every sentence of the talk in two voices."""
    sounds = []
    sentences = TALK.read_text(encoding="utf-8").splitlines()
    rng = random.Random(0)
    for i, sentence in enumerate(sentences):
        for k in (0, 1):
            voice = voices[(2 * i + 3 * k) % len(voices)]
            sounds.append(speak(voice, sentence.lower(), Manner(rng.uniform(0.9, 1.2))))
    return sounds


def _talk_at_every_moment(
    sounds: Sequence[Floats], recogniser: Recogniser, lexicon: Lexicon, wav: Path
) -> dict[str, Talk]:
    """What the ear of a table hears in the talk, at each moment of a deal."""
    silence = np.zeros(round(MARGIN * RATE), np.float32)
    found = {}
    for moment, said in {**MOMENTS, **AFTERWARDS}.items():
        state, heard = state_after(said, lexicon), []
        for sound in sounds:
            write_wav(wav, np.concatenate([silence, sound, silence]))
            heard.append(heard_at(state, wav, recogniser, lexicon))
        found[moment] = Talk(state, tuple(heard))
    return found


def _figures(
    floor: float,
    calls: list[Heeded],
    talk: Mapping[str, Talk],
    seconds: float,
    codes: Sequence[str],
) -> Figures:
    lexicon = _with_floor(floor, codes)
    came = [(happened(call.state, call.heard, lexicon), call.wanted) for call in calls]
    right = sum(events == wanted for events, wanted in came)
    wrong = sum(bool(events) and events != wanted for events, wanted in came)
    false_at = {
        moment: sum(bool(happened(at.state, heard, lexicon)) for heard in at.heard)
        for moment, at in talk.items()
    }
    false = sum(false_at[moment] for moment in MOMENTS)
    n = len(calls)
    return Figures(
        floor=floor,
        calls=n,
        right=right / n,
        wrong=wrong / n,
        missed=(n - right - wrong) / n,
        talk_minutes=seconds / 60,
        false_per_hour=false / len(MOMENTS) / (seconds / 3600),
        false_at=false_at,
    )


def _with_floor(floor: float, codes: Sequence[str]) -> Lexicon:
    tables = lexicon_tables(codes)
    tables[0]["hearing"]["floor"] = floor  # the counts come from the first file
    return lexicon_from(*tables)


def _show(calls: list[Heeded], lexicon: Lexicon) -> None:
    for call in calls:
        if happened(call.state, call.heard, lexicon) != call.wanted:
            heard = " | ".join(utterance.text for utterance in call.heard)
            print(f"{call.state.phase:8} {call.words:28} {heard}")


if __name__ == "__main__":
    sys.exit(main())
