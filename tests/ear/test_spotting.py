"""Keyword spotting: where a call of the moment may be in running sound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.ear.audio import RATE, Samples
from assistant.ear.network import FACTOR, Network, load_base
from assistant.ear.source import BLOCK, Block
from assistant.ear.spotting import CHUNK, CallTree, Spot, Spotter
from tests.ear.conftest import Say

CALLS = ("paso", "envido", "envido cinco", "no quiero", "quiero", "[unk]")
NEAR = 0.2
"""Seconds by which a place may differ from where the call was said."""


@pytest.fixture
def spotter(model_dir: Path) -> Spotter:
    found = Spotter.of_model(model_dir)
    assert found
    return found


def spotted(
    spotter: Spotter, sound: Samples, phrases: tuple[str, ...] | None = CALLS, begins: float = 0.0
) -> list[Spot]:
    found = []
    for start in range(0, len(sound) - BLOCK + 1, BLOCK):
        end = begins + (start + BLOCK) / RATE
        found += spotter.feed(Block(sound[start : start + BLOCK], end), phrases)
    return found


def clear(spots: list[Spot]) -> list[Spot]:
    """The places that stand out from any sounds of a voice."""
    return [spot for spot in spots if spot.score > 0]


def test_a_call_is_found_where_it_was_said(spotter: Spotter, say: Say) -> None:
    call = say("no quiero")
    (spot,) = clear(spotted(spotter, say(1.0, "no quiero", 1.0), begins=30.0))
    assert spot.start == pytest.approx(31.0, abs=NEAR)
    assert spot.end == pytest.approx(31.0 + len(call) / RATE, abs=NEAR)


def test_a_call_is_found_in_the_middle_of_talk(spotter: Spotter, say: Say) -> None:
    before, call, after = "que mañana llueve", "envido cinco", "y me voy al campo"
    found = clear(spotted(spotter, say(0.8, before, 0.02, call, 0.02, after, 1.0)))
    begins = 0.8 + len(say(before)) / RATE
    assert any(spot.start == pytest.approx(begins, abs=NEAR) for spot in found)


def test_other_sentences_are_no_call(spotter: Spotter, say: Say) -> None:
    sentence = "mañana por la mañana llega mi hermana de madrid"
    assert not clear(spotted(spotter, say(0.8, sentence, 1.0)))


def test_only_what_may_be_said_now_is_found(spotter: Spotter, say: Say) -> None:
    assert not clear(spotted(spotter, say(0.8, "no quiero", 1.0), ("mus", "no hay mus")))
    assert not spotted(spotter, say(0.8, "no quiero", 1.0), None)


def test_a_call_that_has_begun_before_its_moment_is_found(spotter: Spotter, say: Say) -> None:
    sound = say(0.8, "no quiero", 1.2)
    at = BLOCK * round((0.8 + len(say("no quiero")) / RATE) * RATE / BLOCK)
    early = spotted(spotter, sound[:at], ("mus", "no hay mus"))
    late = spotted(spotter, sound[at:], CALLS, begins=at / RATE)
    assert not clear(early)
    (spot,) = clear(late)
    assert spot.start == pytest.approx(0.8, abs=NEAR)


def test_a_stream_that_begins_anew_is_followed_anew(spotter: Spotter, say: Say) -> None:
    for _ in range(2):
        (spot,) = clear(spotted(spotter, say(1.0, "no quiero", 1.0)))
        assert spot.start == pytest.approx(1.0, abs=NEAR)


def test_the_network_answers_a_window_as_it_answers_the_whole(model_dir: Path) -> None:
    network = Network(load_base(model_dir).layers)
    frames = np.random.default_rng(1).standard_normal((300, 40)).astype(np.float32)
    first, last = FACTOR * 20 - network.left, FACTOR * (19 + CHUNK) + network.right
    within = network.answers_within(frames[first : last + 1])
    assert within.shape[0] == CHUNK
    assert np.allclose(within, network.answers(frames)[20 : 20 + CHUNK], atol=1e-4)


def test_calls_that_begin_alike_share_their_sounds() -> None:
    phones = {"SIL": 0, "a": 1, "b": 2, "c": 3}
    sounds: dict[str, list[tuple[str, ...]]] = {"ab": [("a", "b")], "c": [("c",), ("c", "a")]}
    tree = CallTree(("ab", "ab c", "ab c", "zz"), phones, sounds)
    # The root, a, b; then c and "c a", each after a silence or none.
    assert len(tree.parents) == 3 + 1 + 2 * 2
    assert len(tree.ends) == 1 + 4


def test_a_way_to_say_a_word_with_sounds_that_the_network_lacks_is_left_out() -> None:
    sounds: dict[str, list[tuple[str, ...]]] = {"ab": [("a", "b"), ("a", "z")], "z": [("z",)]}
    tree = CallTree(("ab", "z"), {"SIL": 0, "a": 1, "b": 2}, sounds)
    assert len(tree.ends) == 1


def test_a_spotter_follows_a_network_that_has_learnt(spotter: Spotter, say: Say) -> None:
    sound = say(1.0, "no quiero", 1.0)
    assert clear(spotted(spotter, sound))
    deaf = replace(spotter._network.layers()[0], weights=np.zeros_like(spotter._network.weights[0]))
    spotter.renew([deaf])
    assert not clear(spotted(spotter, sound, begins=30.0))


def test_a_model_that_does_not_tell_its_sounds_spots_nothing(tmp_path: Path) -> None:
    assert Spotter.of_model(tmp_path) is None
