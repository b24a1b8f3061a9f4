"""Voices of the engines that take text: espeak-ng (all its variants) and SVOX pico."""

LANGUAGES = ("es", "es-419")
VARIANTS: tuple[str, ...] = (
    "", *"""adam Alex Alicia Andrea Andy Annie antonio aunty belinda benjamin boris caleb david
    Denis Diogo ed edward Gene gustave Henrique Hugo iven Jacky john Lee linda marcelo Marco max
    Michael michel miguel Mike pablo paul pedro quincy RicishayMax rob robert steph steph2
    steph3 zac anika f1 f2 f3 f4 f5 grandpa grandma klatt klatt2 klatt3 klatt4 klatt6 m1 m2
    m3 m4 m5 m6 m7 m8 Mario norbert sandro shelby travis victor""".split(),
)  # fmt: skip
VOICES = tuple(f"{lang}+{name}".rstrip("+") for lang in LANGUAGES for name in VARIANTS)
PICO = "pico"


def has_seseo(voice: str) -> bool:
    """Tell whether the voice says s for theta: the American one does."""
    return voice.startswith("es-419")
