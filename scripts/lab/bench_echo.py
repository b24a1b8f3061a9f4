"""How well are calls heard while the assistant speaks, and does it ever hear itself?

    python scripts/lab/bench_echo.py                    # three ratios, with and without: 6 minutes
    python scripts/lab/bench_echo.py --calls 60 --ratios 0 --json
    python scripts/lab/bench_echo.py --plain --voices es1,mx2 --show

Random deals are played. While the assistant's voice speaks a sentence about one call, another voice
says the next call in the middle of that sentence. Both reach the microphone through a simulated
room (image method, reverberation of 0.4 s). The sentence also passes through a loudspeaker that
distorts. Its clock runs 30 millionths fast, and it sounds 80 to 250 ms after its player was
started; the ear is not told this delay. Each evening is in another room and begins with a sentence
over which nobody speaks, as a game does. It needs `pip install '.[train]'` for the rooms.

Each row has the way of listening, the ratio (by how many dB the sentence is louder than the call at
the microphone), the number of calls, and the shares of calls right, wrong and asked about. In the
way "silent" the same calls come without a sentence, which shows what the ear can hear at all. In
the way "gate" the ear is shut while the voice speaks. A further line for each way gives how often,
in an hour of the assistant's own voice alone, the table took it for a call or asked about it. The
last line is the cost of echo cancellation.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    import pyroomacoustics
except ImportError as missing:
    print(f"bench_echo: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear import Ear, EchoGate, Recogniser
from assistant.ear.audio import RATE, read_wav, to_int16
from assistant.ear.echo import EchoCanceller, Sentence, sentence_of
from assistant.ear.hearing import attend
from assistant.ear.source import BLOCK, Block
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_phrases, load_toml, model_dir
from assistant.language.lexicon import Lexicon
from assistant.language.phrases import Level
from assistant.messages import Ask, Heard
from assistant.rules.errors import MusError
from assistant.rules.events import Event
from assistant.rules.state import State
from assistant.voice import VoiceSettings
from assistant.voice.speaker import Mouth
from scripts.lab.rendering.dealing import StuckError, deal, new_table
from scripts.lab.rendering.moments import happened, states
from scripts.lab.rendering.voices import Floats, Manner, Voice, speak, voices_named
from scripts.lab.rendering.wordings import Wordings

REVERBERATION = 0.4
LOUDSPEAKER, MOUTHS = 0.6, (0.5, 1.2)
"""Metres from the microphone."""
ROOM = (5.0, 4.0, 2.7)
TABLE = (2.5, 2.0, 0.8)
DISTORTION = 0.7
"""Drive of the hyperbolic tangent at the sentence's peak. A full sine gets 4% of third harmonic."""
FAST = 30e-6
DELAYS, UNEVEN = (0.08, 0.25), 0.02
"""Seconds from a player's start to its sound: in an evening, and by how much a sentence differs."""
LEVEL, SEATS = 0.05, (-4.0, 0.0)
"""Root mean square of a call at the microphone (full scale 1), and dB by which seats are softer."""
HISS = 10 ** (-66 / 20)
BEFORE, AFTER = 0.6, 1.6
"""Seconds of quiet before a sentence and after everything."""
AN_EVENING = 50
"""Calls in one room."""
WAYS = ("silent", "gate", "echo")


