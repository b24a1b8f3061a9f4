"""Where further cards of a fan may lie, by those that were found."""

from __future__ import annotations

import numpy as np

from assistant.eye.poses import Poses, between, beyond, near
from tests.tables import each_row

WIDTH = 61.0


def fan(turned: float) -> Poses:
    """Four cards that are turned about one point below them, the whole fan by ``turned``."""
    angles = np.radians([-18, -6, 6, 18]) + turned
    return np.column_stack([100 * np.sin(angles), -100 * np.cos(angles), angles])


def found(poses: Poses, wanted: Poses) -> bool:
    """Whether some pose is near the wanted one, upright or upside down."""
    return bool(near(poses, wanted, 3.0, 0.05).any())


@each_row("turned", [0.0, 1.2, 3.1, -2.0])
def test_the_next_card_of_a_fan_lies_where_the_two_before_lead(turned: float) -> None:
    cards = fan(turned)
    assert found(beyond(cards[:2], WIDTH), cards[2])
    assert found(beyond(cards[1:3], WIDTH), cards[3])
    assert found(beyond(cards[1:3], WIDTH), cards[0])
    upside_down = cards[1:3] + np.array([[0, 0, 0], [0, 0, np.pi]])
    assert found(beyond(upside_down, WIDTH), cards[3])


def test_a_card_within_a_fan_lies_between_two_others() -> None:
    cards = fan(0.5)
    assert found(between(cards[[0, 2]]), cards[1])


def test_cards_of_two_hands_lead_nowhere() -> None:
    far = np.array([[0.0, 0, 0], [400.0, 0, 0]])
    assert len(beyond(far, WIDTH)) == 0
    assert len(beyond(far[:1], WIDTH)) == 0
    assert len(beyond(np.zeros((0, 3)), WIDTH)) == 0
