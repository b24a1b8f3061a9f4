"""The bench of telephones: its rooms, its devices, and how it tells who spoke."""

import random
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("pyroomacoustics", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from assistant.ear.array import Channels
from assistant.ear.audio import RATE, Samples
from assistant.ear.source import BLOCK
from assistant.messages import Heard, SpeakerEvidence, Word
from assistant.telephones.seat_choice import Decibels
from assistant.telephones.several import Line, Telephones
from scripts.lab import bench_telephones
from scripts.lab.rendering.voices import Floats
from scripts.lab.tablebench import places, telephones
from scripts.lab.tablebench.players import CALL, CHAT, Tally, Utterance
from scripts.lab.tablebench.telephones import (
    NETWORKS,
    Counts,
    Device,
    Evening,
    LyingTelephones,
    Microphones,
)
from scripts.lab.tablebench.trial import Job, Room


@pytest.fixture(scope="module", autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUS_BENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
    places.place.cache_clear()


@pytest.mark.parametrize(
    "asked",
    [["--deals", "0"], ["--rooms", "church"], ["--rooms", "talk loud"], ["--trace", "nowhere"],
     ["--ears", "cat"]],
)  # fmt: skip
def test_an_impossible_request_is_refused_in_one_sentence(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_telephones.main(asked) == 2
    told = capsys.readouterr().err
    assert told.startswith("bench_telephones: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("asked", [[], ["--json"]])
def test_what_became_of_deals_is_added_up(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = Tally(exact=True, calls=10, at_once=9, delays=[0.2], nobody_called=["Pass"])
    counts = Counts(tally, who_right=3, who_told=4, processor=6, sound=60)
    monkeypatch.setattr(bench_telephones, "_played", lambda _: iter([("quiet, array", counts)]))
    assert bench_telephones.main(asked) == 0
    told = capsys.readouterr().out
    assert ("0.9" if asked else "90.0%") in told
    assert "quiet, array" in told


def _decibels(responses: Floats) -> Decibels:
    return np.asarray(10 * np.log10(np.sum(np.square(responses), axis=0)))


@pytest.mark.parametrize("number", [0, places.PLACES - 1])
def test_a_player_is_loudest_in_his_own_telephone_and_the_room_alike_in_all(number: int) -> None:
    place = places.place(number)
    for seat, responses in enumerate(place.seats, start=1):
        levels = _decibels(responses)
        others = np.delete(levels[1:], seat - 1)
        assert int(np.argmax(levels[1:])) + 1 == seat
        assert levels[seat] > levels[0] + 1.5
        assert levels[seat] > others.max() + 1.5
    for responses in place.walls:
        assert np.ptp(_decibels(responses)) < 2.5
    for seat, responses in enumerate(place.cups, start=1):
        assert _decibels(responses)[seat] > np.delete(_decibels(responses), seat).max() + 6


def test_direct_sound_has_energy_1_in_the_middle_and_the_room_rings_for_its_time() -> None:
    place = places.place(1)
    direct = []
    for responses in place.seats:
        arrives = int(np.argmax(np.abs(responses[:, 0])))
        direct.append(np.sum(np.square(responses[: arrives + 40, 0])))
    assert np.mean(direct) == pytest.approx(1, rel=0.01)
    assert 0.3 * RATE <= len(place.seats[0]) <= 0.6 * RATE
    assert places.place(1) is place
    assert places.place(2).seats[0].shape != place.seats[0].shape


@pytest.mark.parametrize("network", list(NETWORKS))
def test_a_device_sends_packets_in_order_by_a_clock_of_its_own(network: str) -> None:
    got: list[tuple[float, int]] = []

    class Receiver(Line):
        def feed(self, samples: Samples, at: float, lost: int = 0) -> None:
            got.append((at, len(samples) + lost))

    device = Device(Receiver(1, "", Telephones(4)), NETWORKS[network], random.Random(3))
    arrivals = []
    for _ in range(20 * 20):
        for arrives, deliver in device.feed(np.zeros(BLOCK, np.float32)):
            arrivals.append(arrives)
            deliver()
    assert arrivals == sorted(arrivals)
    steps = np.diff([at for at, _ in got])
    lost = np.mean(steps > 0.021)
    assert (0.005 < lost < 0.04) if network == "bad" else lost == 0
    assert got[-1][0] - got[0][0] == pytest.approx(20, abs=0.2)


def test_an_array_stands_around_the_microphone_in_the_middle() -> None:
    alone, array = places.place(0), places.place(0, array=True)
    assert array.seats[0].shape[1] == places.SEATS + 1 + places.ARRAY
    np.testing.assert_allclose(array.seats[0][:, : places.SEATS + 1], alone.seats[0], atol=1e-4)
    arrives = [int(np.argmax(np.abs(array.seats[0][:, at]))) for at in (0, 5, 6, 7, 8)]
    assert 0 < max(arrives) - min(arrives) <= 4, "a few centimetres are a few samples"


def _next_of(steps: list[bool]) -> bool:
    return steps.pop() if steps else False


def test_all_ears_hear_the_same_room_and_end_with_the_deal() -> None:
    job = Job("develop", 0, Room("quiet"))
    ends = {}
    for ears in telephones.EARS:
        steps = [True] * 40
        evening = Evening(job, ears)
        lying = LyingTelephones(evening)
        array = Channels(places.ARRAY, RATE, steers=True)
        microphone = Microphones(None, 1, partial(_next_of, steps), evening, lying, array)
        click = np.eye(1, 8000, dtype=np.float32)[0]
        microphone.play(places.heard(click, telephones.place_of(evening).seats[0]))
        blocks = list(microphone.blocks())
        ends[ears] = blocks[-1].end
        assert max(int(np.abs(block.samples).max()) for block in blocks) > 3000
    assert ends[telephones.IN_THE_MIDDLE] == ends[telephones.AN_ARRAY] == 2.0
    assert 1.6 < ends[telephones.TELEPHONES] < 2.0


def test_who_spoke_is_judged_call_by_call() -> None:
    said = [
        Utterance(1.0, 1.4, "envido", CALL, 0, seat=2),
        Utterance(2.0, 2.4, "paso", CALL, 1, seat=3),
        Utterance(3.0, 3.4, "hola", CHAT, -1, seat=1),
    ]
    heard = Heard(
        (Word("envido", 1.0, 1.4), Word("paso", 2.0, 2.4), Word("[unk]", 3.0, 3.4)),
        voices=(
            SpeakerEvidence(1.0, 1.4, (0.0, 0.9, 0.1, 0.0)),
            SpeakerEvidence(2.0, 2.4, (0.0, 0.2, 0.1, 0.1)),
            SpeakerEvidence(3.0, 3.4, (0.9, 0.0, 0.0, 0.0)),
        ),
    )
    counts = Counts(Tally())
    telephones.judge_who(counts, [heard], said)
    assert (counts.who_right, counts.who_told) == (1, 2)
