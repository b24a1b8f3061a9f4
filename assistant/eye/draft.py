"""The draft of a deck: filled by one photograph after another, and kept in a folder meanwhile."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.deck import MOST_NOT_MUS, ORDER, SIZE_MM, Deck
from assistant.eye.enrol import (
    HIGH,
    CardFault,
    CardRow,
    EnrolError,
    LaidCard,
    centred,
    deck_of,
    enrolled_back,
    enrolled_rows,
    look_at,
    sharpness,
)
from assistant.eye.images import Image, VisionError, read_image
from assistant.eye.match import resized
from assistant.eye.outlines import learned_aspect
from assistant.eye.sorting import Pattern, SortedCard, sort_cards
from assistant.files.paths import own_data_dir
from assistant.files.process import UsageError
from assistant.rules.cards import DECK, Card, Suit, parse_card
from assistant.rules.errors import CardError, Translatable

log = logging.getLogger("mus.eye")

# ---- The draft ----------------------------------------------------------------------------------


LEANING = 0.06
"""A shape that differs by less from the usual card's is taken for that one: the camera leaned."""
OBJECTIONS = 4
"""Forty cards in rows by suit are taken as they lie if at most so many sure ones contradict."""
SAME_CARD = 0.95
"""The correlation of two pictures of one card of one deck; two different cards hardly reach it."""
SHARP_FRAME = 0.45
"""The least sharpness of a card in a frame: the share of its range of levels that its steepest
edges, across and down, span within a fiftieth of its height. With less the camera moved, or was out
of focus."""
MOST_LOOSE = 100
"""The most pictures kept that no person placed: sorting more takes too long. A pack has 54."""


@dataclass(frozen=True, eq=False)
class CardPicture:
    """A picture of one card.

    number   its number among the draft's pictures; none is used twice
    face     its reference, either way up
    high     its height in the photograph, in pixels: of two pictures of a card the larger is kept
    spot     where all photographs show whole rows of ten, its place in reading order, from 0
    """

    number: int
    face: Image
    high: float
    spot: int | None = None

    @cached_property
    def small(self) -> npt.NDArray[np.float32]:
        """A small picture by which it is compared with others: (pixels, 3), of length 1."""
        return np.asarray(centred(resized(self.face, (56, 88))), np.float32).reshape(-1, 3)

    def alike(self, other: CardPicture) -> float:
        """The correlation with another picture, the better way up."""
        ways = other.small, other.small[::-1]
        return max(float((self.small * way).sum()) for way in ways)


