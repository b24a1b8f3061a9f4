"""A store of spoken clips: one .npy of 16-bit samples, and one .json of what they say.

To send them to another machine, the samples can be packed as .opus, some ten times smaller.
"""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .audio import RATE, Samples

PACKER = "ffmpeg"
"""The command that packs, which is also the name of Debian's package."""

_BITRATE = "24k"


@dataclass(frozen=True, slots=True)
class Clip:
    """What is known of one clip: its words, its kind, its speaker, and whether it has seseo.

    `seseo` is None if nobody knows whether the speaker has it.
    """

    text: str
    kind: str
    voice: str
    seseo: bool | None


class ClipStore:
    """Read access to clips that `write` made. Samples stay on disk until they are needed."""

    def __init__(self, base: Path) -> None:
        """Open a store. Packed samples are unpacked first. Raises OSError or ValueError."""
        rows = json.loads(base.with_suffix(".json").read_text(encoding="utf-8"))
        self.ends: list[int] = rows["ends"]
        self.clips = [Clip(**row) for row in rows["clips"]]
        if not base.with_suffix(".npy").exists() and base.with_suffix(".opus").exists():
            unpack(base, self.ends[-1])
        self._samples = np.load(base.with_suffix(".npy"), mmap_mode="r")

    def __len__(self) -> int:
        return len(self.clips)

    def samples(self, index: int) -> Samples:
        """Return the samples of clip `index` as floats."""
        start = self.ends[index - 1] if index else 0
        whole = np.asarray(self._samples[start : self.ends[index]], np.float32)
        return np.asarray(whole / 32768, np.float32)


def write(base: Path, items: Sequence[tuple[Clip, Samples]]) -> None:
    """Write clips to `base`.npy and `base`.json. The .json comes last and marks completion."""
    base.with_suffix(".opus").unlink(missing_ok=True)
    joined = np.concatenate([samples for _, samples in items])
    np.save(base.with_suffix(".npy"), np.round(joined * 32767).astype(np.int16))
    ends = np.cumsum([len(samples) for _, samples in items]).tolist()
    rows = {"ends": ends, "clips": [asdict(clip) for clip, _ in items]}
    base.with_suffix(".json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


def pack(base: Path) -> Path:
    """Write the samples of a store as `base`.opus (24 kbit/s), and return that path.

    Raises OSError where they cannot be read or written, or ffmpeg is missing or fails.
    """
    target, samples = base.with_suffix(".opus"), np.load(base.with_suffix(".npy"), mmap_mode="r")
    whole = target.with_suffix(f".{os.getpid()}.tmp")
    command = [
        PACKER, "-v", "error", "-y", "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-",
        "-c:a", "libopus", "-b:a", _BITRATE, "-compression_level", "4", "-f", "opus", str(whole),
    ]  # fmt: skip
    try:
        subprocess.run(command, input=samples.tobytes(), capture_output=True, check=True)
    except subprocess.CalledProcessError as error:
        whole.unlink(missing_ok=True)
        told = error.stderr.decode(errors="replace").strip()
        raise OSError(f"{PACKER} could not pack {base.name}: {told}") from None
    whole.replace(target)
    return target


def unpack(base: Path, length: int) -> None:
    """Write `base`.npy from `base`.opus, which must have `length` samples.

    Raises OSError if the file cannot be read or written, ValueError if it is of another sound.
    """
    import soundfile  # imported here, because most work folders have nothing packed

    source = base.with_suffix(".opus")
    samples: npt.NDArray[np.int16]
    samples, rate = soundfile.read(source, dtype="int16")
    if rate != RATE or samples.shape != (length,):
        raise ValueError(f"{source} has other samples than {base.with_suffix('.json').name} says")
    whole = base.with_suffix(f".{os.getpid()}.tmp.npy")
    np.save(whole, samples)
    whole.replace(base.with_suffix(".npy"))
