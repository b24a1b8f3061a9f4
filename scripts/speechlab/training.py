"""Train the network in rounds (recipe.py); a checkpoint lets a stopped run go on."""

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from . import batches, human, lfmmi, recipe, specaug, trust
from .batches import Utterance
from .features import FeatureStore
from .net import Net

_WARM_UP_STEPS = 300
_SAVE_EVERY_S = 60.0
_OUTPUT_DECAY = 5e-4
"""Weight of the outputs' mean square in the loss: keeps log-likelihoods on one scale."""


@dataclass(slots=True)
class Progress:
    """Where a run stands: finished rounds, seconds into the current one, steps, running loss."""

    round: int = 0
    seconds: float = 0.0
    step: int = 0
    loss: float = math.nan


@dataclass(slots=True)
class Run:
    """A network under training with all that a checkpoint keeps."""

    net: Net
    optimizer: torch.optim.Optimizer
    bigram: lfmmi.Bigram
    progress: Progress

    def save(self, path: Path) -> None:
        """Write the checkpoint; a crash while writing leaves the old one."""
        part = path.with_suffix(".part")
        torch.save(
            {
                "net": self.net.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "follows": self.bigram.follows,
                "begins": self.bigram.begins,
                "progress": vars_of(self.progress),
            },
            part,
        )
        part.replace(path)


def vars_of(progress: Progress) -> dict[str, float]:
    """Return the fields of `progress` as a plain dict."""
    return {name: getattr(progress, name) for name in Progress.__slots__}


def load(path: Path, size: recipe.NetSize, device: str = "cpu") -> Run:
    """Read a checkpoint."""
    state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    net = Net(size)
    net.load_state_dict(state["net"])
    net.to(device)
    optimizer = _optimizer(net)
    optimizer.load_state_dict(state["optimizer"])
    bigram = lfmmi.Bigram(state["follows"], state["begins"])
    return Run(net, optimizer, bigram, Progress(**state["progress"]))


@dataclass(frozen=True, slots=True)
class Options:
    """How to train: `scale` times the recipe's minutes, `without` the people of these names."""

    seed: int
    scale: float = 1.0
    device: str = "cpu"
    without: frozenset[str] = frozenset()


def train(work: Path, rounds: Sequence[recipe.Round], options: Options) -> Run:
    """Train what `rounds` ask for, from the last checkpoint on."""
    seed, device = options.seed, options.device
    torch.manual_seed(seed)
    checkpoint = work / "net.pt"
    run = load(checkpoint, recipe.NetSize(), device) if checkpoint.exists() else None
    for number, plan in enumerate(rounds):
        if run is not None and run.progress.round > number:
            continue
        rng = random.Random(seed + number)
        pool = synthetic_pool(work, plan)
        if run is None:
            run = _fresh(pool, rng, device)
        if plan.human_repeats and (work / "features-human.json").exists():
            pool += _people(run, work, plan, options.without)
        run.bigram = batches.phone_bigram(pool, rng)
        _train_round(run, pool, plan, options.scale, checkpoint, rng)
        run.progress = Progress(number + 1, 0.0, run.progress.step, run.progress.loss)
        run.save(checkpoint)
        run.save(work / f"net-round{number + 1}.pt")
    if run is None:
        raise ValueError("no rounds to train")
    return run


def synthetic_pool(work: Path, plan: recipe.Round) -> list[Utterance]:
    """Return the utterances of a round's synthetic parts."""
    pool = []
    for part in plan.parts:
        store = FeatureStore(work / f"features-{part}")
        for index, row in enumerate(store.transcripts):
            one = batches.utterance(store, index, bool(row.seseo))
            if one is not None:
                pool.append(one)
    return pool


def _people(run: Run, work: Path, plan: recipe.Round, without: frozenset[str]) -> list[Utterance]:
    store = FeatureStore(work / "features-human")
    judged = trust.judge(run.net, store, run.bigram, recipe.HUMAN_COPIES)
    with_s = sorted(voice for voice, says_s in judged.seseo.items() if says_s)
    print(f"people: {len(judged.kept)} copies kept, {judged.refused} clips refused; "
          f"with seseo: {', '.join(with_s)}", flush=True)  # fmt: skip
    left_out = {human.PREFIX + name for name in without}
    kept = [one for one in judged.kept if one.voice not in left_out]
    return kept * plan.human_repeats


def _fresh(pool: Sequence[Utterance], rng: random.Random, device: str) -> Run:
    net = Net(recipe.NetSize())
    sample = np.concatenate(
        [one.store.frames(one.index) for one in rng.sample(list(pool), min(800, len(pool)))]
    ).astype(np.float32)
    net.mean.copy_(torch.from_numpy(sample.mean(0)))
    net.deviation.copy_(torch.from_numpy(sample.std(0) + 1e-3))
    net.to(device)
    return Run(net, _optimizer(net), batches.phone_bigram(pool, rng), Progress())


def _optimizer(net: Net) -> torch.optim.Optimizer:
    return torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)


def _train_round(
    run: Run, pool: Sequence[Utterance], plan: recipe.Round, scale: float, checkpoint: Path,
    rng: random.Random,
) -> None:  # fmt: skip
    budget = plan.minutes * 60 * scale
    hours = sum(one.frames for one in pool) / 360_000
    weights = sum(parameter.numel() for parameter in run.net.parameters())
    print(f"round {run.progress.round + 1}: {len(pool)} utterances, {hours:.1f} h, "
          f"{weights} weights, {budget / 60:.0f} min", flush=True)  # fmt: skip
    saved = run.progress.seconds
    while run.progress.seconds < budget:
        for group in batches.shuffled(pool, rng):
            if run.progress.seconds >= budget:
                break
            began = time.monotonic()
            _step(run, group, plan.rate * _schedule(run.progress, budget))
            run.progress.seconds += time.monotonic() - began
            if run.progress.seconds - saved > _SAVE_EVERY_S:
                saved = run.progress.seconds
                run.save(checkpoint)


def _schedule(progress: Progress, budget: float) -> float:
    """Return the share of the peak learning rate: a warm-up, then a cosine down to 2%."""
    warm = min(1.0, (progress.step + 1) / _WARM_UP_STEPS)
    return warm * (0.49 * (1 + math.cos(math.pi * progress.seconds / budget)) + 0.02)


def _step(run: Run, group: Sequence[Utterance], rate: float) -> None:
    for settings in run.optimizer.param_groups:
        settings["lr"] = rate
    device = run.net.device()
    batch = batches.collate(group).to(device)
    run.net.train()
    with torch.autocast(device.type, dtype=torch.bfloat16):
        answers = run.net(specaug.varied(batch.frames))
    answers = answers.float()
    each = lfmmi.losses(answers, batch.lengths, batch.transcripts, run.bigram.to(device))
    loss = each.sum() / batch.lengths.sum() + _OUTPUT_DECAY * answers.pow(2).mean()
    run.optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(run.net.parameters(), 2.0)
    if torch.isfinite(norm):
        run.optimizer.step()
    _report(run.progress, loss.item(), rate)


def _report(progress: Progress, loss: float, rate: float) -> None:
    progress.loss = loss if math.isnan(progress.loss) else 0.98 * progress.loss + 0.02 * loss
    progress.step += 1
    if progress.step % 50 == 1:
        print(f"step {progress.step}: loss {progress.loss:.3f}, rate {rate:.5f}, "
              f"{progress.seconds:.0f} s", flush=True)  # fmt: skip
