"""The network's input: 40 cepstra of 40 mel bands every 10 ms, exactly as Vosk computes them.

The module also has the store of features with their transcripts, which training reads from disk.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import kaldi_native_fbank as knf
import numpy as np
import numpy.typing as npt

from .audio import RATE, Samples

CEPSTRA = 40
Frames = npt.NDArray[np.float16]

MFCC_CONF = {
    "use-energy": "false", "num-mel-bins": "40", "num-ceps": "40", "low-freq": "20",
    "high-freq": "-400", "dither": "0", "sample-frequency": str(RATE),
}  # fmt: skip
"""The same settings for Kaldi (conf/mfcc.conf) as `mfcc` below uses."""


def mfcc(samples: Samples) -> Frames:
    """Return the cepstra, shape (frames, 40). Kaldi works on 16-bit values, so scale to them."""
    options = knf.MfccOptions()
    options.frame_opts.samp_freq = RATE
    options.frame_opts.dither = 0.0
    options.frame_opts.snip_edges = True
    options.use_energy = False
    options.mel_opts.num_bins = options.num_ceps = CEPSTRA
    options.mel_opts.low_freq, options.mel_opts.high_freq = 20, -400
    extractor = knf.OnlineMfcc(options)
    extractor.accept_waveform(RATE, np.round(np.clip(samples, -1, 1) * 32767).tolist())
    extractor.input_finished()
    rows = [extractor.get_frame(index) for index in range(extractor.num_frames_ready)]
    return np.asarray(rows, np.float16)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The text of one stored utterance. `clip` is its number among the part's clips."""

    text: str
    voice: str
    seseo: bool | None
    clip: int


class FeatureStore:
    """Read access to the features of one part. Frames stay on disk until they are needed."""

    def __init__(self, base: Path) -> None:
        rows = json.loads(base.with_suffix(".json").read_text(encoding="utf-8"))
        self.ends: list[int] = rows["ends"]
        self.transcripts = [Transcript(**row) for row in rows["transcripts"]]
        self._frames = np.load(base.with_suffix(".npy"), mmap_mode="r")

    def length(self, index: int) -> int:
        """Return the number of frames of utterance `index`."""
        return self.ends[index] - (self.ends[index - 1] if index else 0)

    def frames(self, index: int) -> Frames:
        """Return the frames of utterance `index`, shape (frames, 40)."""
        return np.asarray(self._frames[self.ends[index] - self.length(index) : self.ends[index]])


def write(base: Path, utterances: Iterable[tuple[Transcript, Frames]]) -> int:
    """Write utterances to `base`.npy and .json (last, to mark completion). Returns the frames."""
    transcripts, frames = zip(*utterances, strict=True)
    np.save(base.with_suffix(".npy"), np.concatenate(frames))
    ends = np.cumsum([len(rows) for rows in frames]).tolist()
    rows = {"ends": ends, "transcripts": [asdict(transcript) for transcript in transcripts]}
    base.with_suffix(".json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return int(ends[-1])
