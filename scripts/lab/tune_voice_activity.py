"""How much voice must a sound hold to be heard: what keeps the calls and rejects the noise?

    python scripts/lab/tune_voice_activity.py --audio FOLDER [--json]

The shipped model hears calls by pico and espeak-ng, single words by people who may train, and noise
without words, made and recorded, with the application's grammar. A call counts if it was heard word
for word. Noise counts if it became words and no [unk] (which the lexicon refuses anyway). FOLDER
holds manifest.tsv and noise/; nothing that measures is in it. It needs `pip install '.[train]'`.

Each row has a strictness of webrtcvad (mode), a strength of pitch, the most seconds of voice that
an utterance may be required to have while 99.5% of the calls are kept (least), the shares of calls
and of people's words kept, and the share of the noise's words rejected. The last line has the
rejected share by kind of noise, as shipped.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

try:
    import webrtcvad

    from assistant.ear import Recogniser
    from assistant.ear.audio import RATE, Samples, to_int16
    from assistant.ear.source import BLOCK, Block
    from assistant.ear.voice_activity import (
        FRAME,
        LEAST,
        LEEWAY,
        MODE,
        PERIODIC,
        WINDOW,
        PitchedVoice,
        pitch_at,
    )
    from assistant.files.paths import data_dir
    from assistant.files.resources import load_lexicon, load_toml, model_dir
    from assistant.messages import Heard
    from assistant.rules.errors import MusError
    from scripts.lab.rendering.dealing import StuckError, deal
    from scripts.lab.rendering.voices import voices_named
    from scripts.lab.rendering.wordings import Wordings
    from scripts.lab.speechlab import human, scenes
    from scripts.lab.speechlab.scenes import Scene
except ImportError as missing:
    print(
        f"tune_voice_activity: {missing.name} is missing: pip install '.[train]'", file=sys.stderr
    )
    sys.exit(2)

KEPT = 0.995
"""Share of the calls that must be kept."""
MODES = (0, 1, 2, 3)
STRENGTHS = (0.0, 0.5, 0.55, 0.6, 0.65, 0.7)
"""Of the pitch; 0 is webrtcvad alone."""
UNKNOWN = "[unk]"
CALL, PEOPLE, NOISE = "calls", "people", "noise"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of sound to be judged, with its speaker and room, or its kind of noise.

    speech     for each mode, which frames webrtcvad takes for speech
    strengths  the pitch of each frame
    shipped    seconds of voice by PitchedVoice with the ear's settings
    """

    of: str
    kind: str
    speech: tuple[npt.NDArray[np.bool_], ...]
    strengths: npt.NDArray[np.float64]
    shipped: float

    def voiced(self, mode: int, strength: float) -> float:
        """Seconds of voice with these settings."""
        held = self.speech[mode] & (self.strengths >= strength)
        return float(np.count_nonzero(held)) * FRAME / RATE


@dataclass(frozen=True, slots=True)
class Row:
    """Settings, the shares of calls and people's words kept, and of noise's words rejected."""

    mode: int
    periodic: float
    least: float
    calls: float
    people: float
    rejected: float
    by_kind: dict[str, float]


class Everything:
    """A detector that finds a voice in every sound: what the ear hears without a detector."""

    def feed(self, samples: Samples) -> None:
        """Listen to nothing."""

    def voiced(self, start: float, end: float) -> float:
        """All of it."""
        return end - start + 1


