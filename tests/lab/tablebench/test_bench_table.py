"""The simulated table: its options, its players and its sound."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyroomacoustics", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.ear.audio import RATE
from assistant.ear.recogniser import Partial
from assistant.ear.source import BLOCK, Block
from assistant.files.resources import model_dir
from assistant.messages import Ask, Heard
from assistant.rules.state import State
from assistant.speakers import fitting
from assistant.table.runner import News
from scripts.lab import bench_table
from scripts.lab.earbench.work import Crew
from scripts.lab.rendering.dealing import deal
from scripts.lab.rendering.moments import states
from scripts.lab.rendering.voices import FAMILIES, Floats, Manner, voices_named
from scripts.lab.speechlab import split
from scripts.lab.tablebench import enrolled, players, said, trial
from scripts.lab.tablebench.evening import Company, Microphone
from scripts.lab.tablebench.players import HABITS, Tally, digest
from scripts.lab.tablebench.trial import Room

Feed = Callable[[enrolled.SeatHears, Block], list[Heard | Partial]]


@pytest.mark.parametrize(
    "asked",
    [
        ["--deals", "0"],
        ["--rooms", "church"],
        ["--rooms", "talk loud"],
        ["--trace", "nowhere"],
        ["--develop", "--trace", "nowhere", "--work", "nowhere"],
        ["--before", "-1"],
        ["--things", "-1"],
        ["--things", "nan"],
        ["--before", "2", "--enrolled"],
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_table.main(asked) == 2
    told = capsys.readouterr().err
    assert told.startswith("bench_table: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("asked", [[], ["--json"]])
def test_what_became_of_deals_is_added_up(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = Tally(
        exact=True,
        calls=10,
        at_once=9,
        delays=[0.2],
        nobody_called=["Pass"],
        nobody_asked=["lost"],
        by_nobody=1,
    )
    other = Tally(given_up=True, given_up_over="mus", calls=10, delays=[0.4])
    played = [(Room("quiet"), one), (Room("quiet"), other)]
    monkeypatch.setattr(bench_table, "_played", lambda _: iter(played))
    assert bench_table.main(asked) == 0
    told = capsys.readouterr().out
    assert ("0.45" if asked else "45.0%") in told
    assert "mus" in told


def test_deals_that_were_played_before_teach_the_ear_and_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [job] = trial.evenings("quote", 300_000, 2, [Room("quiet")], before=3)
    assert len(set(job.before) | set(job.deals)) == 5, "they are other deals"
    played: list[tuple[int, bool, bool]] = []

    def play(one: trial.Job, seed: int, company: Company, __: trial.Ground) -> Tally:
        played.append((seed, company.learner is not None, one.earlier))
        return Tally(calls=seed)

    monkeypatch.setattr(trial, "_play", play)
    tallies = trial.play(job, trial.Ground(model_dir(), None, {}))
    assert [tally.calls for tally in tallies] == list(job.deals)
    assert played == [
        *((seed, True, True) for seed in job.before), *((seed, True, False) for seed in job.deals)
    ]  # fmt: skip
    trial.play(replace(job, before=()), trial.Ground(model_dir(), None, {}))
    assert played[-1] == (job.deals[-1], False, False), "without such deals nothing is learnt"


def test_the_room_of_deals_before_is_another_stretch_of_its_recording() -> None:
    [job] = trial.evenings("quote", 300_000, 1, [Room("kitchen", 12.0)], before=1)
    one, other = np.ones(RATE, np.float32), np.linspace(-1, 1, RATE, dtype=np.float32)
    ground = trial.Ground(model_dir(), None, {"kitchen": one}, earlier={"kitchen": other})
    now, before = (trial.background(replace(job, earlier=one), ground) for one in (False, True))
    assert now is not None
    assert before is not None
    assert np.ptp(now) == 0 < np.ptp(before)


def test_quoted_voices_neither_train_nor_choose_settings() -> None:
    names = {
        group: {
            voice
            for family in families.split(",")
            for voice in [one.name for one in FAMILIES.get(family, ())] or [family]
        }
        for group, families in trial.GROUPS.items()
    }
    assert names["quote"].isdisjoint(names["develop"] | names["learn"])
    assert names["develop"].isdisjoint(names["learn"])
    assert names["quote"] <= set(split.UNSEEN_ENGINES)


def test_every_step_of_a_deal_looks_different_on_the_page() -> None:
    for seed in trial.seeds(1, 6):
        places = list(
            map(digest, states(deal(seed, trial.lexicon(), trial.wordings()), trial.lexicon()))
        )
        assert len(set(places)) == len(places)


def test_most_calls_have_another_wording_of_the_same_meaning() -> None:
    dice = random.Random(3)
    found = [
        trial.reworded(state, spoken, dice)
        for seed in trial.seeds(1, 4)
        for dealt in [deal(seed, trial.lexicon(), trial.wordings())]
        for spoken, state in zip(dealt.spoken, states(dealt, trial.lexicon()), strict=False)
    ]
    assert sum(words is not None for words in found) > 0.9 * len(found)


def test_a_sound_is_heard_from_the_moment_at_which_it_is_played() -> None:
    microphone = Microphone(None, 1, lambda: microphone.now < 1.0)
    heard = []
    for block in microphone.blocks():
        heard.append(block.samples)
        if block.end == pytest.approx(0.2):
            assert microphone.play(np.full(RATE // 4, 0.5, np.float32), after=0.1) == (
                pytest.approx(0.55)
            )
    sound = np.abs(np.concatenate(heard)) > 10_000
    assert np.flatnonzero(sound)[0] == pytest.approx(0.3 * RATE, abs=1)
    assert np.flatnonzero(sound)[-1] == pytest.approx(0.55 * RATE, abs=BLOCK // 10)


@pytest.mark.slow
def test_a_deal_in_a_quiet_room_is_played_to_its_end() -> None:
    if not all(voice.installed() for voice in FAMILIES["mbrola"]):
        pytest.skip("not installed: mbrola and its Spanish voices")
    from assistant.files.resources import model_dir

    ground = trial.Ground(model_dir(), None, {})
    job = trial.Job("develop", 200_002, trial.Room("quiet"), (200_002,))
    (tally,) = trial.play(job, ground)
    assert tally.exact or tally.given_up
    assert tally.at_once > 0.5 * tally.calls
    assert tally.by_nobody == 0


@pytest.mark.slow
def test_players_who_have_enrolled_play_with_the_model_that_is_fitted_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not all(voice.installed() for voice in FAMILIES["mbrola"]):
        pytest.skip("not installed: mbrola and its Spanish voices")
    from assistant.files.resources import model_dir

    monkeypatch.setattr(fitting, "PASSES", 1)
    ground = trial.Ground(model_dir(), None, {}, enrolled=tmp_path)
    job = trial.Job("develop", 200_002, trial.Room("quiet"), (200_002,))
    with Crew(ground, 1) as crew:
        assert list(crew.each("tables", enrolled.enrol_here, [job])) == [None]
        fitted = tmp_path / "200002" / "am" / "final.mdl"
        assert fitted.read_bytes() != (model_dir() / "am" / "final.mdl").read_bytes()
        heard: list[Heard] = []
        monkeypatch.setattr(enrolled.SeatHears, "feed", kept(enrolled.SeatHears.feed, heard))
        ((tally,),) = crew.each("evenings", enrolled.play_here, [job])
    assert tally.at_once > 0.5 * tally.calls
    assert any(one.voices for one in heard)


def kept(feed: Feed, heard: list[Heard]) -> Feed:
    """The same way to feed an ear; what it hears is added to a list."""

    def keep(ear: enrolled.SeatHears, block: Block) -> list[Heard | Partial]:
        found = feed(ear, block)
        heard.extend(one for one in found if isinstance(one, Heard))
        return found

    return keep


def test_a_voice_sounds_the_same_the_first_time_and_from_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUS_BENCH_CACHE", str(tmp_path))
    dice = np.random.default_rng(1)
    monkeypatch.setattr(said, "speak", lambda *_: dice.standard_normal(800).astype(np.float32))
    voice = voices_named("mbrola")[0]
    first, again = (said.speak_cached(voice, "paso", Manner(1.0, 1.0)) for _ in range(2))
    assert np.array_equal(first, again)


class DeafTable:
    """A table that takes no call, the sound of its room, and a voice that never speaks."""

    now, paused, speaking, quiet_since = 0.0, False, False, 0.0

    def __init__(self, state: State) -> None:
        self.state = state

    def play(self, _: Floats, after: float = 0.0) -> float:
        return self.now + after + 0.5

    def step(self) -> None:
        """Nothing is ever said."""


def played(
    habits: str,
    monkeypatch: pytest.MonkeyPatch,
    heard_after: float | None = None,
    asked_at: float | None = None,
) -> players.Players:
    """A deal played to its end at a table that hears every call late, or never (None)."""
    monkeypatch.setattr(players, "speak_cached", lambda *_: np.zeros(8_000, np.float32))
    dealt = deal(trial.seeds(1, 1)[0], trial.lexicon(), trial.wordings())
    truth = list(states(dealt, trial.lexicon()))
    voices = voices_named("mbrola")
    said = players.Players(
        dealt, truth, voices, [], lambda *_: None, lambda sound, _: sound, 1, 1, None,
        HABITS[habits],
    )  # fmt: skip
    deaf: Any = DeafTable(truth[0])
    said.microphone, said.voice, said.table = deaf, deaf, lambda: deaf
    while said.step():
        deaf.now += 0.05
        ended = {one.index for one in said.said if one.end < deaf.now - (heard_after or math.inf)}
        deaf.state = truth[max(ended, default=-1) + 1]
        if asked_at is not None and deaf.now >= asked_at:
            asked_at = None
            said.on_news(News(Heard(()), (Ask("lost"),), ()), deaf)
    return said


def kinds_said(habits: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return [one.kind for one in played(habits, monkeypatch).said]


def test_heedless_players_say_every_call_once_whatever_the_table_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = kinds_said("heedless", monkeypatch)
    assert set(kinds) == {"call"}
    assert len(kinds) > 10


def test_other_players_say_a_call_again_that_the_table_has_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "again" in kinds_said("usual", monkeypatch)
    assert "again" in kinds_said("quick", monkeypatch)


def test_a_player_who_had_a_call_corrected_wants_it_undone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = played("heedless", monkeypatch)
    state = said.table().state

    def reply() -> tuple[str | None, int]:
        return said._reply(Ask("sure_undo"), state, 0)

    assert reply()[0] in players.NO
    said._say("corrige", 3, players.UNDO)
    said._say("otra ronda", 2, players.CHAT)
    words, seat = reply()
    assert words in players.YES
    assert seat == 3


def test_a_table_that_takes_no_call_is_lost_until_it_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silent = played("heedless", monkeypatch).tally
    assert (silent.lost, silent.lost_told, silent.lost_spoke) == (1, 0, 0)
    asking = played("heedless", monkeypatch, asked_at=8.0).tally
    assert (asking.lost, asking.lost_told, asking.lost_spoke) == (1, 1, 1)


def test_a_table_that_is_not_lost_yet_but_only_late_need_not_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert played("heedless", monkeypatch, heard_after=1.0).tally.lost == 0
    assert played("heedless", monkeypatch, heard_after=8.0).tally.lost > 0
