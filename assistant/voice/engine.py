"""The process that makes sound of sentences: ``python -m assistant.voice.engine``.

espeak-ng is a C library with threads of its own, and one that crashes takes its whole process with
it: in some it reads past the end of a stack that another thread used before (1.51, one start in
three beside Vosk). So it has a process to itself, which may die without the game.

Its first line is the voice's settings, each further one a sentence, or an empty object that asks
for the names of the voices; it answers each with one line. All are JSON objects. A sentence may
bring the timbre it is said in. It ends when nobody writes to it any more.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from assistant.voice.port import Timbre, VoiceError, VoiceSettings
from assistant.voice.synthesis import Synthesiser


def main() -> None:
    """Answer until the end of the input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the game, which ends us
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        # Whatever a library prints goes where the game's own complaints go, not between answers.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        serve(sys.stdin, answers)


def serve(lines: TextIO, answers: TextIO) -> None:
    """Speak the sentences of ``lines`` and tell in ``answers`` what became of each."""
    voice: Synthesiser | None = None
    for line in lines:
        asked = json.loads(line)
        if voice is None:
            voice = Synthesiser(VoiceSettings(**asked))
            answer = _tried(voice.check)
        elif "text" not in asked:
            answer = _tried(voice.voices)
        else:
            voice.volume = asked["volume"]
            timbre = Timbre(**asked.get("timbre", {}))
            answer = _tried(partial(voice.render, asked["text"], Path(asked["path"]), timbre))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _tried(do: Callable[[], object]) -> dict[str, Any]:
    try:
        return {"done": do()}
    except VoiceError as error:
        return {"error": str(error)}


if __name__ == "__main__":
    main()
