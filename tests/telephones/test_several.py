"""Several telephones as one source: the speaker is heard over any network and microphones."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from assistant.ear.audio import RATE
from assistant.ear.echo import EchoCanceller, Sentence
from assistant.ear.source import BLOCK, AudioSource, Block
from assistant.speakers.who_spoke import ChannelLevels, SeatPatterns
from assistant.telephones.seat_choice import EVERY, LEFT, MicrophoneGains
from assistant.telephones.several import MIDDLE, WAITS, SeatTaken, Telephones
from tests.contracts.audio_source_contract import AudioSourceContract
from tests.telephones.table import Phone, SimulatedTable, loudness, said, voice

TURNS = [(1.0 + 0.9 * turn, 1 + turn % 4) for turn in range(24)]
"""Each seat speaks in turn, six times."""
SECONDS = 24.0


class TestNobodyThere(AudioSourceContract):
    """Without any telephone there is silence, as long as it is listened to."""

    def make(self) -> AudioSource:
        return Telephones(4)


class Hum:
    """A table's own microphone that hums."""

    name, dropped, live, monitor = "a hum", 0, True, False

    def __init__(self) -> None:
        self._closed = threading.Event()

    def blocks(self) -> Iterator[Block]:
        self._closed.clear()
        end = 0.0
        hum = (8000 * np.sin(2 * np.pi * 300 * np.arange(BLOCK) / RATE)).astype(np.int16)
        while not self._closed.wait(BLOCK / RATE):
            end += BLOCK / RATE
            yield Block(hum, end)

    def close(self) -> None:
        self._closed.set()


class TestTheMiddleAlone(AudioSourceContract):
    """The table's own microphone is one more line."""

    def make(self) -> AudioSource:
        return Telephones(4, middle=Hum())

    def test_it_is_heard(self, source: AudioSource) -> None:
        blocks = self.first_blocks(source, 1.5)
        assert max(int(np.abs(block.samples.astype(int)).max()) for block in blocks) > 6000


def test_a_seat_has_one_microphone_at_most() -> None:
    source = Telephones(4)
    line = source.join(2, "Ana's")
    with pytest.raises(SeatTaken, match="Ana's"):
        source.join(2, "another")
    line.leave()
    line.leave()
    again = source.join(2, "another")
    line.leave()
    with pytest.raises(SeatTaken):
        source.join(2, "a third")
    assert (again.seat, again.name) == (2, "another")


def test_who_speaks_is_heard_from_his_own_telephone() -> None:
    table = SimulatedTable(said(SECONDS, TURNS))
    source, lines = table.lines()
    blocks, mixed = table.listen(source)
    for at, seat in TURNS[8:-1]:
        assert loudness(mixed, at + 0.1, at + 0.5) == pytest.approx(-20, abs=3)
        inside = [block.levels for block in blocks if at + 0.15 < block.end < at + 0.55]
        assert {int(np.argmax(levels)) + 1 for levels in inside} == {seat}
    assert all(line.status().heard is not None for line in lines)


def test_gains_of_twelve_decibels_are_learnt_and_evened_out() -> None:
    phones = tuple(Phone(gain=10 ** (decibels / 20)) for decibels in (6, -6, 0, -3))
    table = SimulatedTable(said(SECONDS, TURNS), phones)
    source, _ = table.lines()
    blocks, mixed = table.listen(source)
    levels = [loudness(mixed, at + 0.1, at + 0.5) for at, _ in TURNS[8:-1]]
    assert max(levels) - min(levels) < 4
    for at, seat in TURNS[8:-1]:
        inside = [block.levels for block in blocks if at + 0.15 < block.end < at + 0.55]
        assert int(np.argmax(np.mean(inside, axis=0))) + 1 == seat


def test_the_rooms_noise_tells_the_gains_before_anybody_speaks() -> None:
    phones = tuple(Phone(gain=10 ** (decibels / 20)) for decibels in (6, -6, 0, -3))
    sounds = said(6.0, [(3.0, 2), (4.0, 4)])
    sounds += 0.02 * np.random.default_rng(3).standard_normal((len(sounds), 1))
    source, _ = (table := SimulatedTable(sounds, phones)).lines()
    blocks, _ = table.listen(source)
    for at, seat in ((3.0, 2), (4.0, 4)):
        inside = [block.levels for block in blocks if at + 0.15 < block.end < at + 0.55]
        assert [int(np.argmax(levels)) + 1 for levels in inside] == [seat] * len(inside)


