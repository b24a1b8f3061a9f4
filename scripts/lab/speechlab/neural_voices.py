"""The voices of the network Kokoro-82M that may train, and who is in a blend of two.

Eight of them teach the second stage alone: it learns how often the speech model errs, and of voices
that this model has learnt from it would learn that it hardly does. Eight others are held back to
measure (split.py). "em_santa" and "pm_santa" are in neither list:
their styles are nearly those of two held-out voices (cosine 0.94).
"""

import random

FAMILY = "kokoro:"
_BLEND = "+"
_SPEAKERS = """af_alloy af_aoede af_bella af_heart af_jessica af_kore af_nicole af_river af_sarah
    af_sky am_adam am_echo am_eric am_fenrir am_liam am_onyx am_santa bf_alice bf_emma bf_isabella
    bm_daniel bm_fable bm_lewis hf_alpha hm_omega jf_alpha jf_gongitsune jf_tebukuro jm_kumo
    zf_xiaobei zf_xiaoni zf_xiaoxiao zf_xiaoyi zm_yunjian zm_yunxi zm_yunyang""".split()
_SECOND_STAGE = "af_nova am_puck bf_lily bm_george hf_beta hm_psi jf_nezumi zm_yunxia".split()

VOICES = tuple(FAMILY + speaker for speaker in _SPEAKERS)
"""Thirty-six voices whose own languages are English, Hindi, Japanese and Chinese."""

SECOND_STAGE = tuple(FAMILY + speaker for speaker in _SECOND_STAGE)
"""Eight more, of the same languages, that only the second stage learns from."""

BLENDED = 0.5
"""Share of the sentences that a blend of two voices says."""


def blended(voice: str) -> list[str]:
    """Return the voices of which this one is made: of "kokoro:a+b" both, of any other none."""
    if not voice.startswith(FAMILY):
        return []
    return [FAMILY + name for name in voice.removeprefix(FAMILY).split(_BLEND)]


def draw(rng: random.Random) -> str:
    """Return a voice, or a blend of two."""
    names = rng.sample(_SPEAKERS, 2 if rng.random() < BLENDED else 1)
    return FAMILY + _BLEND.join(sorted(names))
