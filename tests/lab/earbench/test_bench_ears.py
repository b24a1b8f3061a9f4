"""The bench of the ear: its command line and its counts."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.files.paths import data_dir
from scripts.lab import bench_ears
from scripts.lab.earbench import (
    calls,
    cost,
    figures,
    framing,
    intervals,
    made,
    noises,
    people,
    printing,
    sections,
    talk,
    work,
)
from scripts.lab.earbench.plan import (
    CLEAN,
    FULL,
    LOUD,
    NOISY,
    QUICK,
    Amounts,
    Condition,
    Ground,
    Plan,
    rooms_of_deal,
)
from scripts.lab.earbench.tallies import Calls, Falses
from scripts.lab.rendering.deal import Line, Recording, in_room
from scripts.lab.rendering.hearing import Result
from scripts.lab.rendering.moments import MOMENTS, state_after
from scripts.lab.rendering.voices import VoiceError
from scripts.lab.speechlab import human

CRUMB = Amounts(
    deals=1, talk=0.001, talk_others=0.001, draws=0, every=1000, apart=1000, noise=1, latency=1
)


@pytest.fixture(scope="session")
def model() -> Path:
    folder = data_dir("models") / "mus-es"
    if not (folder / "am" / "final.mdl").is_file():
        pytest.skip("models/mus-es is not there: scripts/lab/train_model.py makes it")
    return folder


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the streams to eight seconds and the talk to three sentences."""
    monkeypatch.setattr(noises, "STREAM", 8)
    monkeypatch.setattr(talk, "BATCH", 3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("--parts", "calls,songs"), "There is no part 'songs'"),
     (("--voices", "caruso"), "There is no voice 'caruso'"),
     (("--jobs", "0"), "--jobs 1"),
     (("--parts", "people", "--human", "nowhere"), "no manifest.tsv in nowhere"),
     (("--development", "--voices", "el"), "Nothing is chosen by 'el'"),
     (("--development", "--voices", "kokoro"), "Nothing is chosen by 'kokoro'"),
     (("--development", "--parts", "people"), "Nothing is chosen by 'people'"),
     (("--parts", "noise", "--model", "nowhere"), "nowhere")],
)  # fmt: skip
def test_a_wrong_option_gives_one_sentence_and_exit_code_2(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_ears.main(list(arguments)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("bench_ears: ")
    assert told in printed.err
    assert printed.err.count("\n") == 1


def test_the_command_exits_with_code_2_on_a_wrong_option(checkout: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "scripts/lab/bench_ears.py", "--parts", "songs"],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.startswith("bench_ears: There is no part 'songs'")


@pytest.mark.usefixtures("model", "short")
def test_noise_is_heard_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_ears.main(["--parts", "noise", "--jobs", "1", "--json"], CRUMB) == 0
    report = json.loads(capsys.readouterr().out)
    kinds = {row["kind"]: row for row in report["noise"]}
    assert set(kinds) == {noises.TABLE, noises.OTHERWISE, noises.MUSIC, "all"}
    assert kinds["all"]["hours"] == pytest.approx(3 * 8 / 3600, abs=1e-3)
    (figure,) = report["figures"]
    assert figure["name"] == "false calls an hour of table noise"
    assert any("made by a generator" in note for note in report["notes"])


@pytest.mark.usefixtures("model", "short")
def test_an_interrupted_run_prints_its_finished_parts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*_: object) -> dict[str, Any]:
        raise KeyboardInterrupt

    rest = tuple(part for part in sections.PARTS if "latency" not in part[0])
    monkeypatch.setattr(sections, "PARTS", (*rest, (("latency",), broken_off)))
    arguments = ["--parts", "noise,latency", "--jobs", "1", "--json", "--voices", "espeak"]
    assert bench_ears.main(arguments, CRUMB) == 130
    report = json.loads(capsys.readouterr().out)
    assert {row["kind"] for row in report["noise"]} >= {noises.TABLE, "all"}
    assert "latency" not in report
    assert any("Broken off" in note for note in report["notes"])


@pytest.mark.usefixtures("model", "short")
def test_an_interrupted_run_prints_the_talk_of_people_who_never_trained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def jobs(*_: object) -> list[people.OutsideJob]:
        return [people.OutsideJob(group, (), 0) for group in (people.NEVER, people.TRAINED)]

    def heard(job: people.OutsideJob) -> dict[str, Falses]:
        if job.group == people.TRAINED:
            raise KeyboardInterrupt
        return {job.group: Falses(clips=1, seconds=3600, at=(2, 2, 2, 2))}

    monkeypatch.setattr(people, "outside_jobs", jobs)
    monkeypatch.setattr(people, "hear_outside", heard)
    alone = tuple(part for part in sections.PARTS if part[1] is not sections.table_talk)
    monkeypatch.setattr(sections, "PARTS", alone)
    assert bench_ears.main(["--parts", "talk", "--jobs", "1", "--json"], CRUMB) == 130
    report = json.loads(capsys.readouterr().out)
    (row,) = report["people_talk"]
    assert (row["speakers"], row["false_per_hour"]) == (people.NEVER, 2.0)
    assert "trained_talk" not in report


@pytest.mark.slow
@pytest.mark.usefixtures("model", "short")
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="not installed: espeak-ng")
def test_training_voices_are_printed_and_not_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    parts = "deals,talk,latency,cost"
    assert bench_ears.main(["--parts", parts, "--voices", "es", "--jobs", "1"], CRUMB) == 0
    printed = capsys.readouterr().out
    assert "es (trains), clean" in printed
    assert "false calls an hour of table talk" not in printed
    assert "end of speech to event, p50" not in printed
    assert "real-time factor on one core" in printed
    assert f"listening to {sections.LISTENED} deals" in printed


