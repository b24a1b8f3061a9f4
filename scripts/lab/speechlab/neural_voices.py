"""The voices of the network Kokoro-82M that may train, alone or in blends of two.

Eight of them teach only the second stage. It learns how often the speech model errs, and from
voices that this model has learnt it would learn that the model hardly errs. Eight other voices are
held back for measuring (split.py). "em_santa" and "pm_santa" are in neither list, because their
styles are nearly those of two held-out voices (cosine 0.94).
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
    """Return the voices in this one: for "kokoro:a+b" both, for any other none."""
    if not voice.startswith(FAMILY):
        return []
    return [FAMILY + name for name in voice.removeprefix(FAMILY).split(_BLEND)]


def draw(rng: random.Random) -> str:
    """Return a voice, or a blend of two."""
    names = rng.sample(_SPEAKERS, 2 if rng.random() < BLENDED else 1)
    return FAMILY + _BLEND.join(sorted(names))
