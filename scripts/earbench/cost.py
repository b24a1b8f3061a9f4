"""What listening costs one core, measured in a process of its own.

python -m scripts.earbench.cost FILE.wav MODEL
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from assistant.app.resources import load_lexicon
from assistant.speech import Recogniser, transcribe
from assistant.speech.audio import wav_seconds
from assistant.speech.errors import SpeechError

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT = 600


def measured(wav: Path, model: Path) -> dict[str, Any]:
    """The cost of hearing a recording in a new process. Raises SpeechError."""
    command = [sys.executable, "-m", "scripts.earbench.cost", str(wav), str(model)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT, check=True
        )
    except subprocess.SubprocessError as error:
        raise SpeechError(f"What listening costs could not be measured: {error}") from error
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    """Hear a recording with one core and print what it took."""
    wav, model = map(Path, sys.argv[1:3])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ear = Recogniser(model, load_lexicon().grammar())
    began = time.process_time()
    transcribe(wav, ear)
    spent = time.process_time() - began
    seconds = wav_seconds(wav)
    print(
        json.dumps(
            {
                "seconds": round(seconds, 1),
                "real_time_factor": round(spent / seconds, 4),
                "rss_mb": round(_most_memory_mb(), 1),
            }
        )
    )
    return 0


def _most_memory_mb() -> float:
    """The most memory that this process ever held. Linux only."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    sys.exit(main())
