"""Words of neighbour languages in Spanish spelling, so that their speakers can train too.

A word with a sound that Spanish lacks gives None. Sources: the spelling rules of Euskaltzaindia
(Basque), of the Academia de la Llingua Asturiana, and of Italian, where only words whose letters
mean the same in both languages are taken; Barbosa and Albano (2004), "Brazilian Portuguese"
(Journal of the IPA). English spelling does not give the sounds, so its few words are listed.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Respelling:
    """Letters whose sound Spanish lacks, and the letters to rewrite, in order."""

    foreign: re.Pattern[str]
    rewrites: tuple[tuple[re.Pattern[str], str], ...] = ()


_NOTHING = re.compile(r"(?!)")
_NOT_BRAZILIAN = re.compile(
    r"[jkvwxyz]|lh|ch|g(?=[eiéêí])|d[ií]|de\b|r(?![aeiouáâãéêíóôõúr])"
    r"|[aeiouáâãéêíóôõú]s(?=[aeiouáâãéêíóôõú])"
)
_BRAZILIAN = tuple(
    (re.compile(letters), spelled)
    for letters, spelled in (
        ("nh", "ñ"), ("ç|ss", "s"), ("c(?=[eiéêí])", "s"), ("rr|^r|(?<= )r", "j"),
        ("qu(?=[aáâ])", "cu"), ("ão", "aun"), ("ãe", "ain"), ("õe", "oin"), ("[ãâ]", "an"),
        ("õ", "on"), (r"te\b", "chi"), ("t(?=[ií])", "ch"), (r"[eé]m\b", "ein"),
        (r"l(?![aeiouáâéêíóôúñ])", "u"), (r"o\b", "u"), (r"e\b", "i"), ("ê", "é"), ("ô", "ó"),
    )
)  # fmt: skip
_TABLES = {
    "es": Respelling(_NOTHING),
    "eu": Respelling(
        re.compile(r"(?<!t)x|[cqvwyjñ]|dd|tt"),
        (
            (re.compile("tx"), "ch"),
            (re.compile("tz"), "ts"),
            (re.compile("z"), "s"),
            (re.compile("g(?=[ei])"), "gu"),
        ),
    ),
    "ast": Respelling(re.compile(r"x|ḥ|ḷ")),
    "pt-BR": Respelling(_NOT_BRAZILIAN, _BRAZILIAN),
    "it": Respelling(re.compile(r"[jkwxyzvqhàèéìòù]|[cg](?=[ei])|g[nl]|([bcdfglmnprst])\1")),
}
_ENGLISH = {
    "zero": "sirou", "one": "uan", "two": "tu", "three": "zri", "four": "for", "five": "faib",
    "six": "sics", "seven": "seben", "eight": "eit", "nine": "nain", "amelia": "amilia",
    "athena": "azina", "computer": "compiuta", "hey computer": "jei compiuta",
}  # fmt: skip
LANGUAGES = frozenset({*_TABLES, "en"})


def spanish_spelling(text: str, language: str) -> str | None:
    """Return `text` of `language` as Spanish would spell its sounds, or None if it cannot.

    Raises KeyError for a language that is not in LANGUAGES.
    """
    text = text.lower()
    if language == "en":
        return _ENGLISH.get(text)
    table = _TABLES[language]
    if table.foreign.search(text):
        return None
    for letters, spelled in table.rewrites:
        text = letters.sub(spelled, text)
    return " ".join(re.sub(r"[^a-záéíóúüñ ]", " ", text).split()) or None
