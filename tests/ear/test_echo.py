"""Echo cancellation: a call over the assistant's sentence is heard, the sentence itself is not."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from assistant.ear import Ear, EchoGate, Recogniser
from assistant.ear.audio import RATE, Samples, read_wav, to_int16
from assistant.ear.echo import EchoCanceller, Sentence
from assistant.ear.source import BLOCK, Block
from assistant.messages import Heard
from assistant.voice import VoiceSettings
from assistant.voice.speaker import Mouth
from tests.ear.conftest import Say
from tests.ear.test_ear import Moments
from tests.voice.parts import needs_speech

pytestmark = needs_speech

ENVIDO = "Norte envida cinco a la grande, y Sur no quiere."
ORDAGO = "Órdago a la grande, de Ana. Ana quiere."
GREETING = "Empieza la partida. Es mano Norte, y hablan Norte y Sur."
PLAYED = ("mus", "paso", "envido", "no quiero", "paso")
"""Earlier sentences of the table, by which the ear learns the loudness of its voices."""
DELAY = round(0.13 * RATE)
"""The samples until a sentence sounds, which nobody tells the ear."""
LEVEL = 0.4
"""The loudspeaker is as loud at the microphone as the voice of a player."""
QUIET = 1.0
TAIL = round(0.3 * RATE)

Spoken = Callable[[str], Path]


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spoken]:
    """A sentence in the project's own voice, as the WAV file that a player gets."""
    folder, mouth = tmp_path_factory.mktemp("own"), Mouth(VoiceSettings("es"))

    def made(text: str) -> Path:
        path = folder / f"{abs(hash(text))}.wav"
        if not path.exists():
            mouth.render(text, path)
        return path

    with closing(mouth):
        yield made


def sound_of(path: Path) -> np.ndarray:
    return np.concatenate(list(read_wav(path))) / 32768


def in_room(own: np.ndarray, seed: int = 1) -> np.ndarray:
    """The sound as it returns to the microphone: late, softer, with 0.3 s of reverberation."""
    dice = np.random.default_rng(seed)
    length = round(0.3 * RATE)
    response = dice.standard_normal(length) * np.exp(-6.9 * np.arange(length) / length)
    response *= 0.5 / np.sqrt(np.square(response).sum())
    response[0] = 1.0
    return np.concatenate([np.zeros(DELAY), LEVEL * np.convolve(own, response)])


