"""A voice that speaks into one WAV file, with a list of what is heard when beside it."""

from __future__ import annotations

import logging
import tempfile
import threading
import wave
from contextlib import ExitStack
from pathlib import Path

from assistant.announce.desk import Desk
from assistant.announce.mouth import Mouth
from assistant.announce.port import Said, VoiceError, VoiceSettings

log = logging.getLogger("mus.voice")

GAP = 0.4
"""Seconds of silence after each sentence."""

GRACE = 60.0
"""Seconds to finish writing; a sentence takes a hundredth of one."""


class WavVoice:
    """Writes everything it is told to say into ``path``, whatever overtakes it.

    Beside ``voice.wav`` stands ``voice.log``: a line for each sentence, with the seconds at which
    it begins and ends in the file. Both are complete after each sentence, should the power fail.
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
            raise VoiceError(f"{path} cannot be written: {error.strerror or error}.") from error
        self._sound = self._files.enter_context(wave.Wave_write(self._file))
        # Replaced by what the first sentence has; without any, the file is silent but valid.
        self._sound.setparams((1, 2, 22050, 0, "NONE", "not compressed"))
        self._folder = tempfile.TemporaryDirectory(prefix="mus-voice-")
        self._desk = Desk(_All(), self._speak, self._finish)

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Write a sentence soon."""
        self._desk.say(text, seq=seq, urgent=urgent)

    def set_volume(self, volume: float) -> None:
        """Say what comes next louder or softer: 0 to 1."""
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
    """A queue in which nothing is overtaken."""

    def __init__(self) -> None:
        self._sentences: list[Said] = []

    def __len__(self) -> int:
        return len(self._sentences)

    def put(self, new: Said) -> list[Said]:
        self._sentences.append(new)
        return []

    def take(self) -> Said | None:
        return self._sentences.pop(0) if self._sentences else None

    def clear(self) -> None:
        self._sentences.clear()
