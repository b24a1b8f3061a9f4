"""How probable it is that a stretch of sound is one of the calls that the moment asks for.

Three grammars hear the same sound: what may be said now, every word of the table, and unknown
speech alone. How far their likelihoods lie apart, how much of the sound the call's words explain
and how far in front of the room it was said go into a small network, which is fitted on deals and
talk in noise (train_second_stage.py). docs/second-stage.md draws how well it is calibrated.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assistant.ear.speech_model import ModelError

FILE = Path("conf", "second-stage.json")
"""Where a model's folder keeps it; a model without it is heard by the first stage alone."""
FAR, NEAR = -10.0, 1.0
"""Nats between which the margin of two grammars tells something."""
LEAST, MOST = -30.0, 30.0
"""Nats over unknown speech between which a call is surer and surer."""
WHOLLY = 2.0
"""Times the length of a stretch of speech that the words in it are longest: silence beside them is
counted to them."""
SHORT = 0.3
"""Seconds of the shortest stretch by which anything is divided."""
FAINTER, LOUDER = 20.0, -6.0
"""dB below the usual call, and dB of two parts, beyond which more tells no more."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a stretch of sound tells; likelihoods are logarithms, in nats, probabilities 0 to 1.

    margin    of the likeliest call, less that of the likeliest way with every word of the table
    over_unknown  the same, less that of unknown speech alone
    unfinished    the same, less that of the likeliest way by the moment's grammar, a call or not
    unknown   probability of unknown speech among all ways to hear it with every word
    silent    probability that nothing was said, among them
    legal     probability that it was a call of the moment, among them
    agrees    probability that it was this very call, among them
    share     probability of this call among all calls of the moment
    seconds   how long the stretch is
    covered   the share of it in which the call's words lie
    words     how many words the call has
    call_in_front  the share of the call in which somebody at the table spoke
    in_front  the same of the whole stretch
    below     dB by which the call is fainter than the table's usual one; 0 where that is not known
    crowded   people talk behind the table
    part      it is a part of an utterance, and the rest of it was said before or after a pause
    first     it is the part that was said first
    pause     seconds of that pause
    louder    dB by which it is louder than the rest
    """

    margin: float
    over_unknown: float
    unfinished: float
    unknown: float
    silent: float
    legal: float
    agrees: float
    share: float
    seconds: float
    covered: float
    words: int
    call_in_front: float
    in_front: float
    below: float
    crowded: bool
    part: bool = False
    first: bool = False
    pause: float = 0.0
    louder: float = 0.0

    def features(self) -> dict[str, float]:
        """What the network weighs, by name."""
        over = min(MOST, max(LEAST, self.over_unknown))
        return {
            "margin": min(NEAR, max(FAR, self.margin)),
            "over unknown": over,
            "over unknown a second": over / max(self.seconds, SHORT),
            "unfinished": max(LEAST, self.unfinished),
            "unknown": self.unknown,
            "silent": self.silent,
            "legal": self.legal,
            "agrees": self.agrees,
            "share": self.share,
            "seconds": self.seconds,
            "covered": min(WHOLLY, self.covered),
            "words": math.log(max(1, self.words)),
            "call in front": self.call_in_front,
            "in front": self.in_front,
            "below": min(FAINTER, max(LOUDER, self.below)),
            "crowded": float(self.crowded),
            "part": float(self.part),
            "first": float(self.first),
            "pause": min(1.0, self.pause),
            "louder": min(FAINTER, max(-FAINTER, self.louder)),
        }


_NOTHING = Evidence(
    margin=0.0, over_unknown=0.0, unfinished=0.0, unknown=0.0, silent=0.0, legal=0.0, agrees=0.0,
    share=0.0, seconds=0.0, covered=0.0, words=0, call_in_front=0.0, in_front=0.0, below=0.0,
    crowded=False,
)  # fmt: skip
NAMES = tuple(_NOTHING.features())
"""The features, in their order."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SecondStage:
    """A network with one hidden layer: what it subtracts and divides each feature by, weights.

    ``hidden`` has a row for each unit, its bias last; ``output`` a weight for each, its bias last.
    """

    mean: Floats
    scale: Floats
    hidden: Floats
    output: Floats

    @classmethod
    def of_model(cls, model: Path) -> SecondStage | None:
        """A model's own; None where it has none. Raises ModelError for one that is damaged."""
        path = model / FILE
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return cls.told(told)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelError(f"{path} is damaged: fetch the model again ({error}).") from error

    @classmethod
    def unfitted(cls) -> SecondStage:
        """One that knows nothing yet: all is as probable as not."""
        count = len(NAMES)
        return cls(np.zeros(count), np.ones(count), np.zeros((1, count + 1)), np.zeros(2))

    @classmethod
    def told(cls, told: Mapping[str, Sequence[object]]) -> SecondStage:
        """What a file tells. Raises ValueError, KeyError or TypeError where that is none."""
        if tuple(told["features"]) != NAMES:
            raise ValueError("its features are those of another version")
        names = ("mean", "scale", "hidden", "output")
        mean, scale, hidden, output = (np.asarray(told[name], np.float64) for name in names)
        count = len(NAMES)
        shapes = mean.shape, scale.shape, hidden.shape, output.shape
        if shapes != ((count,), (count,), (len(hidden), count + 1), (len(hidden) + 1,)):
            raise ValueError("its weights have other shapes")
        if not all(np.isfinite(part).all() for part in (mean, scale, hidden, output)):
            raise ValueError("its weights are no numbers")
        return cls(mean, scale, hidden, output)

    def probability(self, evidence: Evidence) -> float:
        """The probability that exactly the likeliest call was said, 0 to 1."""
        values = np.array(list(evidence.features().values()))
        scaled = (values - self.mean) / self.scale
        hidden = np.tanh(self.hidden[:, :-1] @ scaled + self.hidden[:, -1])
        total = float(self.output[:-1] @ hidden + self.output[-1])
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
