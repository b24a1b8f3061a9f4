"""The fit of the second stage, and the calibration of its probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from assistant.ear.second_stage import NAMES, Evidence, SecondStage

UNITS = 8
"""Hidden units, which make 177 weights in all. One unit, as in a plain regression, tells less.
With 16, or with more steps, the deals that were not learnt from are judged worse."""
STEPS, RATE, DECAY = 100, 0.01, 0.3
"""Settings of AdamW, with all examples at each step."""
NETS = 3
"""Networks of different seeds. Calibration uses their mean."""
FOLDS = 4
"""Parts of the deals, each judged by networks that learnt from the others."""
BINS = 10
SIZE, MARGIN = 320, 40
"""Size of the picture, in its units."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A stretch of sound: the second stage's features, and whether its likeliest call was said.

    ``turn``: it is a call in turn, beside which others spoke without a pause.
    """

    evidence: Evidence
    right: bool
    seed: int
    room: str
    way: str
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Bin:
    """Stretches with about the same probability: its mean, the share that was right, the number."""

    said: float
    right: float
    count: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Bins of probability and cross entropy in nats, for deals that were not learnt from."""

    bins: tuple[Bin, ...]
    loss: float


def fit(examples: Sequence[Example]) -> dict[str, Any]:
    """A network that learns from all examples, in the form of its file."""
    features, right = _arrays(examples)
    return _fitted(features, right, seed=1)


def calibration(examples: Sequence[Example]) -> Calibration:
    """How often calls of each probability are right, by deals that were not learnt from."""
    features, right = _arrays(examples)
    seeds = np.array([one.seed for one in examples])
    deals = sorted(set(seeds.tolist()))
    told = np.zeros(len(right))
    for fold in range(min(FOLDS, len(deals))):
        judged = np.isin(seeds, deals[fold::FOLDS])
        for seed in range(NETS):
            net = SecondStage.told(_fitted(features[~judged], right[~judged], seed))
            told[judged] += [
                net.probability(one.evidence) / NETS
                for one, wanted in zip(examples, judged, strict=True)
                if wanted
            ]
    return _told(told, right)


def judged(examples: Sequence[Example], stage: SecondStage) -> Calibration:
    """The same for an existing network, by deals from which it has not learnt."""
    told = np.array([stage.probability(one.evidence) for one in examples])
    return _told(told, np.array([one.right for one in examples], np.float64))


def _told(told: Floats, right: Floats) -> Calibration:
    sure = np.clip(told, 1e-6, 1 - 1e-6)
    loss = -float(np.mean(right * np.log(sure) + (1 - right) * np.log(1 - sure)))
    places = np.minimum((told * BINS).astype(int), BINS - 1)
    return Calibration(
        tuple(
            Bin(float(told[here].mean()), float(right[here].mean()), int(here.sum()))
            for place in range(BINS)
            if (here := places == place).any()
        ),
        loss,
    )


def picture(told: Calibration) -> str:
    """The reliability curve as SVG: each probability against the share that was right."""

    def at(x: float, y: float) -> str:
        inner = SIZE - 2 * MARGIN
        return f"{MARGIN + x * inner:.1f},{SIZE - MARGIN - y * inner:.1f}"

    most = max(one.count for one in told.bins)
    dots = "".join(
        f'<circle cx="{at(one.said, one.right).split(",")[0]}" '
        f'cy="{at(one.said, one.right).split(",")[1]}" r="{2 + 5 * (one.count / most) ** 0.5:.1f}">'
        f"<title>{one.count} told {one.said:.2f}: {one.right:.2f} right</title></circle>"
        for one in told.bins
    )
    line = " ".join(at(one.said, one.right) for one in told.bins)
    marks = "".join(
        f'<text x="{at(v, 0).split(",")[0]}" y="{SIZE - MARGIN + 16}" text-anchor="middle">{v:g}'
        f'</text><text x="{MARGIN - 8}" y="{float(at(0, v).split(",")[1]) + 4:.1f}" '
        f'text-anchor="end">{v:g}</text>'
        for v in (0, 0.5, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" role="img" '
        'font-family="sans-serif" font-size="11"><title>Told and right</title>'
        f'<rect width="{SIZE}" height="{SIZE}" fill="#fff"/>'
        f'<polyline points="{at(0, 0)} {at(1, 1)}" stroke="#999" stroke-dasharray="4"/>'
        f'<polyline points="{line}" fill="none" stroke="#06c"/><g fill="#06c">{dots}</g>{marks}'
        f'<text x="{SIZE / 2}" y="{SIZE - 6}" text-anchor="middle">probability told</text>'
        f'<text x="12" y="{SIZE / 2}" transform="rotate(-90 12 {SIZE / 2})" text-anchor="middle">'
        "share right</text></svg>\n"
    )


def _arrays(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    features = np.array([list(one.evidence.features().values()) for one in examples], np.float64)
    return features, np.array([one.right for one in examples], np.float64)


def _fitted(features: Floats, right: Floats, seed: int) -> dict[str, Any]:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-3
    first, second = torch.nn.Linear(len(NAMES), UNITS), torch.nn.Linear(UNITS, 1)
    net = torch.nn.Sequential(first, torch.nn.Tanh(), second)
    inputs = torch.tensor((features - mean) / scale, dtype=torch.float32)
    wanted = torch.tensor(right, dtype=torch.float32)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    for _ in range(STEPS):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(inputs)[:, 0], wanted)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
    hidden = torch.cat([first.weight, first.bias[:, None]], dim=1)
    output = torch.cat([second.weight[0], second.bias])
    return {
        "features": list(NAMES),
        "mean": _rounded(mean),
        "scale": _rounded(scale),
        "hidden": [_rounded(row) for row in hidden.detach().numpy()],
        "output": _rounded(output.detach().numpy()),
    }


def _rounded(values: npt.NDArray[Any]) -> list[float]:
    return [round(float(value), 5) for value in values]
