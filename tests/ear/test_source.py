"""Audio sources: a file and a microphone fulfil one contract, and a microphone can fail."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.ear import microphone
from assistant.ear.audio import RATE, AudioError
from assistant.ear.microphone import WAITING, MicrophoneSource
from assistant.ear.source import (
    BLOCK,
    AudioSource,
    Block,
    FileSource,
    NoMicrophone,
    NoSource,
    SourceLost,
)
from tests.contracts.audio_source_contract import AudioSourceContract
from tests.ear import wav
from tests.tables import each_row


class PortAudio:
    """A stand-in for ``sounddevice``: a device that hums, at certain rates and channels."""

    class PortAudioError(Exception):
        """The error that sounddevice raises."""

    def __init__(self, rates: tuple[int, ...] = (RATE,), channels: int = 1) -> None:
        self.rates, self.channels = rates, channels
        self.devices = [{"name": "Hummer", "default_samplerate": rates[-1]}]
        self.streams: list[Stream] = []
        self.restarts = 0
        self.restarts_that_fail = 0
        self.running = True
        self.burst = 1

    def query_devices(self, _device: None = None, kind: str | None = None) -> Any:
        listed = [
            {"max_input_channels": self.channels, **found, "index": index}
            for index, found in enumerate(self.devices)
        ]
        if kind is None:
            return listed
        if not listed:
            raise self.PortAudioError("Error querying device -1")
        return listed[0]

    def InputStream(self, **options: Any) -> "Stream":  # noqa: N802 - sounddevice's name
        if options["samplerate"] not in self.rates or options["channels"] != self.channels:
            raise self.PortAudioError("Invalid sample rate")
        self.streams.append(Stream(self, **options))
        return self.streams[-1]

    def _terminate(self) -> None:
        if not self.running:
            raise self.PortAudioError("PortAudio not initialized")
        self.running = False
        self.restarts += 1

    def _initialize(self) -> None:
        if self.restarts_that_fail:
            self.restarts_that_fail -= 1
            raise self.PortAudioError("Unanticipated host error")
        self.running = True


class Stream:
    """PortAudio's thread. It calls back faster than real time until unplugged or closed."""

    def __init__(self, audio: PortAudio, **options: Any) -> None:
        self.samplerate = float(options["samplerate"])
        self._audio = audio
        self._shape = (options["blocksize"], options["channels"])
        self._callback: Callable[..., None] = options["callback"]
        self._finished: Callable[[], None] = options["finished_callback"]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._hum)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def unplug(self) -> None:
        self._over.set()

    def _hum(self) -> None:
        while not self._over.wait(0.005):
            for _ in range(self._audio.burst):
                self._callback(np.full(self._shape, 0.25, np.float32), self._shape[0], None, None)
        self._finished()


class TestFile(AudioSourceContract):
    """A file, in real time and as fast as possible."""

    @pytest.fixture(params=[True, False], ids=["realtime", "fast"])
    def source(self, request: pytest.FixtureRequest, tmp_path: Path) -> AudioSource:
        path = wav.write(tmp_path / "a.wav", wav.tone(440, 1.5, 44_100), 44_100)
        return FileSource(path, realtime=request.param)

    def make(self) -> AudioSource:
        raise NotImplementedError

    def test_the_last_block_ends_with_the_file(self, source: AudioSource) -> None:
        assert list(source.blocks())[-1].end == pytest.approx(1.5, abs=1e-3)


class TestMicrophone(AudioSourceContract):
    """A microphone on the stand-in for PortAudio."""

    def make(self) -> AudioSource:
        return MicrophoneSource(backend=PortAudio())


