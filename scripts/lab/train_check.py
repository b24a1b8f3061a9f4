"""Train the network of the eye's second check (``assistant/eye/check.py``) on drawn cards.

    python scripts/lab/train_check.py --work build/check          # an hour, two cores
    python scripts/lab/train_check.py --work build/check --write  # and install it for the eye

Cards of drawn decks that nobody sells are laid on rendered tables: fanned and apart, worn and new,
in all lights, under fingers, stones, glasses and patches of any colour. Each card is compared with
its own reference and with two others, most of which differ by a number in the corner or by one pip.
For each cell of 2.2 mm the network learns whether the print is the reference's, another one, or
hidden. Samples and checkpoints stay in the work folder, so a stopped run goes on. It needs `pip
install '.[train]'`.

At the end it prints the shares of cells that were right, by kind, for designs that it never learnt
from.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    import torch

    from scripts.lab.checklab import store
    from scripts.lab.checklab.net import export
    from scripts.lab.checklab.training import right_shares, train
except ImportError as missing:
    print(f"train_check: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.paths import data_dir

TABLES, ROUNDS = 1800, 8
MODEL = "check.onnx"


def main(argv: list[str] | None = None) -> int:
    """Make samples, train, and measure. The exit status is 2 if it cannot be done."""
    args = _parser().parse_args(argv)
    if min(args.tables, args.rounds, args.jobs) < 1:
        print("train_check: at least one table, one round and one process.", file=sys.stderr)
        return 2
    torch.set_num_threads(args.jobs)
    folder = args.work / "samples"
    try:
        store.make(folder, args.tables, args.jobs)
        learnt, measured = store.kept(folder, measuring=False), store.kept(folder, measuring=True)
        net = train(learnt, args.rounds, args.work / "net.pt")
        export(net, args.work / MODEL)
        if args.write:
            export(net, data_dir("models") / "eye" / MODEL)
    except OSError as error:
        print(f"train_check: {error.filename}: {error.strerror}.", file=sys.stderr)
        return 2
    shares = right_shares(net, measured)
    numbers = sum(one.numel() for one in net.parameters())
    told = {"numbers": numbers, "right": shares}
    if args.json:
        print(json.dumps(told))
    else:
        each = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
        print(f"{numbers} numbers; of cells of other designs right: {each}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, default=Path("build/check"), metavar="FOLDER",
                        help="folder for samples and checkpoints (build/check)")  # fmt: skip
    parser.add_argument(
        "--tables", type=int, default=TABLES, help=f"number of rendered tables ({TABLES})"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=ROUNDS,
        help=f"how often the network sees all samples ({ROUNDS})",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of processes that make samples, and of threads that train",
    )
    parser.add_argument("--write", action="store_true", help="replace the network that ships")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
