"""A telephone's clock: offset and drift from the arrival of packets, and the buffer behind it."""

import numpy as np
import pytest

from assistant.ear.audio import RATE
from assistant.telephones.clocks import LATE_AGAIN, RESYNC, ClockMap, JitterBuffer


def _minutes_of_packets(clock: ClockMap, ppm: float, jitter: float, minutes: float) -> float:
    """Packets of 20 ms by a clock so much slower than ours; ours at the end."""
    dice = np.random.default_rng(5)
    came = 0.0
    for number in range(int(minutes * 60 * 50)):
        at = number * 0.02
        came = at * (1 + ppm * 1e-6) + 7.0 + dice.uniform(0, jitter)
        clock.note(100 + at, came)
    return came


@pytest.mark.parametrize("ppm", [-50.0, 0.0, 50.0])
def test_drift_is_measured_through_200_ms_of_jitter(ppm: float) -> None:
    clock = ClockMap()
    _minutes_of_packets(clock, ppm, 0.2, 4)
    assert clock.ppm == pytest.approx(ppm, abs=8)
    true = 7.0 - 100 + 240 * ppm * 1e-6
    assert clock.offset(340) == pytest.approx(true, abs=0.008)


def test_our_time_and_the_telephones_are_each_others_inverse() -> None:
    clock = ClockMap()
    now = _minutes_of_packets(clock, 40.0, 0.02, 2)
    there = clock.theirs(now)
    assert there + clock.offset(there) == pytest.approx(now, abs=1e-6)


def test_a_packet_that_took_long_is_late_and_moves_nothing() -> None:
    clock = ClockMap()
    for number in range(50):
        assert clock.note(number * 0.02, number * 0.02 + 3) == pytest.approx(0)
    assert clock.note(1.0, 4.1) == pytest.approx(0.1)
    assert clock.offset(1.0) == pytest.approx(3)


def test_a_page_that_slept_is_measured_anew() -> None:
    clock = ClockMap()
    for number in range(100):
        clock.note(number * 0.02, number * 0.02)
    late = [clock.note(2 + number * 0.02, 12 + number * 0.02) for number in range(150)]
    assert late[0] == pytest.approx(10)
    assert late[-1] < RESYNC
    assert sum(one > RESYNC for one in late) * 0.02 <= LATE_AGAIN + 0.1


def test_a_lost_packet_is_a_hole_that_is_told() -> None:
    buffer = JitterBuffer()
    tone = np.full(320, 0.5, np.float32)
    assert buffer.write(tone, 10.0) == 0
    assert buffer.write(tone, 10.04) == 320
    assert buffer.write(tone, 10.06) == 0
    sound, missing = buffer.read(10.0, 1200)
    assert missing == pytest.approx(320 / 1200, abs=0.02)
    assert abs(sound[480]) < 0.01
    assert sound[900] == pytest.approx(0.5, abs=0.01)


def test_what_comes_out_of_order_fills_its_hole() -> None:
    buffer = JitterBuffer()
    tone = np.full(320, 0.5, np.float32)
    for at in (10.0, 10.04, 10.02):
        buffer.write(tone, at)
    _, missing = buffer.read(10.0, 900)
    assert missing == pytest.approx(0, abs=0.02)


def test_a_clock_of_milliseconds_makes_no_holes() -> None:
    buffer = JitterBuffer()
    dice = np.random.default_rng(2)
    lost = [
        buffer.write(np.ones(320, np.float32), 5 + n * 0.02 + dice.uniform(-0.004, 0.004))
        for n in range(100)
    ]
    assert sum(lost) == 0


def test_a_drifting_tone_is_read_without_distortion() -> None:
    buffer = JitterBuffer()
    time = np.arange(3 * RATE) / RATE
    buffer.write((0.5 * np.sin(2 * np.pi * 3000 * time)).astype(np.float32), 0.0)
    pieces = [buffer.read(0.1 + n * 0.05 * (1 + 50e-6), 800)[0] for n in range(40)]
    read = np.concatenate(pieces[30:])  # by then it keeps pace
    ours = np.arange(len(read)) / RATE
    basis = np.stack([wave(2 * np.pi * 3000.15 * ours) for wave in (np.sin, np.cos)])
    left = read - np.linalg.lstsq(basis.T, read, rcond=None)[0] @ basis
    assert 10 * np.log10(np.mean(np.square(left)) / np.mean(np.square(read))) < -40


def test_what_never_came_is_silence() -> None:
    buffer = JitterBuffer()
    buffer.write(np.ones(320, np.float32), 1.0)
    sound, missing = buffer.read(3.0, 800)
    assert missing == 1.0
    assert not sound.any()


def test_a_steady_reader_is_not_corrected_wherever_it_is_wanted() -> None:
    buffer = JitterBuffer()
    buffer.write(np.arange(RATE, dtype=np.float32), 0.0)
    assert buffer.read(0.1, 400)[0][0] == pytest.approx(0.1 * RATE, abs=0.1)
    followed, _ = buffer.read(0.3, 400, steady=1.0)  # 0.175 s further on: it would jump
    assert followed[0] == pytest.approx(0.1 * RATE + 400, abs=0.1)
    assert buffer.read(0.5, 400)[0][0] == pytest.approx(0.5 * RATE, abs=0.1)