class Listener:
    """Hears scenes one after another, as one sound, and judges the results."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self._detectors = [webrtcvad.Vad(mode) for mode in MODES]
        self._voice = PitchedVoice()
        self._fed = 0

    def calls(self, scene: Scene) -> Iterator[Span]:
        """Every call that is heard word for word."""
        for heard, start, end in self._heard(scene):
            if any(
                heard.text == said.text and start < said.end and end > said.start
                for said in scene.said
            ):
                yield self._span(CALL, scene.kind, start, end)

    def people(self, scene: Scene) -> Iterator[Span]:
        """What people say, words of the game or not."""
        self._listen(scene)
        for said in scene.said:
            yield self._span(PEOPLE, scene.kind, said.start, said.end)

    def noise(self, scene: Scene) -> Iterator[Span]:
        """Everything in the noise that became words."""
        for heard, start, end in self._heard(scene):
            if UNKNOWN not in heard.text.split():
                yield self._span(NOISE, scene.kind, start, end)

    def _heard(self, scene: Scene) -> list[tuple[Heard, float, float]]:
        """What was heard, with its begin and end in seconds of the scene."""
        sound = self._listen(scene)
        found: list[Heard] = []
        for at in range(0, len(sound), BLOCK):
            samples = sound[at : at + BLOCK]
            end = self._recogniser.now + len(samples) / RATE
            results = self._recogniser.feed(Block(samples, end))
            found += [result for result in results if isinstance(result, Heard)]
        found += self._recogniser.flush()
        began = self._recogniser.now - len(sound) / RATE
        return [
            (heard, heard.words[0].start - began, heard.words[-1].end - began) for heard in found
        ]

    def _listen(self, scene: Scene) -> Samples:
        sound = to_int16(np.clip(scene.samples, -1, 1))
        sound = sound[: len(sound) // FRAME * FRAME]  # so that frames begin with scenes
        frames = [sound[at : at + FRAME].tobytes() for at in range(0, len(sound), FRAME)]
        self._speech = [
            np.array([detector.is_speech(frame, RATE) for frame in frames], bool)
            for detector in self._detectors
        ]
        self._sound = np.concatenate([np.zeros(WINDOW, np.int16), sound])
        self._voice.feed(sound)
        self._began = self._fed / RATE
        self._fed += len(sound)
        return sound

    def _span(self, of: str, kind: str, start: float, end: float) -> Span:
        start, end = start - LEEWAY, end + LEEWAY
        first, last = (max(0, round(at * RATE / FRAME)) for at in (start, end))
        speech = tuple(verdicts[first:last] for verdicts in self._speech)
        ends = WINDOW + (np.arange(first, first + len(speech[0])) + 1) * FRAME
        shipped = self._voice.voiced(self._began + max(0.0, start), self._began + end)
        return Span(of, kind, speech, pitch_at(self._sound, ends).strength, shipped)


def main(arguments: list[str] | None = None) -> int:
    """Run the command. The exit status is 2 if it cannot be run."""
    options = _parser().parse_args(arguments)
    try:
        spans = list(_spans(options))
    except (MusError, OSError, human.MissingRecordingsError) as problem:
        print(f"tune_voice_activity: {problem}", file=sys.stderr)
        return 2
    rows = [_best(spans, mode, strength) for mode in MODES for strength in STRENGTHS]
    shipped = _row(spans, MODE, PERIODIC, LEAST, [span.shipped for span in spans])
    counts = {of: sum(span.of == of for span in spans) for of in (CALL, PEOPLE, NOISE)}
    if options.json:
        told = {"counts": counts, "shipped": asdict(shipped), "rows": [asdict(row) for row in rows]}
        print(json.dumps(told, indent=1))
    else:
        _print_table(rows, shipped, counts)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--audio", type=Path, required=True, metavar="FOLDER")
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument(
        "--calls", type=int, default=600, help="number of calls; default: %(default)s"
    )
    parser.add_argument(
        "--people", type=int, default=150, help="number of words by people; default: %(default)s"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=180,
        help="seconds of each kind of noise; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _spans(options: argparse.Namespace) -> Iterator[Span]:
    rng = np.random.default_rng(options.seed)
    recorded = scenes.recordings(options.audio / "noise")
    grammar = load_lexicon().grammar()
    listener = Listener(Recogniser(model_dir(options.model), grammar, voice=Everything()))
    texts = list(islice(_texts(), options.calls))
    random.Random(options.seed).shuffle(texts)
    for scene in scenes.of_calls(texts, voices_named("pico,espeak"), recorded, rng):
        yield from listener.calls(scene)
    for scene in scenes.of_people(options.audio, options.people, recorded, rng):
        yield from listener.people(scene)
    for scene in scenes.of_noise(options.seconds, recorded, rng):
        yield from listener.noise(scene)


def _texts() -> Iterator[str]:
    """The texts of one random deal after another."""
    lexicon = load_lexicon()
    wordings = Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"))
    seed = 0
    while True:
        seed += 1
        try:
            yield from (spoken.words for spoken in deal(seed, lexicon, wordings).spoken)
        except StuckError:
            continue


def _best(spans: Sequence[Span], mode: int, strength: float) -> Row:
    """The row with the most voice that may be required."""
    seconds = [span.voiced(mode, strength) for span in spans]
    calls = sorted(x for x, span in zip(seconds, spans, strict=True) if span.of == CALL)
    least = calls[int((1 - KEPT) * len(calls))]
    return _row(spans, mode, strength, least, seconds)


def _row(
    spans: Sequence[Span], mode: int, strength: float, least: float, seconds: Sequence[float]
) -> Row:
    # Half a frame below, since seconds are sums of hundredths.
    kept = [x > least - FRAME / RATE / 2 for x in seconds]
    kinds = sorted({span.kind for span in spans if span.of == NOISE})

    def share(of: str, kind: str | None = None) -> float:
        judged = [
            k for k, span in zip(kept, spans, strict=True)
            if span.of == of and kind in (None, span.kind)
        ]  # fmt: skip
        return sum(judged) / max(1, len(judged))

    by_kind = {kind: round(1 - share(NOISE, kind), 3) for kind in kinds}
    return Row(
        mode, strength, round(least, 2), round(share(CALL), 4), round(share(PEOPLE), 4),
        round(1 - share(NOISE), 3), by_kind,
    )  # fmt: skip


def _print_table(rows: Sequence[Row], shipped: Row, counts: dict[str, int]) -> None:
    print(", ".join(f"{count} {of}" for of, count in counts.items()))
    print("mode  pitch  least   calls  people  noise rejected")
    for row in (*rows, shipped):
        print(
            f"{row.mode:4} {row.periodic:6.2f} {row.least:5.2f}s {row.calls:7.1%} {row.people:7.1%}"
            f" {row.rejected:7.0%}" + ("  as shipped" if row is shipped else "")
        )
    print(", ".join(f"{kind} {share:.0%}" for kind, share in shipped.by_kind.items()))


if __name__ == "__main__":
    sys.exit(main())
