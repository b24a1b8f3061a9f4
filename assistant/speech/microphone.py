"""A microphone as a source of sound, through PortAudio."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import numpy as np

from assistant.speech.audio import RATE, Floats, to_int16
from assistant.speech.channels import ChannelChoice
from assistant.speech.devices import Device, advice, behind, inputs, is_monitor, named
from assistant.speech.errors import NoMicrophone, SourceLost
from assistant.speech.portaudio import sounddevice
from assistant.speech.resample import Resampler
from assistant.speech.source import BLOCK, Block

log = logging.getLogger("mus.ear")

WAITING = 40
"""Blocks (2 s) that may wait for a slow machine; then the oldest go: better deaf than late."""
SILENT_FOR = 2.0
"""Seconds without a block after which a microphone is taken to be unplugged."""
BEGINS_WITHIN = 5.0
"""Seconds that the first block may take: sound servers and wireless devices start slowly."""
POLL = 0.1


class MicrophoneSource:
    """A microphone by (part of) its name or its number, or the system's own choice."""

    live = True

    def __init__(
        self, device: str | None = None, backend: Any = None, *, channels: int = 1
    ) -> None:
        """``device`` is a name, a number or None; ``backend`` stands in for ``sounddevice``.

        ``channels``: how many to take of a device that has them; several are taken in any case
        where it gives no single one. Nothing is opened yet, so a table without a microphone
        can still be played by taps.
        """
        self._given = backend
        self._device = device
        self._channels = channels
        self._inbox: queue.Queue[Floats | None] = queue.Queue(WAITING)
        self._closed = threading.Event()
        self._began: float | None = None
        self._dropped = 0
        self._name = device or "default"
        self._monitor = False

    @property
    def name(self) -> str:
        """The device's own name."""
        return self._name

    @property
    def dropped(self) -> int:
        """Blocks thrown away because nobody took them in time."""
        return self._dropped

    @property
    def monitor(self) -> bool:
        """Whether it is known to give what the machine plays, and nothing of the table."""
        return self._monitor

    def blocks(self) -> Iterator[Block]:
        """The sound from now on. Raises NoMicrophone or SourceLost."""
        backend = self._given if self._given is not None else sounddevice()
        if self._began is not None:
            self._look_again(backend)
        self._closed.clear()
        self._inbox = queue.Queue(WAITING)
        with self._open(backend) as (rate, channels):
            choice = ChannelChoice(channels) if channels > 1 else None
            resampler = Resampler(rate, RATE)
            now = time.monotonic()
            self._began = now if self._began is None else self._began
            end = now - self._began
            lost = self._dropped
            patience = BEGINS_WITHIN
            while (frames := self._take(patience)) is not None:
                patience = SILENT_FOR
                mono, levels = choice.mix(frames) if choice else (frames[:, 0], ())
                samples = to_int16(resampler.feed(mono))
                # Time is counted in samples, which do not jitter, and put right after a gap.
                end += len(samples) / RATE + (self._dropped - lost) * BLOCK / RATE
                lost = self._dropped
                yield Block(samples, end, levels)

    def close(self) -> None:
        """End ``blocks``, which lets go of the device."""
        self._closed.set()

    def _look_again(self, backend: Any) -> None:
        """Make PortAudio list its devices anew, for it does so only once. Raises SourceLost.

        sounddevice has no public name for it.
        """
        # After an attempt that failed half-way nothing is left to end.
        with suppress(backend.PortAudioError):
            backend._terminate()
        try:
            backend._initialize()
        except backend.PortAudioError as error:
            raise SourceLost(_went_away(self.name)) from error

    def _take(self, patience: float) -> Floats | None:
        """The next samples; None when closed. Raises SourceLost after so long without any."""
        deadline = time.monotonic() + patience
        while not self._closed.is_set():
            try:
                samples = self._inbox.get(timeout=POLL)
            except queue.Empty:
                if time.monotonic() < deadline:
                    continue
                samples = None
            if samples is None and not self._closed.is_set():
                raise SourceLost(_went_away(self.name))
            return samples
        return None

    @contextmanager
    def _open(self, backend: Any) -> Iterator[tuple[int, int]]:
        """The running stream, by its rate in Hz and its channels. Raises NoMicrophone."""
        device = self._find(backend)
        self._name = device.name
        self._look_behind(backend)
        stream, channels = self._start(backend, device)
        rate = int(stream.samplerate)
        log.info("The microphone is '%s': %d Hz, channels: %d.", self._name, rate, channels)
        try:
            yield rate, channels
        finally:
            stream.close()

    def _look_behind(self, backend: Any) -> None:
        """Find out whether it is a microphone at all, and tell of a better one if it is not."""
        source = behind(self._name)
        self._monitor = is_monitor(source)
        if self._monitor:
            log.warning(
                "The microphone '%s' hears what this machine plays, and nobody at the table: %s.",
                source,
                advice(self._name, [one.name for one in inputs(backend)]),
            )

    def _find(self, backend: Any) -> Device:
        """The device that is meant. Raises NoMicrophone."""
        try:
            if self._device is not None:
                found = inputs(backend)
                if self._device.isdecimal():
                    one = next((one for one in found if one.index == int(self._device)), None)
                else:
                    one = named(self._device, found)
            else:
                index = int(backend.query_devices(None, "input")["index"])
                one = next((one for one in inputs(backend) if one.index == index), None)
        except (ValueError, backend.PortAudioError) as error:
            raise NoMicrophone(_no_microphone(self._device)) from error
        if one is None:
            raise NoMicrophone(_no_microphone(self._device))
        return one

    def _start(self, backend: Any, device: Device) -> tuple[Any, int]:
        """Open at our own rate, or else as the device likes it: bare ALSA converts nothing."""
        own, most = device.rate, device.channels
        several = min(self._channels, most)
        failure: Exception | None = None
        ways = ((RATE, several), (own, several), (RATE, 1), (own, 1), (own, most))
        for rate, channels in dict.fromkeys(ways):
            try:
                stream = self._opened(backend, device, rate, channels)
            except (ValueError, backend.PortAudioError) as error:
                failure = error
                continue
            if channels < self._channels:
                log.warning("The microphone '%s' gives %d channels, not the %d asked for.",
                            self.name, channels, self._channels)  # fmt: skip
            return stream, channels
        raise NoMicrophone(
            f"The microphone '{self.name}' cannot be opened: close what uses it, or name another."
        ) from failure

    def _opened(self, backend: Any, device: Device, rate: int, channels: int) -> Any:
        """A stream that runs. Raises ValueError or the backend's PortAudioError."""
        stream = backend.InputStream(
            samplerate=rate,
            blocksize=BLOCK * rate // RATE,
            device=device.index,
            channels=channels,
            dtype="float32",
            callback=self._arrived,
            finished_callback=self._ended,
        )
        try:
            stream.start()
        except BaseException:
            # It holds the device, which would be busy for every other way to open it.
            with suppress(backend.PortAudioError):
                stream.close()
            self._inbox = queue.Queue(WAITING)  # its end is not that of the next one
            raise
        return stream

    def _arrived(self, samples: Any, _frames: int, _time: object, _status: object) -> None:
        """PortAudio's thread: copy and return; nothing here may wait."""
        self._put(np.array(samples, np.float32))

    def _ended(self) -> None:
        """PortAudio's thread: the stream stopped, by us or by the device."""
        self._put(None)

    def _put(self, samples: Floats | None) -> None:
        while True:
            try:
                self._inbox.put_nowait(samples)
            except queue.Full:
                self._drop_oldest()
            else:
                return

    def _drop_oldest(self) -> None:
        try:
            self._inbox.get_nowait()
        except queue.Empty:
            return
        self._dropped += 1


def microphones() -> list[str]:
    """The names of all devices that sound can be taken from. Raises NoMicrophone."""
    return [device.name for device in inputs(sounddevice())]


def is_silent(device: str | None, seconds: float = 1.0) -> bool:
    """Whether a microphone gives nothing but exact zeros. Raises NoMicrophone or SourceLost."""
    with closing(MicrophoneSource(device)) as source:
        for block in source.blocks():
            if block.samples.any():
                return False
            if block.end > seconds:
                break
    return True


def _went_away(name: str) -> str:
    return f"The microphone '{name}' went away: plug it in again."


def _no_microphone(device: str | None) -> str:
    if device is None:
        return "No microphone was found: plug one in."
    return f"There is no microphone '{device}': plug it in, or name one that the system lists."
