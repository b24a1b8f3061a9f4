"""No card that the deck lacks is told: no eight as a seven, and no joker as its figure."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from assistant.eye.check import (
    ACE_CELLS,
    LIGHT_ALIKE,
    MOST_SPOT,
    NUMBER_ALONE,
    NUMBER_LIKE,
    OWN_CELLS,
    SURE_ALIKE,
    SURE_NUMBER,
    CellCheck,
    Checker,
)
from assistant.eye.compare import SIZE, WHITE
from assistant.eye.deck import Deck, load_deck
from assistant.eye.images import Image
from assistant.eye.match import Quad, resized, warped
from assistant.eye.read import Reader
from assistant.eye.windows import WindowCheck
from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank, Suit
from scripts.lab.drawing.faces import FOREIGN_LAYOUTS, HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.layouts import Placed, corners
from scripts.lab.eyebench.obstacles import look, reaching
from scripts.lab.eyebench.scenes import lay
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import art, table
from tests.tables import each_row

SEVEN = Card(Rank.SIETE, Suit.OROS)
WHOLE = np.ones((88, 56), np.uint8)


def deck() -> Deck:
    return load_deck(data_dir("models") / "decks" / "mus")


def eight_like_a_seven() -> Image:
    return pixels(foreign_faces()[list(FOREIGN_LAYOUTS).index("8 like a 7")], WIDTH, HEIGHT, 4)


def outline(face: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    high, wide = face.shape[:2]
    return np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - 0.5


@each_row("light, slope", [(1.0, 0.0), (0.5, 0.0), (0.6, 0.5)])
def test_a_card_agrees_with_its_own_reference_in_any_light(light: float, slope: float) -> None:
    face = deck().faces[SEVEN]
    field = light * (1 + slope * np.linspace(-0.5, 0.5, face.shape[1]))
    shown = np.asarray(face * field[None, :, None], np.uint8)
    check = Checker(deck()).check(shown, outline(shown), SEVEN, WHOLE)
    assert check.worst < 0.1
    assert check.checked > 0.99
    assert check.belief(1.0, 1.0) > 0.99


def test_one_pip_more_is_a_contradiction() -> None:
    shown = eight_like_a_seven()
    check = Checker(deck()).check(shown, outline(shown), SEVEN, WHOLE)
    assert check.worst > 0.9
    assert check.belief(1.0, 1.0) < 0.01


def test_a_lamp_over_most_of_a_card_leaves_too_little_to_believe() -> None:
    shown = np.array(deck().faces[SEVEN], np.float64)
    x = np.linspace(0, 1, shown.shape[1])
    shown += (400 * np.clip(x - 0.35, 0, 1) * 4)[None, :, None]
    lit = np.asarray(np.clip(shown * 0.95, 0, 255), np.uint8)
    assert Checker(deck()).check(lit, outline(lit), SEVEN, WHOLE).belief(1.0, 1.0) < 0.5


def test_white_paper_that_is_exposed_long_is_checked_all_the_same() -> None:
    shown = np.minimum(deck().faces[SEVEN].astype(np.float64) * 1.08, 255)
    bright = np.asarray(shown, np.uint8)
    assert (bright.min(axis=2) >= WHITE).mean() > 0.3
    check = Checker(deck()).check(bright, outline(bright), SEVEN, WHOLE)
    assert check.checked > 0.99
    assert check.belief(1.0, 1.0) > 0.99


@each_row("rank", [Rank.CUATRO, Rank.CINCO, Rank.SEIS])
def test_the_number_on_a_strip_refutes_the_cards_that_the_strip_is_like(rank: Rank) -> None:
    strip = WHOLE.copy()
    strip[:, 16:] = 0
    face = deck().faces[Card(rank, Suit.OROS)]
    checker, place = Checker(deck()), outline(face)
    own = checker.check(face, place, Card(rank, Suit.OROS), strip)
    assert own.belief(1.0, 1.0) > 0.99
    for other in {Rank.CUATRO, Rank.CINCO, Rank.SEIS, Rank.SIETE} - {rank}:
        assert own.refutes(checker.check(face, place, Card(other, Suit.OROS), strip)), other
    assert not own.refutes(own)


def test_a_card_that_is_a_little_askew_is_fitted_before_it_is_doubted() -> None:
    face = resized(deck().faces[SEVEN], SIZE)
    around = np.pad(face, ((20, 20), (20, 20), (0, 0)), constant_values=40)
    quad = outline(face) + 20
    askew = quad + np.array([[2.0, -2.5], [-2.5, 2.0], [2.0, 2.5], [-2.0, -2.5]])
    assert Checker(deck()).check(around, askew, SEVEN, WHOLE).belief(1.0, 1.0) > 0.9


def test_eights_nines_and_jokers_on_a_table_are_not_told() -> None:
    drawn = [pixels(face, WIDTH, HEIGHT, 4) for face in foreign_faces()]
    foreign = sorted({placed.card for placed in table().cards}, key=str)
    faces = {**art(), **dict(zip(foreign, drawn, strict=False))}
    frame = shot(table(), faces, 1, 1)[0]
    reading = Reader(deck()).read([frame])
    assert [sighting.card for sighting in reading.sightings if sighting.card] == []


def test_a_card_that_the_deck_lacks_is_unread_and_the_others_are_told() -> None:
    lacking = {placed.card for placed in table().cards[::4]}
    known = {card: face for card, face in deck().faces.items() if card not in lacking}
    frame = shot(table(), art(), 1, 1)[0]
    reading = Reader(replace(deck(), faces=known)).read([frame])
    told = {sighting.card for sighting in reading.sightings if sighting.card}
    real = {seen.card for seen in scenes.truth(table())}
    assert told <= real - lacking
    assert len(told) >= len(real - lacking) - 1


def under_fingers(face: Image) -> tuple[Image, Quad, Image]:
    """A card on a cloth with a player's fingers on it, its outline, and the card that is bare."""
    watching = Camera((560, 560), 2.0, tilt=0, yaw=0, roll=0, distance=1200, bulge=0)
    placed = Placed(1, SEVEN, 0, 0, 0)
    hand = reaching(look(random.Random(5)), (0, 0, 0), (8, 12), 12, 5)
    cloth = np.full((560, 560, 3), (0.15, 0.35, 0.1), np.float32)
    lay(cloth, placed, face, watching)
    hand.paint(cloth, watching)
    quad = watching.seen(corners(placed))
    shown = np.asarray(np.clip(cv2.GaussianBlur(cloth, (0, 0), 0.7) * 230, 0, 255), np.uint8)
    bare = warped(np.asarray(~hand.covers(watching), np.uint8), quad, (56, 88))
    return shown, quad, bare


