"""The fixed order of the lances (R10)."""

from __future__ import annotations

from assistant.rules.phases import ORDER, Lance


def test_r10_juego_or_punto_comes_after_grande_chica_and_pares() -> None:
    assert sorted(set(ORDER.values())) == [ORDER[lance] for lance in Lance if lance != Lance.PUNTO]
    assert ORDER[Lance.PUNTO] == ORDER[Lance.JUEGO]