def test_the_ear_under_measurement_follows_the_table() -> None:
    at_table = tuple(state_after(MOMENTS[name], work.lexicon()) for name in ("mus", "open", "bet"))
    played = cost.Played(Path("deal.wav"), ends=(1.0, 2.0), states=at_table)
    followed = [played.state(at) for at in (0.0, 1.2, 1.4, 2.2, 2.4, 60.0)]
    assert followed == [at_table[i] for i in (0, 0, 1, 1, 2, 2)]


@pytest.mark.slow
def test_two_workers_count_the_same_as_one(model: Path) -> None:
    noise = np.asarray(np.random.default_rng(1).standard_normal(16000), np.float32)
    jobs = [noises.NoiseJob(str(level), 5, noise, level) for level in (-10.0, -20.0, -30.0)]
    counted = []
    for workers in (1, 2):
        with work.Crew(Ground(model), workers) as crew:
            counted.append(list(crew.each("noise", noises.hear_noise, jobs)))
    assert counted[0] == counted[1]


def test_speech_has_the_given_ratio_to_the_noise() -> None:
    dice = np.random.default_rng(1)
    speech = np.asarray(0.1 * dice.standard_normal(16000), np.float32)
    noise = np.asarray(dice.standard_normal(48000), np.float32)
    recording = Recording(np.pad(speech, 8000), [Line(0.5, 1.5, "paso", 1, "el", 1)])
    quiet = in_room(recording, None, None, random.Random(2))
    noisy = in_room(recording, noise, 6.0, random.Random(2))
    ratio = 20 * np.log10(np.std(speech) / np.std(noisy - quiet))
    assert ratio == pytest.approx(6.0, abs=0.2)


def test_there_are_eight_noisy_conditions_with_readable_names() -> None:
    assert len(NOISY) == 8
    assert str(CLEAN) == "clean"
    assert str(Condition("café", 6.0)) == "café 6 dB"


def test_whole_deals_are_heard_in_every_room_and_each_at_least_clean_and_at_12_db() -> None:
    rooms = [job.whole for job in calls.jobs("el", 90_000, 4, calls=True, whole=True)]
    assert rooms == [(CLEAN, *NOISY), (CLEAN, *LOUD)] * 2
    assert {job.whole for job in calls.jobs("el", 90_000, 2, calls=True, whole=False)} == {()}
    hearings = sum(len(rooms_of_deal(number)) for number in range(FULL.deals))
    assert hearings <= 2 * 3 * FULL.deals, "the run must not take longer"


@pytest.mark.usefixtures("model")
def test_a_deal_is_heard_in_the_rooms_of_its_job(
    monkeypatch: pytest.MonkeyPatch, model: Path
) -> None:
    put: list[Condition] = []

    def put_into(recording: Recording, condition: Condition, _: int) -> Recording:
        put.append(condition)
        return recording

    monkeypatch.setattr(calls, "said", lambda *_: Recording(np.zeros(16000, np.float32), []))
    monkeypatch.setattr(calls, "put_into", put_into)
    monkeypatch.setattr(calls, "hear", lambda *_: Result(True, (True, False), 1, 2, ()))
    rooms = (CLEAN, *NOISY[::3])
    with work.Crew(Ground(model), 1):
        done = calls.hear_deal(calls.DealJob("el", 90_000, calls=False, whole=rooms))
    assert tuple(put) == rooms
    assert done.whole == dict.fromkeys(rooms, calls.Whole(1, 1, 2, 1, 1, 2))
    assert done.calls == {}


