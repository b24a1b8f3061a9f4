"""Festival voices of Debian main, and how each says the phones of Spanish.

A phone map gives, for one Spanish phone, the voice's own phones ("r r" is two in a row), or several
ways to say it, separated by "|". A phone that is missing from a map cannot be said. If that is
theta, s stands in for it (seseo). For any other missing phone the voice leaves the text out.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_ROOT = Path("/usr/share/festival/voices")

PhoneMap = dict[str, str]


def phone_map(text: str) -> PhoneMap:
    """Read 'a=a1|a rr=r+r' as a map. "+" joins phones that are said in a row."""
    pairs = (entry.split("=") for entry in text.split())
    return {phone: said.replace("+", " ") for phone, said in pairs}


_PLAIN = "a=a e=e i=i o=o u=u b=b d=d g=g p=p t=t k=k f=f s=s m=m n=n l=l r=r "
_CZECH = phone_map(_PLAIN + "x=ch J=n~ y=j|d~ rr=r+r tS=c~ j=j w=u")
_ITALIAN = phone_map(
    "a=a1|a e=e1|e i=i1|i o=o1|o u=u1|u b=b d=d g=g p=p t=t k=k f=f s=s m=m n=n J=J l=l "
    "y=j|L|dZ r=r rr=r+r tS=tS j=j w=w"
)
_INDIC = phone_map(
    "a=aa e=ee i=iy o=oh u=uw b=b d=dh g=g p=p t=th k=k f=f s=s x=kh|h m=m n=n J=n+y l=l "
    "y=y|j r=r rr=r+r tS=ch j=y w=uw"
)
ENGLISH = phone_map(
    "a=aa e=eh|ey i=iy o=ao|ow u=uw b=b d=dh|d g=g p=p t=t k=k f=f s=s T=th m=m n=n J=n+y "
    "l=l y=y|jh tS=ch j=y w=w"
)
_CATALAN = phone_map(
    "a=a1 e=e1|E1 i=i1|i o=o1|O1 u=u1|u b=b d=d g=g p=p t=t k=k f=f s=s m=m n=n J=J l=l "
    "y=j|L r=r rr=rr tS=t+S j=j w=w"
)
_FINNISH_LJ = phone_map(_PLAIN + "x=h J=n+j y=j rr=r: j=j w=u|v")
_FINNISH_MV = phone_map(_PLAIN + "T=T x=h J=n+j y=j rr=r+r tS=t+S j=j w=w|u")


@dataclass(frozen=True, slots=True)
class DiphoneVoice:
    """A voice opened from its diphone group file. `nasal` is n before k, g and x."""

    name: str
    group: Path
    silence: str
    pitches: tuple[float, float]
    phones: PhoneMap
    nasal: str | None = None
    package: str = ""


@dataclass(frozen=True, slots=True)
class WordVoice:
    """A voice that speaks word by word through its lexicon (HTS and unit selection)."""

    name: str
    start: str
    phones: PhoneMap
    package: str = ""


Voice = DiphoneVoice | WordVoice


def _diphone(
    name: str, group: str, silence: str, pitches: tuple[float, float], phones: PhoneMap,
    nasal: str | None, package: str,
) -> DiphoneVoice:  # fmt: skip
    return DiphoneVoice(name, _ROOT / group, silence, pitches, phones, nasal, package)


_LOW, _HIGH, _MID = (85.0, 150.0), (150.0, 240.0), (90.0, 160.0)
VOICES: tuple[Voice, ...] = (
    _diphone("it_lp", "italian/lp_diphone/group/lp_diphone.group", "#", _HIGH, _ITALIAN, "ng",
             "festvox-italp16k"),
    _diphone("it_pc", "italian/pc_diphone/group/pc_diphone.group", "#", _LOW, _ITALIAN, "ng",
             "festvox-itapc16k"),
    _diphone("cz_dita", "czech/czech_dita/group/dita.group", "#", _HIGH, _CZECH, "n*",
             "festvox-czech-dita"),
    _diphone("cz_krb", "czech/czech_krb/group/krb.group", "#", _HIGH, _CZECH, "n*",
             "festvox-czech-krb"),
    _diphone("cz_machac", "czech/czech_machac/group/machac.group", "#", _LOW, _CZECH, "n*",
             "festvox-czech-machac"),
    _diphone("cz_ph", "czech/czech_ph/group/ph.group", "#", _LOW, _CZECH, "n*",
             "festvox-czech-ph"),
    _diphone("fi_lj", "finnish/suo_fi_lj_diphone/group/ljlpc.group", "#", (140.0, 230.0),
             _FINNISH_LJ, "N", "festvox-suopuhe-lj"),
    _diphone("fi_mv", "finnish/hy_fi_mv_diphone/group/mvlpc.group", "#", _LOW, _FINNISH_MV, "N",
             "festvox-suopuhe-mv"),
    _diphone("hi_nsk", "hindi/hindi_NSK_diphone/group/NSKlpc.group", "pau", _MID, _INDIC, None,
             "festvox-hi-nsk"),
    _diphone("te_nsk", "telugu/telugu_NSK_diphone/group/NSKlpc.group", "pau", _MID, _INDIC, None,
             "festvox-te-nsk"),
    _diphone("mr_nsk", "marathi/marathi_NSK_diphone/group/NSKlpc.group", "pau", _MID, _INDIC, None,
             "festvox-mr-nsk"),
    _diphone("en_kal", "english/kal_diphone/group/kallpc16k.group", "pau", _LOW, ENGLISH, "ng",
             "festvox-kallpc16k"),
    _diphone("en_ked", "english/ked_diphone/group/kedlpc16k.group", "pau", _LOW, ENGLISH, "ng",
             "festvox-kdlpc16k"),
    WordVoice("us_slt", "(voice_cmu_us_slt_arctic_hts)", ENGLISH, "festvox-us-slt-hts"),
    WordVoice("ca_ona", "(voice_upc_ca_ona_hts)", _CATALAN, "festvox-ca-ona-hts"),
)  # fmt: skip


class Speaker(Protocol):
    """A voice of any engine that has a map of phones."""

    @property
    def phones(self) -> PhoneMap:
        """How it says the phones of Spanish."""


def can_say(voice: Speaker, phones: set[str]) -> bool:
    """Tell whether the voice has a sound for each phone (theta may fall back on s)."""
    return all(phone in voice.phones or phone == "T" for phone in phones)


def has_seseo(voice: Speaker) -> bool:
    """Tell whether the voice says s for theta."""
    return "T" not in voice.phones