def test_microphones_own_noise_tells_no_gains() -> None:
    gains = MicrophoneGains()
    for _ in range(100):
        gains.hear_room((1, 2, 3, 4), 1e-6 * np.array([4.0, 1.0, 0.5, 2.0]))
    assert gains.of((1, 2, 3, 4)).tolist() == [0, 0, 0, 0]


def test_a_channel_that_is_missing_for_a_moment_costs_nothing_that_was_learnt() -> None:
    gains, whole = MicrophoneGains(), MicrophoneGains()
    dice = np.random.default_rng(4)
    for block in range(2 * EVERY):
        levels = np.array([3.0, -3.0, 1.0, -1.0]) + 5 * np.eye(4)[dice.integers(4)]
        gains.learn((1, 2, 3, 4), levels)
        whole.learn((1, 2, 3, 4), levels)
        if block % 3 == 0:
            gains.learn((1, 2, 4), levels[[0, 1, 3]])
    assert gains.of((1, 2, 3, 4)).tolist() == whole.of((1, 2, 3, 4)).tolist()
    assert gains.of((1, 2, 3, 4)) == pytest.approx([3.0, -3.0, 1.0, -1.0], abs=0.5)
    for _ in range(LEFT + 10 * EVERY):  # until it counts as gone, and the others are measured
        gains.learn((1, 2, 4), np.array([-2.0, 5.0, -3.0]) + 5 * np.eye(3)[dice.integers(3)])
    assert gains.of((1, 2, 4)) == pytest.approx([-2.0, 5.0, -3.0], abs=0.5)


def test_a_voice_equally_loud_at_all_is_made_fainter() -> None:
    turns = [*TURNS, (SECONDS - 1.3, 0)]
    table = SimulatedTable(said(SECONDS, turns))
    source, _ = table.lines()
    _, mixed = table.listen(source)
    players = loudness(mixed, TURNS[-3][0] + 0.1, TURNS[-3][0] + 0.5)
    television = loudness(mixed, SECONDS - 1.0, SECONDS - 0.8)
    assert television < players - 6


def test_the_first_sound_of_a_call_is_not_cut() -> None:
    turns = TURNS[:20]
    table = SimulatedTable(said(SECONDS, turns))
    source, _ = table.lines()
    _, mixed = table.listen(source)
    for at, seat in turns[8:]:
        own = table.sounds[:, seat - 1]
        assert loudness(mixed, at, at + 0.05) > loudness(own, at, at + 0.05) - 3


def test_jitter_of_200_ms_and_lost_packets_cost_no_call_and_bounded_delay() -> None:
    phones = tuple(Phone(jitter=0.2, loses=0.02, ppm=ppm) for ppm in (50, -50, 20, 0))
    table = SimulatedTable(said(SECONDS, TURNS), phones)
    source, lines = table.lines()
    _, mixed = table.listen(source)
    for at, _ in TURNS[8:-1]:
        assert loudness(mixed, at + 0.1, at + 0.5) > -24
    assert max(table.lags) < WAITS + 0.2
    for line in lines:
        status = line.status()
        assert 0 < status.lost < 0.08
        assert 0.1 < status.delay < WAITS + 0.15


def test_a_telephone_that_stops_holds_nobody_up_for_long_and_comes_back() -> None:
    phones = (Phone(silent=(8.0, 14.0)), Phone(), Phone(), Phone())
    table = SimulatedTable(said(SECONDS, TURNS), phones)
    source, _ = table.lines()
    blocks, mixed = table.listen(source)
    assert [block.end for block in blocks] == sorted(block.end for block in blocks)
    late = [lag for lag in table.lags if lag > 0.25]
    assert len(late) < 20
    for at, seat in TURNS[8:-1]:
        if seat != 1 or at > 17:
            assert loudness(mixed, at + 0.1, at + 0.5) > -25
    assert np.isnan(blocks[200].levels).tolist() == [True, False, False, False]
    assert np.isfinite(blocks[-20].levels).all()


