"""The echo gate, and barge-in while it is shut."""

from threading import Thread

import numpy as np
import pytest

from assistant.ear import Ear, Recogniser
from assistant.ear.audio import RATE, Samples
from assistant.ear.echo import LONGEST, TAIL, EchoGate, Hidden, SpokenOver
from assistant.ear.source import BLOCK, Block
from assistant.messages import Heard
from tests.ear.conftest import Say
from tests.ear.test_ear import Moments

# ---- The echo gate: shut while the voice speaks and for a tail after it, and never for good -----


class Clock:
    """A clock that the test moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gate(clock: Clock) -> EchoGate:
    return EchoGate(clock=clock)


def test_a_new_gate_is_open(gate: EchoGate) -> None:
    assert not gate.is_shut()


def test_the_gate_stays_shut_while_the_voice_speaks_and_for_its_tail(
    gate: EchoGate, clock: Clock
) -> None:
    gate.shut()
    clock.now += 10
    assert gate.is_shut()
    gate.open()
    clock.now += TAIL * 0.9
    assert gate.is_shut()
    clock.now += TAIL * 0.2
    assert not gate.is_shut()


def test_a_second_sentence_during_the_tail_keeps_it_shut(gate: EchoGate, clock: Clock) -> None:
    gate.shut()
    gate.open()
    clock.now += TAIL / 2
    gate.shut()
    clock.now += 3 * TAIL
    assert gate.is_shut()


def test_opening_an_open_gate_does_not_shut_it(gate: EchoGate) -> None:
    gate.open()
    assert not gate.is_shut()


def test_a_voice_that_died_leaves_the_gate_shut_for_a_limited_time_only(
    gate: EchoGate, clock: Clock
) -> None:
    gate.shut()
    clock.now += LONGEST + 0.1
    assert not gate.is_shut()


def test_many_threads_may_use_the_gate_at_once(gate: EchoGate, clock: Clock) -> None:
    def speak() -> None:
        for _ in range(500):
            gate.shut()
            gate.open()

    threads = [Thread(target=speak) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    clock.now += TAIL
    assert not gate.is_shut()


def test_a_sound_of_ours_on_a_telephone_shuts_the_gate_for_its_length() -> None:
    now = [0.0]
    gate = EchoGate(tail=0.25, clock=lambda: now[0])
    gate.hold(2.0)
    now[0] = 2.2
    assert gate.is_shut()
    now[0] = 2.3
    assert not gate.is_shut()


def test_a_short_sound_does_not_open_the_gate_before_a_long_one_is_over() -> None:
    now = [0.0]
    gate = EchoGate(tail=0.25, clock=lambda: now[0])
    gate.hold(5.0)
    gate.hold(1.0)
    now[0] = 5.2
    assert gate.is_shut()


def test_the_voices_end_does_not_open_the_gate_while_a_telephone_sounds(
    gate: EchoGate, clock: Clock
) -> None:
    gate.shut()
    gate.hold(5.0)
    clock.now += 1.0
    gate.open()
    clock.now += 4.0 + TAIL * 0.9
    assert gate.is_shut()
    clock.now += TAIL * 0.2
    assert not gate.is_shut()


def test_a_telephones_end_does_not_open_the_gate_while_the_voice_speaks(
    gate: EchoGate, clock: Clock
) -> None:
    gate.hold(1.0)
    gate.shut()
    clock.now += 1.0 + 2 * TAIL
    assert gate.is_shut()
    gate.open()
    clock.now += TAIL * 1.1
    assert not gate.is_shut()


# ---- Barge-in is noticed; the assistant's own voice and its echo are not ------------------------


ROOM, OWN = -60.0, -30.0


class Sound:
    """Blocks of noise through a gate, at a level in dB below full scale."""

    def __init__(self) -> None:
        self.spoken_over = SpokenOver()
        self.found: list[Hidden] = []
        self._dice = np.random.default_rng(3)

    def _block(self, level: float) -> Block:
        sound = self._dice.normal(0, 32768 * 10 ** (level / 20), BLOCK)
        return Block(np.clip(sound, -32768, 32767).astype(np.int16), 0.0)

    def shut(self, *levels: float) -> None:
        for level in levels:
            self.spoken_over.shut(self._block(level))

    def open(self, *levels: float) -> None:
        for level in levels:
            if hidden := self.spoken_over.opened(self._block(level)):
                self.found.append(hidden)

    def sentence(self, *said: float) -> None:
        """A sentence of the assistant, its echo, and a pause."""
        self.shut(*said, OWN - 8, OWN - 12, OWN - 16, OWN - 20, OWN - 24)
        self.open(*[ROOM] * 40)


@pytest.fixture
def sound() -> Sound:
    made = Sound()
    made.open(*[ROOM] * 40)
    made.sentence(*[OWN] * 20)
    return made


def test_the_assistants_own_sentences_are_no_barge_in(sound: Sound) -> None:
    for louder in (0, 3, -2, 4, 2):
        sound.sentence(*[OWN + louder] * 30)
    assert sound.found == []


def test_a_call_during_a_sentence_is_noticed_once(sound: Sound) -> None:
    sound.sentence(*[OWN] * 8, *[OWN + 9] * 8, *[OWN] * 8)
    assert sound.found == [Hidden.WITHIN]


def test_a_glass_put_down_during_a_sentence_is_no_call(sound: Sound) -> None:
    sound.sentence(*[OWN] * 8, OWN + 15, OWN + 9, *[OWN] * 8)
    assert sound.found == []


def test_a_call_that_goes_on_after_the_sentence_is_noticed(sound: Sound) -> None:
    sound.shut(*[OWN] * 10, *[OWN + 1] * 5)
    sound.open(*[OWN] * 6, *[ROOM] * 20)
    assert sound.found == [Hidden.THROUGH]


def test_a_call_that_begins_after_the_sentence_is_no_barge_in(sound: Sound) -> None:
    sound.shut(*[OWN] * 10, *[ROOM] * 5)
    sound.open(ROOM, OWN, OWN, OWN, ROOM)
    assert sound.found == []


def test_the_echo_of_a_hall_is_no_barge_in(sound: Sound) -> None:
    # It falls by 60 dB in two seconds, and the tail of the gate ends within that.
    fading = [OWN - 1.5 * at for at in range(20)]
    sound.shut(*[OWN] * 20, *fading[:5])
    sound.open(*fading[5:])
    assert sound.found == []


def test_during_the_first_sentence_no_barge_in_is_noticed() -> None:
    sound = Sound()
    sound.open(*[ROOM] * 40)
    sound.sentence(*[OWN] * 8, *[OWN + 9] * 8, *[OWN] * 8)
    assert sound.found == []


def softly(sound: Samples) -> Samples:
    return (sound / 4).astype(np.int16)


def heard_of(recogniser: Recogniser, *moments: object) -> list[Heard]:
    gate = EchoGate(tail=0)
    acts = {"shut": gate.shut, "open": gate.open}
    heard: list[Heard] = []
    source = Moments(*(acts.get(one, one) if isinstance(one, str) else one for one in moments))
    ear = Ear(source, recogniser, gate, on_heard=heard.append)
    ear.start()
    assert ear.join(30)
    return heard


def test_the_rest_of_a_call_is_asked_about_and_never_taken_for_another(
    recogniser: Recogniser, say: Say
) -> None:
    whole = say(1.0, "envido cinco", 1.0)
    cut = RATE + round(0.45 * RATE)
    heard = heard_of(recogniser, whole[:RATE], "shut", whole[RATE:cut], "open", whole[cut:])
    assert [one.over for one in heard] == [True]


def test_a_call_hidden_by_a_sentence_is_asked_about_once_though_it_is_repeated(
    recogniser: Recogniser, say: Say
) -> None:
    own = softly(say("no hay mus", 0.3))
    over = own + np.resize(say("envido cinco"), len(own))
    quiet = say(1.0)
    heard = heard_of(
        recogniser, quiet, "shut", own, "open", quiet, "shut", over, "open", quiet,
        "shut", over, "open", quiet, say("paso", 0.6),
    )  # fmt: skip
    assert [(one.text, one.over) for one in heard] == [("", True), ("paso", False)]
