"""Say the lines of a .mus script aloud, in one voice for each seat, as one recording.

    python scripts/lab/render_deal.py tests/games/one.mus one.wav --voices espeak --truth one.json

The voices are espeak (eight variants), pico, mbrola (seven diphone voices that are only for
measuring, because their licence is non-commercial), or a list of names such as es1,es4,es+f3. They
have to be installed; see docs/ear.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.language.script import parse_script
from assistant.rules.errors import MusError
from scripts.lab.rendering.deal import Setting, render, write_wav
from scripts.lab.rendering.voices import voices_named


def main() -> int:
    """Render one script. The exit status is 2 if it cannot be done."""
    args = _parser().parse_args()
    try:
        _render(args)
    except (MusError, OSError) as error:
        print(f"render_deal: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("script", type=Path, metavar="FILE.mus")
    parser.add_argument("wav", type=Path, metavar="OUT.wav")
    parser.add_argument(
        "--voices",
        default="espeak",
        metavar="NAMES",
        help="voices that say the calls; default: %(default)s",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the pauses, the voices and their manners"
    )
    parser.add_argument(
        "--noise",
        type=Path,
        metavar="FILE.wav",
        help="recording of a room's noise, to be put behind the speech",
    )
    parser.add_argument(
        "--snr",
        type=float,
        metavar="DB",
        help="how many dB the speech is above the noise (default: 15)",
    )
    parser.add_argument(
        "--gap",
        type=float,
        nargs=2,
        default=(0.25, 1.2),
        metavar=("MIN", "MAX"),
        help="least and most seconds between two calls (default: 0.25 1.2)",
    )
    parser.add_argument(
        "--truth", type=Path, metavar="OUT.json", help="write here who said what when"
    )
    return parser


def _render(args: argparse.Namespace) -> None:
    setting = Setting(
        voices=voices_named(args.voices),
        seed=args.seed,
        gap=(min(args.gap), max(args.gap)),
        noise=args.noise,
        snr=args.snr if args.snr is not None else 15.0,
    )
    recording = render(parse_script(args.script.read_text(encoding="utf-8")), setting)
    write_wav(args.wav, recording.sound)
    if args.truth:
        args.truth.write_text(
            json.dumps(recording.truth(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
    print(f"{args.wav}: {len(recording.lines)} calls, {recording.truth()['seconds']} s")


if __name__ == "__main__":
    sys.exit(main())