def test_while_one_telephone_is_away_the_others_tell_who_speaks() -> None:
    table = SimulatedTable(said(SECONDS, TURNS), (Phone(silent=(8.0, 16.0)), *[Phone()] * 3))
    source, _ = table.lines()
    blocks, _ = table.listen(source)
    heard, there = ChannelLevels(), SeatPatterns(4, {seat: seat - 1 for seat in (1, 2, 3, 4)})
    for block in blocks:
        heard.feed(block.end, block.levels)
        for at, seat in TURNS:
            if 9.0 < at < 15.0 and at + 0.45 <= block.end < at + 0.5:
                shares = there.of(heard.pattern(at + 0.1, at + 0.4))
                if seat != 1:
                    assert np.argmax(shares) + 1 == seat
                    assert max(shares) > 0.8 * sum(shares)
                else:  # he may be anybody without a telephone
                    assert max(shares[1:], default=0.0) < 0.5


def test_two_missing_telephones_tell_nobodys_seat() -> None:
    gone = Phone(silent=(8.0, 16.0))
    table = SimulatedTable(said(SECONDS, TURNS), (gone, Phone(), gone, Phone()))
    source, _ = table.lines()
    blocks, _ = table.listen(source)
    assert blocks[200].levels == ()


def test_a_line_that_leaves_in_the_middle_is_waited_for_no_more() -> None:
    table = SimulatedTable(said(8.0, TURNS[:8]))
    source, lines = table.lines()
    heard = []
    for block in source.blocks():
        heard.append(table.now - block.end)
        if len(heard) == 60:
            lines[3].leave()
    assert max(heard) < 0.25
    assert len(heard) > 140


def test_what_a_browser_holds_back_is_aligned() -> None:
    phones = (Phone(), Phone(held=0.04), Phone(held=0.02), Phone(held=0.01))
    turns = [(0.5 + 0.7 * turn, turn % 5) for turn in range(32)]
    table = SimulatedTable(said(SECONDS, turns, others=0.6), phones)
    source, lines = table.lines()
    table.listen(source)
    shifts = [line._shift - lines[0]._shift for line in lines]
    assert shifts == pytest.approx([0, -0.04, -0.02, -0.01], abs=0.006)


def test_one_unchanging_telephone_is_heard_while_the_assistant_speaks() -> None:
    turns = [*TURNS[:11], (11.1, 0)]
    table = SimulatedTable(said(13.0, turns), speaking=lambda: True)
    source, _ = table.lines()
    _, mixed = table.listen(source)
    own = [-20 if seat in (0, 1) else -26 for _, seat in turns]
    assert [loudness(mixed, at + 0.1, at + 0.5) for at, _ in turns] == pytest.approx(own, abs=1)


def test_the_assistants_own_voice_is_taken_out_of_what_four_telephones_hear() -> None:
    """Their clocks differ, so the path to several of them at once would never stay the same."""
    sentence = voice(4.0, 150.0)
    sounds = 1e-3 * np.random.default_rng(5).standard_normal((round(8 * RATE), 4))
    for phone, late in enumerate((0.1, 0.102, 0.101, 0.103)):
        first = round((2 + late) * RATE)
        sounds[first : first + len(sentence), phone] += 0.5 * sentence
    speaks = [False]
    phones = tuple(Phone(ppm=ppm, jitter=0.02) for ppm in (50, -50, 20, -20))
    table = SimulatedTable(sounds, phones, speaking=lambda: speaks[0])
    source, _ = table.lines()
    canceller, said_now = EchoCanceller(), Sentence(sentence)
    echo, left = [], []
    for block in source.blocks():
        speaks[0] = 2.0 < table.now < 6.2
        given = canceller.shut(block, said_now) if speaks[0] else canceller.open(block)
        if 3.5 < block.end < 5.5:
            echo.append(np.mean(np.square(block.samples.astype(float))))
        left += [
            np.mean(np.square(one.samples.astype(float)))
            for one, heard in given if heard and 3.5 < one.end < 5.5
        ]  # fmt: skip
    assert len(left) >= len(echo) - 1, "it was found, so players are heard meanwhile"
    assert 10 * np.log10(np.mean(echo) / np.mean(left)) > 20


def test_a_reader_that_is_late_loses_sound_and_says_so() -> None:
    table = SimulatedTable(said(12.0, TURNS[:12]))
    source, _ = table.lines()
    ends = []
    for block in source.blocks():
        ends.append(block.end)
        if len(ends) == 40:
            table._pass(4.0)
    assert source.dropped > 20
    assert max(np.diff(ends)) > 1.0


def test_the_middle_is_no_seat() -> None:
    source = Telephones(4)
    source.join(MIDDLE, "the table's")
    for seat in range(1, 5):
        source.join(seat, "a telephone")