@each_row("rank", [Rank.AS, Rank.CUATRO, Rank.SIETE, Rank.REY])
def test_fingers_on_a_card_are_no_other_print(rank: Rank) -> None:
    card = Card(rank, Suit.COPAS)
    shown, quad, bare = under_fingers(deck().faces[card])
    assert 0.3 < bare.mean() < 0.9
    check = Checker(deck()).check(shown, quad, card, WHOLE)
    assert check.belief(1.0, 1.0) > 0.9
    assert abs(check.checked - bare.mean()) < 0.15


def test_what_fingers_leave_bare_is_told() -> None:
    card = Card(Rank.SEIS, Suit.COPAS)
    shown, quad, bare = under_fingers(deck().faces[card])
    found = Checker(deck()).bared(shown, quad, card, WHOLE)[8:-8, 6:-6]
    really = bare[8:-8, 6:-6]
    assert found[really == 0].mean() < 0.1
    assert found[really == 1].mean() > 0.85


def test_fingers_on_an_eight_make_no_seven_of_it() -> None:
    shown, quad, bare = under_fingers(eight_like_a_seven())
    assert bare.mean() < 0.9
    assert Checker(deck()).check(shown, quad, SEVEN, WHOLE).belief(1.0, 1.0) < 0.1


@each_row("suit", Suit)
def test_one_pip_less_and_a_free_spot_are_no_thing_that_lies_there(suit: Suit) -> None:
    six, seven = (deck().faces[Card(rank, suit)] for rank in (Rank.SEIS, Rank.SIETE))
    for shown, taken_for in ((six, Rank.SIETE), (seven, Rank.SEIS)):
        check = Checker(deck()).check(shown, outline(shown), Card(taken_for, suit), WHOLE)
        assert check.belief(1.0, 1.0) < 0.01