def test_whole_deals_have_a_row_for_each_room_they_were_heard_in() -> None:
    one, lost = calls.Whole(1, 1, 10, 9, 0, 1), calls.Whole(1, 0, 10, 5, 2, 0)
    done = [
        calls.DealDone(),
        calls.DealDone(whole=dict.fromkeys((CLEAN, *LOUD), lost)),
        calls.DealDone(whole=dict.fromkeys((CLEAN, *NOISY), one)),
    ]
    rows = {row["condition"]: row for row in sections._deal_rows(done)}
    assert list(rows) == [str(room) for room in (CLEAN, *NOISY)]
    assert {name: row["deals"] for name, row in rows.items() if row["deals"] > 1} == {
        "clean": 2, "café 12 dB": 2, "kitchen 12 dB": 2,
    }  # fmt: skip
    assert (rows["clean"]["exact"], rows["clean"]["right"]) == (1, 14)
    assert (rows["café 6 dB"]["noise"], rows["café 6 dB"]["snr"]) == ("café", 6.0)
    assert [row["condition"] for row in sections._deal_rows(done[:2])] == [
        "clean", "café 12 dB", "kitchen 12 dB",
    ]  # fmt: skip


def test_each_voice_has_a_row_for_each_room_and_two_printed_lines() -> None:
    rooms = (CLEAN, *NOISY)
    done = [
        calls.DealDone({(voice, room): Calls(4, at % 5, 0, 0, 10, at)
                        for voice in ("es2", "es1") for at, room in enumerate(rooms)}),
        calls.DealDone({("es1", room): Calls(4, 4, 0, 0, 10, 0) for room in rooms}),
    ]  # fmt: skip
    rows = [{"voices": "mbrola", "held_out": True} | row for row in sections._voice_rows(done)]
    named = {(row["voice"], row["condition"]): row for row in rows}
    conditions = [*map(str, rooms), sections.MEAN]
    assert list(named) == [(voice, name) for voice in ("es1", "es2") for name in conditions]
    assert named["es1", "café 6 dB"]["calls"] == 8
    assert named["es1", "café 6 dB"]["right"] == 1.0
    assert named["es2", "café 12 dB"]["right"] == 0.75
    assert named["es2", "kitchen 6 dB"]["words"] == 0.2
    assert named["es2", sections.MEAN]["calls"] == 32
    assert named["es2", sections.MEAN]["words"] == 0.55
    noises_of, levels, *lines = printing._voices(rows)
    assert noises_of.split()[-4:] == ["clean", "café", "kitchen", "all"]
    assert levels.split() == ["calls", *"24 dB 18 dB 12 dB 6 dB".split() * 2, "mean"]
    assert [line.split(",")[0] for line in lines] == ["es1", "es1", "es2", "es2"]
    right, words = (line.split()[1:] for line in lines[2:])
    shares = "0.0 25.0 50.0 75.0 100.0 0.0 25.0 50.0 75.0 50.0".split()
    assert right == ["right", "4", *shares]
    assert words[:3] == ["words", "100.0", "90.0"]
    assert max(len(line) for line in (noises_of, levels, *lines)) < 120
    trains = [row | {"held_out": False} for row in rows]
    assert list(printing._voices(trains))[2].startswith("es1 (trains), right")
    assert list(printing._voices([])) != []


def test_the_full_run_hears_enough_hours() -> None:
    assert FULL.talk >= 3
    assert FULL.every == 1
    assert 3 * FULL.noise >= 30
    assert QUICK.talk == pytest.approx(10 / 60)


def test_the_confidence_interval_of_no_false_call_is_not_zero() -> None:
    low, high = intervals.count_interval(0)
    assert low == 0
    assert high == pytest.approx(3.69, abs=0.01)
    assert intervals.count_interval(10) == pytest.approx((4.80, 18.39), abs=0.01)
    assert intervals.share_interval(95, 100) == pytest.approx((0.888, 0.978), abs=0.001)


def test_false_calls_are_counted_per_hour_as_the_mean_of_the_moments() -> None:
    row = (Falses(10, 1800, (1, 0, 2, 1), 2) + Falses(10, 1800, (0, 0, 0, 0))).row()
    assert row["hours"] == 1
    assert row["false_per_hour"] == 1.0
    assert row["spoke_per_hour"] == 0.5
    assert row["false_at"] == {"mus": 1, "open": 0, "bet": 2, "pares?": 1}


