"""A microphone as a source of sound, through PortAudio."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from assistant.speech.audio import RATE, Floats, to_int16
from assistant.speech.errors import NoMicrophone, SourceLost
from assistant.speech.portaudio import sounddevice
from assistant.speech.resample import Resampler
from assistant.speech.source import BLOCK, Block

WAITING = 40
"""Blocks (2 s) that may wait for a slow machine; then the oldest go: better deaf than late."""
SILENT_FOR = 2.0
"""Seconds without a block after which a microphone is taken to be unplugged."""
POLL = 0.1


class MicrophoneSource:
    """A microphone by (part of) its name or its number, or the system's own choice."""

    live = True

    def __init__(self, device: str | None = None, backend: Any = None) -> None:
        """``device`` is a name, a number or None; ``backend`` stands in for ``sounddevice``.

        Nothing is opened yet, so a table without a microphone can still be played by taps.
        """
        self._given = backend
        self._device = int(device) if device is not None and device.isdecimal() else device
        self._inbox: queue.Queue[Floats | None] = queue.Queue(WAITING)
        self._closed = threading.Event()
        self._began: float | None = None
        self._dropped = 0
        self._name = device or "default"

    @property
    def name(self) -> str:
        """The device's own name."""
        return self._name

    @property
    def dropped(self) -> int:
        """Blocks thrown away because nobody took them in time."""
        return self._dropped

    def blocks(self) -> Iterator[Block]:
        """The sound from now on. Raises NoMicrophone or SourceLost."""
        backend = self._given if self._given is not None else sounddevice()
        if self._began is not None:
            self._look_again(backend)
        self._closed.clear()
        self._inbox = queue.Queue(WAITING)
        with self._open(backend) as rate:
            resampler = Resampler(rate, RATE)
            now = time.monotonic()
            self._began = now if self._began is None else self._began
            end = now - self._began
            lost = self._dropped
            while (mono := self._take()) is not None:
                samples = to_int16(resampler.feed(mono))
                # Time is counted in samples, which do not jitter, and put right after a gap.
                end += len(samples) / RATE + (self._dropped - lost) * BLOCK / RATE
                lost = self._dropped
                yield Block(samples, end)

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

    def _take(self) -> Floats | None:
        """The next samples; None when closed. Raises SourceLost when the device says nothing."""
        deadline = time.monotonic() + SILENT_FOR
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
    def _open(self, backend: Any) -> Iterator[int]:
        """The running stream, by its rate in Hz. Raises NoMicrophone."""
        try:
            found = backend.query_devices(self._device, "input")
        except (ValueError, backend.PortAudioError) as error:
            raise NoMicrophone(_no_microphone(self._device)) from error
        self._name = str(found["name"])
        stream = self._start(backend, found)
        try:
            yield int(stream.samplerate)
        finally:
            stream.close()

    def _start(self, backend: Any, found: Any) -> Any:
        """Open at our own rate, or else as the device likes it: bare ALSA converts nothing."""
        own = int(found["default_samplerate"])
        failure: Exception | None = None
        for rate, channels in ((RATE, 1), (own, 1), (own, found["max_input_channels"])):
            try:
                stream = backend.InputStream(
                    samplerate=rate,
                    blocksize=BLOCK * rate // RATE,
                    device=self._device,
                    channels=channels,
                    dtype="float32",
                    callback=self._arrived,
                    finished_callback=self._ended,
                )
                stream.start()
            except (ValueError, backend.PortAudioError) as error:
                failure = error
            else:
                return stream
        raise NoMicrophone(
            f"The microphone '{self.name}' cannot be opened: close what uses it, or name another."
        ) from failure

    def _arrived(self, samples: Any, _frames: int, _time: object, _status: object) -> None:
        """PortAudio's thread: copy and return; nothing here may wait."""
        self._put(np.asarray(samples, np.float32).mean(axis=1, dtype=np.float32))

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
    devices = sounddevice().query_devices()
    return [str(device["name"]) for device in devices if device["max_input_channels"] > 0]


def _went_away(name: str) -> str:
    return f"The microphone '{name}' went away: plug it in again."


def _no_microphone(device: str | int | None) -> str:
    if device is None:
        return "No microphone was found: plug one in."
    return f"There is no microphone '{device}': plug it in, or name one that the system lists."