def cells(shown: Image, card: Card, seen: Image) -> CellCheck:
    """What the network says of a whole picture beside a card."""
    check = Checker(deck()).check(shown, outline(shown), card, seen)
    assert isinstance(check, CellCheck)
    return check


def only(columns: slice) -> Image:
    """The mask of a card of which only some columns are seen."""
    part = np.zeros_like(WHOLE)
    part[:, columns] = 1
    return part


@each_row("rank", [Rank.SOTA, Rank.CABALLO, Rank.REY])
def test_a_figure_in_other_colours_is_not_told(rank: Rank) -> None:
    card = Card(rank, Suit.COPAS)
    checker, face = Checker(deck()), deck().faces[card]
    assert checker.check(face, outline(face), card, WHOLE).belief(1.0, 1.0) > 0.99
    for colours in ((2, 1, 0), (1, 0, 2), (0, 2, 1)):
        recoloured = np.ascontiguousarray(face[..., colours])
        check = checker.check(recoloured, outline(recoloured), card, WHOLE)
        assert check.belief(0.95, 1.0) < 0.01, colours


@each_row("rank", [Rank.CABALLO, Rank.REY])
def test_a_part_of_a_figure_without_a_number_is_not_told(rank: Rank) -> None:
    card = Card(rank, Suit.COPAS)
    face = deck().faces[card]
    shown = cells(face, card, only(slice(20, 40)))
    assert shown.number_seen < 0.2
    assert shown.worst < 0.1
    assert shown.belief(1.0, 0.35) == 0.0
    numbered = cells(face, card, only(slice(0, 32)))
    assert numbered.number_seen > 0.9
    assert numbered.belief(1.0, 0.57) > 0.99


def test_a_figure_with_another_number_is_not_told_from_a_part_either() -> None:
    king = Card(Rank.REY, Suit.COPAS)
    counterfeit = deck().faces[king].copy()
    high, wide = counterfeit.shape[:2]
    knight = deck().faces[Card(Rank.CABALLO, Suit.COPAS)]
    for rows, columns in (
        (slice(0, round(0.15 * high)), slice(0, round(0.2 * wide))),
        (slice(high - round(0.15 * high), None), slice(wide - round(0.2 * wide), None)),
    ):
        counterfeit[rows, columns] = knight[rows, columns]
    for part in (WHOLE, only(slice(0, 32)), only(slice(0, 20))):
        check = cells(counterfeit, king, part)
        assert check.at_number > 0.1
        assert check.belief(0.97, float(part.mean())) < 0.5


def test_a_strip_that_shows_no_suit_has_to_be_very_like_its_card() -> None:
    part = CellCheck(worst=0.01, checked=0.17, own=OWN_CELLS - 1)
    assert part.belief(0.95, 0.2) > 0.99
    assert part.belief(0.85, 0.2) == 0.0
    assert replace(part, own=OWN_CELLS).belief(0.85, 0.2) > 0.99
    assert replace(part, own=OWN_CELLS).belief(0.75, 0.2) == 0.0


def test_a_card_too_small_for_the_network_is_checked_by_windows() -> None:
    face = deck().faces[SEVEN]
    low = resized(face, (80, 90))
    assert isinstance(Checker(deck()).check(low, outline(low), SEVEN, WHOLE), WindowCheck)
    assert cells(resized(face, (80, 120)), SEVEN, WHOLE).checked > 0.9


