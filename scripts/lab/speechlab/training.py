"""Training of the network in rounds (recipe.py). With a checkpoint, a stopped run can go on.

Every epoch has its own order of batches and every step its own dice, both by number. So a run that
was stopped ends with the same network as one that was not.
"""

import hashlib
import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from . import batches, graph, human, lfmmi, noise_bank, recipe, specaug, trust, warm_start
from .batches import Utterance
from .features import FeatureStore
from .net import Net

_WARM_UP_STEPS = 300
_RATE_POWER = 0.25
"""A batch of K times the utterances has K to this power times the learning rate."""
_SAVE_EVERY_S = 60.0
_MEASURED = 2000
"""Utterances on which the batch norms of a finished model are measured anew."""

_OUTPUT_DECAY = 5e-4
"""Weight of the outputs' mean square in the loss. It keeps log-likelihoods on one scale."""


@dataclass(slots=True)
class Progress:
    """The state of a run: finished rounds, steps into the current one, seconds, running loss."""

    round: int = 0
    step: int = 0
    seconds: float = 0.0
    loss: float = math.nan


@dataclass(slots=True)
class Run:
    """A network under training, with everything that a checkpoint keeps.

    `made_with` is what `Options.deciding` returns. It is empty in a checkpoint from before it was
    kept.
    """

    net: Net
    optimizer: torch.optim.Optimizer
    bigram: lfmmi.Bigram
    progress: Progress
    made_with: dict[str, Any] = field(default_factory=dict)

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
                "made_with": self.made_with,
            },
            part,
        )
        part.replace(path)


def vars_of(progress: Progress) -> dict[str, float]:
    """Return the fields of `progress` as a plain dict."""
    return {name: getattr(progress, name) for name in Progress.__slots__}


def load(path: Path, device: str = "cpu") -> Run:
    """Read a checkpoint, of a network of any size."""
    state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    weights = state["net"]
    net = Net(recipe.NetSize(len(weights["affine.0.bias"]), len(weights["affine.1.bias"])))
    net.load_state_dict(weights)
    net.to(device)
    optimizer = _optimizer(net)
    optimizer.load_state_dict(state["optimizer"])
    bigram = lfmmi.Bigram(state["follows"], state["begins"])
    progress, made_with = Progress(**state["progress"]), state.get("made_with", {})
    return Run(net, optimizer, bigram, progress, made_with)


@dataclass(frozen=True, slots=True)
class Options:
    """How to train: `scale` times the recipe's steps, `without` the people of these names.

    `begin` is the folder of a finished model to go on from, which is made wider if `size`
    (recipe.SIZES) is. Without one, a network of this size begins anew. A step takes `batch` times
    the usual utterances, and there are as many times fewer steps.
    """

    seed: int
    scale: float = 1.0
    device: str = "cpu"
    without: frozenset[str] = frozenset()
    begin: Path | None = None
    size: str = "small"
    batch: int = 1

    def deciding(self) -> dict[str, Any]:
        """Return the options that a checkpoint keeps. Others would give another network."""
        begun = self.begin and hashlib.sha256((self.begin / "am" / "final.mdl").read_bytes())
        return {
            "seed": self.seed, "scale": self.scale, "without": sorted(self.without),
            "begin": begun.hexdigest() if begun else None, "size": self.size, "batch": self.batch,
        }  # fmt: skip


class OtherOptionsError(Exception):
    """A checkpoint was made with other options; `made_with` holds those that differ."""

    def __init__(self, made_with: dict[str, Any]) -> None:
        super().__init__(f"the checkpoint was made with {made_with}")
        self.made_with = made_with


def check_options(run: Run, options: Options) -> None:
    """Raise OtherOptionsError if a run was made with others. One that keeps none is accepted."""
    now = options.deciding()
    other = {name: value for name, value in run.made_with.items() if value != now.get(name)}
    if other:
        raise OtherOptionsError(other)


