"""Microphones through PortAudio: listing them, choosing one by name, and its sound as a source."""

from __future__ import annotations

import logging
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.ear.array import Channels
from assistant.ear.audio import RATE, Floats, Resampler, to_int16
from assistant.ear.source import BLOCK, Block, NoMicrophone, SourceLost
from assistant.rules.errors import Translatable

# ---- The PortAudio library, and a stale lock of JACK that can block it --------------------------
# PortAudio asks JACK for its devices, and Debian's JACK library keeps a registry in shared memory
# under a lock. A program that is killed while it holds the lock leaves it locked for ever, and
# every later program waits for it at its start. So a registry that no process uses is deleted
# first.


log = logging.getLogger("mus.ear")

SHARED, PROCESSES = Path("/dev/shm"), Path("/proc")


def sounddevice() -> Any:
    """The module ``sounddevice``, which lists the devices at import. Raises NoMicrophone."""
    clear_registry(SHARED / f"jack_db-{os.getuid()}")
    try:
        import sounddevice as module
    except OSError as error:  # the wheel finds no PortAudio on this system
        raise NoMicrophone(
            "The sound library PortAudio is missing: install the package libportaudio2."
        ) from error
    return module


def list_anew() -> None:
    """List the devices again; PortAudio does it only once. No stream may be open."""
    if "sounddevice" not in sys.modules:
        return  # they are listed at the first use
    module = sounddevice()
    with suppress(module.PortAudioError):
        module._terminate()
    with suppress(module.PortAudioError):  # whoever opens a device sees the error
        module._initialize()


def clear_registry(folder: Path, processes: Path = PROCESSES) -> bool:
    """Delete JACK's registry if no process uses it; return whether it was deleted."""
    if not folder.is_dir() or _is_used(folder, processes):
        return False
    shutil.rmtree(folder, ignore_errors=True)
    log.debug("%s was left behind by a program that was killed", folder)
    return True


def _is_used(folder: Path, processes: Path) -> bool:
    """Whether a process has mapped a file of the folder, as every user of JACK has."""
    mark = f"{folder}/".encode()
    return any(mark in _maps(process) for process in processes.glob("[0-9]*/maps"))


def _maps(process: Path) -> bytes:
    try:
        return process.read_bytes()
    except OSError:
        return b""  # it has just ended, or belongs to another user, who has his own registry


# ---- Choosing a device: which is a microphone, which one a name means, which would be better ----
# The default input of a system may be the monitor of its loudspeaker, which records what the
# machine plays and nobody at the table. PortAudio does not show what is behind the names
# ``default`` and ``pulse``; the sound server's own ``pactl`` does, where it is installed.


CONVERTERS = frozenset(
    "a52 dmix downmix hdmi iec958 jack lavrate null oss samplerate speex speexrate upmix usbstream "
    "vdownmix".split()
)
"""ALSA's converters, which PortAudio lists among the microphones."""
SYSTEM_DEFAULT = ("default", "sysdefault")
SERVERS = (*SYSTEM_DEFAULT, "pulse", "pipewire")
"""Names behind which a sound server chooses the device."""
OF_OUTPUTS = ("monitor", "loopback", "stereo mix", "what u hear")
"""Parts of the names of sources that give what the machine plays."""
ANSWERS_WITHIN = 2.0


@dataclass(frozen=True, slots=True)
class Device:
    """An input device; ``rate``: its preferred rate in Hz."""

    name: str
    index: int
    channels: int
    rate: int


def inputs(backend: Any) -> list[Device]:
    """All input devices of ``sounddevice``."""
    return [
        Device(str(one["name"]), index, int(one["max_input_channels"]),
               int(one["default_samplerate"]))
        for index, one in enumerate(backend.query_devices())
        if one["max_input_channels"] > 0
    ]  # fmt: skip


def named(wanted: str, devices: Sequence[Device]) -> Device | None:
    """The device of that name, else the first that begins with it, else that contains its words.

    Case does not matter. None where there is none: no other device is taken instead.
    """
    text = wanted.casefold().strip()
    by_name = [(device.name.casefold(), device) for device in devices]
    fits = (
        [device for name, device in by_name if name == text],
        [device for name, device in by_name if name.startswith(text)],
        [device for name, device in by_name if all(word in name for word in text.split())],
    )
    return next((found[0] for found in fits if found), None)


def is_monitor(name: str) -> bool:
    """Whether a device of that name records what the machine plays."""
    return any(part in name.casefold() for part in OF_OUTPUTS)


def real(names: Sequence[str]) -> list[str]:
    """The names of real microphones among these: no converter, default or monitor."""
    return [
        name
        for name in names
        if name not in CONVERTERS and name not in SERVERS and not is_monitor(name)
    ]


def behind(name: str) -> str:
    """The source behind ``name`` at the sound server; the name itself if it names no server."""
    if name not in SERVERS:
        return name
    lines = (line.partition(": ") for line in _pactl("info"))
    return next((source for key, _, source in lines if key == "Default Source"), name)


def better(name: str, names: Sequence[str]) -> str:
    """The first real microphone among the names that is not ``name``; "" for none."""
    return next((other for other in real(names) if other != name), "")


def served(name: str) -> str:
    """A microphone of the sound server that is not the one behind ``name``; "" for none."""
    lines = (line.split("\t") for line in _pactl("list", "short", "sources"))
    sources = [parts[1] for parts in lines if len(parts) > 1 and not is_monitor(parts[1])]
    taken = behind(name)
    return next((source for source in sources if source != taken), "")