class DeckDraft:
    """The cards of a new deck enrolled so far. A photograph that is refused changes nothing."""

    def __init__(self, size_mm: tuple[float, float] | None = None) -> None:
        """``size_mm``: the cards' width and height; None to learn their shape as they are seen."""
        self._size_mm = size_mm or SIZE_MM
        self._learns_size = size_mm is None
        self._next = 0
        self._own: dict[Card, CardPicture] = {}
        self._loose: list[CardPicture] = []
        self._sorted: dict[Card, CardPicture] = {}
        self._turned: set[Card] = set()
        self._doubtful: set[Card] = set()
        self._not_mus: list[CardPicture] = []
        self._back: CardPicture | None = None
        self._faces: dict[Card, Image] = {}
        self._waiting: list[CardPicture] = []

    @property
    def size_mm(self) -> tuple[float, float]:
        """The cards' width and height in millimetres."""
        return self._size_mm

    @property
    def faces(self) -> Mapping[Card, Image]:
        """The cards so far."""
        return self._faces

    @property
    def suits(self) -> list[Suit]:
        """The suits enrolled so far, each complete."""
        return [suit for suit in Suit if all(Card(rank, suit) in self._faces for rank in ORDER)]

    @property
    def has_back(self) -> bool:
        """Whether the back was photographed."""
        return self._back is not None

    @property
    def missing(self) -> list[Card]:
        """The cards of Mus that are not there yet, suit by suit."""
        return [Card(rank, suit) for suit in Suit for rank in ORDER
                if Card(rank, suit) not in self._faces]  # fmt: skip

    @property
    def doubtful(self) -> list[Card]:
        """The cards that were sorted without being sure: a person has to look at them."""
        return [card for card in self._doubtful if card in self._faces]

    @property
    def unknown(self) -> list[CardPicture]:
        """The pictures that are like no card of Mus and that nobody put aside."""
        placed = [id(one) for one in self._sorted.values()]
        return [one for one in self._loose if id(one) not in placed]

    @property
    def not_mus(self) -> list[CardPicture]:
        """The pictures of cards of the pack that are none of Mus."""
        return self._not_mus

    @property
    def is_empty(self) -> bool:
        """Whether nothing was learnt yet."""
        return not (self._faces or self._loose or self._not_mus or self._back)

    def add(self, picture: Image, suits: Sequence[Suit], name: str) -> None:
        """Learn suits, rows from the top, in place of what was there. Raises EnrolError."""
        self._learn_size(picture)
        for row in enrolled_rows(picture, suits, self._size_mm, name):
            for card, face in row.faces.items():
                self._place(card, CardPicture(self._number(), face, HIGH))

    def add_any(
        self, picture: Image, patterns: Sequence[Pattern], name: str
    ) -> list[tuple[LaidCard, Card | None]]:
        """Learn cards in no order, sorted by known decks; of two pictures the larger is kept.

        Returns the cards of the photograph, row by row, each with the card that it shows: None for
        one that was not learnt. Raises EnrolError if there is no card at all.
        """
        self._learn_size(picture)
        shown = look_at(picture, self._size_mm, name)
        self._check_room(len(shown))
        rows = [card.row for card in shown]
        in_order = all(rows.count(row) == len(ORDER) for row in rows)
        first = sum(one.spot is not None for one in self._loose)
        at: list[tuple[LaidCard, CardPicture | None]] = []
        for card in shown:
            kept = None
            if card.face is not None:
                spot = first + (card.row - 1) * len(ORDER) + card.column - 1
                kept = self._better(card.face, card.high, spot if in_order else None)
            at.append((card, kept))
        self.sort(patterns)
        return [self._told(card, kept) for card, kept in at]

    def add_frame(
        self, picture: Image, patterns: Sequence[Pattern], name: str
    ) -> list[tuple[LaidCard, Card | None]]:
        """The same from a frame of a camera that is swept over the cards.

        A new card is kept once it is sharp and surely sorted by itself, or two frames in turn show
        it alike. Raises EnrolError where there is no card at all.
        """
        self._learn_size(picture)
        shown = [_if_sharp(picture, card) for card in look_at(picture, self._size_mm, name)]
        self._check_room(len(shown))
        before = list(self._loose)
        new = [card for card in shown if card.face is not None and not self._is_known(card)]
        surely = self._surely_new(new, patterns)
        at = [
            (
                card,
                None
                if card.face is None or (card in new and card not in surely)
                else self._better(card.face, card.high, None),
            )
            for card in shown
        ]
        if self._loose != before:
            self.sort(patterns)
        return [self._told(card, kept) for card, kept in at]

    def add_not_mus(self, picture: Image, name: str) -> list[LaidCard]:
        """Learn all cards of a photograph as none of Mus. Raises EnrolError where there is none."""
        self._learn_size(picture)
        shown = look_at(picture, self._size_mm, name)
        for card in shown:
            if card.face is not None:
                self._add_to_not_mus(CardPicture(self._number(), card.face, card.high))
        return shown

    def know_not_mus(self, faces: Sequence[Image]) -> None:
        """Begin with a deck's pictures of cards that are none of Mus."""
        self._not_mus = [CardPicture(self._number(), face, HIGH) for face in faces]

    def set_aside(self, number: int, patterns: Sequence[Pattern]) -> None:
        """Keep a picture as one of a card that is none of Mus. Raises KeyError."""
        one = _numbered(self._loose, number)
        self._add_to_not_mus(one)
        self._loose.remove(one)
        self.sort(patterns)

    def set_aside_card(self, card: Card, patterns: Sequence[Pattern]) -> None:
        """The same for the picture that got the place of a card. Raises KeyError."""
        if card in self._sorted:
            self.set_aside(self._sorted[card].number, patterns)
            return
        self._add_to_not_mus(self._own[card])
        del self._own[card]
        self._renew()

    def take_back(self, number: int, patterns: Sequence[Pattern]) -> None:
        """Sort a picture that was put aside by mistake. Raises KeyError."""
        one = _numbered(self._not_mus, number)
        self._not_mus.remove(one)
        self._loose.append(replace(one, spot=None))
        self.sort(patterns)

    def add_back(self, picture: Image, name: str) -> None:
        """Learn the back from one card that lies face down. Raises EnrolError."""
        self._back = CardPicture(self._number(), enrolled_back(picture, self._size_mm, name), HIGH)

    def swap(self, one: Card, other: Card) -> None:
        """Exchange two cards that were laid in each other's place. Raises KeyError."""
        first, second = self._faces[one], self._faces[other]
        self._place(one, CardPicture(self._number(), second, HIGH))
        self._place(other, CardPicture(self._number(), first, HIGH))

    def deck(self, name: str, title: str) -> Deck:
        """The whole deck. Raises EnrolError where a card is missing, or there twice."""
        back = None if self._back is None else self._back.face
        made = deck_of(name, title, self._size_mm, [CardRow(self._faces, {})], back)
        return replace(made, not_mus=tuple(one.face for one in self._not_mus))

    def sort(self, patterns: Sequence[Pattern]) -> None:
        """Sort all pictures that no person placed, together: each helps to place the others."""
        found = sort_cards(
            [one.face for one in self._loose],
            patterns,
            list(self._own),
            {
                number: ORDER[one.spot % len(ORDER)]
                for number, one in enumerate(self._loose)
                if one.spot is not None
            },
        )
        found = self._as_laid(found)
        self._sorted, self._turned, self._doubtful = {}, set(), set()
        for one, told in zip(self._loose, found, strict=True):
            if told.card is None:
                continue
            self._sorted[told.card] = one
            if told.upside_down:
                self._turned.add(told.card)
            if not told.sure:
                self._doubtful.add(told.card)
        self._renew()

    def _number(self) -> int:
        self._next += 1
        return self._next

    def _told(self, card: LaidCard, kept: CardPicture | None) -> tuple[LaidCard, Card | None]:
        if kept is not None and any(kept is one for one in self._not_mus):
            return replace(card, fault=CardFault.NOT_MUS), None
        placed = [*self._sorted.items(), *self._own.items()]
        return card, next((own for own, one in placed if one is kept), None)

    def _learn_size(self, picture: Image) -> None:
        """Learn the cards' shape from the first photograph; no photograph shows their true size."""
        if not self._learns_size or not self.is_empty:
            return
        aspect = learned_aspect(picture, SIZE_MM)
        usual = SIZE_MM[0] / SIZE_MM[1]
        if aspect is not None and abs(aspect / usual - 1) > LEANING:
            self._size_mm = (round(aspect * SIZE_MM[1], 1), SIZE_MM[1])

    def _better(self, face: Image, high: float, spot: int | None) -> CardPicture:
        """Keep one picture of each card: the larger."""
        new = CardPicture(self._number(), face, high, spot)
        old = self._same_card(new)
        if old is None:
            self._loose.append(new)
            return new
        for group in (self._loose, self._not_mus):
            if high > old.high and old in group:
                group[group.index(old)] = new
                return new
        return old

    def _is_known(self, card: LaidCard) -> bool:
        assert card.face is not None
        return self._same_card(CardPicture(0, card.face, card.high)) is not None

    def _surely_new(self, cards: Sequence[LaidCard], patterns: Sequence[Pattern]) -> list[LaidCard]:
        """The cards of a frame that are kept now; the others wait for the next frame."""
        faces = [card.face for card in cards if card.face is not None]
        found = sort_cards(faces, patterns, list(self._faces))
        before, self._waiting = self._waiting, []
        surely = []
        for card, face, told in zip(cards, faces, found, strict=True):
            one = CardPicture(0, face, card.high)
            if told.sure or any(one.alike(old) > SAME_CARD for old in before):
                surely.append(card)
            else:
                self._waiting.append(one)
        return surely

    def _check_room(self, more: int) -> None:
        if len(self._loose) + more > MOST_LOOSE:
            raise EnrolError("There are too many pictures of cards: begin anew.", "too_many")

    def _same_card(self, new: CardPicture) -> CardPicture | None:
        """The picture of the same card that there is already."""
        known = [*self._own.values(), *self._loose, *self._not_mus]
        best = max(known, key=new.alike, default=None)
        return best if best is not None and best.alike(new) > SAME_CARD else None

    def _add_to_not_mus(self, new: CardPicture) -> None:
        for at, old in enumerate(self._not_mus):
            if old.alike(new) > SAME_CARD:
                if new.high > old.high:
                    self._not_mus[at] = new
                return
        if len(self._not_mus) >= MOST_NOT_MUS:
            raise EnrolError(
                Translatable(
                    "No more than {most} cards that are none of Mus are kept.", most=MOST_NOT_MUS
                ),
                "many_not_mus",
                most=MOST_NOT_MUS,
            )
        self._not_mus.append(new)

    def _as_laid(self, found: list[SortedCard]) -> list[SortedCard]:
        """The cards as they lie, where forty lie in rows by suit and hardly a sure one objects."""
        spots = [one.spot for one in self._loose if one.spot is not None]
        if sorted(spots) != list(range(len(DECK))) or len(self._loose) != len(DECK):
            return found
        laid = [Card(rank, suit) for suit in Suit for rank in ORDER]
        told = [replace(one, card=laid[kept.spot or 0], sure=True)
                for one, kept in zip(found, self._loose, strict=True)]  # fmt: skip
        against = [one.sure and one.card != own.card for one, own in zip(found, told, strict=True)]
        if sum(against) > OBJECTIONS:
            return found
        return [replace(own, sure=not no) for own, no in zip(told, against, strict=True)]

    def _place(self, card: Card, picture: CardPicture) -> None:
        """Place a card as a person says; it is not sorted again."""
        self._own[card] = picture
        self._doubtful.discard(card)
        self._turned.discard(card)
        kept = self._sorted.pop(card, None)
        if kept is not None:
            self._loose.remove(kept)
        self._renew()

    def _renew(self) -> None:
        """Make the faces from the pictures, the right way up."""
        upright = {
            card: one.face[::-1, ::-1] if card in self._turned else one.face
            for card, one in self._sorted.items()
        }
        self._faces = {card: np.ascontiguousarray(face) for card, face in upright.items()}
        self._faces.update({card: one.face for card, one in self._own.items()})

    # -- what is written to the folder --

    def pictures(self) -> Iterator[CardPicture]:
        """All pictures of the draft."""
        yield from self._own.values()
        yield from self._loose
        yield from self._not_mus
        if self._back is not None:
            yield self._back

    def as_dict(self) -> dict[str, Any]:
        """The draft's data except its pictures, for JSON."""
        return {
            "size_mm": list(self._size_mm),
            "learns_size": self._learns_size,
            "next": self._next,
            "own": {str(card): _facts(one) for card, one in self._own.items()},
            "loose": [_facts(one) for one in self._loose],
            "not_mus": [_facts(one) for one in self._not_mus],
            "sorted": {str(card): one.number for card, one in self._sorted.items()},
            "turned": sorted(map(str, self._turned)),
            "doubtful": sorted(map(str, self._doubtful)),
            "back": None if self._back is None else _facts(self._back),
        }

    @staticmethod
    def of(told: Mapping[str, Any], folder: Path) -> DeckDraft:
        """The draft that was written. Raises KeyError, ValueError, TypeError and ImageError."""

        def picture(facts: Mapping[str, Any]) -> CardPicture:
            number, spot = int(facts["number"]), facts["spot"]
            face = read_image(folder / f"{number}.png")
            return CardPicture(number, face, float(facts["high"]), spot and int(spot))

        made = DeckDraft()
        wide, high = map(float, told["size_mm"])
        made._size_mm, made._learns_size = (wide, high), bool(told["learns_size"])
        made._next = int(told["next"])
        made._own = {parse_card(card): picture(one) for card, one in told["own"].items()}
        made._loose = [picture(one) for one in told["loose"]]
        made._not_mus = [picture(one) for one in told["not_mus"]]
        made._sorted = {parse_card(card): _numbered(made._loose, number)
                        for card, number in told["sorted"].items()}  # fmt: skip
        made._turned = set(map(parse_card, told["turned"]))
        made._doubtful = set(map(parse_card, told["doubtful"]))
        made._back = picture(told["back"]) if told["back"] else None
        made._renew()
        return made