def train(work: Path, rounds: Sequence[recipe.Round], options: Options) -> Run:
    """Train what `rounds` say, from the last checkpoint on.

    Raises OtherOptionsError if that was made with other options, warm_start.OtherNetworkError if
    the model to begin from is not one of ours.
    """
    seed, device = options.seed, options.device
    torch.manual_seed(seed)
    checkpoint = work / "net.pt"
    run = load(checkpoint, device) if checkpoint.exists() else None
    if run is not None:
        check_options(run, options)
        run.made_with = options.deciding()
    for number, plan in enumerate(rounds):
        if run is not None and run.progress.round > number:
            continue
        rng = random.Random(f"{seed} {number}")
        pool = synthetic_pool(work, plan)
        if run is None:
            run = (
                _fresh(pool, rng, options)
                if options.begin is None
                else _gone_on(pool, rng, options)
            )
            run.save(_after(work, 0))
        if plan.people:
            judge = load(_after(work, number), device)
            pool += _people(judge, work, plan)
        pool = [one for one in pool if not human.left_out(one.voice, options.without)]
        # A run that goes on within a round has that round's already, and a model has its own.
        if not run.progress.step and options.begin is None:
            run.bigram = batches.phone_bigram(pool, rng)
        _train_round(run, pool, plan, options, checkpoint, _behind(work, plan))
        run.progress = Progress(number + 1, 0, run.progress.seconds, run.progress.loss)
        run.save(_after(work, number + 1))
        run.save(checkpoint)
    if run is None:
        raise ValueError("no rounds to train")
    return run


def _behind(work: Path, plan: recipe.Round) -> list[specaug.Noise]:
    """Return the banks that a round puts behind utterances."""
    shares = {
        noise_bank.NOISE: (plan.noise, specaug.NOISE_DB),
        noise_bank.TALK: (plan.talk, specaug.TALK_DB),
    }
    banks = []
    for name, (share, db) in shares.items():
        bank = noise_bank.load(work / f"features-{name}") if share else None
        if bank is not None:
            banks.append(specaug.Noise(bank, share, db))
    return banks


def _after(work: Path, rounds: int) -> Path:
    return work / f"net-round{rounds}.pt"


def synthetic_pool(work: Path, plan: recipe.Round) -> list[Utterance]:
    """Return the utterances of a round's parts whose texts need no judge."""
    pool = []
    for _, store in _stores(work, plan.parts):
        for index, row in enumerate(store.transcripts):
            one = batches.utterance(store, index, bool(row.seseo))
            if one is not None:
                pool.append(one)
    return pool


def _people(judge: Run, work: Path, plan: recipe.Round) -> list[Utterance]:
    kept: list[Utterance] = []
    for part, store in _stores(work, plan.people):
        judged = trust.judge(judge.net, store, judge.bigram)
        with_s = sorted(voice for voice, says_s in judged.seseo.items() if says_s)
        print(f"{part}: {len(judged.kept)} copies kept, {judged.refused} clips refused; "
              f"with seseo: {', '.join(with_s)}", flush=True)  # fmt: skip
        kept += judged.kept * recipe.repeats(part, plan.human_repeats)
    return kept


def _stores(work: Path, parts: Sequence[str]) -> Iterator[tuple[str, FeatureStore]]:
    """Yield the features of parts; of people and neural voices only if there are any."""
    for part in parts:
        base = work / f"features-{part}"
        if part in recipe.ALL_PARTS or base.with_suffix(".json").exists():
            yield part, FeatureStore(base)


def _fresh(pool: Sequence[Utterance], rng: random.Random, options: Options) -> Run:
    net = Net(recipe.SIZES[options.size])
    sample = np.concatenate(
        [one.store.frames(one.index) for one in rng.sample(list(pool), min(800, len(pool)))]
    ).astype(np.float32)
    net.mean.copy_(torch.from_numpy(sample.mean(0)))
    net.deviation.copy_(torch.from_numpy(sample.std(0) + 1e-3))
    net.to(options.device)
    bigram = batches.phone_bigram(pool, rng)
    return Run(net, _optimizer(net), bigram, Progress(), options.deciding())


