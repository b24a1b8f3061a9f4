"""The draft of a deck: kept between commands, cards that are none of Mus, frames of a sweep."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.deck import MOST_NOT_MUS, load_deck
from assistant.eye.draft import (
    FACTS,
    DeckDraft,
    DraftError,
    forget_draft,
    keep_draft,
    load_draft,
)
from assistant.eye.enrol import CardFault, EnrolError
from assistant.eye.images import Image
from assistant.eye.sorting import Pattern
from assistant.files.paths import data_dir
from assistant.rules.cards import DECK, Card, parse_card
from scripts.lab.drawing.faces import HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from scripts.lab.eyebench.enrolment import Sheet, spread_sheets
from tests.eye.eyes import art
from tests.tables import each_row


@cache
def patterns() -> tuple[Pattern, ...]:
    return (Pattern(load_deck(data_dir("models") / "decks" / "mus")),)


@cache
def sheets() -> tuple[Sheet, ...]:
    """All cards on four photographs, an eight or a nine on each."""
    eights = [np.asarray(pixels(face, WIDTH, HEIGHT, 4.0), np.uint8) for face in foreign_faces()]
    return spread_sheets(art(), 1, 4, eights[:4], scale=0.5)


def filled(photographs: int) -> DeckDraft:
    return deepcopy(_filled(photographs))


@cache
def _filled(photographs: int) -> DeckDraft:
    draft = DeckDraft() if photographs == 1 else filled(photographs - 1)
    draft.add_any(sheets()[photographs - 1].picture, patterns(), "photo.jpg")
    return draft


def same(one: DeckDraft, other: DeckDraft) -> bool:
    return one.as_dict() == other.as_dict() and all(
        np.array_equal(other.faces[card], face) for card, face in one.faces.items()
    )


@pytest.mark.slow
def test_a_draft_is_read_back_unchanged_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "drafts" / "mia"
    assert load_draft(folder) is None
    draft = filled(2)
    first, second, third, *_ = list(draft.faces)
    draft.set_aside_card(first, patterns())
    draft.swap(second, third)
    keep_draft(folder, draft)
    read = load_draft(folder)
    assert read is not None
    assert same(draft, read)
    for one in (draft, read):
        one.add_any(sheets()[2].picture, patterns(), "photo.jpg")
    assert same(draft, read)
    keep_draft(folder, read)
    assert {path.name for path in folder.iterdir()} == {
        FACTS, *(f"{one.number}.png" for one in read.pictures())}  # fmt: skip
    forget_draft(folder)
    assert load_draft(folder) is None
    assert not folder.exists()


@each_row("name, text", [(FACTS, "[]"), (FACTS, "{"), (FACTS, '{"size_mm": 7}'), ("1.png", "")])
def test_a_broken_draft_is_told(name: str, text: str, tmp_path: Path) -> None:
    draft = DeckDraft()
    draft.know_not_mus([art()[DECK[0]]])
    keep_draft(tmp_path, draft)
    (tmp_path / name).write_text(text)
    with pytest.raises(DraftError, match="is spoilt"):
        load_draft(tmp_path)


@pytest.mark.slow
def test_eights_are_unknown_put_aside_and_known_in_the_next_photograph() -> None:
    draft = filled(4)
    assert set(draft.faces) == set(DECK)
    eights = list(draft.unknown)
    assert len(eights) == 4
    for eight in eights:
        draft.set_aside(eight.number, patterns())
    assert (draft.unknown, draft.not_mus) == ([], eights)
    again = draft.add_any(sheets()[0].picture, patterns(), "photo.jpg")
    assert [card.fault for card, told in again if told is None] == [CardFault.NOT_MUS]
    assert len(draft.deck("mia", "Mía").not_mus) == 4
    draft.take_back(eights[0].number, patterns())
    assert ([one.number for one in draft.unknown], len(draft.not_mus)) == ([eights[0].number], 3)
    with pytest.raises(KeyError):
        draft.set_aside(10_000, patterns())


@pytest.mark.slow
def test_a_card_that_got_a_place_can_be_put_aside_too() -> None:
    draft = filled(1)
    first, second, *_ = list(draft.faces)
    draft.set_aside_card(first, patterns())
    assert first in draft.missing
    draft.swap(second, next(card for card in draft.faces if card != second))
    draft.set_aside_card(second, patterns())  # a person has placed this one
    assert second in draft.missing
    assert len(draft.not_mus) == 2


def test_a_photograph_of_eights_makes_no_card_and_no_more_than_so_many_are_kept() -> None:
    draft = DeckDraft()
    shown = draft.add_not_mus(sheets()[0].picture, "eights.jpg")
    assert len(draft.not_mus) == len(shown) == 11
    draft.add_not_mus(sheets()[0].picture, "eights.jpg")
    assert len(draft.not_mus) == 11
    assert set(draft.missing) == set(DECK)
    draft.add_not_mus(sheets()[1].picture, "more.jpg")
    with pytest.raises(EnrolError, match=str(MOST_NOT_MUS)) as raised:
        draft.add_not_mus(sheets()[2].picture, "most.jpg")
    assert raised.value.code == "many_not_mus"


@pytest.mark.slow
def test_cards_that_a_person_placed_stay_when_they_are_seen_again() -> None:
    draft = filled(1)
    one, other = list(draft.faces)[:2]
    draft.swap(one, other)
    draft.swap(one, other)
    found = draft.add_any(sheets()[0].picture, patterns(), "photo.jpg")
    assert {one, other} <= {told for _, told in found}
    assert len(draft.faces) == 11


# ---- Frames of a camera that is swept over the cards --------------------------------------------


def frame(shift: int = 0, blurred: float = 0.0) -> Image:
    moved = np.roll(sheets()[1].picture, shift, axis=1)
    soft = cv2.GaussianBlur(moved, (0, 0), blurred) if blurred else moved
    return np.asarray(soft, np.uint8)


def known(sheet: Sheet) -> set[Card]:
    return {card for card in sheet.cards if card is not None}


def test_a_sure_card_is_kept_at_once_and_others_when_two_frames_show_them_alike() -> None:
    draft = DeckDraft()
    first = draft.add_frame(frame(), patterns(), "frame")
    sure = {told for _, told in first if told is not None}
    assert sure <= known(sheets()[1])
    assert len(sure) >= 8
    draft.add_frame(frame(3), patterns(), "frame")
    assert known(sheets()[1]) <= set(draft.faces)
    before = len(draft.as_dict()["loose"])
    draft.add_frame(frame(1), patterns(), "frame")
    assert len(draft.as_dict()["loose"]) == before


def test_a_frame_that_moved_teaches_nothing() -> None:
    draft = DeckDraft()
    for _ in range(2):
        found = draft.add_frame(frame(blurred=3.5), patterns(), "frame")
        assert found
        assert all(card.face is None for card, _ in found)
    assert draft.is_empty


def test_a_draft_names_its_cards_in_json() -> None:
    told = json.loads(json.dumps(filled(1).as_dict()))
    assert known(sheets()[0]) <= {parse_card(card) for card in told["sorted"]}
