"""Spanish letters to sounds, for words of the game and of the table.

The phones are Castilian (theta is not s). For a speaker with seseo, `seseo` replaces theta. Source:
the spelling rules of the RAE's Ortografía (2010), ch. II.
"""

import re
from itertools import pairwise

VOWELS = ("a", "e", "i", "o", "u")
PHONES: tuple[str, ...] = tuple("a e i o u b d g p t k f s T x m n J l y r rr tS j w".split())
"""Every phone: T is theta, J is ñ, y is ll/y, j and w are the glides, tS is ch."""

_V = "aeiouáéíóúü"
_RULES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), tuple(phones.split()))
    for pattern, phones in (
        (r"ch", "tS"),
        (r"ll", "y"),
        (r"rr", "rr"),
        (r"(?<![^\W\d_])r|(?<=[nls])r", "rr"),
        (r"r", "r"),
        (r"qu(?=[eiéí])|[qk]", "k"),
        (r"gu(?=[eiéí])", "g"),
        (r"gü(?=[eiéí])", "g w"),
        (r"g(?=[eiéí])|j", "x"),
        (r"g", "g"),
        (r"c(?=[eiéí])|z", "T"),
        (r"c", "k"),
        (r"hi(?=[eé])", "y"),
        (r"hu(?=[aeoáéó])", "w"),
        (r"h", ""),
        (r"ñ", "J"),
        (r"[vb]", "b"),
        (r"w", "w"),
        (r"(?<![^\W\d_])x", "s"),
        (r"x", "k s"),
        (rf"y(?=[{_V}])", "y"),
        (rf"(?<=[{_V}])y", "j"),
        (r"y", "i"),
        (r"[aá]", "a"),
        (r"[eé]", "e"),
        (r"[oó]", "o"),
        (r"í", "i"),
        (r"ú", "u"),
        # A weak vowel beside another one is a glide, but not at the start of a word.
        (r"(?<=[^\W\d_])i(?=[aeouáéóü])|(?<=[aeoáéó])i", "j"),
        (r"i", "i"),
        (rf"(?<=[^\W\d_])[uü](?=[{_V}])|(?<=[aeoáéó])[uü]", "w"),
        (r"[uü]", "u"),
        *((letter, letter) for letter in "pdtfsmnl"),
    )
)


def phones_of(word: str) -> tuple[str, ...]:
    """Return the Castilian phones of `word`.

    Raises ValueError for a letter that Spanish spelling does not have.
    """
    word = word.lower()
    phones: list[str] = []
    at = 0
    while at < len(word):
        match, produced = _match(word, at)
        phones.extend(produced)
        at = match.end()
    return _without_doubles(phones)


def _match(word: str, at: int) -> tuple[re.Match[str], tuple[str, ...]]:
    for pattern, produced in _RULES:
        if match := pattern.match(word, at):
            return match, produced
    raise ValueError(f"{word!r} has the letter {word[at]!r}, which Spanish spelling does not have")


def _without_doubles(phones: list[str]) -> tuple[str, ...]:
    """Join a doubled consonant ("innato"). Doubled vowels stay two syllables ("leer")."""
    return tuple(
        phone
        for previous, phone in zip(["", *phones], phones, strict=False)
        if phone != previous or phone in VOWELS
    )


def seseo(phones: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same phones as said without theta (Latin America, Andalusia, Canaries)."""
    return tuple("s" if phone == "T" else phone for phone in phones)


def pronunciations(word: str) -> tuple[tuple[str, ...], ...]:
    """Return the ways to say `word`: Castilian and, if it differs, with seseo."""
    castilian = phones_of(word)
    return tuple(dict.fromkeys((castilian, seseo(castilian))))


def stressed(word: str) -> int:
    """Return the index, in `phones_of(word)`, of the stressed vowel; -1 if there is none."""
    phones = phones_of(word)
    nuclei = [index for index, phone in enumerate(phones) if phone in VOWELS]
    if not nuclei:
        return -1
    accent = re.search("[áéíóú]", word)
    if accent:
        before = phones_of(word[: accent.start()])
        return nuclei[min(sum(phone in VOWELS for phone in before), len(nuclei) - 1)]
    plain_ending = word[-1] in "aeiouns"
    return nuclei[-2] if len(nuclei) > 1 and plain_ending else nuclei[-1]


def syllables(phones: tuple[str, ...]) -> tuple[range, ...]:
    """Split phones into syllables, each a range of indices (with the longest legal onset)."""
    nuclei = [index for index, phone in enumerate(phones) if phone in VOWELS]
    if not nuclei:
        return (range(len(phones)),)
    cuts = [0]
    for left, right in pairwise(nuclei):
        cuts.append(right - _onset(phones[left + 1 : right]))
    return tuple(range(a, b) for a, b in zip(cuts, [*cuts[1:], len(phones)], strict=True))


def _onset(cluster: tuple[str, ...]) -> int:
    """Return how many phones of a cluster between two vowels open the second syllable."""
    if len(cluster) < 2:
        return len(cluster)
    pair = cluster[-2:]
    joined = pair[1] in ("j", "w", "r") or (pair[1] == "l" and pair[0] in "pbfkgt")
    return 2 if joined and pair[0] not in ("j", "w") else 1
