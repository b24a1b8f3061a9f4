"""Samples on disk. Several processes make them in parts, and no part is made twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from scripts.lab.checklab.samples import Samples, held_out, samples

IN_PART = 40
"""Tables whose samples share one file of some 60 MB."""
Part = tuple[Path, int, int, bool]
"""A folder, the first table and the one after the last, and whether they are evening tables."""


def make(folder: Path, tables: int, jobs: int, *, evening: bool = False) -> None:
    """Make the samples of this many tables. Parts that are there already stay as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    starts = range(0, tables, IN_PART)
    wanted = [(folder, start, min(start + IN_PART, tables), evening) for start in starts]
    missing = [one for one in wanted if not _path(one).exists()]
    if not missing:
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        for _ in tqdm(pool.map(_made, missing), "samples", len(missing), unit="part"):
            pass


def kept(folder: Path, *, measuring: bool) -> list[Samples]:
    """The samples of a folder, which are read from disk only when they are needed.

    ``measuring``: those of the designs that are never learnt from; otherwise the others.
    """
    names = sorted(folder.glob(f"{'held' if measuring else 'learn'}-*-pictures.npy"))
    return [_part(path) for path in names]


def _part(path: Path) -> Samples:
    cells = path.with_name(path.name.replace("pictures", "cells"))
    return Samples(np.load(path, mmap_mode="r"), np.load(cells))


def _path(part: Part) -> Path:
    folder, start, stop, _ = part
    return folder / f"made-{start:06}-{stop:06}"


def _made(part: Part) -> None:
    folder, start, stop, evening = part
    seeds = range(start, stop)
    for name, chosen in _groups(seeds):
        found = [samples(seed, evening=evening) for seed in chosen]
        for kind in ("pictures", "cells"):
            values = np.concatenate([getattr(one, kind) for one in found])
            np.save(folder / f"{name}-{start:06}-{stop:06}-{kind}.npy", values)
    _path(part).touch()


def _groups(seeds: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    for name, measuring in (("learn", False), ("held", True)):
        chosen = [seed for seed in seeds if held_out(seed) is measuring]
        if chosen:
            yield name, chosen
