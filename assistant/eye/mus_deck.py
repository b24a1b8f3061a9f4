"""``mus deck``: lists decks, enrols one from photographs or by a camera, and corrects one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.eye.deck import (
    OVERVIEW,
    SUIT_NAMES,
    check_name,
    deck_paths,
    find_deck,
    keep_deck,
    load_deck,
    own_dir,
)
from assistant.eye.draft import (
    DeckDraft,
    drafts_dir,
    forget_draft,
    keep_draft,
    load_draft,
)
from assistant.eye.enrol import (
    FAULT_TEXTS,
    CardFault,
    EnrolError,
    LaidCard,
    card_place,
    known_patterns,
)
from assistant.eye.images import Image, read_image
from assistant.eye.match import resized
from assistant.eye.source import Source, open_source
from assistant.eye.view import STILL_WITHIN_S, moments, still
from assistant.files.process import UsageError
from assistant.files.terminal import in_terminal_language, output_text, output_word
from assistant.rules.cards import DECK, Card, Rank, Suit, parse_card
from assistant.rules.errors import Translatable


def wait_for(sentence: str) -> str:
    """Print a request, wait for Enter, and return what was typed. Raises UsageError."""
    print(sentence, file=sys.stderr, flush=True)
    try:
        return input().strip().lower()
    except EOFError:
        raise UsageError("Nobody pressed Enter: use a terminal.") from None


RANKS = {
    Rank.REY: "king",
    Rank.CABALLO: "horse",
    Rank.SOTA: "jack",
    Rank.SIETE: "seven",
    Rank.SEIS: "six",
    Rank.CINCO: "five",
    Rank.CUATRO: "four",
    Rank.TRES: "three",
    Rank.DOS: "two",
    Rank.AS: "ace",
}


def card_name(card: Card) -> str:
    """A card in words: "king of coins"."""
    rank = output_word(RANKS[card.rank])
    if card.suit is None:
        return rank
    return output_text("{rank} of {suit}", rank=rank, suit=SUIT_NAMES[card.suit])


# ---- Enrolling by a camera: it asks for each photograph, and again for a bad one ----------------


SKIP = "n"
THE_SUITS = {
    Suit.OROS: "the coins",
    Suit.COPAS: "the cups",
    Suit.ESPADAS: "the swords",
    Suit.BASTOS: "the clubs",
}
BACK_REQUEST = "Lay one card alone, face down, and press Enter ({skip} and Enter: no back)."


def photograph(draft: DeckDraft, spec: str, parts: Sequence[Sequence[Suit]]) -> None:
    """Fill a draft from a camera; ``parts``: the suits of each photograph, from the top row down.

    A video or a picture needs no answers: each moment of rest shows the next part. Raises
    UsageError, CameraError, ImageError, and EnrolError if nobody can be asked again.
    """
    with open_source(spec) as source:
        if source.live:
            _ask_all(draft, source, parts)
            return
        shown = moments(source, STILL_WITHIN_S)
        for part in parts:
            frames = next(shown, None)
            if frames is None:
                raise UsageError(
                    "{name} stands still too seldom: it has to show {n} times cards "
                    "that lie still. For one picture of all suits add --shots 1.",
                    name=source.name,
                    n=len(parts),
                )
            draft.add(frames[-1], part, source.name)


def _ask_all(draft: DeckDraft, source: Source, parts: Sequence[Sequence[Suit]]) -> None:
    for at, part in enumerate(parts, start=1):
        suits = output_text(" and below them ").join(output_word(THE_SUITS[suit]) for suit in part)
        request = output_text(
            "{at} of {n}. Lay {suits} in a row, from 1 to the king, and press Enter.",
            at=at,
            n=len(parts),
            suits=suits,
        )
        _until_good(request, partial(_learn, draft, source, part))
    _ask_back(draft, source)


def photograph_any(draft: DeckDraft, source: Source, kept: Callable[[], None]) -> None:
    """Fill a draft from a camera, cards in any order, until it is whole or the user ends.

    ``kept`` is called after each photograph. Raises UsageError, CameraError.
    """
    patterns = known_patterns()
    while draft.missing:
        if wait_for(_request(draft)) == SKIP:
            return
        try:
            found = draft.add_any(still(source)[-1], patterns, source.name)
        except EnrolError as error:
            print(f"mus: {in_terminal_language(error)}", file=sys.stderr, flush=True)
            continue
        kept()
        _tell_faults(source.name, found)
    if not draft.has_back:
        _ask_back(draft, source)


def _request(draft: DeckDraft) -> str:
    """What to lay down next: all cards, or the first of those that are missing."""
    if draft.is_empty:
        return output_text(
            "Lay cards face up, apart, in any order, and press Enter ({skip} and Enter: leave it "
            "here).",
            skip=SKIP,
        )
    return output_text(
        "{count} Lay down {first}, and as many others as there is room for, and press Enter "
        "({skip} and Enter: leave it here).",
        count=_count(draft),
        first=card_name(draft.missing[0]),
        skip=SKIP,
    )


def _ask_back(draft: DeckDraft, source: Source) -> None:
    request = output_text(BACK_REQUEST, skip=SKIP)
    _until_good(request, partial(_learn_back, draft, source), may_skip=True)


def _learn_back(draft: DeckDraft, source: Source) -> None:
    draft.add_back(still(source)[-1], source.name)


def _learn(draft: DeckDraft, source: Source, suits: Sequence[Suit]) -> None:
    draft.add(still(source)[-1], suits, source.name)


def _until_good(sentence: str, learn: Callable[[], None], *, may_skip: bool = False) -> None:
    """Ask for a photograph until it can be enrolled."""
    while True:
        if wait_for(sentence) == SKIP and may_skip:
            return
        try:
            learn()
        except EnrolError as error:
            print(f"mus: {in_terminal_language(error)}", file=sys.stderr, flush=True)
        else:
            return


# ---- The command --------------------------------------------------------------------------------


SHOTS = (1, 2, 4)
MOST_PICTURES = 8
"""The most photographs of cards in any order."""


def add_parser(commands: Any) -> None:
    """Declare the command and its parts."""
    parser = commands.add_parser(
        "deck",
        help="list the decks that the eye knows, or teach it yours",
        description="The eye reads only a deck it knows: one that ships, or yours, enrolled once "
        "from one to eight photographs.",
    )
    parts = parser.add_subparsers(title="what", metavar="WHAT", required=True)
    _list_parser(parts)
    _enrol_parser(parts)
    _fix_parser(parts)
    _not_mus_parser(parts)


def _list_parser(parts: Any) -> None:
    parser = parts.add_parser("list", help="name the decks there are")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_list)


def _enrol_parser(parts: Any) -> None:
    parser = parts.add_parser(
        "enrol",
        help="learn a deck from photographs",
        description="Lay the cards face up on a plain dark cloth, a finger apart, in any order, "
        "and photograph them from straight above, in one to eight pictures. They are sorted by the "
        "decks that are known already. What is missing or hard to tell is said, and what was "
        "learnt is kept: give the same command a further picture of just that. With --suits the "
        "cards lie in rows: each suit 1 2 3 4 5 6 7 sota caballo rey from the left. Look at the "
        "picture of all cards that is written, and mend with 'mus deck fix' what is in the wrong "
        "place.",
        epilog="example: mus deck enrol fournier oros.jpg copas.jpg espadas.jpg bastos.jpg "
        "--back back.jpg",
    )
    parser.add_argument("name", metavar="NAME", help="what to call it")
    parser.add_argument(
        "pictures", nargs="*", metavar="PICTURE", help="1 to 8; with --suits 1, 2 or 4"
    )
    parser.add_argument(
        "--camera",
        metavar="N",
        help="take them by a camera: 0, rpicam or a URL; cards in any order until all are there",
    )
    parser.add_argument(
        "--shots",
        type=int,
        choices=SHOTS,
        help="with --camera: ask for so many photographs of suits in rows; with a video 4",
    )
    parser.add_argument("--back", metavar="PICTURE", help="one card, face down")
    parser.add_argument(
        "--suits",
        metavar="oceb",
        help="the cards lie in rows, in this order of suits",
    )
    parser.add_argument(
        "--annotate", metavar="OUT.png", help="write the pictures with what was found in them"
    )
    parser.add_argument(
        "--not-mus",
        nargs="+",
        default=[],
        metavar="PICTURE",
        help="cards of the pack that are none of Mus: eights, nines, jokers",
    )
    parser.add_argument(
        "--new",
        action="store_true",
        help="forget what earlier commands learnt of an unfinished deck",
    )
    parser.add_argument("--title", help="the name to show; default: NAME")
    parser.add_argument(
        "--size", metavar="61x95", help="a card's width and height in mm; default: by their shape"
    )
    parser.add_argument("--replace", action="store_true", help="in place of one of that name")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_enrol)


def _fix_parser(parts: Any) -> None:
    parser = parts.add_parser(
        "fix",
        help="put right what was enrolled in the wrong place",
        description="Swap the pictures of cards that were laid out of order: 'mus deck fix mine "
        "6e 7e' exchanges the seis and the siete de espadas.",
    )
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("one", metavar="CARD", help="rank and suit, as in 7e or Ro")
    parser.add_argument("other", metavar="CARD")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_fix)


def _not_mus_parser(parts: Any) -> None:
    parser = parts.add_parser(
        "not-mus",
        help="teach a deck the cards of its pack that are none of Mus",
        description="Photograph the eights, nines and jokers of the pack, laid apart on a plain "
        "dark cloth: a card that may be one of them is not told as a card of Mus.",
    )
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("pictures", nargs="*", metavar="PICTURE", help="of those cards alone")
    parser.add_argument("--clear", action="store_true", help="forget those learnt before")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_learn_not_mus)


def _list(args: argparse.Namespace) -> int:
    rows = []
    for name, folder in deck_paths().items():
        deck = load_deck(folder)
        own = folder.parent == own_dir()
        rows.append({"name": name, "title": deck.title, "own": own, "folder": str(folder)})
    if args.json:
        print(json.dumps(rows, ensure_ascii=False))
    else:
        for row in rows:
            yours = output_text(" (yours)") if row["own"] else ""
            print(f"{row['name']:16}{output_word(str(row['title']))}{yours}")
    return 0


def _enrol(args: argparse.Namespace) -> int:
    check_name(args.name)
    suits = _suits(args.suits or "oceb")
    size_mm = _size(args.size) if args.size else None
    if len(args.pictures) > MOST_PICTURES or not (args.pictures or args.camera or args.not_mus):
        raise UsageError(
            "Give 1 to {most} pictures of the cards, in any order.", most=MOST_PICTURES
        )
    folder = own_dir() / args.name
    if folder.exists() and not args.replace:
        raise UsageError(
            "There is a deck {name!r} already: add --replace to enrol it anew.", name=args.name
        )
    draft = _begun(args, size_mm)
    kept = partial(_keep_draft, args.name, draft)
    if args.camera:
        _look_through(args, draft, suits, kept)
    elif args.suits and args.pictures:
        _read_pictures(draft, args.pictures, suits)
    else:
        _read_in_any_order(draft, args.pictures, args.annotate, kept)
    for name in args.not_mus:
        shown = draft.add_not_mus(read_image(Path(name)), name)
        _tell_faults(name, [(card, None) for card in shown if card.face is None])
        kept()
    if args.back:
        draft.add_back(read_image(Path(args.back)), args.back)
    kept()
    _check_whole(args, draft)
    deck = draft.deck(args.name, args.title or args.name)
    keep_deck(folder, deck)
    forget_draft(drafts_dir() / args.name)
    n, others, shown_in = len(deck.faces), len(deck.not_mus), folder / OVERVIEW
    said = output_text("{n} cards learnt. Look at them: {path}", n=n, path=shown_in)
    if others:
        said = output_text(
            "{n} cards learnt, and none of Mus: {others}. Look at them: {path}",
            n=n,
            others=others,
            path=shown_in,
        )
    _told(args, folder, said, not_mus=others)
    return 0


def _begun(args: argparse.Namespace, size_mm: tuple[float, float] | None) -> DeckDraft:
    """The draft that an earlier command left of this deck, or a new one. Raises DraftError."""
    path = drafts_dir() / args.name
    if args.new:
        forget_draft(path)
    draft = load_draft(path)
    if draft is None:
        return DeckDraft(size_mm)
    if size_mm not in (None, draft.size_mm):
        raise UsageError("The unfinished deck has cards of another size: begin anew with --new.")
    there = output_text(
        "going on with the {n} cards from before (--new: from the beginning).", n=len(draft.faces)
    )
    print(f"mus: {there}", file=sys.stderr)
    return draft


def _keep_draft(name: str, draft: DeckDraft) -> None:
    if not draft.is_empty:
        keep_draft(drafts_dir() / name, draft)


def _look_through(
    args: argparse.Namespace, draft: DeckDraft, suits: Sequence[Suit], kept: Callable[[], None]
) -> None:
    """Fill a draft by a camera: cards in any order, unless rows of suits are wanted."""
    if not (args.suits or args.shots):
        with open_source(args.camera) as source:
            if source.live:
                photograph_any(draft, source, kept)
                return
    photograph(draft, args.camera, _parts(suits, args.shots or SHOTS[-1]))


def _check_whole(args: argparse.Namespace, draft: DeckDraft) -> None:
    """Raise UsageError if cards are missing; print the doubtful ones, to be looked at."""
    if draft.missing:
        if args.json:
            missing = [str(card) for card in draft.missing]
            print(json.dumps({"draft": args.name, "there": len(draft.faces), "missing": missing}))
        raise UsageError(
            "{count} What was learnt is kept: give the command again, with a picture of what is "
            "missing.",
            count=_count(draft),
        )
    if draft.doubtful:
        look = output_text("look closely at {cards}.", cards=_listed(draft.doubtful))
        print(f"mus: {look}", file=sys.stderr)


def _count(draft: DeckDraft) -> str:
    """How many cards are there, and which are missing: "31 de 40: faltan sota de bastos, ..."."""
    n, of, missing = len(draft.faces), len(DECK), _listed(draft.missing)
    if len(draft.missing) == 1:
        return Translatable("{n} of {of}: {missing} is missing.", n=n, of=of, missing=missing)
    return Translatable("{n} of {of}: {missing} are missing.", n=n, of=of, missing=missing)


def _read_pictures(draft: DeckDraft, names: Sequence[str], suits: Sequence[Suit]) -> None:
    if len(names) not in SHOTS:
        raise UsageError("Give 1, 2 or 4 pictures: all suits, two in each, or one in each.")
    for name, part in zip(names, _parts(suits, len(names)), strict=True):
        draft.add(read_image(Path(name)), part, name)


def _read_in_any_order(
    draft: DeckDraft, names: Sequence[str], out: str | None, kept: Callable[[], None]
) -> None:
    """Learn from pictures of cards in no order; ``kept`` is called after each."""
    patterns = known_patterns() if names else []
    for number, name in enumerate(names, start=1):
        picture = read_image(Path(name))
        found = draft.add_any(picture, patterns, name)
        kept()
        _tell_faults(name, found)
        if out:
            _annotate(Path(out), number if len(names) > 1 else None, picture, found)


def _tell_faults(name: str, found: Sequence[tuple[LaidCard, Card | None]]) -> None:
    """Say which cards of a photograph were not learnt, and why."""
    for card, told in found:
        unknown = told is None and card.face is not None
        fault = card.fault or (CardFault.UNKNOWN if unknown else None)
        if fault:
            why = output_word(FAULT_TEXTS[fault])
            print(f"mus: {name}: {card_place(card)}: {why}.", file=sys.stderr)


def _listed(cards: Sequence[Card]) -> str:
    return ", ".join(card_name(card) for card in cards)


def _annotate(
    out: Path, number: int | None, picture: Image, found: Sequence[tuple[LaidCard, Card | None]]
) -> None:
    """Write a picture with the cards that were found: green, or red with the fault."""
    drawn = picture.copy()
    thick = max(2, max(picture.shape) // 600)
    for card, told in found:
        colour = (60, 60, 230) if told is None else (60, 180, 60)
        cv2.polylines(drawn, [np.round(card.quad).astype(np.int32)], True, colour, thick)
        text = str(told) if told else str(card.fault or CardFault.UNKNOWN)
        x, y = (int(part) for part in card.quad.mean(axis=0))
        size = thick / 2
        cv2.putText(drawn, text, (x - 20 * thick, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick)
    path = out if number is None else out.with_stem(f"{out.stem}-{number}")
    try:
        written = cv2.imwrite(str(path), drawn)
    except cv2.error:
        written = False
    if not written:
        raise UsageError("{path} cannot be written: name a picture, as in read.png.", path=path)


def _parts(suits: Sequence[Suit], shots: int) -> list[Sequence[Suit]]:
    """The suits of each photograph."""
    each = len(suits) // shots
    return [suits[at : at + each] for at in range(0, len(suits), each)]


def _fix(args: argparse.Namespace) -> int:
    folder = own_dir() / args.name
    if not folder.is_dir():
        raise UsageError(
            "You have no deck {name!r}: only your own can be mended.", name=args.name[:40]
        )
    deck = find_deck(str(folder))
    one, other = _card(args.one), _card(args.other)
    faces = dict(deck.faces)
    faces[one], faces[other] = faces[other], faces[one]
    keep_deck(folder, replace(deck, faces=faces))
    swapped = output_text("Swapped: {one} and {other}.", one=card_name(one), other=card_name(other))
    _told(args, folder, swapped)
    return 0


def _learn_not_mus(args: argparse.Namespace) -> int:
    folder = own_dir() / args.name
    if not folder.is_dir():
        raise UsageError(
            "You have no deck {name!r}: only your own can learn more.", name=args.name[:40]
        )
    if not args.pictures and not args.clear:
        raise UsageError("Give pictures of the cards that are none of Mus, or --clear.")
    deck = find_deck(str(folder))
    draft = DeckDraft(deck.size_mm)
    draft.know_not_mus(() if args.clear else deck.not_mus)
    for name in args.pictures:
        shown = draft.add_not_mus(read_image(Path(name)), name)
        _tell_faults(name, [(card, None) for card in shown if card.face is None])
    faces = tuple(resized(one.face, deck.size_px) for one in draft.not_mus)
    keep_deck(folder, replace(deck, not_mus=faces))
    known = output_text("{n} cards that are none of Mus.", n=len(faces))
    _told(args, folder, known, not_mus=len(faces))
    return 0


def _told(args: argparse.Namespace, folder: Path, sentence: str, **more: int) -> None:
    if args.json:
        print(json.dumps({"deck": folder.name, "folder": str(folder), **more}))
    else:
        print(sentence)


def _card(text: str) -> Card:
    card = parse_card(text)
    if card not in DECK:
        raise UsageError("{text!r} names no single card: write rank and suit, as in 7e.", text=text)
    return card


def _suits(text: str) -> list[Suit]:
    if sorted(text) != sorted(Suit):
        raise UsageError("--suits takes each of o c e b once, in the order of the rows.")
    return [Suit(letter) for letter in text]


def _size(text: str) -> tuple[float, float]:
    try:
        width, height = (float(side) for side in text.lower().split("x"))
    except ValueError:
        width = height = 0.0
    if not 20 <= width < height <= 300:
        raise UsageError("--size takes a card's width and height in millimetres, as in 61x95.")
    return width, height