class Table:
    """Sound at the microphone, and a gate that tells the ear when the assistant speaks."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.gate = EchoGate(tail=0)
        self.moments: list[object] = [say(QUIET)]

    def sentence(self, file: Path, *calls: str | float, known: bool = True, seed: int = 1) -> None:
        """A sentence of the assistant, and the calls that are made from its start on."""
        echo = in_room(sound_of(file), seed)
        said = self.say(*calls) if calls else np.zeros(0, np.int16)
        mixed = np.zeros(max(len(echo), len(said)) + TAIL)
        mixed[: len(echo)] += echo
        mixed[: len(said)] += said / 32768
        noise = self.say(len(mixed) / RATE) / 32768
        heard = to_int16(np.asarray(mixed + noise[: len(mixed)], np.float32))
        end = len(echo) // BLOCK * BLOCK
        self.moments += [
            (lambda: self.gate.shut(file)) if known else self.gate.shut,
            heard[:end],
            self.gate.open,
            heard[end:],
            self.say(QUIET),
        ]

    def heard_by(self, recogniser: Recogniser) -> list[Heard]:
        heard: list[Heard] = []
        ear = Ear(Moments(*self.moments), recogniser, self.gate, on_heard=heard.append)
        ear.start()
        assert ear.join(60)
        played, rest = heard[: len(PLAYED)], heard[len(PLAYED) :]
        assert words(played) == list(PLAYED)
        return rest


@pytest.fixture
def table(say: Say, spoken: Spoken) -> Table:
    """A table that has played and heard calls, so the ear knows its voices and the loudspeaker."""
    made = Table(say)
    made.moments += [say(call, 0.8) for call in PLAYED]
    made.sentence(spoken(GREETING))
    made.sentence(spoken(ORDAGO))
    return made


def words(heard: list[Heard]) -> list[str]:
    return [one.text for one in heard]


def test_a_call_over_the_assistants_sentence_counts(
    table: Table, spoken: Spoken, recogniser: Recogniser
) -> None:
    table.sentence(spoken(ENVIDO), 1.2, "no quiero")
    assert words(table.heard_by(recogniser)) == ["no quiero"]


def test_the_assistants_own_sentences_are_no_calls(
    table: Table, spoken: Spoken, recogniser: Recogniser
) -> None:
    for sentence in (ENVIDO, ORDAGO, "Ana quiere.", ENVIDO):
        table.sentence(spoken(sentence))
    assert table.heard_by(recogniser) == []


def test_a_call_that_begins_before_the_sentence_and_ends_in_it_is_heard_whole(
    table: Table, say: Say, spoken: Spoken, recogniser: Recogniser
) -> None:
    call = say("envido cinco")
    table.moments.append(call[: len(call) // 2 // BLOCK * BLOCK])
    rest = call[len(call) // 2 // BLOCK * BLOCK :]
    file = spoken(ENVIDO)
    echo = in_room(sound_of(file))
    echo[: len(rest)] += rest / 32768
    table.moments += [
        lambda: table.gate.shut(file),
        to_int16(np.asarray(echo + say(len(echo) / RATE + 0.1)[: len(echo)] / 32768, np.float32)),
        table.gate.open,
        say(QUIET),
    ]
    assert words(table.heard_by(recogniser)) == ["envido cinco"]


def test_an_unknown_sentence_shuts_the_ear(
    table: Table, spoken: Spoken, recogniser: Recogniser
) -> None:
    table.sentence(spoken(ENVIDO), 1.2, "no quiero", known=False)
    assert words(table.heard_by(recogniser)) == []


def test_a_telephone_that_sounds_beside_the_voice_shuts_the_ear(
    table: Table, spoken: Spoken, recogniser: Recogniser
) -> None:
    table.moments.append(lambda: table.gate.hold(30.0))
    table.sentence(spoken(ENVIDO), 1.2, "no quiero")
    assert words(table.heard_by(recogniser)) == []


def test_a_moved_microphone_makes_no_call_of_the_next_sentences(
    table: Table, spoken: Spoken, recogniser: Recogniser
) -> None:
    for sentence in (ORDAGO, ENVIDO, "Ana quiere.", ORDAGO):
        table.sentence(spoken(sentence), seed=7)
    assert all(one.text == "[unk]" for one in table.heard_by(recogniser))


class Stream:
    """The blocks that come out of one canceller."""

    def __init__(self) -> None:
        self.canceller = EchoCanceller()
        self.given: list[tuple[Block, bool]] = []
        self.end = 0.0

    def open(self, sound: Samples) -> None:
        for block in self._blocks(sound):
            self.given += self.canceller.open(block)

    def shut(self, sound: Samples, sentence: Sentence | None) -> None:
        for block in self._blocks(sound):
            self.given += self.canceller.shut(block, sentence)

    def lose(self, seconds: float) -> None:
        self.end += seconds

    def _blocks(self, sound: Samples) -> list[Block]:
        blocks = []
        for at in range(0, len(sound), BLOCK):
            self.end += len(sound[at : at + BLOCK]) / RATE
            blocks.append(Block(sound[at : at + BLOCK], self.end))
        return blocks


def test_the_sound_comes_out_complete_in_order_and_with_its_own_times(
    say: Say, spoken: Spoken
) -> None:
    stream, quiet = Stream(), say(QUIET)
    own = sound_of(spoken(ENVIDO))
    echo = to_int16(np.asarray(in_room(own), np.float32))
    stream.open(quiet)
    stream.shut(echo, Sentence(own))
    stream.shut(echo, Sentence(own.copy()))  # without any pause between them
    stream.open(quiet)
    assert all(heard for _, heard in stream.given)
    at = 0.0
    for block, _ in stream.given:
        assert block.end - len(block.samples) / RATE == pytest.approx(at, abs=1e-6)
        at = block.end
    assert at == pytest.approx((2 * len(quiet) + 2 * len(echo)) / RATE)


def test_the_sound_of_the_room_stays_where_the_assistant_is_cancelled(
    say: Say, spoken: Spoken
) -> None:
    stream, quiet = Stream(), say(3.0)
    own = sound_of(spoken(ENVIDO))
    echo = in_room(own)
    noise = say(len(echo) / RATE + 0.1)[: len(echo)] / 32768
    mixed = to_int16(np.asarray(echo + noise, np.float32))
    stream.open(quiet)
    for _ in range(3):
        stream.shut(mixed, Sentence(own.copy()))
        stream.open(quiet)
    after = np.concatenate([block.samples for block, _ in stream.given]).astype(float)
    last = after[-len(quiet) - len(mixed) : -len(quiet)]
    difference = 10 * np.log10(np.mean(np.square(last)) / np.mean(np.square(quiet.astype(float))))
    assert abs(difference) < 3


def test_the_ear_is_deaf_to_a_sentence_during_which_sound_was_lost(
    say: Say, spoken: Spoken
) -> None:
    stream = Stream()
    own = sound_of(spoken(ENVIDO))
    echo = to_int16(np.asarray(in_room(own), np.float32))
    half = len(echo) // 2 // BLOCK * BLOCK
    sentence = Sentence(own)
    stream.open(say(QUIET))
    stream.shut(echo[:half], sentence)
    stream.lose(0.5)
    lost_at = stream.end
    stream.shut(echo[half:], sentence)
    assert not any(heard for block, heard in stream.given if block.end > lost_at)
