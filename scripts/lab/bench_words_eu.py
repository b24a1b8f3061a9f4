"""How many Basque words does the speech model hear right, and what do they cost Spanish calls?

    python scripts/lab/bench_words_eu.py                     # the model that ships
    python scripts/lab/bench_words_eu.py --json --count 300

Random phrases of the lexicon are said aloud and heard by the real ear, with the grammars of tables
that speak Basque. MBROLA's Spanish voices, which never train, say espeak-ng's Basque sounds.
espeak-ng says its own. That voice did train, on Spanish and on Basque words spelled as Spanish: the
words are not new to the model, and the voice is new only in how it reads them. The pronunciations
in the model were chosen from books, not by these voices. It needs espeak-ng, MBROLA's voices
(docs/ear.md) and the packages of '.[train]' (numpy, scipy and soundfile are enough).

Each row is a table's languages and what was said: phrases, the percentage of words right (100 less
the word error rate), and the percentage of phrases right.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

try:
    import numpy as np

    from assistant.ear import Recogniser, transcribe
    from assistant.files.paths import data_dir
    from assistant.files.resources import load_lexicon, load_toml, model_dir
    from assistant.rules.errors import MusError
    from scripts.lab.rendering.deal import write_wav
    from scripts.lab.speechlab import (
        audio,
        basque_voices,
        human,
        mbrola,
        measuring,
        trials,
        vocabulary,
    )
    from scripts.lab.speechlab.basque_ipa import UnknownSoundError
    from scripts.lab.speechlab.trials import Trial
except ImportError as missing:
    print(f"bench_words_eu: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

MARGIN_S = 0.3
"""Seconds of silence around what is said."""
TABLES: tuple[tuple[str, ...], ...] = (("es", "eu"), ("eu",), ("iparralde",))
"""The languages of the tables that speak Basque; "iparralde" brings "eu" along."""
SPANISH_TABLES: tuple[tuple[str, ...], ...] = (("es",), ("es", "eu"))
UNKNOWN = "[unk]"
Say = Callable[[str, random.Random, Path], "audio.Samples | None"]


@dataclass(frozen=True, slots=True)
class Row:
    """The percentages heard right. `words` is 100 less the word error rate."""

    table: str
    said: str
    phrases: int
    words_right: float
    phrases_right: float


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        _check(options)
        rows = list(_measure(options))
    except (MusError, OSError, UnknownSoundError, human.MissingRecordingsError) as problem:
        print(f"bench_words_eu: {problem}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return 0
    print(f"{'table':10} {'said':34} {'phrases':>7} {'words %':>7} {'phrases %':>9}")
    for row in rows:
        print(
            f"{row.table:10} {row.said:34} {row.phrases:7} {row.words_right:7.1f}"
            f" {row.phrases_right:9.1f}"
        )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--count",
        type=int,
        default=150,
        help="number of calls that are said; half as many cards are said, too",
    )
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument(
        "--human", type=Path, help="folder of people's recordings, with a manifest.tsv"
    )
    parser.add_argument(
        "--babble",
        type=float,
        metavar="DB",
        help="put several talking people behind each phrase, this many dB below it",
    )
    parser.add_argument("--show", action="store_true", help="print what was misheard")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _check(options: argparse.Namespace) -> None:
    if options.count < 2:
        raise FileNotFoundError("--count: at least 2 phrases")
    if shutil.which("espeak-ng") is None:
        raise FileNotFoundError("espeak-ng is missing: apt install espeak-ng")
    if shutil.which("mbrola") is None or not mbrola.installed():
        raise FileNotFoundError("no MBROLA voice is installed: apt install mbrola mbrola-es1")


def _measure(options: argparse.Namespace) -> Iterator[Row]:
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="mus-words-") as name:
        folder = Path(name)
        basque = _basque(options, rng, folder)
        spanish = _said(_drawn("es", options.count, rng), "Spanish, MBROLA", _spanish, rng, folder)
        if options.babble is not None:
            crowd = spanish
            basque, spanish = (
                trials.in_babble(said, crowd, options.babble, options.seed)
                for said in (basque, spanish)
            )
        for languages in TABLES:
            yield from _heard(languages, basque, options, folder)
        for languages in SPANISH_TABLES:
            yield from _heard(languages, spanish, options, folder)


def _basque(options: argparse.Namespace, rng: random.Random, folder: Path) -> list[Trial]:
    """Basque phrases by both engines, and people's words if there are recordings."""
    texts = _drawn("eu", options.count, rng)
    said = [
        *_said(texts, "Basque, MBROLA", _mbrola, rng, folder),
        *_said(texts, "Basque, espeak-ng", _espeak, rng, folder),
    ]
    if options.human:
        known = load_lexicon(("eu",)).vocabulary()
        said += [
            Trial("Basque, people (trained)", row.text.lower(), _speech(row.path))
            for row in human.manifest(options.human)
            if row.language == "eu" and row.text and known.issuperset(row.text.lower().split())
        ]
    return said


