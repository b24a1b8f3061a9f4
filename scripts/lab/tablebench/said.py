"""A cache of speech on disk, because some voices take longer to speak than to be heard."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np

from scripts.lab.rendering.deal import write_wav
from scripts.lab.rendering.voices import Floats, Manner, Voice, speak


def cache_folder() -> Path:
    """The folder of the cache: MUS_BENCH_CACHE, or a folder among the temporary files."""
    named = os.environ.get("MUS_BENCH_CACHE")
    folder = Path(named) if named else Path(tempfile.gettempdir()) / "mus-bench-cache"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def speak_cached(voice: Voice, text: str, manner: Manner) -> Floats:
    """The same as ``speak``, from the disk if it was said before. Raises VoiceError."""
    key = f"{voice.name}|{text}|{manner.speed:.2f}|{manner.pitch:.2f}"
    path = cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npy"
    try:
        return np.asarray(np.load(path), np.float32)
    except (OSError, ValueError, EOFError):
        pass  # not said yet, or a file that was cut short
    sound = speak(voice, text, Manner(round(manner.speed, 2), round(manner.pitch, 2)))
    kept = sound.astype(np.float16)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
        np.save(file, kept)
    Path(file.name).replace(path)
    return np.asarray(kept, np.float32)  # as it will be read back


def wav_cached(voice: Voice, text: str, manner: Manner) -> tuple[Floats, Path]:
    """The same speech, and a WAV file that holds it, as a player gets one."""
    sound = speak_cached(voice, text, manner)
    name = hashlib.sha256(f"wav {voice.name}|{text}|{manner.speed:.2f}".encode()).hexdigest()[:32]
    path = cache_folder() / f"{name}.wav"
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            write_wav(Path(file.name), sound)
        Path(file.name).replace(path)
    return sound, path
