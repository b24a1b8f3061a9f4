"""A store of spoken clips: one .npy of 16-bit samples and one .json of what is said in them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from .audio import Samples


@dataclass(frozen=True, slots=True)
class Clip:
    """What is known of one clip: its words, its kind, whose voice, theta or not.

    `seseo` is None while nobody knows whether the speaker has it.
    """

    text: str
    kind: str
    voice: str
    seseo: bool | None


class ClipStore:
    """Read access to clips written by `write`; samples stay on disk until asked for."""

    def __init__(self, base: Path) -> None:
        rows = json.loads(base.with_suffix(".json").read_text(encoding="utf-8"))
        self.ends: list[int] = rows["ends"]
        self.clips = [Clip(**row) for row in rows["clips"]]
        self._samples = np.load(base.with_suffix(".npy"), mmap_mode="r")

    def __len__(self) -> int:
        return len(self.clips)

    def samples(self, index: int) -> Samples:
        """Return the samples of clip `index` as floats."""
        start = self.ends[index - 1] if index else 0
        whole = np.asarray(self._samples[start : self.ends[index]], np.float32)
        return np.asarray(whole / 32768, np.float32)


def write(base: Path, items: Sequence[tuple[Clip, Samples]]) -> None:
    """Write clips to `base`.npy and `base`.json; the .json goes last and marks completion."""
    joined = np.concatenate([samples for _, samples in items])
    np.save(base.with_suffix(".npy"), np.round(joined * 32767).astype(np.int16))
    ends = np.cumsum([len(samples) for _, samples in items]).tolist()
    rows = {"ends": ends, "clips": [asdict(clip) for clip, _ in items]}
    base.with_suffix(".json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