def _speech(path: Path) -> audio.Samples:
    samples = audio.trimmed(audio.read(path))
    return samples if samples is not None else np.zeros(1, np.float32)


def _drawn(language: str, count: int, rng: random.Random) -> list[tuple[str, str]]:
    """Phrases with their kind: `count` calls, as often as the lexicon weighs them, and cards."""
    phrases = [phrase for phrase in load_lexicon((language,)).grammar() if phrase != UNKNOWN]
    cards = card_words(load_toml(data_dir("models") / language / "lexicon.toml"))
    calls = [phrase for phrase in phrases if not cards.issuperset(phrase.split())]
    shown = sorted({phrase for phrase in phrases if cards.issuperset(phrase.split())})
    return [
        *((rng.choice(calls), "calls") for _ in range(count)),
        *((rng.choice(shown), "cards, numbers") for _ in range(count // 2)),
    ]


def card_words(lexicon: dict[str, Any]) -> frozenset[str]:
    """The words that name numbers and cards."""
    cards = lexicon["cards"]
    tables = [lexicon["numbers"], cards["one"], cards["many"], cards["suits"]]
    names = [name for table in tables for row in table.values() for name in row]
    return frozenset(
        word for name in (*names, *cards["joins"], *cards["of"]) for word in name.split()
    )


def _said(
    texts: Sequence[tuple[str, str]], group: str, say: Say, rng: random.Random, folder: Path
) -> list[Trial]:
    """The phrases as the voices say them."""
    said = []
    for text, kind in texts:
        samples = say(text, rng, folder)
        if samples is None:
            print(f"bench_words_eu: no voice can say {text!r}", file=sys.stderr)
        else:
            said.append(Trial(f"{group}, {kind}", text, samples))
    return said


def _mbrola(text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    return _by_any(basque_voices.by_mbrola, text, rng, folder)


def _espeak(text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    return basque_voices.by_espeak(rng.choice(basque_voices.ESPEAK_VOICES), text, rng, folder)


def _spanish(text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    return _by_any(mbrola.speak, text, rng, folder)


def _by_any(
    speak: Callable[[mbrola.Voice, str, random.Random, Path], audio.Samples | None],
    text: str,
    rng: random.Random,
    folder: Path,
) -> audio.Samples | None:
    """The phrase by a random voice, or by another one if that lacks two sounds in a row."""
    voices = mbrola.installed()
    rng.shuffle(voices)
    said = (speak(voice, text, rng, folder) for voice in voices)
    return next((samples for samples in said if samples is not None), None)


def _heard(
    languages: tuple[str, ...], said: Sequence[Trial], options: argparse.Namespace, folder: Path
) -> Iterator[Row]:
    """Hear all trials at one table, and count them by row."""
    recogniser = Recogniser(model_dir(options.model), load_lexicon(languages).grammar())
    found: dict[str, list[tuple[int, int]]] = {}
    alike = vocabulary.load().alike
    for trial in said:
        words, got = trial.text.split(), _words(trial.samples, recogniser, folder / "heard.wav")
        wrong = measuring.edit_distance(words, got, alike)
        found.setdefault(trial.group, []).append((len(words), wrong))
        if options.show and wrong:
            print(f"{'+'.join(languages):10} {trial.text:34} {' '.join(got)}", file=sys.stderr)
    for group, counts in found.items():
        errors = [wrong for _, wrong in counts]
        yield Row(
            "+".join(languages), group, len(counts),
            round(100 * (1 - sum(errors) / sum(length for length, _ in counts)), 1),
            round(100 * errors.count(0) / len(counts), 1),
        )  # fmt: skip


def _words(samples: audio.Samples, recogniser: Recogniser, wav: Path) -> list[str]:
    silence = np.zeros(round(MARGIN_S * audio.RATE), np.float32)
    write_wav(wav, np.concatenate([silence, samples, silence]))
    words = " ".join(utterance.text for utterance in transcribe(wav, recogniser)).split()
    return [word for word in words if word != UNKNOWN]


if __name__ == "__main__":
    sys.exit(main())
