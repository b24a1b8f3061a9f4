"""How a voice sounds."""

import pytest

from assistant.voice import VoiceError, VoiceSettings


@pytest.mark.parametrize("rate", [79, 451])
def test_a_rate_nobody_can_follow_is_refused(rate: int) -> None:
    with pytest.raises(VoiceError, match=f"80 to 450 words a minute, not {rate}"):
        VoiceSettings(rate=rate)


@pytest.mark.parametrize("volume", [-0.1, 1.1, float("nan")])
def test_a_volume_outside_its_range_is_refused(volume: float) -> None:
    with pytest.raises(VoiceError, match="from 0 to 1"):
        VoiceSettings(volume=volume)
