"""Words of neighbour languages in Spanish spelling, so that their speakers can train too.

Only where the sounds are Spanish ones: a word with a sound that Spanish lacks gives None. Sources:
the spelling rules of Euskaltzaindia (Basque), of the Academia de la Llingua Asturiana, and of
Italian, where only words whose letters mean the same in both languages are taken.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Respelling:
    """Letters whose sound Spanish lacks, and the letters to rewrite, in order."""

    foreign: re.Pattern[str]
    rewrites: tuple[tuple[re.Pattern[str], str], ...] = ()


_NOTHING = re.compile(r"(?!)")
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
    "it": Respelling(re.compile(r"[jkwxyzvqhàèéìòù]|[cg](?=[ei])|g[nl]|([bcdfglmnprst])\1")),
}
LANGUAGES = frozenset(_TABLES)


def spanish_spelling(text: str, language: str) -> str | None:
    """Return `text` of `language` as Spanish would spell its sounds, or None if it cannot.

    Raises KeyError for a language that is not in LANGUAGES.
    """
    table = _TABLES[language]
    text = text.lower()
    if table.foreign.search(text):
        return None
    for letters, spelled in table.rewrites:
        text = letters.sub(spelled, text)
    return " ".join(re.sub(r"[^a-záéíóúüñ ]", " ", text).split()) or None
