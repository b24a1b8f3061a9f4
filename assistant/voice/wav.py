"""WAV files: a voice that writes one, sentences as files for the page, and playing a recording."""

from __future__ import annotations

import io
import logging
import tempfile
import threading
import wave
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from assistant.rules.errors import MusError
from assistant.voice.port import SaidSentence, VoiceError, VoiceSettings
from assistant.voice.speaker import STUCK, Mouth, SpeechThread, find_player, play

# ---- A voice that writes one WAV file, with a log of its sentences beside it --------------------


log = logging.getLogger("mus.voice")

GAP = 0.4
"""Seconds of silence after each sentence."""

GRACE = 60.0
"""Seconds to finish writing; a sentence takes a hundredth of one."""


class WavVoice:
    """Writes all its sentences into ``path``; none is replaced by a newer one.

    ``voice.log`` beside ``voice.wav`` has a line for each sentence, with the seconds at which it
    begins and ends in the file. Both are complete after each sentence, in case the power fails.
    """

    def __init__(self, path: Path, settings: VoiceSettings | None = None) -> None:
        """Open the files. Raises VoiceError where they cannot be written or nothing can speak."""
        self._path = path
        self._log_path = path.with_suffix(".log")
        self._mouth = Mouth(settings or VoiceSettings())
        self._mouth.check()
        self._files = ExitStack()
        try:
            self._file = self._files.enter_context(path.open("wb"))
            self._log_path.write_text("", encoding="utf-8")
        except OSError as error:
            self._mouth.close()
            raise VoiceError(
                "{path} cannot be written: {why}.", path=path, why=error.strerror or error
            ) from error
        self._sound = self._files.enter_context(wave.Wave_write(self._file))
        # The first sentence replaces these; without any, the file is empty but valid.
        self._sound.setparams((1, 2, 22050, 0, "NONE", "not compressed"))
        self._folder = tempfile.TemporaryDirectory(prefix="mus-voice-")
        self._desk = SpeechThread(_All(), self._speak, self._finish)

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Write a sentence soon."""
        self._desk.say(text, seq=seq, urgent=urgent)

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0 to 1, of what is said from now on."""
        self._mouth.volume = volume

    def silence(self) -> None:
        """Forget what is not written yet."""
        self._desk.silence()

    def close(self) -> None:
        """Write what waits and close the files."""
        self._desk.close(GRACE)

    def _finish(self) -> None:
        self._files.close()
        self._mouth.close()
        self._folder.cleanup()

    def _speak(self, text: str, _stop: threading.Event) -> None:
        part = Path(self._folder.name) / "sentence.wav"
        try:
            seconds = self._mouth.render(text, part)
            start = self._append(part)
            with self._log_path.open("a", encoding="utf-8") as lines:
                lines.write(f"{start:8.2f} {start + seconds:8.2f}  {text}\n")
        except OSError as error:
            log.error("%s cannot be written: %s.", self._path, error.strerror or error)
        except VoiceError as error:
            log.error("%s", error)

    def _append(self, part: Path) -> float:
        """Add a sentence and a silence; return where it begins, in seconds."""
        with wave.open(str(part), "rb") as sentence:
            if not self._sound.getnframes():
                self._sound.setparams(sentence.getparams())
            start = self._sound.getnframes() / sentence.getframerate()
            silence = bytes(int(GAP * sentence.getframerate()) * sentence.getsampwidth())
            self._sound.writeframes(sentence.readframes(sentence.getnframes()) + silence)
        self._file.flush()
        return start


class _All:
    """A queue in which nothing is replaced."""

    def __init__(self) -> None:
        self._sentences: list[SaidSentence] = []

    def __len__(self) -> int:
        return len(self._sentences)

    def put(self, new: SaidSentence) -> list[SaidSentence]:
        self._sentences.append(new)
        return []

    def take(self) -> SaidSentence | None:
        return self._sentences.pop(0) if self._sentences else None

    def clear(self) -> None:
        self._sentences.clear()


# ---- Sentences as WAV files in memory, to be played elsewhere, as by a telephone; a cache -------


MOST_BYTES = 8_000_000
"""Size of the cache: some three minutes."""


class Sounds:
    """The table's voice as WAV files in memory, made one at a time. Any thread may ask."""

    def __init__(self, settings: VoiceSettings, most: int = MOST_BYTES) -> None:
        """``most``: bytes of the cache."""
        self._mouth = Mouth(settings)
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def of(self, text: str) -> bytes:
        """The sentence as a WAV file. Raises VoiceError."""
        with self._lock:
            if text not in self._kept:
                self._kept[text] = self._made(text)
                while len(self._kept) > 1 and self.size > self._most:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(text)
            return self._kept[text]

    @property
    def size(self) -> int:
        """Bytes in the cache."""
        return sum(map(len, self._kept.values()))

    def close(self) -> None:
        """End the voice's process."""
        self._mouth.close()

    def _made(self, text: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="mus-sound-") as folder:
            path = Path(folder) / "sentence.wav"
            try:
                self._mouth.render(text, path)
                return path.read_bytes()
            except OSError as error:
                raise VoiceError("No sound could be written: {why}.", why=error.strerror) from error


def seconds_of(sound: bytes) -> float:
    """The length of a WAV file in seconds."""
    with wave.open(io.BytesIO(sound), "rb") as file:
        return file.getnframes() / file.getframerate()


# ---- The pronunciation of a call, for a page that plays it --------------------------------------
# Only texts that a page was given can be asked for. Otherwise anybody in the network could make the
# table's machine read a novel to him.


OFFERED = 512
"""How many texts may be asked for: the newest that pages were given."""
LONGEST = 200
"""The most letters of a text; a call is shorter."""


class NotOfferedError(MusError):
    """No page was given this text."""


class Pronouncer:
    """Texts as WAV files by one voice. Every method may be called from any thread."""

    def __init__(self, sounds: Sounds) -> None:
        """The voice's process starts with the first text, so without learners there is none."""
        self._sounds = sounds
        self._offered: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def offer(self, texts: Iterable[str]) -> None:
        """Allow texts to be asked for; beyond ``OFFERED`` the oldest are no longer allowed."""
        with self._lock:
            for text in texts:
                if text and len(text) <= LONGEST:
                    self._offered[text] = None
                    self._offered.move_to_end(text)
            while len(self._offered) > OFFERED:
                self._offered.popitem(last=False)

    def __call__(self, text: str) -> bytes:
        """The text as a WAV file. Raises NotOfferedError, or VoiceError if it cannot be made."""
        with self._lock:
            if text not in self._offered:
                raise NotOfferedError("That is no call of this table: open the page again.")
        return self._sounds.of(text)

    def close(self) -> None:
        """End the voice's process."""
        self._sounds.close()


# ---- A recording on the loudspeaker, while the ear hears it -------------------------------------


class Playback:
    """Plays a WAV file once, in a thread of its own; logs a warning if that is not possible."""

    def __init__(self, path: Path, player: tuple[str, ...] | None = None) -> None:
        """``player``: the command that plays it; None: the system's own."""
        self._path = path
        self._player = player
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, name="mus-playback", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Stop, if it has not ended."""
        self._over.set()
        self._thread.join(STUCK)

    def _play(self) -> None:
        try:
            play(
                self._player or find_player(),
                self._path,
                seconds_of(self._path.read_bytes()),
                self._over,
            )
        except VoiceError as error:
            log.warning("%s", error)