def test_a_strip_has_to_show_the_number_of_its_card() -> None:
    part = CellCheck(worst=0.01, checked=0.17)
    assert part.belief(0.95, 0.2) > 0.99
    assert replace(part, number_like=lambda: NUMBER_LIKE - 0.01).belief(0.95, 0.2) == 0.0
    # One that shows nothing of its suit has to show the number more clearly.
    bare = replace(part, own=OWN_CELLS - 1, number_like=lambda: NUMBER_LIKE)
    assert bare.belief(0.95, 0.2) == 0.0
    assert replace(bare, number_like=lambda: NUMBER_ALONE).belief(0.95, 0.2) > 0.99


def test_the_windows_settle_a_small_doubt_of_the_network_about_a_part() -> None:
    def said(worst: float) -> Callable[[], WindowCheck]:
        return lambda: WindowCheck(worst, 0.2)

    doubted = CellCheck(worst=0.3, checked=0.2)
    assert doubted.belief(0.95, 0.2) < 0.01
    assert replace(doubted, windows=said(0.0)).belief(0.95, 0.2) > 0.99
    assert replace(doubted, windows=said(0.2)).belief(0.95, 0.2) < 0.01
    # Not a great one, and not where the number is another.
    assert replace(doubted, worst=0.45, windows=said(0.0)).belief(0.95, 0.2) < 0.01
    other = replace(doubted, windows=said(0.0), number_like=lambda: -1.0)
    assert other.belief(0.95, 0.2) == 0.0


def test_a_part_whose_number_is_another_one_is_not_believed_whatever_the_cells_say() -> None:
    # A foreign 3 of oros was told as a 5: a third of it, which the windows agreed with.
    part = CellCheck(worst=0.01, checked=0.32, numbers=numbered(0.4, 0.46))
    assert part.belief(0.95, 0.4) == 0.0
    agreed = replace(part, worst=0.35, at_number=0.35, windows=lambda: WindowCheck(0.0, 0.32))
    assert agreed.belief(0.95, 0.4) == 0.0
    # The number of a worn card is told, and one that is not seen says nothing.
    assert replace(part, numbers=numbered(0.84, 0.7)).belief(0.95, 0.4) > 0.99
    assert CellCheck(worst=0.01, checked=0.32).belief(0.95, 0.4) > 0.99
    # A whole card shows more than its number.
    assert replace(part, checked=0.9).belief(0.95, 1.0) > 0.99


def test_the_windows_refute_a_rival_that_the_network_does_not() -> None:
    def part(worst: float) -> CellCheck:
        return CellCheck(worst=0.05, checked=0.2, windows=lambda: WindowCheck(worst, 0.2))

    assert part(0.01).refutes(part(0.3))
    assert not part(0.01).refutes(part(0.05))
    assert not part(0.3).refutes(part(0.9))  # they contradict the card itself


def numbered(own: float, other: float) -> Callable[[], tuple[float, float]]:
    """How like a number is to that of its card, and to the next one."""
    return lambda: (own, other)


def test_a_strip_in_a_shadow_is_like_its_card_in_the_light_of_its_reference() -> None:
    shadowed = CellCheck(worst=0.01, checked=0.17, like=LIGHT_ALIKE)
    assert shadowed.belief(0.5, 0.2) > 0.99
    assert replace(shadowed, like=LIGHT_ALIKE - 0.01).belief(0.5, 0.2) == 0.0


def test_a_shadow_does_not_make_a_strip_unlike_its_own_card() -> None:
    card, strip = Card(Rank.SEIS, Suit.COPAS), only(slice(0, 18))
    face = deck().faces[card]
    x = np.linspace(0, 1, face.shape[1])
    dark = np.asarray(face * (0.35 + 0.55 * x)[None, :, None], np.uint8)
    assert cells(dark, card, strip).like > 0.98
    another = deck().faces[Card(Rank.SEIS, Suit.OROS)]
    assert cells(another, card, strip).like < LIGHT_ALIKE


