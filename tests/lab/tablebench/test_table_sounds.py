"""What sounds on the table of the bench: how often, how loud, and apart for the two groups."""

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")
pytest.importorskip("pyroomacoustics", reason="needs the train extra")

from scripts.lab.rendering.voices import LOUDNESS
from scripts.lab.tablebench import crowd
from scripts.lab.tablebench.evening import Microphone
from scripts.lab.tablebench.table_sounds import CREST, LEVELS, TableSounds


def test_they_come_as_often_as_asked_and_each_once() -> None:
    sounds = TableSounds(crowd.QUOTE, 3, 1, every=0.5)
    found = [sound for now in np.arange(0.05, 60, 0.05) for sound in sounds.due(float(now))]
    assert 80 < len(found) < 160
    assert not list(sounds.due(59.95))


@pytest.mark.parametrize("group", [crowd.DEVELOP, crowd.QUOTE])
def test_they_are_about_as_loud_as_the_players_and_the_same_for_a_seed(group: str) -> None:
    once, again = (list(TableSounds(group, 3, 1, every=0.5).due(20.0)) for _ in range(2))
    assert len(once) == len(again) > 20
    for one, other in zip(once, again, strict=True):
        assert np.array_equal(one, other)
        over = 20 * np.log10(np.abs(one).max() / (CREST * LOUDNESS))
        assert LEVELS[0] - 0.1 < over < LEVELS[1] + 0.1


def test_what_is_quoted_sounds_other_than_what_settings_are_chosen_by() -> None:
    develop, quote = (
        list(TableSounds(group, 3, 1, every=0.5).due(20.0))
        for group in (crowd.DEVELOP, crowd.QUOTE)
    )
    assert not any(np.array_equal(one, other) for one in develop for other in quote)


@pytest.mark.parametrize("has_background", [True, False])
def test_a_microphone_hears_them_while_the_room_sounds(has_background: bool) -> None:
    things = TableSounds(crowd.QUOTE, 3, 1, every=0.2)
    microphone = Microphone(None, 1, lambda: microphone.now < 3.0, things)
    microphone.has_background = has_background
    loud = max(int(np.abs(block.samples).max()) for block in microphone.blocks())
    assert (loud > 3000) is has_background
