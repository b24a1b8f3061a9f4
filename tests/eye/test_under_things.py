"""Cards partly hidden by fingers or stones: they are found and told, and never told wrong."""

from __future__ import annotations

import random

import pytest

from assistant.eye.calibration import Calibration
from assistant.eye.plane import fit_plane
from assistant.eye.read import Reader
from assistant.eye.view import EmptyTable
from assistant.rules.cards import Card
from scripts.lab.eyebench import obstacles, scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.scenes import Scene
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import art
from tests.eye.test_check import deck
from tests.tables import each_row


def told(shown: Scene, bare: Scene) -> set[Card]:
    """The cards that are told of a table whose camera was calibrated, all of them rightly."""
    truth = scenes.truth(shown)
    plane, _ = fit_plane(shown.camera.size, [seen.quad for seen in truth], (61.0, 95.0))
    empty = EmptyTable.learned(shot(bare, art(), 2, 2))
    table = Calibration(shown.camera.size, {}, plane, empty)
    reading = Reader(deck()).read(shot(shown, art(), 3, 1), table)
    found = {one.card for one in reading.sightings if one.card}
    assert found <= {seen.card for seen in truth}
    return found


@pytest.mark.slow
@each_row("seed, least", [(20_303, 9), (20_305, 11)])
def test_most_cards_of_fans_that_are_held_by_fingers_are_told(seed: int, least: int) -> None:
    table = scenes.dealt(seed, Way.FANNED, Lit.NORMAL)
    held = obstacles.with_fingers(table, random.Random(1))
    hidden = {seen.card for seen in scenes.truth(held) if seen.share < 0.2}
    assert len(told(held, scenes.empty(table)) - hidden) >= least


@pytest.mark.slow
def test_cards_under_stones_and_telephones_are_told() -> None:
    table = scenes.dealt(20_302, Way.OVERLAPPED, Lit.NORMAL)
    under = obstacles.with_beside(table, random.Random(3), over_cards=True)
    assert len(told(under, scenes.empty(table))) >= 13