def test_a_worn_spot_off_the_number_is_no_other_print() -> None:
    stained = CellCheck(
        worst=0.6, checked=0.9, like=SURE_ALIKE, spot=5, numbers=numbered(SURE_NUMBER, 0.8)
    )
    assert stained.belief(0.95, 1.0) > 0.99
    for doubt in (
        replace(stained, spot=MOST_SPOT + 1),  # a pip is larger
        replace(stained, at_number=0.5),  # the number itself is another
        replace(stained, like=SURE_ALIKE - 0.02),
        replace(stained, numbers=numbered(SURE_NUMBER, SURE_NUMBER - 0.01)),
        replace(stained, numbers=numbered(0.9, 0.5)),
        replace(stained, own=OWN_CELLS - 1),
        replace(stained, number_seen=0.2),
    ):
        assert doubt.belief(0.95, 1.0) < 0.01, doubt


def test_a_stain_on_a_whole_card_leaves_it_told_and_a_pip_does_not() -> None:
    card = Card(Rank.SIETE, Suit.COPAS)
    clean = deck().faces[card]
    high, wide = clean.shape[:2]
    spot = np.zeros((high, wide), np.float32)
    cv2.circle(spot, (round(0.5 * wide), round(0.62 * high)), round(0.035 * wide), 1.0, -1)
    soft = cv2.GaussianBlur(spot, (0, 0), 0.015 * wide)[..., None]
    stained = np.asarray(clean * (1 - soft * np.array([0.5, 0.3, 0.1])), np.uint8)
    shown = cells(stained, card, WHOLE)
    assert shown.worst > 0.5
    assert shown.belief(0.95, 1.0) > 0.99
    eight = eight_like_a_seven()
    assert Checker(deck()).check(eight, outline(eight), SEVEN, WHOLE).belief(0.97, 1.0) < 0.01


def test_an_ace_is_told_by_its_pip_where_its_number_is_hidden() -> None:
    middle = only(slice(14, 42))
    for suit in Suit:
        ace = Card(Rank.AS, suit)
        face = deck().faces[ace]
        shown = cells(face, ace, middle)
        assert shown.number_seen < 0.5
        assert shown.own >= ACE_CELLS
        assert shown.belief(0.95, 0.5) > 0.99
        for rank in set(Rank) - {Rank.AS}:
            other = deck().faces[Card(rank, suit)]
            assert cells(other, ace, middle).belief(0.95, 0.5) < 0.01, (suit, rank)


def test_a_number_refutes_the_other_cards_of_its_suit() -> None:
    own = CellCheck(worst=0.02, checked=0.2, numbers=numbered(0.97, 0.8))
    rival = CellCheck(worst=0.02, checked=0.2, numbers=numbered(0.8, 0.97))
    assert own.tells_number
    assert own.refutes(rival)
    assert not own.refutes(own)
    blurred = replace(own, numbers=numbered(NUMBER_LIKE - 0.01, 0.7))
    assert not blurred.tells_number
    assert not blurred.refutes(rival)


@each_row("rank", list(Rank))
def test_the_number_of_a_strip_is_most_like_that_of_its_card(rank: Rank) -> None:
    strip, suit = only(slice(0, 18)), Suit.ESPADAS
    face = deck().faces[Card(rank, suit)]
    assert cells(face, Card(rank, suit), strip).number_like() > 0.99
    checker = Checker(deck())
    for other in set(Rank) - {rank}:
        card = Card(other, suit)
        assert checker.number_like(face, outline(face), card, strip) == -1.0, other
    # Bare paper shows no number.
    plain = np.full_like(face, 230)
    assert checker.number_like(plain, outline(face), Card(rank, suit), strip) < NUMBER_LIKE
