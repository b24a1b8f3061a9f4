"""``mus cards``: reads the cards of a table or of one hand from a picture, video or camera."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2

from assistant.eye.calibration import Calibration, load_calibration
from assistant.eye.deck import find_deck
from assistant.eye.hand import HandReader, HandTrouble
from assistant.eye.images import Image, read_image
from assistant.eye.mus_deck import card_name
from assistant.eye.other_deck import OtherDeck, better_deck
from assistant.eye.read import Reader, Reading, Sighting, Upset, annotated
from assistant.eye.source import open_source
from assistant.eye.view import moments
from assistant.files.process import UsageError
from assistant.files.terminal import in_terminal_language, output_text
from assistant.messages.showdown import Trouble
from assistant.rules.cards import HAND_SIZE

EXIT_INCOMPLETE = 1
TIMEOUT = 5.0
"""Seconds for which a camera may give no picture."""
UNREAD = "?"
MOST_MOMENTS = 20
"""How many moments of rest of a video are read."""
TROUBLES = {
    Trouble.HAND: "a hand is over them",
    Trouble.NONE: "there are no cards",
    Trouble.FEW: "cards are missing",
    Trouble.MANY: "there are more than four cards",
    Trouble.BACK: "a card is face down",
    Trouble.UNCLEAR: "they cannot be told apart: spread them",
}
UPSETS = {
    Upset.MOVED: "The camera or the light has changed since the calibration: calibrate the table "
    "again.",
    Upset.NO_PLANE: "No card lies apart: spread the cards, or calibrate the table.",
}
HAND_TROUBLES = {
    HandTrouble.NONE: "No card of the deck {deck} can be seen. If it is another one, show it to "
    "me: mus deck enrol NAME.",
    HandTrouble.FEW: "Cards that can be seen: {found}; a hand has {wanted}.",
    HandTrouble.MANY: "More than {wanted} cards can be seen: take the photo of one hand alone.",
    HandTrouble.DARK: "The photo is dark: find more light and take it again.",
    HandTrouble.BLURRED: "The photo is blurred: take it again and hold the telephone still.",
}


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "cards",
        help="read the cards in a picture, a video or before a camera",
        description="Read the cards that lie open on a table: which they are, before which seat, "
        "and how sure that is. What is not plain is told as unread, never guessed. Exit status 1 "
        "where not all hands were read.",
        epilog="examples: mus cards table.jpg --annotate read.png; mus cards --hand mine.jpg",
    )
    parser.add_argument("file", nargs="?", metavar="IMAGE|VIDEO", help="what to look at")
    parser.add_argument(
        "--camera", metavar="N", help="look through a camera: 0, rpicam, or a URL (http, rtsp)"
    )
    parser.add_argument(
        "--hand",
        action="store_true",
        help="one hand, photographed close up: four cards, from left to right",
    )
    parser.add_argument("--deck", metavar="NAME", help="the deck; 'mus deck list' names them")
    parser.add_argument(
        "--zones", type=Path, metavar="FILE", help="the table's calibration: table.toml"
    )
    parser.add_argument("--seats", type=int, default=4, metavar="N", help="players (4)")
    parser.add_argument("--annotate", type=Path, metavar="OUT.png", help="draw what was read")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if (args.file is None) == (args.camera is None):
        raise UsageError("Name a picture or a video, or a camera with --camera.")
    if args.hand:
        return _hand(args)
    if not 1 <= args.seats <= 6:
        raise UsageError("A table has 1 to 6 seats.")
    deck = find_deck(args.deck)
    reader = Reader(deck)
    calibration = load_calibration(args.zones) if args.zones else None
    seats = tuple(range(1, args.seats + 1))
    frames, reading = _best(args, reader, calibration, seats)
    if args.annotate:
        _write(args.annotate, annotated(frames[-1], reading))
    if reading.upset is Upset.OTHER_DECK:
        other = OtherDeck(deck.name, better_deck(frames[-1], deck.name))
        told = {**_as_dict(reading), "deck": other.deck, "better_deck": other.better}
        print(json.dumps(told) if args.json else in_terminal_language(str(other)))
        return EXIT_INCOMPLETE
    print(json.dumps(_as_dict(reading)) if args.json else _told(reading, seats))
    return 0 if reading.settled.complete else EXIT_INCOMPLETE


def _hand(args: argparse.Namespace) -> int:
    """Read a photograph of one hand, and tell its cards from left to right."""
    if args.camera or args.zones or args.annotate:
        raise UsageError("--hand reads one picture: leave out --camera, --zones and --annotate.")
    picture = read_image(Path(args.file))
    reader = HandReader(find_deck(args.deck))
    reading = reader.read(picture)
    whole = reading.trouble is None and None not in reading.cards
    if args.json:
        cards = [
            card and {"rank": str(card.rank), "suit": card.suit and str(card.suit)}
            for card in reading.cards
        ]
        why = None if reading.trouble is None else str(reading.trouble)
        print(json.dumps({"cards": cards, "trouble": why, "complete": whole}))
        return 0 if whole else EXIT_INCOMPLETE
    names = [UNREAD if card is None else card_name(card) for card in reading.cards]
    if names:
        print(", ".join(names))
    if reading.trouble is not None:
        said = HAND_TROUBLES[reading.trouble]
        print(output_text(said, deck=reader.name, found=len(names), wanted=HAND_SIZE))
    elif not whole:
        print(output_text("Of those with ? I am not sure: spread them and take the photo again."))
    return 0 if whole else EXIT_INCOMPLETE


def _best(
    args: argparse.Namespace,
    reader: Reader,
    calibration: Calibration | None,
    seats: tuple[int, ...],
) -> tuple[list[Image], Reading]:
    """The frames and the reading of the moment of rest with the most cards, the latest of these."""
    best: tuple[list[Image], Reading] | None = None
    with open_source(args.camera if args.file is None else args.file) as source:
        for count, frames in enumerate(moments(source, TIMEOUT), start=1):
            reading, calibration = reader.followed(frames, calibration, seats)
            if best is None or _read(reading) >= _read(best[1]):
                best = frames, reading
            if reading.settled.complete or count >= MOST_MOMENTS or source.live:
                break
    if best is None:
        raise UsageError("{name} shows no picture that stands still.", name=source.name)
    return best


def _read(reading: Reading) -> int:
    return sum(sighting.card is not None for sighting in reading.sightings)


def _as_dict(reading: Reading) -> dict[str, Any]:
    cards = [sighting for sighting in reading.sightings if sighting.card]
    return {
        "cards": [_card(sighting) for sighting in cards],
        "unread": [_unread(sighting) for sighting in reading.sightings if not sighting.card],
        "missing": {str(seat): count for seat, count in reading.settled.missing.items()},
        "troubles": {str(seat): str(why) for seat, why in reading.settled.troubles.items()},
        "complete": reading.settled.complete,
        "upset": str(reading.upset) if reading.upset else None,
    }


def _card(sighting: Sighting) -> dict[str, Any]:
    assert sighting.card is not None
    return {
        "seat": sighting.seat,
        "rank": str(sighting.card.rank),
        "suit": str(sighting.card.suit),
        "confidence": round(sighting.confidence, 4),
        "quad": _quad(sighting),
    }


def _unread(sighting: Sighting) -> dict[str, Any]:
    likely = [{"card": str(card), "chance": round(chance, 4)} for card, chance in sighting.likely]
    return {
        "seat": sighting.seat,
        "unread": str(sighting.unread),
        "likely": likely,
        "quad": _quad(sighting),
    }


def _quad(sighting: Sighting) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in sighting.quad]


def _told(reading: Reading, seats: tuple[int, ...]) -> str:
    if reading.upset:
        return output_text(UPSETS[reading.upset])
    lines = []
    for seat in seats:
        cards = [each for each in reading.sightings if each.seat == seat and each.card]
        names = ", ".join(card_name(each.card) for each in cards if each.card) or "-"
        trouble = reading.settled.troubles.get(seat)
        line = output_text("seat {seat}: {cards}", seat=seat, cards=names)
        if trouble:
            line += output_text(
                "  ({n} of {of}: {why})", n=len(cards), of=HAND_SIZE, why=TROUBLES[trouble]
            )
        lines.append(line)
    return "\n".join(lines)


def _write(path: Path, picture: Image) -> None:
    suffix = path.suffix.lower()
    if suffix not in (".png", ".jpg", ".jpeg", ".webp"):
        raise UsageError("{path} has no picture's name: end it in .png or .jpg.", path=path)
    _, data = cv2.imencode(suffix, picture)
    path.write_bytes(data.tobytes())
