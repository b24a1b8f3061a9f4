"""Training of the network of the second check, and the measurement of how well it does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from tqdm import tqdm

from assistant.eye.compare import CELLS, MIDDLE, SCALE
from scripts.lab.checklab.net import KINDS, CheckNet
from scripts.lab.checklab.samples import ALIKE, COVERED, DIFFERS, UNTOLD, Samples

BATCH = 32
RATE, RATE_ON, DECAY = 4e-3, 1.5e-3, 1e-4
"""The learning rate at its peak, the one for a network that was trained before, and the decay."""
WARM_UP = 0.05
"""The share of all steps in which the rate rises to its peak. Then it falls as a cosine."""
WEIGHTS = (1.0, 1.5, 1.0)
"""Weights of the kinds of cells. Another print is rarer, and matters most."""
DOUBTFUL, STRIP = 0.13, 0.5
"""The probability of another print from which a card counts as doubted, and the share of its cells
that a card in part shows less than."""
SOME = 128
"""The pictures on which a network that is trained on is measured first."""
SAVE_EVERY = 200
"""Steps between two checkpoints, so that a stopped run loses no more."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Pictures (n, 7, height, width) as the network gets them, and their cells."""

    pictures: torch.Tensor
    cells: torch.Tensor


def train(
    parts: Sequence[Samples],
    rounds: int,
    checkpoint: Path,
    seed: int = 1,
    start: CheckNet | None = None,
) -> CheckNet:
    """Train a network until it has seen all samples this often. It goes on from a checkpoint.

    ``start``: a trained network to begin with, at a lower rate; None for one that knows nothing.
    """
    torch.manual_seed(seed)
    rate = RATE_ON if start else RATE
    made: Any = start or CheckNet()  # torch's types lack memory formats
    net: CheckNet = made.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=DECAY)
    done = 0
    if checkpoint.exists():
        kept = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(kept["net"])
        optimizer.load_state_dict(kept["optimizer"])
        done = int(kept["steps"])
    each = sum(len(one.cells) for one in parts) // BATCH
    steps = rounds * each
    weights = torch.tensor(WEIGHTS)
    short = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # eight times slower elsewhere
    net.train()
    smooth = math.nan
    with tqdm(total=steps, initial=done, desc="training", unit="step") as bar:
        while done < steps:
            for batch in _batches(parts, seed + done // each, done % each):
                for group in optimizer.param_groups:
                    group["lr"] = rate * _schedule(done / steps)
                with torch.autocast("cpu", torch.bfloat16, enabled=short):
                    answers = net(batch.pictures)
                loss: Any = nn.functional.cross_entropy(
                    answers.float(), batch.cells, weights, ignore_index=UNTOLD
                )
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 2.0)
                optimizer.step()
                done += 1
                value = loss.item()
                smooth = value if math.isnan(smooth) else 0.98 * smooth + 0.02 * value
                bar.update()
                bar.set_postfix(loss=f"{smooth:.4f}")
                if done % SAVE_EVERY == 0 or done == steps:
                    _save(checkpoint, net, optimizer, done)
    return net


def _save(path: Path, net: CheckNet, optimizer: torch.optim.Optimizer, steps: int) -> None:
    partly = path.with_suffix(".part")
    kept = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "steps": steps}
    torch.save(kept, partly)
    partly.replace(path)


def _schedule(share: float) -> float:
    warm = min(1.0, share / WARM_UP + 0.02)
    return warm * (0.495 * (1 + math.cos(math.pi * share)) + 0.01)