def _if_sharp(picture: Image, card: LaidCard) -> LaidCard:
    """A card of a frame; without its face where the camera moved or was out of focus."""
    if card.face is None or sharpness(picture, card.quad) >= SHARP_FRAME:
        return card
    return replace(card, face=None, fault=CardFault.BLURRED)


def _numbered(pictures: Sequence[CardPicture], number: int) -> CardPicture:
    for one in pictures:
        if one.number == number:
            return one
    raise KeyError(number)


def _facts(one: CardPicture) -> dict[str, Any]:
    return {"number": one.number, "high": round(one.high, 1), "spot": one.spot}


# ---- The folder of a draft, so that neither a reload nor a power cut loses it -------------------
# ``draft.json`` names its pictures by their numbers. A picture is written before it is named, and
# deleted once it is not any more.


FACTS = "draft.json"
MOST_FACTS = 100_000


class DraftError(UsageError):
    """A draft that cannot be read: it has to be begun anew."""


def drafts_dir() -> Path:
    """The folder of the decks that are not whole yet (XDG); it need not exist."""
    return own_data_dir() / "deck-drafts"


def load_draft(folder: Path) -> DeckDraft | None:
    """The draft of a folder; None where there is none. Raises DraftError."""
    try:
        with (folder / FACTS).open("rb") as file:
            return DeckDraft.of(json.loads(file.read(MOST_FACTS)), folder)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, CardError, VisionError) as no:
        raise DraftError(
            "The unfinished deck in {folder} is spoilt: {no}", folder=folder, no=no
        ) from no


def keep_draft(folder: Path, draft: DeckDraft) -> None:
    """Write what is new of a draft. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"{one.number}.png": one.face for one in draft.pictures()}
    for name, face in wanted.items():
        if not (folder / name).exists():
            _, data = cv2.imencode(".png", face)
            _write(folder / name, data.tobytes())
    _write(folder / FACTS, json.dumps(draft.as_dict()).encode())
    for path in folder.glob("*.png"):
        if path.name not in wanted:
            path.unlink()


def forget_draft(folder: Path) -> None:
    """Delete a draft, whole or broken."""
    (folder / FACTS).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, data: bytes) -> None:
    partly = path.with_name(f"{path.name}.part")
    partly.write_bytes(data)
    partly.replace(path)
