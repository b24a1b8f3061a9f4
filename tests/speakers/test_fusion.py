"""Voice and place are two pieces of evidence for one speaker."""

from __future__ import annotations

import pytest

from assistant.speakers.who_spoke import together


def test_voice_and_place_that_agree_are_surer_than_either() -> None:
    assert together((0.7, 0.1, 0.1, 0.05), (0.6, 0.2, 0.1, 0.05))[0] > 0.85


def test_evidence_that_is_missing_changes_nothing() -> None:
    assert together((0.7, 0.2), ()) == pytest.approx((0.7, 0.2))
    assert together((), ()) == ()


def test_no_evidence_rules_anybody_out() -> None:
    shares = together((1.0, 0.0), (0.0, 1.0))
    assert shares == pytest.approx((0.5, 0.5), abs=0.01)
