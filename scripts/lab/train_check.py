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
from. It also prints how many cards it would doubt beside their own reference, and how many others
it would miss.

The network that ships was trained without ``--evenings`` and ``--start``. The first adds tables of
worn, marked cards in dim light; the second goes on from a trained network. docs/eye.md tells what
was tried with them.
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
    from scripts.lab.checklab.net import export, restored
    from scripts.lab.checklab.training import card_shares, right_shares, some_pictures, train
except ImportError as missing:
    print(f"train_check: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.paths import data_dir

TABLES, EVENINGS, ROUNDS = 1800, 0, 8
MODEL = "check.onnx"


def main(argv: list[str] | None = None) -> int:
    """Make samples, train, and measure. The exit status is 2 if it cannot be done."""
    args = _parser().parse_args(argv)
    if min(args.tables, args.rounds, args.jobs) < 1 or args.evenings < 0:
        print("train_check: at least one table, one round and one process.", file=sys.stderr)
        return 2
    torch.set_num_threads(args.jobs)
    folders = args.work / "samples", args.work / "evenings"
    try:
        for folder, count, evening in zip(
            folders, (args.tables, args.evenings), (False, True), strict=True
        ):
            store.make(folder, count, args.jobs, evening=evening)
        learnt, measured = (
            [part for folder in folders for part in store.kept(folder, measuring=measuring)]
            for measuring in (False, True)
        )
        start = restored(args.start, some_pictures(learnt)) if args.start else None
        net = train(learnt, args.rounds, args.work / "net.pt", start=start)
        export(net, args.work / MODEL)
        if args.write:
            export(net, data_dir("models") / "eye" / MODEL)
    except OSError as error:
        print(f"train_check: {error.filename}: {error.strerror}.", file=sys.stderr)
        return 2
    shares, cards = right_shares(net, measured), card_shares(net, measured)
    numbers = sum(one.numel() for one in net.parameters())
    told = {"numbers": numbers, "right": shares, "cards": cards}
    if args.json:
        print(json.dumps(told))
    else:
        cells, whole = (
            ", ".join(f"{name} {share:.1%}" for name, share in some.items())
            for some in (shares, cards)
        )
        print(f"{numbers} numbers; of cells of other designs right: {cells}; of cards: {whole}")
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
        "--evenings",
        type=int,
        default=EVENINGS,
        help=f"number of tables with worn cards, as late in a bar ({EVENINGS})",
    )
    parser.add_argument("--start", type=Path, metavar="FILE",
                        help="begin with the network of this ONNX file")  # fmt: skip
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