@dataclass(frozen=True, slots=True)
class Call:
    """A call, the table at which it is said, and the sentence (text, file) that it is said over."""

    state: State
    words: str
    wanted: tuple[Event, ...]
    said: Floats
    text: str
    file: Path
    own: Floats


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of the calls. ``asked``: the call did not count, but the table asked about it."""

    way: str
    ratio: float
    calls: int
    right: float
    wrong: float
    asked: float


@dataclass(frozen=True, slots=True)
class Alone:
    """How often the assistant's own voice alone was taken for a call, by the hour."""

    way: str
    minutes: float
    false_per_hour: float
    questions_per_hour: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What echo cancellation costs: share of a core while the voice speaks; MB of this process."""

    share_of_a_core: float
    megabytes: float


@dataclass(slots=True)
class Scene:
    """A live source with a clock of its own: its sound, and what the voice does when."""

    sound: Floats
    acts: list[tuple[float, Callable[[], object]]]
    now: float = 0.0
    live = True
    monitor = False
    dropped = 0
    name = "bench"

    def blocks(self) -> Iterator[Block]:
        """The sound, as fast as it is read."""
        pcm = to_int16(self.sound)
        for at in range(0, len(pcm) - BLOCK + 1, BLOCK):
            while self.acts and self.acts[0][0] <= at / RATE:
                self.acts.pop(0)[1]()
            self.now = (at + BLOCK) / RATE
            yield Block(pcm[at : at + BLOCK], self.now)

    def close(self) -> None:
        """Do nothing, because nothing is open."""


def main() -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    try:
        report = _measure(args)
    except (MusError, OSError) as error:
        print(f"bench_echo: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
        return 0
    print("way     echo over call  calls   right   wrong   asked")
    for row in report["calls"]:
        ratio = "      none" if row["way"] == "silent" else f"{row['ratio']:+7.0f} dB"
        shares = "".join(f"{row[name]:8.1%}" for name in ("right", "wrong", "asked"))
        print(f"{row['way']:7} {ratio:>14} {row['calls']:6}{shares}")
    for row in report["alone"]:
        print(
            f"{row['way']:7} alone, {row['minutes']:.0f} minutes of its own voice: "
            f"{row['false_per_hour']:.1f} false calls, {row['questions_per_hour']:.1f} questions "
            "an hour"
        )
    cost = report["cost"]
    print(f"cost: {cost['share_of_a_core']:.1%} of a core while it speaks", end="; ")
    print(f"{cost['megabytes']:.0f} MB for the whole bench")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--calls", type=int, default=200, help="number of calls at each ratio; default: %(default)s"
    )
    parser.add_argument(
        "--ratios", type=float, nargs="+", default=[-6.0, 0.0, 6.0], metavar="DB",
        help="how many dB the sentence is louder than the call (default: -6 0 6)",
    )  # fmt: skip
    parser.add_argument(
        "--ways", default=",".join(WAYS), help="ways of listening to compare; default: %(default)s"
    )
    parser.add_argument(
        "--voices",
        default="mbrola",
        metavar="NAMES",
        help="voices that say the calls; default: %(default)s",
    )
    parser.add_argument("--plain", action="store_true", help="use only the most usual wordings")
    parser.add_argument("--seed", type=int, default=1000, help="seed of the first deal")
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument("--show", action="store_true", help="print what was not understood")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measure(args: argparse.Namespace) -> dict[str, Any]:
    lexicon = load_lexicon(["es"])
    ways = args.ways.split(",")
    if unknown := set(ways) - set(WAYS):
        raise MusError(f"There is no way {min(unknown)!r}: choose of {', '.join(WAYS)}.")
    recogniser = Recogniser(model_dir(args.model), lexicon.grammar())
    with tempfile.TemporaryDirectory(prefix="mus-echo-") as folder:
        calls = _calls(args, voices_named(args.voices), lexicon, Path(folder))
        listener = Listener(recogniser, lexicon, args)
        rows = [
            asdict(listener.figures(calls, way, ratio))
            for way in ways
            for ratio in (args.ratios if way == "echo" else [0.0])
        ]
        alone = [asdict(listener.alone(calls, way)) for way in ways if way == "echo"]
        return {"calls": rows, "alone": alone, "cost": asdict(_cost(calls, args.seed))}


def _calls(
    args: argparse.Namespace, voices: Sequence[Voice], lexicon: Lexicon, folder: Path
) -> list[Call]:
    """Calls of random deals, each with what the assistant says of the call before it."""
    wordings = Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"), args.plain)
    phrases, rng = load_phrases("es"), random.Random(args.seed)
    mouth = Mouth(VoiceSettings("es", sounds=phrases.sounds))
    calls: list[Call] = []
    seed = args.seed
    try:
        while len(calls) < args.calls:
            seed += 1
            try:
                dealt = deal(seed, lexicon, wordings)
            except StuckError:
                continue
            tables = list(states(dealt, lexicon))
            for last, spoken, before, state in zip(
                dealt.spoken, dealt.spoken[1:], tables, tables[1:], strict=False
            ):
                text = phrases.say(last.events, before, state, level=Level.FULL)
                if not text or len(calls) >= args.calls:
                    continue
                file = folder / f"{len(calls)}.wav"
                mouth.render(text, file)
                own = np.concatenate(list(read_wav(file))).astype(np.float32) / np.float32(32768)
                manner = Manner(rng.uniform(0.9, 1.25), rng.uniform(0.92, 1.08))
                sound = speak(rng.choice(voices), spoken.words, manner)
                calls.append(Call(state, spoken.words, spoken.events, sound, text, file, own))
    finally:
        mouth.close()
    return calls


class Listener:
    """Plays evenings to the ear and counts what it hears."""

    def __init__(self, recogniser: Recogniser, lexicon: Lexicon, args: argparse.Namespace) -> None:
        self._recogniser = recogniser
        self._lexicon = lexicon
        self._seed: int = args.seed
        self._show: bool = args.show

    def figures(self, calls: Sequence[Call], way: str, ratio: float) -> Figures:
        """The figures of calls that are said over sentences."""
        right = wrong = asked = 0
        for call, heard in self._evenings(calls, way, ratio, spoken=True):
            events, questions = self._came(call, heard)
            right += events == call.wanted
            wrong += bool(events) and events != call.wanted
            asked += questions and not events
            if self._show and events != call.wanted:
                what = " | ".join(f"{one.text}{' (asked again)' * one.over}" for one in heard)
                print(f"{way:7}{ratio:+3.0f}  {call.text:60} {call.words:28} {what}")
        n = len(calls)
        return Figures(way, ratio, n, right / n, wrong / n, asked / n)

    def alone(self, calls: Sequence[Call], way: str) -> Alone:
        """The figures of the sentences alone, while nobody else speaks."""
        false = asked = 0
        for call, heard in self._evenings(calls, way, 0.0, spoken=False):
            events, questions = self._came(call, heard)
            false += bool(events)
            asked += questions
            if self._show and (events or questions):
                print(f"alone  {call.text:60} {' | '.join(one.text for one in heard)}")
        seconds = sum(len(call.own) for call in calls) / RATE
        return Alone(way, seconds / 60, false / seconds * 3600, asked / seconds * 3600)

    def _came(self, call: Call, heard: Sequence[Heard]) -> tuple[tuple[Event, ...], bool]:
        """What an utterance makes happen at the table, and whether the table asks something."""
        table = new_table(self._lexicon)
        table.state = call.state
        over = any(one.over for one in heard)
        asks = any(isinstance(out, Ask) for one in heard for out in table.propose(one))
        return happened(call.state, heard, self._lexicon), over or asks

    def _evenings(
        self, calls: Sequence[Call], way: str, ratio: float, *, spoken: bool
    ) -> Iterator[tuple[Call, list[Heard]]]:
        for first in range(0, len(calls), AN_EVENING):
            kind = way if spoken else f"{way} alone"
            print(f"{kind} {ratio:+.0f} dB: {first} of {len(calls)}", end="\r", file=sys.stderr)
            yield from self._evening(calls[first : first + AN_EVENING], way, ratio, first, spoken)
        print(" " * 60, end="\r", file=sys.stderr)

    def _evening(
        self, calls: Sequence[Call], way: str, ratio: float, number: int, spoken: bool
    ) -> Iterator[tuple[Call, list[Heard]]]:
        """Play one evening, from the first sentence to the last, to one ear in one room."""
        rng = np.random.default_rng([self._seed, number])
        sound, spans, acts = evening(calls, way, ratio, rng, spoken)
        scene = Scene(sound, [])
        gate = EchoGate(clock=lambda: scene.now)
        for start, end, file in acts:
            told = None if way == "gate" else file
            scene.acts += [(start, partial(gate.shut, told)), (end, gate.open)]
        heard: list[list[Heard]] = [[] for _ in calls]

        def at_call() -> int:
            return min(int(np.searchsorted(spans, scene.now)), len(calls) - 1)

        attend(self._recogniser, self._lexicon, lambda: calls[at_call()].state)
        failed: list[object] = []
        ear = Ear(
            scene,
            self._recogniser,
            gate,
            on_heard=lambda one: heard[at_call()].append(one),
            on_end=failed.append,
        )
        ear.start()
        ear.join()
        if failed[0]:
            raise MusError(str(failed[0]))
        yield from zip(calls, heard, strict=True)


def evening(
    calls: Sequence[Call], way: str, ratio: float, rng: np.random.Generator, spoken: bool
) -> tuple[Floats, list[float], list[tuple[float, float, Path]]]:
    """The sound at the microphone, the end of each call's part, and the start of each sentence."""
    to_loudspeaker = room(rng, LOUDSPEAKER)
    usual = rng.uniform(*DELAYS)
    longest = max(calls, key=lambda call: len(call.own))
    pieces: list[Floats] = []
    ends: list[float] = []
    acts: list[tuple[float, float, Path]] = []
    at = 0.0
    for call in (longest, *calls):
        greeting = not pieces
        level = LEVEL * 10 ** (rng.uniform(*SEATS) / 20)
        echo = through(distorted(call.own), to_loudspeaker)
        echo *= level * 10 ** (ratio / 20) / loud(call.own)
        voice = through(call.said, room(rng, rng.uniform(*MOUTHS)))
        voice *= level / loud(call.said)
        delay = usual + rng.uniform(-UNEVEN, UNEVEN)
        room_left = max(0.05, (len(call.own) - len(call.said)) / RATE)
        plays, speaks = BEFORE + delay, BEFORE + delay + rng.uniform(0, room_left)
        seconds = max(plays + len(echo) / RATE, speaks + len(voice) / RATE) + AFTER
        piece = rng.standard_normal(round(seconds * RATE / BLOCK) * BLOCK) * HISS
        if way != "silent":
            piece[round(plays * RATE) :][: len(echo)] += echo
            # A player process ends when its sound ends.
            acts.append((at + BEFORE, at + plays + len(call.own) / RATE, call.file))
        if spoken and not greeting:
            piece[round(speaks * RATE) :][: len(voice)] += voice
        pieces.append(piece.astype(np.float32))
        at += len(piece) / RATE
        ends.append(at)
    return np.concatenate(pieces), ends[1:], acts


