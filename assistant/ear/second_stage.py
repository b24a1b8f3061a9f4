"""The second stage: a regression for the probability that a stretch of sound is a legal call.

Three grammars decode the same sound: what may be said now, every word of the table, and unknown
speech alone. A small network weighs how far their likelihoods lie apart, how much of the sound the
call's words explain, and how far it stands out from the room. It is fitted on deals and talk in
noise (train_second_stage.py). docs/second-stage.md shows how well it is calibrated.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assistant.ear.speech_model import ModelError

FILE = Path("conf", "second-stage.json")
"""Its file in a model's folder; a model without it has the first stage alone."""
TURNS = Path("conf", "second-stage-turns.json")
"""The same for calls in turn; without it several calls are heard by the first stage alone."""
FAR, NEAR = -10.0, 1.0
"""Limits of the margin, in nats; values beyond them say no more."""
LEAST, MOST = -30.0, 30.0
"""The same for the margin over unknown speech."""
WHOLLY = 2.0
"""Words may be at most this many times as long as their stretch of speech: the decoder counts
silence beside them as part of them."""
SHORT = 0.3
"""Nothing is divided by a length of less than so many seconds."""
FAINTER, LOUDER = 20.0, -6.0
"""Limits in dB: below the usual call, and between two parts; values beyond them say no more."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a stretch of sound. Likelihoods are in nats, probabilities from 0 to 1.

    margin    log likelihood of the likeliest call, less that of the broad grammar's best hypothesis
    over_unknown  the same, less that of unknown speech alone
    unfinished    the same, less that of the moment's grammar's best hypothesis, a call or not
    unknown   probability of unknown speech among the broad grammar's hypotheses
    silent    probability of silence among them
    legal     probability of any call of the moment among them
    agrees    probability of this very call among them
    share     probability of this call among all calls of the moment
    seconds   how long the stretch is
    covered   the share of it in which the call's words lie
    words     how many words the call has
    call_in_front  the share of the call in which somebody at the table spoke
    in_front  the same of the whole stretch
    below     dB by which the call is fainter than the table's usual one; 0 if that is unknown
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
        """The network's inputs, by name."""
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
    """A network with one hidden layer: mean and scale of each feature, and the weights.

    ``hidden`` has a row for each unit, its bias last; ``output`` a weight for each, its bias last.
    ``turns``: the network for a call beside which others speak without a pause; None for none.
    """

    mean: Floats
    scale: Floats
    hidden: Floats
    output: Floats
    turns: SecondStage | None = None

    @classmethod
    def of_model(cls, model: Path) -> SecondStage | None:
        """The second stage of a model; None if it has none. Raises ModelError if it is damaged."""
        stage = cls._of_file(model / FILE)
        return replace(stage, turns=cls._of_file(model / TURNS)) if stage else None

    @classmethod
    def _of_file(cls, path: Path) -> SecondStage | None:
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return cls.told(told)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelError(
                "{path} is damaged: fetch the model again ({error}).", path=path, error=error
            ) from error

    @classmethod
    def unfitted(cls) -> SecondStage:
        """A network that knows nothing yet: every probability is one half."""
        count = len(NAMES)
        net = cls(np.zeros(count), np.ones(count), np.zeros((1, count + 1)), np.zeros(2))
        return replace(net, turns=net)

    @classmethod
    def told(cls, told: Mapping[str, Sequence[object]]) -> SecondStage:
        """The network that a file describes. Raises ValueError, KeyError or TypeError."""
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
        """The probability, 0 to 1, that exactly the likeliest call was said."""
        values = np.array(list(evidence.features().values()))
        scaled = (values - self.mean) / self.scale
        hidden = np.tanh(self.hidden[:, :-1] @ scaled + self.hidden[:, -1])
        total = float(self.output[:-1] @ hidden + self.output[-1])
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
