"""The ear's thread: what it delivers, what it leaves out, and how it ends."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.ear import (
    PAUSE,
    SETTLED,
    AudioSource,
    Ear,
    EarState,
    EchoGate,
    FileSource,
    Recogniser,
    ear,
)
from assistant.ear.audio import RATE, Samples, SpeechError
from assistant.ear.ear import MONITOR
from assistant.ear.levels import DEAD, TOO_LOUD, TOO_SLOW
from assistant.ear.recogniser import transcribe
from assistant.ear.source import BLOCK, Block, NoMicrophone, SourceLost
from assistant.messages import Heard
from tests.ear import wav
from tests.ear.conftest import Say


class Witness:
    """A listener that keeps everything the ear delivers, in order."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.partials: list[str] = []
        self.states: list[tuple[EarState, str]] = []
        self.ended: list[SpeechError | None] = []

    def ear(self, source: AudioSource, recogniser: Recogniser, gate: EchoGate) -> Ear:
        return Ear(
            source,
            recogniser,
            gate,
            on_heard=lambda heard: self.heard.append(heard.text),
            on_partial=self.partials.append,
            on_state=lambda state, note: self.states.append((state, note)),
            on_end=self.ended.append,
        )


class Moments:
    """A live source that plays sounds without delay and runs functions between them."""

    live = True
    monitor = False
    dropped = 0
    name = "moments"

    def __init__(self, *moments: object) -> None:
        self._moments = list(moments)
        self._at = 0.0

    def blocks(self) -> Iterator[Block]:
        while self._moments:
            moment = self._moments.pop(0)
            if isinstance(moment, Exception):
                raise moment
            if callable(moment):
                moment()
                continue
            assert isinstance(moment, np.ndarray)
            for start in range(0, len(moment), BLOCK):
                samples = moment[start : start + BLOCK]
                self._at += len(samples) / RATE
                yield Block(samples, self._at)

    def close(self) -> None:
        self._moments.clear()