def test_the_shares_are_of_all_calls() -> None:
    row = (Calls(1, 1, 0, 0, 2, 0) + Calls(1, 0, 1, 0, 1, 2) + Calls(3, 1, 0, 1, 1, 0)).row()
    assert (row["right"], row["wrong"]) == (0.4, 0.2)
    assert (row["asked"], row["missed"]) == (0.2, 0.2)
    assert row["words"] == 0.5


def test_only_the_first_group_is_quoted_and_only_if_it_is_held_out() -> None:
    row = Calls(100, 99, 0, 100, 0).row() | {"voices": "el", "condition": "clean"}
    report = {"calls": [row | {"voices": "pico"}, row]}
    for group, quoted in (("el", ["calls right, el, clean"]), ("pico", [])):
        plan = Plan(("calls",), (group,), CRUMB, None, 1)
        found = figures.figures(plan, report)
        assert [figure.name for figure in found] == quoted
        assert all(figure.reached for figure in found)


@pytest.mark.parametrize("sound", made.SOUNDS, ids=lambda sound: sound.__name__)
def test_a_synthetic_noise_is_audible_and_no_longer_than_its_scene(sound: object) -> None:
    assert callable(sound)
    for seed in range(5):
        samples = sound(np.random.default_rng(seed))
        assert samples.dtype == np.float32
        assert np.abs(samples).max() == pytest.approx(1, abs=1e-3)
        assert 0.01 < len(samples) / 16000 < 8
        assert np.isfinite(samples).all()


@pytest.mark.usefixtures("model", "short")
def test_a_development_run_quotes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--development", "--parts", "noise", "--jobs", "1", "--json"]
    assert bench_ears.main(arguments, CRUMB) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["figures"] == []
    assert report["seed"] != bench_ears.SEED
    assert any("no figure to quote" in note for note in report["notes"])


def test_recordings_of_people_are_split_by_their_words_and_by_training(tmp_path: Path) -> None:
    rows = [
        ("dos", "es", "number", "gc_zohra_coudoin"),
        ("camión", "es", "oov", "gc_zohra_coudoin"),
        ("tres", "es", "number", "gc_eva_romero"),
        ("árbol", "es", "oov", "gc_eva_romero"),
        ("no quiero", "es", "phrase", "truco_ar1"),
        ("seis", "pt", "number", "gc_jose_jorge"),
        ("", "en", "oov", "precise_various"),
        ("", "-", "noise", "kitchen"),
    ]
    lines = ["path\ttext\tlang\tkind\tspeaker\tlicence"]
    lines += [f"{i}.wav\t{a}\t{b}\t{c}\t{d}\tGPL" for i, (a, b, c, d) in enumerate(rows)]
    (tmp_path / "manifest.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    recordings = human.manifest(tmp_path)
    assert [row.text for row in people.inside(recordings)] == ["dos"]
    outside = people.outside(recordings, every=1)
    assert [row.text for row in outside[people.NEVER]] == ["camión"]
    assert [row.text for row in outside[people.TRAINED]] == ["árbol", ""]


@pytest.mark.usefixtures("model")
def test_speech_like_a_call_is_counted_at_the_moments_where_it_is_one(
    model: Path, tmp_path: Path
) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")
    from scripts.lab.rendering.voices import Espeak, Manner, speak

    sound = speak(Espeak("es"), "no quiero", Manner())
    with work.Crew(Ground(model), 1):
        heard = framing.framed(sound, CLEAN, random.Random(1))
        found = framing.taken_for_calls([sound], [heard], tmp_path / "a.wav")
    at = dict(zip(MOMENTS, found.at, strict=True))
    assert at == {"mus": 0, "open": 0, "bet": 1, "pares?": 0}


@pytest.mark.usefixtures("model")
def test_a_deal_that_its_voices_cannot_say_is_left_out_and_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], model: Path
) -> None:
    def mute(*_: object) -> Recording:
        raise VoiceError("a diphone is missing")

    monkeypatch.setattr(calls, "say_all", mute)
    monkeypatch.setattr(calls, "voices_named", lambda _: ())
    with work.Crew(Ground(model), 1):
        done = calls.hear_deal(calls.DealJob("el", 90_000))
    assert done == calls.DealDone()
    assert "deal 90000 is left out: a diphone is missing" in capsys.readouterr().err
