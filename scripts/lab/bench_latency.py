"""How soon is a spoken call in the journal and on the page, and what does listening cost?

    python scripts/lab/bench_latency.py --deals 3 --voices espeak
    python scripts/lab/bench_latency.py --spectators 100

Synthesised voices say deals at the pace of talk. The whole of `mus play --listen` hears them in
real time: recogniser, table, SQLite and dashboard. A call's time runs from the end of its sound.
Another `mus play` hears the same deal, so that its memory and processor time can be measured after
its start. It needs Linux and the voices that --voices names.

The lines are: calls said and answered; median and 95th percentile to the journal, and to the page;
memory and share of one processor.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_toml
from assistant.language.script import parse_script
from assistant.rules.errors import MusError
from scripts.lab.rendering.deal import Recording, Setting, render, write_wav
from scripts.lab.rendering.dealing import deal
from scripts.lab.rendering.timing import play, settings_for
from scripts.lab.rendering.voices import voices_named
from scripts.lab.rendering.wordings import Wordings

ROOT = Path(__file__).resolve().parents[2]
GAP = (0.9, 1.6)
"""Seconds between calls. Each is answered before the next, so none is taken for another."""
STARTED = 4.0
"""Seconds after which `mus play` counts as started."""


def main() -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="mus-latency-") as name:
            report = _measure(args, Path(name))
    except (MusError, OSError) as error:
        print(f"bench_latency: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(report))
    else:
        _print(report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=3, help="number of deals; default: %(default)s"
    )
    parser.add_argument(
        "--voices",
        default="espeak",
        metavar="NAMES",
        help="voices that say the calls; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first deal")
    parser.add_argument(
        "--spectators",
        type=int,
        default=0,
        metavar="N",
        help="number of pages that are open meanwhile",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measure(args: argparse.Namespace, folder: Path) -> dict[str, Any]:
    journal: list[float] = []
    page: list[float] = []
    calls = 0
    for seed in range(args.seed, args.seed + args.deals):
        wav, recording = _recorded(seed, args.voices, folder)
        ends = [line.end for line in recording.lines]
        calls += len(ends)
        settings = settings_for(
            wav, wav.with_suffix(".mus"), folder / f"{seed}.sqlite3", args.model
        )
        committed, changed = play(settings, ends, args.spectators)
        journal += committed
        page += changed
    return {
        "calls": calls,
        "answered": len(journal),
        "journal": _percentiles(journal),
        "page": _percentiles(page),
        **_cost(folder / f"deal-{args.seed}.wav", args.model, folder),
    }


def _recorded(seed: int, voices: str, folder: Path) -> tuple[Path, Recording]:
    path = data_dir("models") / "es" / "lexicon.toml"
    made = deal(seed, load_lexicon(), Wordings(load_toml(path)))
    wav = folder / f"deal-{seed}.wav"
    wav.with_suffix(".mus").write_text(made.script(), encoding="utf-8")
    recording = render(parse_script(made.script()), Setting(voices_named(voices), seed, GAP))
    write_wav(wav, recording.sound)
    return wav, recording


def _percentiles(delays: list[float]) -> dict[str, float]:
    if not delays:
        raise MusError("Nothing of what was said moved the table: is the model whole?")
    return {f"p{p}": round(float(np.percentile(delays, p)), 3) for p in (50, 95)}


def _cost(wav: Path, model: Path | None, folder: Path) -> dict[str, float]:
    """The memory (MB) and share of one processor of a ``mus play`` that listens. Linux only."""
    words = [sys.executable, "-m", "assistant.cli.main", "play", "--listen", str(wav), "--stay"]
    words += ["--voice", "off", "--port", "0", "--journal", str(folder / "cost.sqlite3")]
    words += ["--model", str(model)] if model else []
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        time.sleep(STARTED)
        began, used = time.monotonic(), _cpu_seconds(process.pid)
        time.sleep(10)
        share = (_cpu_seconds(process.pid) - used) / (time.monotonic() - began)
        memory = _memory_mb(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
    return {"cpu": round(share, 3), "rss_mb": round(memory, 1)}


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise MusError(f"The memory of process {pid} is not told: this bench needs Linux.")


def _print(report: dict[str, Any]) -> None:
    print(f"{report['calls']} calls said, {report['answered']} answered")
    for name in ("journal", "page"):
        values = report[name]
        print(f"to the {name:8} p50 {values['p50']:.2f} s   p95 {values['p95']:.2f} s")
    print(f"listening: {report['rss_mb']:.0f} MB, {100 * report['cpu']:.1f}% of one processor")


if __name__ == "__main__":
    sys.exit(main())
