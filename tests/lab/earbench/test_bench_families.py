"""The bench of voice families: its voices and noises never train, and its comparison is right."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pyroomacoustics", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.ear.audio import RATE
from assistant.rules import events as e
from scripts.lab import bench_families
from scripts.lab.earbench import families
from scripts.lab.earbench.families import ASKED, MISSED, PEOPLE, RIGHT, Done, Job, Room
from scripts.lab.rendering.voices import FAMILIES
from scripts.lab.speechlab import neural_voices, split
from scripts.lab.tablebench import crowd


@pytest.mark.parametrize(
    "asked",
    [
        ["--deals", "0"],
        ["--families", "pico"],
        ["--develop", "--families", "el"],
        ["--model", "/nowhere"],
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_families.main(asked) == 2
    told = capsys.readouterr().err
    assert told.startswith("bench_families: ")
    assert told.count("\n") == 1


def test_no_voice_of_the_families_may_train() -> None:
    names = {voice.name for family in families.QUOTED for voice in FAMILIES[family]}
    assert names <= set(split.MEASURING_ENGINES)


def test_models_are_chosen_by_natural_voices_that_no_figure_and_no_model_comes_from() -> None:
    names = {voice.name for voice in families.voices_of(families.NATURAL)}
    quoted = {voice.name for family in families.QUOTED for voice in FAMILIES[family]}
    assert names.isdisjoint(quoted)
    assert names.isdisjoint(neural_voices.VOICES)


def test_a_deal_is_heard_in_quiet_and_at_every_level_and_all_noises_are_used() -> None:
    jobs = list(families.deals_of("mbrola", 1, 4))
    for seed in {job.seed for job in jobs}:
        of_deal = [job.room for job in jobs if job.seed == seed]
        levels = [room.snr for room in of_deal]
        assert levels.count(None) == 1
        assert all(levels.count(snr) == families.A_DEAL for snr in families.SNRS)
    for snr in families.SNRS:
        assert {job.room.noise for job in jobs if job.room.snr == snr} == set(families.NOISES)


@pytest.mark.slow
def test_every_noise_lasts_more_than_half_a_minute_and_all_are_equally_loud() -> None:
    try:
        found = families.noises_of(crowd.DEVELOP, None, 7)
    except crowd.CrowdError as error:
        pytest.skip(str(error))
    assert tuple(found) == families.NOISES
    for sound in found.values():
        assert len(sound) > 30 * RATE
        assert crowd.loudness(sound) == pytest.approx(1, rel=0.01)


@pytest.mark.parametrize(
    ("said", "event"),
    [
        ("cinco", e.BetMade),
        ("paso", e.Passed),
        ("quiero", e.BetAccepted),
        ("no", e.BetRefused),
        ("sí", e.Declared),
    ],
)
def test_a_word_is_said_at_a_moment_where_it_is_a_call(said: str, event: type[e.Event]) -> None:
    found = families.moment_of(said)
    assert found is not None
    assert any(isinstance(one, event) for one in found[1].events)


def test_a_word_that_is_no_call_has_no_moment() -> None:
    assert families.moment_of("mañana llueve") is None


def test_an_ear_compared_with_itself_has_no_gain() -> None:
    deals = [[RIGHT, ASKED], [MISSED, RIGHT, RIGHT]]
    assert families.difference(deals, deals) == (0, 0, 0)


def test_the_gain_of_a_better_ear_has_a_confidence_interval() -> None:
    dice = np.random.default_rng(1)
    worse = [[RIGHT if dice.random() < 0.6 else MISSED for _ in range(15)] for _ in range(30)]
    better = [[RIGHT if dice.random() < 0.8 else MISSED for _ in range(15)] for _ in range(30)]
    gain, low, high = families.difference(worse, better)
    assert low < gain < high
    assert low > 0
    assert high - low < 0.2


def test_the_mean_is_over_families_and_a_deal_in_several_rooms_counts_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = [
        Done(Job("el", 1, Room()), ((RIGHT, RIGHT), (RIGHT, MISSED)), (0, 1)),
        Done(Job("el", 1, Room("kitchen", 6.0)), ((MISSED, ASKED), (RIGHT, ASKED)), (0, 0)),
        Done(Job("kokoro", 2, Room()), ((ASKED, MISSED, ASKED, MISSED),) * 2, (0, 0)),
        *(
            Done(Job(family, 2, Room("guitar", snr)), ((RIGHT,),) * 2, (0, 0))
            for family in ("el", "kokoro")
            for snr in families.SNRS
        ),
        Done(Job(PEOPLE, 3, Room()), ((RIGHT,),) * 2, (0, 0)),
    ]
    wanted = ("el", "kokoro", PEOPLE)
    means = bench_families._means(wanted, done)
    assert means["quiet"] == [0.5, 0.25]
    rows = {f: bench_families._rows([d for d in done if d.job.family == f]) for f in wanted}
    assert rows["el"]["quiet"]["gain"][0] == -0.5
    assert rows["el"]["quiet"]["models"][1]["by nobody"] == 1
    noises = bench_families._by(done, lambda job: job.room.noise, ("kitchen",))
    assert noises["kitchen"]["models"][0]["asked"] == 1
    report = {"group": "quote", "models": ["a", "b"], "families": rows, "means": means}
    bench_families._print({**report, "noises": noises})
    told = capsys.readouterr().out
    assert "-50.0 points" in told
    assert "50.0%" in told
