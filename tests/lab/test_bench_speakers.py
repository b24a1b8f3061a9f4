"""The bench of speaker attribution: its counts and its refusals."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")

from scripts.lab import bench_speakers
from scripts.lab.speakerbench import room, tallies
from scripts.lab.speakerbench.trial import STRANGER, Answer

QUIET: float | None = None


def answer(speaker: int, voice: tuple[float, ...], turn: int = 1) -> Answer:
    return Answer(QUIET, speaker, turn, voice, voice, voice)


def test_right_certain_and_wrong_attributions_are_counted() -> None:
    answers = [
        answer(1, (0.97, 0.01, 0.01, 0.01)),
        answer(2, (0.01, 0.97, 0.01, 0.01)),
        answer(2, (0.97, 0.01, 0.01, 0.01)),
        answer(3, (0.3, 0.2, 0.4, 0.1)),
        answer(STRANGER, (0.02, 0.02, 0.02, 0.92)),
        answer(STRANGER, (0.1, 0.1, 0.1, 0.1)),
    ]
    found = tallies.tally(answers, lambda a: (a.voice, None))
    assert found == tallies.Tally(
        calls=4, right=3, kept=3, wrong=1, strangers=2, taken=1, refused=2
    )
    assert tallies.confusions(answers) == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 1, 1],
    ]


def test_a_voice_like_nobodys_counts_for_the_likeliest_player() -> None:
    faint = [answer(2, (0.01, 0.04, 0.01, 0.01))]
    found = tallies.tally(faint, lambda a: (a.voice, None))
    assert (found.right, found.kept) == (1, 0)


def test_every_level_of_noise_has_a_row_and_all_together_one() -> None:
    rates = tallies.report([answer(1, (0.9, 0.05, 0.03, 0.02))], [QUIET, 6.0])
    assert list(rates["four channels"]) == ["quiet", "6 dB", "all"]
    assert rates["four channels"]["6 dB"]["calls"] == 0
    assert rates["four channels"]["all"]["right"] == 1


def test_the_microphone_before_a_seat_is_the_loudest_and_noise_has_its_level() -> None:
    dice = np.random.default_rng(0)
    said = dice.normal(size=8000).astype(np.float32)
    taken = room.before_seats(said, 2, 0.0, said, None, dice)
    levels = np.square(taken.rows).mean(axis=1)
    assert levels.argmax() == 2
    loud = room.in_the_middle(said, 0.0, said, 6.0, dice).rows[0]
    before = loud[: round(0.9 * room.BEFORE * 16_000)]
    assert 0.2 * np.square(loud).mean() < np.square(before).mean() < np.square(loud).mean()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--calls", "0"], "--calls 1"),
        (["--snr", "loud"], "'loud' is no level of noise"),
        (["--table", "nobody"], "no voice 'nobody'"),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_speakers.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err
    assert err.count("\n") == 1