class Borrower:
    """A borrower that the ear's sound is lent to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def take(self, block: Block) -> None:
        self.seconds += len(block.samples) / RATE


@pytest.fixture
def witness() -> Witness:
    return Witness()


@pytest.fixture
def recording(tmp_path: Path, say: Say) -> Path:
    sound: Samples = say(0.5, "mus", 0.6, "no hay mus", 0.6, "envido cinco")
    return wav.write(tmp_path / "deal.wav", sound / 32768, RATE)


def test_a_recording_is_heard_to_its_last_word_before_its_end_is_reported(
    recording: Path, recogniser: Recogniser, witness: Witness
) -> None:
    heard_at_end: list[int] = []
    listening = witness.ear(FileSource(recording, realtime=False), recogniser, EchoGate())
    listening._on_end = lambda _: heard_at_end.append(len(witness.heard))
    listening.start()
    assert listening.join(20)
    assert witness.heard == ["mus", "no hay mus", "envido cinco"]
    assert heard_at_end == [3]
    assert witness.states == [(EarState.LISTENING, ""), (EarState.OFF, "")]
    assert "mus" in witness.partials


def test_transcribing_a_file_gives_the_same_as_listening_to_it(
    recording: Path, recogniser: Recogniser
) -> None:
    found = transcribe(recording, recogniser)
    assert [heard.text for heard in found] == ["mus", "no hay mus", "envido cinco"]


def test_the_assistants_voice_is_not_heard_and_words_after_it_are(
    recogniser: Recogniser, say: Say, witness: Witness
) -> None:
    gate = EchoGate(tail=0)
    source = Moments(
        say(0.4, "paso", 0.6),
        gate.shut,
        say("envido cinco", 0.6),
        gate.open,
        say(0.4, "quiero", 0.6),
    )
    listening = witness.ear(source, recogniser, gate)
    listening.start()
    assert listening.join(20)
    assert witness.heard == ["paso", "quiero"]


def test_words_just_before_the_assistants_voice_are_not_lost(
    recogniser: Recogniser, say: Say, witness: Witness
) -> None:
    gate = EchoGate(tail=0)
    source = Moments(say(0.4, "paso"), gate.shut, say("envido cinco", 0.6))
    listening = witness.ear(source, recogniser, gate)
    listening.start()
    assert listening.join(20)
    assert witness.heard == ["paso"]


@pytest.mark.parametrize(("said", "cut"), [("envido", True), ("no hay mus", False)])
def test_an_utterance_interrupted_by_the_assistants_voice_is_marked_as_cut(
    recogniser: Recogniser, say: Say, said: str, cut: bool
) -> None:
    recogniser.pause_after = lambda text: PAUSE if text == "envido" else SETTLED
    gate = EchoGate(tail=0)
    heard: list[Heard] = []
    spoken = np.trim_zeros(say(0.4, said), "b")
    source = Moments(spoken, gate.shut, say("cinco", 0.6))
    listening = Ear(source, recogniser, gate, on_heard=heard.append)
    listening.start()
    assert listening.join(20)
    assert [(one.text, one.cut) for one in heard] == [(said, cut)]


def test_a_paused_ear_ignores_all_speech(
    recogniser: Recogniser, say: Say, witness: Witness
) -> None:
    listening: list[Ear] = []
    source = Moments(
        say(0.4, "paso", 0.6),
        lambda: listening[0].pause(),
        say("envido", 0.6),
        lambda: listening[0].resume(),
        say(0.4, "quiero", 0.6),
    )
    listening.append(witness.ear(source, recogniser, EchoGate()))
    listening[0].start()
    assert listening[0].join(20)
    assert witness.heard == ["paso", "quiero"]
    assert [state for state, _ in witness.states] == [
        EarState.LISTENING, EarState.PAUSED, EarState.LISTENING, EarState.OFF,
    ]  # fmt: skip


def test_a_lost_microphone_is_reported_and_opened_again(
    recogniser: Recogniser, say: Say, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ear, "RETRY", 0.01)
    source = Moments(
        say(0.4, "paso"),
        SourceLost("It went away."),
        NoMicrophone("Not yet."),
        say(0.4, "quiero", 0.6),
    )
    listening = witness.ear(source, recogniser, EchoGate())
    listening.start()
    assert listening.join(20)
    assert witness.heard == ["paso", "quiero"]
    assert (EarState.LOST, "It went away.") in witness.states
    assert witness.states[-2][0] is EarState.LISTENING
    assert witness.ended == [None]


def test_a_microphone_that_was_never_there_ends_the_ear_with_a_sentence(
    recogniser: Recogniser, witness: Witness
) -> None:
    listening = witness.ear(Moments(NoMicrophone("Plug one in.")), recogniser, EchoGate())
    listening.start()
    assert listening.join(20)
    assert [str(error) for error in witness.ended] == ["Plug one in."]
    assert witness.states == [(EarState.OFF, "Plug one in.")]


@pytest.mark.parametrize("after", [0.0, 0.2])
def test_stopping_ends_the_thread_at_once_and_reports_it_once(
    recording: Path, recogniser: Recogniser, witness: Witness, after: float
) -> None:
    listening = witness.ear(FileSource(recording), recogniser, EchoGate())
    listening.start()
    threading.Event().wait(after)
    listening.stop()
    listening.stop()
    assert listening.join(0)
    assert witness.ended == [None]


def test_the_failure_of_a_listener_is_reported_as_the_end(
    recording: Path, recogniser: Recogniser, witness: Witness
) -> None:
    def fail(_: Heard) -> None:
        raise RuntimeError("no table")

    listening = witness.ear(FileSource(recording, realtime=False), recogniser, EchoGate())
    listening._on_heard = fail
    listening.start()
    assert listening.join(20)
    assert "no table" in str(witness.ended[0])


def test_dropped_sound_is_counted_and_reported(
    recogniser: Recogniser, say: Say, witness: Witness, caplog: pytest.LogCaptureFixture
) -> None:
    source: Moments = Moments(say(5.0), lambda: setattr(source, "dropped", 7), say(5.5))
    listening = witness.ear(source, recogniser, EchoGate())
    listening.start()
    assert listening.join(20)
    assert (EarState.LISTENING, TOO_SLOW) in witness.states
    assert listening.dropped == 7
    assert "7 blocks" in caplog.text


def test_a_source_that_gives_the_machines_own_sound_is_noted(
    recogniser: Recogniser, say: Say, witness: Witness
) -> None:
    source = Moments(say(0.5))
    source.monitor = True
    listening = witness.ear(source, recogniser, EchoGate())
    listening.start()
    assert listening.join(20)
    assert (EarState.LISTENING, MONITOR) in witness.states


def test_a_badly_set_up_microphone_is_noted_on_the_screen(
    recogniser: Recogniser, say: Say, witness: Witness
) -> None:
    loud = np.clip(say(0.2, "paso", 0.2).astype(np.int32) * 60, -32768, 32767).astype(np.int16)
    listening = witness.ear(
        Moments(np.zeros(11 * RATE, np.int16), np.tile(loud, 20)), recogniser, EchoGate()
    )
    listening.start()
    assert listening.join(20)
    notes = [note for state, note in witness.states if state is EarState.LISTENING]
    assert notes[1] == DEAD
    assert notes[-1] == TOO_LOUD


def test_a_borrower_does_not_take_back_sound_lent_to_somebody_else(
    recogniser: Recogniser, say: Say, witness: Witness
) -> None:
    first, second = Borrower(), Borrower()
    source = Moments(
        lambda: listening.lend(first.take),
        say(0.2),
        lambda: listening.lend(second.take),
        lambda: listening.take_back(first.take),
        say(0.4, "paso", 0.6),
        lambda: listening.take_back(second.take),
        say(0.4, "mus", 0.6),
    )
    listening: Ear = witness.ear(source, recogniser, EchoGate())
    listening.start()
    assert listening.join(20)
    assert first.seconds == pytest.approx(0.2)
    assert second.seconds > 1.0
    assert witness.heard == ["mus"]
    assert not listening.is_lent_to(second.take)
