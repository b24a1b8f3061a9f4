"""Speech that no word accounts for is talk, and the room's noise is not speech."""

import numpy as np
import pytest

from assistant.ear.audio import RATE, to_int16
from assistant.ear.endpoint import Endpoint
from tests.ear.test_endpoint import spoken

LEAST = 0.15


def fed(background: float, *speech: tuple[float, float]) -> Endpoint:
    endpoint = Endpoint()
    endpoint.feed(spoken(background, -20, *speech, seconds=3.0))
    return endpoint


def test_words_that_cover_the_speech_leave_nothing() -> None:
    endpoint = fed(-70, (1.0, 1.5), (1.7, 2.1))
    assert endpoint.unexplained([(1.0, 1.5), (1.7, 2.1)], 0.0, LEAST) == []


def test_speech_before_between_and_after_the_words_is_found() -> None:
    endpoint = fed(-70, (0.5, 2.5))
    found = endpoint.unexplained([(0.9, 1.2), (1.7, 2.0)], 0.0, LEAST)
    for (start, end), (wanted_start, wanted_end) in zip(
        found, [(0.5, 0.84), (1.26, 1.64), (2.06, 2.5)], strict=True
    ):
        assert start == pytest.approx(wanted_start, abs=0.05)
        assert end == pytest.approx(wanted_end, abs=0.05)


def test_a_knock_is_too_short_to_be_speech() -> None:
    endpoint = fed(-70, (1.0, 1.5), (1.8, 1.86))
    assert endpoint.unexplained([(1.0, 1.5)], 0.0, LEAST) == []


def test_what_was_said_before_the_utterance_is_not_its_own() -> None:
    endpoint = fed(-70, (0.3, 0.8), (1.5, 2.0))
    assert endpoint.unexplained([(1.5, 2.0)], 1.0, LEAST) == []


def test_a_voice_far_away_is_not_as_loud_as_the_words() -> None:
    near = spoken(-70, -20, (1.5, 2.0), seconds=3.0).astype(np.float32)
    far = spoken(-70, -35, (0.5, 1.3), seconds=3.0).astype(np.float32)
    endpoint = Endpoint()
    endpoint.feed(to_int16(((near + far) / 32768).astype(np.float32)))
    assert endpoint.unexplained([(1.5, 2.0)], 0.0, LEAST) == []


def test_in_a_loud_room_nothing_is_held_against_the_words() -> None:
    endpoint = fed(-32, (1.0, 1.5))
    assert endpoint.unexplained([(1.0, 1.2)], 0.0, LEAST) == []


def test_words_older_than_what_is_remembered_are_no_error() -> None:
    endpoint = fed(-70, (1.0, 1.5))
    endpoint.feed(np.zeros(25 * RATE, np.int16))
    assert endpoint.unexplained([(1.0, 1.5)], 0.0, LEAST) == []
