"""espeak-ng's Basque in Spanish phones, as the bench lets MBROLA's voices say it."""

import shutil
import subprocess

import pytest

from scripts.lab.speechlab import basque_ipa, vocabulary
from scripts.lab.speechlab.prosody import Spoken


def test_a_word_keeps_its_phones_and_its_stress() -> None:
    assert basque_ipa.word("tʃ_i_k_ˈi__ˌa") == Spoken(("tS", "i", "k", "i", "a"), 3)


def test_an_affricate_and_a_diphthong_are_two_phones_each() -> None:
    said = basque_ipa.word("ts̻_ˈaɪ")
    assert said == Spoken(("t", "s", "a", "j"), 2)


def test_a_sound_missing_in_the_table_is_refused_with_its_name() -> None:
    with pytest.raises(basque_ipa.UnknownSoundError, match="'ø'"):
        basque_ipa.word("ø")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_every_basque_word_of_espeak_has_spanish_phones() -> None:
    text = " ".join(sorted(vocabulary.load().basque))
    command = ["espeak-ng", "-v", "eu", "-q", "--ipa", f"--sep={basque_ipa.BETWEEN}", text]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert len(said) > 150
    assert all(basque_ipa.word(sounds).phones for sounds in said)