def _gone_on(pool: Sequence[Utterance], rng: random.Random, options: Options) -> Run:
    """Return a run that begins with a finished model's network and its own phone bigram."""
    model = options.begin or Path()
    net = warm_start.network(model, rng.sample(list(pool), min(_MEASURED, len(pool))))
    net = warm_start.widened(net, recipe.SIZES[options.size])
    net.to(options.device)
    follows = torch.tensor(graph.read_bigram(model / "graph"), dtype=torch.float32)
    bigram = lfmmi.Bigram(follows, batches.phone_bigram(pool, rng).begins)
    return Run(net, _optimizer(net), bigram, Progress(), options.deciding())


def _optimizer(net: Net) -> torch.optim.Optimizer:
    return torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)


def _train_round(
    run: Run, pool: Sequence[Utterance], plan: recipe.Round, options: Options, checkpoint: Path,
    behind: Sequence[specaug.Noise],
) -> None:  # fmt: skip
    steps = max(1, round(plan.steps * options.scale / options.batch))
    warm = max(1, _WARM_UP_STEPS // options.batch) if run.progress.round == 0 else 1
    peak = plan.rate * options.batch**_RATE_POWER
    hours = sum(one.frames for one in pool) / 360_000
    weights = sum(parameter.numel() for parameter in run.net.parameters())
    print(f"round {run.progress.round + 1}: {len(pool)} utterances, {hours:.1f} h, "
          f"{weights} weights, {steps} steps", flush=True)  # fmt: skip
    saved = run.progress.seconds
    dice = f"{options.seed} {run.progress.round}"
    for group in _from(run.progress.step, pool, dice, options.batch):
        if run.progress.step >= steps:
            return
        began = time.monotonic()
        rate = peak * _schedule(run.progress.step, steps, warm)
        torch.manual_seed((options.seed << 40) + (run.progress.round << 32) + run.progress.step)
        _step(run, group, rate, plan.dropout, behind)
        run.progress.seconds += time.monotonic() - began
        _report(run.progress, steps, rate)
        if plan.keep_every and run.progress.step % plan.keep_every == 0:
            run.save(checkpoint.with_name(f"net-step{run.progress.step}.pt"))
        if run.progress.seconds - saved > _SAVE_EVERY_S:
            saved = run.progress.seconds
            run.save(checkpoint)


def _from(step: int, pool: Sequence[Utterance], seed: str, times: int) -> Iterator[list[Utterance]]:
    """Yield batches for ever, epoch after epoch, from number `step` on."""
    for epoch in itertools.count():
        groups = batches.shuffled(pool, random.Random(f"{seed} {epoch}"), times)
        yield from groups[step:]
        step = max(0, step - len(groups))


def _schedule(step: int, steps: int, warm: int) -> float:
    """Return the share of the peak learning rate: `warm` steps up, then a cosine down to 2%."""
    return min(1.0, (step + 1) / warm) * (0.49 * (1 + math.cos(math.pi * step / steps)) + 0.02)


def _step(
    run: Run, group: Sequence[Utterance], rate: float, dropout: float,
    behind: Sequence[specaug.Noise],
) -> None:  # fmt: skip
    for settings in run.optimizer.param_groups:
        settings["lr"] = rate
    device = run.net.device()
    batch = batches.collate(group).to(device)
    run.net.train()
    if run.made_with.get("begin"):
        run.net.keep_norms()
    run.net.dropout = dropout
    spoken = batch.transcripts.lengths > len(batches.NOTHING_SAID)
    frames = specaug.varied(batch.frames, spoken, *behind)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        answers = run.net(frames)
    answers = answers.float()
    each = lfmmi.losses(answers, batch.lengths, batch.transcripts, run.bigram.to(device))
    loss = each.sum() / batch.lengths.sum() + _OUTPUT_DECAY * answers.pow(2).mean()
    run.optimizer.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(run.net.parameters(), 2.0)
    if torch.isfinite(norm):
        run.optimizer.step()
    value, before = loss.item(), run.progress.loss
    run.progress.loss = value if math.isnan(before) else 0.98 * before + 0.02 * value
    run.progress.step += 1


def _report(progress: Progress, steps: int, rate: float) -> None:
    if progress.step % 50 == 0 or progress.step == steps:
        print(f"step {progress.step} of {steps}: loss {progress.loss:.3f}, rate {rate:.5f}, "
              f"{progress.seconds / 60:.1f} min", flush=True)  # fmt: skip