def _batches(parts: Sequence[Samples], seed: int, skipped: int) -> Iterator[Batch]:
    """All samples once, in the order of this seed, without the first ``skipped`` batches."""
    dice = np.random.default_rng(seed)
    where = np.concatenate(
        [np.column_stack([np.full(len(one.cells), at), np.arange(len(one.cells))])
         for at, one in enumerate(parts)]
    )  # fmt: skip
    order = dice.permutation(where)
    for at in range(skipped, len(order) // BATCH):
        some = order[at * BATCH : (at + 1) * BATCH]
        pictures = np.stack([parts[part].pictures[row] for part, row in some])
        cells = np.stack([parts[part].cells[row] for part, row in some])
        yield _varied(pictures, cells, np.random.default_rng([seed, at]))


def _varied(
    pictures: np.typing.NDArray[np.uint8],
    cells: np.typing.NDArray[np.uint8],
    dice: np.random.Generator,
) -> Batch:
    """A batch that is randomly mirrored and whose colours are randomly exchanged."""
    colours = dice.permutation(3)
    pictures = pictures[:, [*colours, *(3 + colours), 6]]
    for axis in (1, 2):
        if dice.random() < 0.5:
            pictures, cells = np.flip(pictures, axis + 1), np.flip(cells, axis)
    return as_batch(pictures, cells)


def as_batch(pictures: np.typing.NDArray[np.uint8], cells: np.typing.NDArray[np.uint8]) -> Batch:
    """A batch as the network gets it."""
    numbers = torch.from_numpy(np.ascontiguousarray(pictures)).float()
    numbers[:, :6] = (numbers[:, :6] - MIDDLE) / SCALE
    wanted = torch.from_numpy(np.ascontiguousarray(cells)).long()
    return Batch(numbers.contiguous(memory_format=torch.channels_last), wanted)


def some_pictures(parts: Sequence[Samples]) -> torch.Tensor:
    """Pictures of random samples of all parts, as the network gets them."""
    dice = np.random.default_rng(0)
    chosen = [parts[at] for at in dice.integers(len(parts), size=SOME)]
    rows = [dice.integers(len(part.cells)) for part in chosen]
    pictures = np.stack([part.pictures[row] for part, row in zip(chosen, rows, strict=True)])
    return as_batch(pictures, np.zeros((SOME, *CELLS), np.uint8)).pictures


def right_shares(net: CheckNet, parts: Sequence[Samples]) -> dict[str, float]:
    """The share of cells that are told rightly, of those alike, of other prints, and covered."""
    net.eval()
    counts = np.zeros((KINDS, KINDS))
    with torch.no_grad():
        for part in parts:
            for at in range(0, len(part.cells), BATCH):
                some = slice(at, at + BATCH)
                batch = as_batch(part.pictures[some], part.cells[some])
                told = net(batch.pictures).argmax(dim=1).numpy()
                for kind in range(KINDS):
                    those = told[batch.cells.numpy() == kind]
                    counts[kind] += np.bincount(those, minlength=KINDS)
    shares = np.diag(counts) / np.maximum(1, counts.sum(axis=1))
    names = {"alike": ALIKE, "differs": DIFFERS, "covered": COVERED}
    return {name: float(shares[kind]) for name, kind in names.items()}


def card_shares(net: CheckNet, parts: Sequence[Samples]) -> dict[str, float]:
    """The share of cards doubted beside their own reference, and of others missed, by their part.

    A card is doubted if another print is more probable than DOUBTFUL in four neighbouring cells
    anywhere. One in part shows less than STRIP of its cells.
    """
    net.eval()
    found: dict[str, list[bool]] = {}
    with torch.no_grad():
        for part in parts:
            for at in range(0, len(part.cells), BATCH):
                some = slice(at, at + BATCH)
                batch = as_batch(part.pictures[some], part.cells[some])
                differs = net(batch.pictures).softmax(dim=1)[:, DIFFERS].numpy()
                for cells, chances in zip(part.cells[some], differs, strict=True):
                    seen = (cells == ALIKE) | (cells == DIFFERS)
                    worst = cv2.boxFilter(np.where(seen, chances, 0), -1, (2, 2)).max()
                    kind = "missed" if (cells == DIFFERS).any() else "doubted"
                    where = "in part" if seen.mean() < STRIP else "whole"
                    doubted = bool(worst > DOUBTFUL)
                    found.setdefault(f"{kind}, {where}", []).append(doubted == (kind == "doubted"))
    return {name: float(np.mean(each)) for name, each in sorted(found.items())}
