"""What telephones send, read strictly: every bad message is refused with one code and sentence."""

from __future__ import annotations

import struct
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.telephones.seats import (
    HEADER,
    MOST_SAMPLES,
    SENTENCES,
    Allowance,
    Closing,
    Hello,
    SoundGaps,
    TelephoneError,
    TelephonePing,
    read_frame,
    read_hello,
    read_said,
)
from tests.tables import each_row

HELLO = '{"is":"hello","seat":2,"key":"ab12","name":"Pixel 7","take":false}'


def test_a_hello_and_a_ping_are_read() -> None:
    assert read_hello(HELLO) == Hello(2, "ab12", "Pixel 7", take=False)
    ping = '{"is":"ping","at":12.5,"battery":0.5,"charging":true}'
    assert read_said(ping) == TelephonePing(12.5, 0.5, charging=True)
    assert read_said(ping.replace("0.5,", "null,")) == TelephonePing(12.5, None, charging=True)


def test_a_frame_has_its_number_its_time_and_its_samples() -> None:
    samples = np.array([0, 1, -32768, 32767], "<i2")
    frame = read_frame(struct.pack("<IQ", 7, 1_500_000) + samples.tobytes())
    assert (frame.number, frame.at) == (7, 1.5)
    assert frame.samples.tolist() == samples.tolist()
    assert frame.samples.dtype == np.int16


@each_row(
    "text, closing",
    [
        ("", Closing.BAD),
        ("[]", Closing.BAD),
        ("{", Closing.BAD),
        ("[" * 500, Closing.BAD),
        ('{"is":"hello"}', Closing.BAD),
        (HELLO.replace("2", "true"), Closing.BAD),
        (HELLO.replace("2", '"2"'), Closing.BAD),
        (HELLO.replace("ab12", ""), Closing.BAD),
        (HELLO.replace("ab12", "a" * 41), Closing.BAD),
        (HELLO.replace("Pixel 7", "a\\nb"), Closing.BAD),
        (HELLO.replace("Pixel 7", "a" * 31), Closing.BAD),
        (HELLO.replace("false", "0"), Closing.BAD),
        (HELLO.replace("Pixel 7", "a" * 600), Closing.TOO_MUCH),
    ],
)
def test_a_bad_hello_is_refused(text: str, closing: Closing) -> None:
    with pytest.raises(TelephoneError) as refused:
        read_hello(text)
    assert refused.value.closing == closing
    assert str(refused.value) == SENTENCES[closing]


@each_row(
    "text",
    [
        HELLO,
        '{"is":"ping","at":NaN,"battery":null,"charging":true}',
        '{"is":"ping","at":Infinity,"battery":null,"charging":true}',
        '{"is":"ping","at":1,"battery":1.5,"charging":true}',
        '{"is":"ping","at":1,"battery":-1,"charging":true}',
        '{"is":"ping","at":"1","battery":1,"charging":true}',
    ],
)
def test_a_bad_ping_is_refused(text: str) -> None:
    with pytest.raises(TelephoneError):
        read_said(text)


@each_row(
    "data",
    [
        b"",
        bytes(HEADER.size - 1),
        bytes(HEADER.size),
        bytes(HEADER.size + 1),
        bytes(HEADER.size + 2 * MOST_SAMPLES + 2),
        struct.pack("<IQ", 0, 2**63) + bytes(2),
    ],
)
def test_a_bad_frame_is_refused(data: bytes) -> None:
    with pytest.raises(TelephoneError):
        read_frame(data)


@given(st.binary(max_size=2 * HEADER.size + 8), st.text(max_size=80))
def test_whatever_comes_is_taken_or_refused(data: bytes, text: str) -> None:
    for read in (lambda: read_frame(data), lambda: read_hello(text), lambda: read_said(text)):
        with suppress(TelephoneError):
            read()


def test_every_closing_has_a_sentence_that_fits_a_close_frame() -> None:
    assert set(SENTENCES) == set(Closing)
    assert all(len(sentence.encode()) <= 123 for sentence in SENTENCES.values())


def test_missing_frames_are_counted_and_old_ones_refused() -> None:
    gaps = SoundGaps()
    assert [gaps.missing(number) for number in (5, 6, 9, 10)] == [0, 0, 2, 0]
    with pytest.raises(TelephoneError):
        gaps.missing(3)
    around = SoundGaps()
    assert [around.missing(number) for number in (2**32 - 1, 0, 2)] == [0, 0, 1]


def test_an_allowance_fills_up_with_time() -> None:
    now = 0.0
    allowance = Allowance(2.0, 10.0, lambda: now)
    for _ in range(10):
        allowance.spend(1)
    now = 1.0
    allowance.spend(2)
    with pytest.raises(TelephoneError) as refused:
        allowance.spend(1)
    assert refused.value.closing is Closing.TOO_MUCH
