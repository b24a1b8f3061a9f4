"""Festival's voices of other languages: the Spanish phones they can say, and no others."""

import random

import pytest

from scripts.lab.speechlab import festival_voices, g2p, phone_voices
from scripts.lab.speechlab.festival_voices import VOICES, can_say, has_seseo

ALL = (*VOICES, *phone_voices.VOICES)


def test_a_map_has_only_spanish_phones() -> None:
    for voice in ALL:
        assert voice.phones.keys() <= set(g2p.PHONES), voice.name
        assert all(voice.phones.values()), voice.name


def test_every_voice_says_the_vowels_and_the_commonest_call() -> None:
    for voice in ALL:
        assert can_say(voice, {*g2p.VOWELS, *g2p.phones_of("paso")}), voice.name


def test_a_voice_without_theta_has_seseo_and_still_says_cinco() -> None:
    italian = next(voice for voice in VOICES if voice.name == "it_lp")
    assert has_seseo(italian)
    assert can_say(italian, set(g2p.phones_of("cinco")))
    assert not can_say(italian, set(g2p.phones_of("juego")))


def test_a_sentence_keeps_one_variant_of_a_phone() -> None:
    pytest.importorskip("soundfile", reason="needs the train extra")
    from scripts.lab.speechlab import festival, prosody

    voice = next(v for v in VOICES if v.name == "cz_ph")
    assert isinstance(voice, festival_voices.DiphoneVoice)
    for seed in range(20):
        rng = random.Random(seed)
        plan = prosody.segments("ella llama ya", prosody.delivery(voice.pitches, rng), rng)
        said = {segment.phone for segment in festival.said_by(voice, plan, rng)}
        assert len(said & {"j", "d~"}) == 1