def room(rng: np.random.Generator, metres: float) -> Floats:
    """The response of a room from somewhere this far from the microphone, with an energy of 1."""
    absorption, order = pyroomacoustics.inverse_sabine(REVERBERATION, ROOM)
    box = pyroomacoustics.ShoeBox(
        ROOM, RATE, materials=pyroomacoustics.Material(absorption), max_order=min(order, 20)
    )
    box.add_microphone(TABLE)
    angle = rng.uniform(0, 2 * np.pi)
    offset = (metres * np.cos(angle), metres * np.sin(angle), 0.2)
    box.add_source(np.add(TABLE, offset))
    box.compute_rir()
    response = box.rir[0][0]
    response = response[max(0, int(np.argmax(np.abs(response))) - 20) :]
    return np.asarray(response / np.sqrt(np.square(response).sum()), np.float32)


def distorted(own: Floats) -> Floats:
    """What a small loudspeaker with a clock of its own makes of a sentence."""
    peak = np.abs(own).max()
    bent = np.tanh(DISTORTION * own / peak) / DISTORTION * peak
    at = np.arange(len(own))
    return np.asarray(np.interp(at * (1 + FAST), at, bent), np.float32)


def through(sound: Floats, response: Floats) -> Floats:
    """A sound as it arrives through a room."""
    size = len(sound) + len(response) - 1
    both = np.fft.rfft(sound, size) * np.fft.rfft(response, size)
    return np.asarray(np.fft.irfft(both, size), np.float32)


def loud(sound: Floats) -> float:
    """The root mean square of the parts that are not silent."""
    return float(np.sqrt(np.mean(np.square(sound[np.abs(sound) > 0.005]))))


def _cost(calls: Sequence[Call], seed: int) -> Cost:
    """Measure the canceller alone, on sound that is all sentence."""
    own = np.concatenate([call.own for call in calls[:10]])
    heard = to_int16(np.asarray(through(own, room(np.random.default_rng(seed), LOUDSPEAKER)) / 4))
    canceller, sentence = EchoCanceller(), Sentence(own.astype(np.float64))
    rng = np.random.default_rng(seed)
    canceller.open(Block((rng.standard_normal(BLOCK) * 16).astype(np.int16), BLOCK / RATE))
    blocks = [
        Block(heard[at : at + BLOCK], (at + 2 * BLOCK) / RATE)
        for at in range(0, len(heard) - BLOCK + 1, BLOCK)
    ]
    began = time.process_time()
    sentence_of(calls[0].file)
    for block in blocks:
        canceller.shut(block, sentence)
    spent = time.process_time() - began
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Cost(spent / (len(heard) / RATE), kilobytes / 1024)


if __name__ == "__main__":
    sys.exit(main())
