"""The echo gate: shut while the voice speaks, a tail longer, and never for good."""

from threading import Thread

import pytest

from assistant.ear.echo import LONGEST, TAIL, EchoGate


class Clock:
    """Time that a test moves on."""

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


def test_it_stays_shut_while_the_voice_speaks_and_a_tail_longer(
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


def test_a_voice_that_died_does_not_leave_the_ear_deaf(gate: EchoGate, clock: Clock) -> None:
    gate.shut()
    clock.now += LONGEST + 0.1
    assert not gate.is_shut()


def test_many_threads_may_use_it_at_once(gate: EchoGate, clock: Clock) -> None:
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


def test_a_sound_of_ours_elsewhere_shuts_the_gate_for_as_long() -> None:
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


def test_the_voices_end_does_not_open_the_gate_while_a_telephone_still_sounds(
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


def test_a_telephones_end_does_not_open_the_gate_while_the_voice_still_speaks(
    gate: EchoGate, clock: Clock
) -> None:
    gate.hold(1.0)
    gate.shut()
    clock.now += 1.0 + 2 * TAIL
    assert gate.is_shut()
    gate.open()
    clock.now += TAIL * 1.1
    assert not gate.is_shut()