def advice(name: str, names: Sequence[str]) -> str:
    """What to do instead of taking sound from ``name``: one clause that names a better device.

    ``names``: all the devices there are.
    """
    if other := better(name, names):
        return Translatable(
            "choose '{name}' on the set-up page, or with: mus settings mic '{name}'", name=other
        )
    if source := served(name):
        return Translatable("choose '{name}' with: pactl set-default-source {name}", name=source)
    return "plug a microphone in, then choose it on the set-up page, or with: mus settings mic NAME"


def _pactl(*words: str) -> list[str]:
    """The output of ``pactl`` by lines; empty where it is not installed or does not answer."""
    try:
        answer = subprocess.run(
            ["pactl", *words],
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=ANSWERS_WITHIN,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return answer.stdout.splitlines()


# ---- A microphone as a source of sound, through PortAudio ---------------------------------------


WAITING = 40
"""Blocks (2 s) that may wait on a slow machine. Then the oldest are dropped, because late words are
worse than lost ones."""
SILENT_FOR = 2.0
"""Seconds without a block after which a microphone counts as unplugged."""
BEGINS_WITHIN = 5.0
"""Seconds that the first block may take: sound servers and wireless devices start slowly."""
POLL = 0.1


class MicrophoneSource:
    """A microphone by (part of) its name or its number, or the system's own choice."""

    live = True

    def __init__(
        self,
        device: str | None = None,
        backend: Any = None,
        *,
        channels: int = 1,
        array: bool = False,
    ) -> None:
        """``device`` is a name, a number or None; ``backend`` stands in for ``sounddevice``.

        ``channels``: how many to take of a device that has them; several are taken in any case
        where it gives no single one. ``array``: steer those that are an array's. Nothing is opened
        yet, so a table without a microphone can still be played by taps.
        """
        self._given = backend
        self._device = device
        self._channels = channels
        self._array = array
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
        """Blocks dropped because they were not taken in time."""
        return self._dropped

    @property
    def monitor(self) -> bool:
        """Whether it is known to record what the machine plays, and nothing of the table."""
        return self._monitor

    def blocks(self) -> Iterator[Block]:
        """The sound from now on. Raises NoMicrophone or SourceLost."""
        backend = self._given if self._given is not None else sounddevice()
        if self._began is not None:
            self._look_again(backend)
        self._closed.clear()
        self._inbox = queue.Queue(WAITING)
        with self._open(backend) as (rate, channels):
            heard = Channels(channels, rate, steers=self._array) if channels > 1 else None
            resampler = Resampler(rate, RATE)
            now = time.monotonic()
            self._began = now if self._began is None else self._began
            end = now - self._began
            lost = self._dropped
            patience = BEGINS_WITHIN
            while (frames := self._take(patience)) is not None:
                patience = SILENT_FOR
                mono, levels = heard.mix(frames) if heard else (frames[:, 0], ())
                samples = to_int16(resampler.feed(mono))
                # Time is counted in samples, which do not jitter, and corrected after a gap.
                end += len(samples) / RATE + (self._dropped - lost) * BLOCK / RATE
                lost = self._dropped
                yield Block(samples, end, levels)

    def close(self) -> None:
        """End ``blocks``, which releases the device."""
        self._closed.set()

    def _look_again(self, backend: Any) -> None:
        """Make PortAudio list its devices again; it does so only once. Raises SourceLost.

        sounddevice has no public name for it.
        """
        # After an attempt that failed half-way there is nothing to end.
        with suppress(backend.PortAudioError):
            backend._terminate()
        try:
            backend._initialize()
        except backend.PortAudioError as error:
            raise SourceLost(_went_away(self.name)) from error

    def _take(self, patience: float) -> Floats | None:
        """The next samples; None when closed. Raises SourceLost after ``patience`` seconds."""
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
        """Run the stream; give its rate in Hz and its channels. Raises NoMicrophone."""
        device = self._find(backend)
        self._name = device.name
        self._look_behind(backend)
        stream, channels = self._start(backend, device)
        rate = int(stream.samplerate)
        log.info("The microphone is '%s': %d Hz, channels: %d.", self._name, rate, channels)
        if self._array and self._channels == channels == 1:
            log.warning("One channel of '%s' is heard, so no array can be steered: "
                        "'mus settings channels 4' takes four.", self._name)  # fmt: skip
        try:
            yield rate, channels
        finally:
            stream.close()

    def _look_behind(self, backend: Any) -> None:
        """Find out whether it is a microphone at all, and name a better one if it is not."""
        source = behind(self._name)
        self._monitor = is_monitor(source)
        if self._monitor:
            log.warning(
                "The microphone '%s' hears what this machine plays, and nobody at the table: %s.",
                source,
                advice(self._name, [one.name for one in inputs(backend)]),
            )

    def _find(self, backend: Any) -> Device:
        """The device that the name or number means. Raises NoMicrophone."""
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
        """Open at ``RATE``, or else at the device's own rate: bare ALSA converts nothing."""
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
            "The microphone '{name}' cannot be opened: close what uses it, or name another.",
            name=self.name,
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
            # It would hold the device, which is then busy for every other attempt.
            with suppress(backend.PortAudioError):
                stream.close()
            self._inbox = queue.Queue(WAITING)  # the end of this stream is not that of the next
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
    """The names of all input devices. Raises NoMicrophone."""
    return [device.name for device in inputs(sounddevice())]


def channels_of(device: str) -> int:
    """How many channels a microphone has; 0 where there is none of that name. Raises NoMicrophone.

    A sound server's own names have as many as anybody may ask for, which tells nothing: 0, too.
    """
    found = named(device, inputs(sounddevice()))
    return found.channels if found and found.name not in SERVERS else 0


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
    return Translatable("The microphone '{name}' went away: plug it in again.", name=name)


def _no_microphone(device: str | None) -> str:
    if device is None:
        return "No microphone was found: plug one in."
    return Translatable(
        "There is no microphone '{device}': plug it in, or name one that the system lists.",
        device=device,
    )
