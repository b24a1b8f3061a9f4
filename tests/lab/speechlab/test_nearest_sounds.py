"""Sounds of neighbour languages, as espeak-ng writes them, in Spanish spelling."""

import shutil

import pytest

from scripts.lab.speechlab import g2p, nearest_sounds
from scripts.lab.speechlab.basque_ipa import UnknownSoundError
from scripts.lab.speechlab.nearest_sounds import spanish_spelling, spelled

WORDS = [
    ("d_ˈo_b_r_iː", "dobrí", "d o b r i"),
    ("j_ˈe", "ye", "y e"),
    ("v_j_ˈe_ts_i", "bietsí", "b j e t s i"),
    ("s_ˈi_ɡ_n_aː_l", "sígnal", "s i g n a l"),
    ("h_ˈo_ɡ_e_n", "joguen", "x o g e n"),
    ("d_l_ˈoʊ_h_eː", "dlouje", "d l o w x e"),
    ("k_w_ˈa_t_r_o", "küatro", "k w a t r o"),
    ("w_ˈɔ_m_o", "huomo", "w o m o"),
    ("k_ˌa_v_a_lː_o", "kabalo", "k a b a l o"),
    ("k_a_v_ˈa_l_l_o", "kabalo", "k a b a l o"),
    ("t_ˈɛ_r_r_a", "terra", "t e rr a"),
    ("b_o_l_ˈo_ɲ_ɲ_a", "boloña", "b o l o J a"),
    ("m_ˈi_o", "mío", "m i o"),
    ("dʲ_ˈa_tʲ_a", "diatia", "d j a t j a"),
    ("nʲ_ˈe_t", "net", "n e t"),
    ("k_r_ˈa_j", "krai", "k r a j"),
    ('b_ja_"r_ˈa', "biara", "b j a r a"),
    ("θ_ˈe_a", "zea", "T e a"),
    ("ˈe_ç_i", "ejí", "e x i"),
    ("ð_ˈo_n_a", "dona", "d o n a"),
    ("k_ə_β_ˈa_l", "kabal", "k a b a l"),
    ("ʋ_ˈe_w_r_e", "beure", "b e w r e"),
    ("ɫ_ˈe_s_ɐ", "lesa", "l e s a"),
    ("m_ˈɔa_r_e", "moare", "m o a r e"),
    ("s_ˈea_r_a", "seara", "s e a r a"),
    ("t̻͡s_ɛ_n_t̻͡s", "tsents", "t s e n t s"),
    ("ʈ͡ʂ_ˈa_s", "chas", "tS a s"),
    ("ʲ_ˈɛ_w", "yeu", "y e w"),
]


@pytest.mark.parametrize(("ipa", "letters", "phones"), WORDS)
def test_a_sound_is_spelled_as_spanish_would_read_it(ipa: str, letters: str, phones: str) -> None:
    assert spelled(ipa) == letters
    assert " ".join(g2p.phones_of(letters)) == phones


def test_word_boundaries_are_kept() -> None:
    assert spelled("d_ˈo_b_r_iː d_ˈe_n\nj_ˈa_k") == "dobrí den yak"


def test_a_text_with_foreign_sounds_has_no_spelling() -> None:
    assert spelled("r̝_ˈe_k_a") is None
    assert spelled("t_o_m_a r̝_ˈe_k_a") is not None
    assert spelled("") is None


def test_a_word_read_by_english_rules_has_no_spelling() -> None:
    assert spelled("l_a (en)_k_ˈa_p_(it) m_i_a") is None


def test_an_unknown_sound_is_named_in_the_error() -> None:
    with pytest.raises(UnknownSoundError, match="'ʘ'"):
        spelled("m_a_ʘ_a")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
@pytest.mark.parametrize(
    ("language", "text", "letters"),
    [("cs", "nic takového", "ñíts takobejo"), ("it", "due porte", "dúe porte")],
)
def test_espeak_reads_the_text(language: str, text: str, letters: str) -> None:
    assert spanish_spelling(text, language) == letters


def test_a_language_without_a_table_is_refused() -> None:
    assert "de" not in nearest_sounds.LANGUAGES
    with pytest.raises(KeyError):
        spanish_spelling("gut", "de")
