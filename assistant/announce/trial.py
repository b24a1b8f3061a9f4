"""One sentence on the loudspeaker, for somebody who wants to hear a voice."""

from __future__ import annotations

import tempfile
import threading
from contextlib import closing
from pathlib import Path

from assistant.announce.mouth import Mouth
from assistant.announce.player import find_player, play
from assistant.announce.port import Gate, VoiceSettings


def say_once(text: str, sound: VoiceSettings, gate: Gate) -> None:
    """Say a sentence and return when it is over. Raises VoiceError where nobody hears it."""
    player = find_player()
    with tempfile.TemporaryDirectory(prefix="mus-voice-") as folder, closing(Mouth(sound)) as mouth:
        path = Path(folder) / "sentence.wav"
        seconds = mouth.render(text, path)
        gate.shut(path)
        try:
            play(player, path, seconds, threading.Event())
        finally:
            gate.open()