def test_a_file_plays_in_real_time_or_as_fast_as_possible(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", wav.tone(440, 1.5, RATE), RATE)
    for realtime, least, most in ((True, 1.49, 4.0), (False, 0.0, 1.2)):
        began = time.monotonic()
        assert sum(len(b.samples) for b in FileSource(path, realtime).blocks()) == 1.5 * RATE
        assert least <= time.monotonic() - began < most


def test_a_file_that_is_no_sound_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_text("no sound")
    with pytest.raises(AudioError):
        FileSource(tmp_path / "a.wav")


def first(blocks: Iterator[Any]) -> Any:
    return next(iter(blocks))


class Exclusive(PortAudio):
    """A device for one stream at a time, which only runs at its own rate."""

    def __init__(self) -> None:
        super().__init__((RATE, 48_000))
        self.closed = 0

    def InputStream(self, **options: Any) -> "Stream":  # noqa: N802 - sounddevice's name
        if len(self.streams) > self.closed:
            raise self.PortAudioError("Device unavailable")
        self.streams.append(Reluctant(self, **options))
        return self.streams[-1]


class Reluctant(Stream):
    """A stream that opens at any rate, but starts only at the device's own."""

    def __init__(self, audio: Exclusive, **options: Any) -> None:
        super().__init__(audio, **options)
        self._exclusive = audio

    def start(self) -> None:
        if self.samplerate == RATE:
            raise self._exclusive.PortAudioError("Unanticipated host error")
        super().start()

    def close(self) -> None:
        self._exclusive.closed += 1
        if self._thread.is_alive():
            super().close()
        else:
            self._finished()


def test_a_stream_that_does_not_start_releases_the_device() -> None:
    audio = Exclusive()
    microphone = MicrophoneSource(backend=audio)
    assert first(microphone.blocks()).samples.any()
    microphone.close()
    assert [stream.samplerate for stream in audio.streams] == [RATE, 48_000]


@each_row("rate", [16_000, 44_100, 48_000])
@each_row("channels", [1, 2])
def test_a_device_is_opened_at_a_rate_and_with_the_channels_it_has(
    rate: int, channels: int
) -> None:
    microphone = MicrophoneSource(backend=PortAudio((rate,), channels))
    samples = [block.samples for block, _ in zip(microphone.blocks(), range(20), strict=False)]
    sound = np.concatenate(samples)
    assert len(sound) == pytest.approx(20 * BLOCK, abs=60)
    np.testing.assert_allclose(sound[200:], 0.25 * 32768, atol=8)


class Several(PortAudio):
    """A device that gives one channel as well as several."""

    def InputStream(self, **options: Any) -> "Stream":  # noqa: N802 - sounddevice's name
        if options["channels"] > self.channels:
            raise self.PortAudioError("Invalid number of channels")
        self.streams.append(Stream(self, **options))
        return self.streams[-1]


@each_row("channels", [1, 4])
def test_an_array_of_one_channel_is_told_with_what_to_do(channels: int) -> None:
    audio = Several(channels=4)
    with pytest.MonkeyPatch.context() as patched:
        told: list[str] = []
        patched.setattr(microphone.log, "warning", lambda text, *_: told.append(text))
        first(MicrophoneSource(backend=audio, channels=channels, array=True).blocks())
    assert ["mus settings channels 4" in text for text in told] == [True] * (channels == 1)


@pytest.mark.parametrize(("asked", "levels"), [(1, 0), (2, 2), (4, 4), (6, 4)])
def test_no_more_channels_are_opened_than_asked_for_and_available(
    asked: int, levels: int, caplog: pytest.LogCaptureFixture
) -> None:
    block = first(MicrophoneSource(backend=Several(channels=4), channels=asked).blocks())
    assert block.levels == (pytest.approx(-12.0, abs=0.1),) * levels
    told = [record.message for record in caplog.records if "channels, not the" in record.message]
    assert len(told) == (asked > 4)


def test_a_full_name_comes_before_a_part_and_the_first_of_two_devices_is_taken() -> None:
    audio = PortAudio()
    audio.devices = [
        {"name": name, "default_samplerate": RATE} for name in ("Jabra 510", "Jabra 410", "Jabra")
    ]
    for wanted, found in (("jabra 4", "Jabra 410"), ("JABRA", "Jabra"), ("jab", "Jabra 510")):
        microphone = MicrophoneSource(wanted, backend=audio)
        first(microphone.blocks())
        assert microphone.name == found


def test_a_missing_device_is_reported_in_one_sentence() -> None:
    audio = PortAudio()
    audio.devices.clear()
    with pytest.raises(NoMicrophone, match=r"^No microphone was found: .*\.$"):
        first(MicrophoneSource(backend=audio).blocks())


def test_an_unknown_device_is_named_in_the_sentence() -> None:
    with pytest.raises(NoMicrophone, match="no microphone 'Blue'"):
        first(MicrophoneSource("Blue", backend=PortAudio()).blocks())


def test_a_device_that_takes_no_rate_cannot_be_opened() -> None:
    audio = PortAudio()
    audio.devices = [{"name": "Odd", "default_samplerate": 12_345.0}]
    audio.rates = ()
    with pytest.raises(NoMicrophone, match="'Odd' cannot be opened"):
        first(MicrophoneSource(backend=audio).blocks())


def test_an_unplugged_device_is_lost_and_can_be_opened_again() -> None:
    audio = PortAudio()
    audio.devices = [{"name": "Hummer", "default_samplerate": RATE}]
    microphone = MicrophoneSource(backend=audio)
    blocks = microphone.blocks()
    assert len(next(blocks).samples) == BLOCK
    audio.streams[0].unplug()
    with pytest.raises(SourceLost, match="'Hummer' went away"):
        list(blocks)
    assert first(microphone.blocks()).end > 0
    assert audio.restarts == 1


def test_a_sound_system_that_is_slow_to_return_is_tried_again() -> None:
    audio = PortAudio()
    microphone = MicrophoneSource(backend=audio)
    blocks = microphone.blocks()
    next(blocks)
    audio.streams[0].unplug()
    with pytest.raises(SourceLost):
        list(blocks)
    audio.restarts_that_fail = 2
    for _ in range(2):
        with pytest.raises(SourceLost, match="'Hummer' went away"):
            first(microphone.blocks())
    assert first(microphone.blocks()).end > 0


def test_a_device_that_falls_silent_counts_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.ear.microphone.BEGINS_WITHIN", 0.2)
    audio = PortAudio()
    audio.burst = 0
    with pytest.raises(SourceLost):
        first(MicrophoneSource(backend=audio).blocks())


def test_a_slow_ear_drops_the_oldest_sound_and_counts_it() -> None:
    audio = PortAudio()
    audio.burst = WAITING
    microphone = MicrophoneSource(backend=audio)
    blocks = microphone.blocks()
    before = next(blocks)
    time.sleep(0.1)
    after = next(blocks)
    microphone.close()
    assert microphone.dropped > 0
    assert after.end - before.end > 2 * BLOCK / RATE  # the gap shows in the stream time


def test_a_table_that_is_tapped_has_a_source_without_sound() -> None:
    source = NoSource()
    ended: list[list[Block]] = []
    for _ in range(2):  # a closed one can be opened again
        listening = threading.Thread(target=lambda: ended.append(list(source.blocks())))
        listening.start()
        source.close()
        listening.join(60)
    assert ended == [[], []]
