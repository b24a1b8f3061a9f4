"""Voices of other languages that take phones on a command line: SVOX pico's and flite's.

Each says the phones of Spanish that its own language has. Texts with another phone are left out for
it. festival_voices.py has the form of the maps. pico reads X-SAMPA, flite the phones of US English.
"""

from dataclasses import dataclass

from .festival_voices import ENGLISH, PhoneMap, phone_map


@dataclass(frozen=True, slots=True)
class PhoneVoice:
    """A voice of pico (`own` is its language) or of flite (`own` is its name there)."""

    name: str
    engine: str
    own: str
    phones: PhoneMap


_ROMANCE = "a=a e=E i=i u=u b=b d=d g=g p=p t=t k=k f=f s=s m=m n=n J=J l=l "
_BRITISH = "i=i: b=b d=d|D g=g p=p t=t k=k f=f s=s T=T m=m n=n J=n+j l=l y=j|dZ tS=tS j=j w=w "
VOICES: tuple[PhoneVoice, ...] = (
    PhoneVoice("pico_it", "pico", "it-IT",
               phone_map(_ROMANCE + "o=o y=L|dZ r=r rr=rr tS=tS j=i w=u")),
    PhoneVoice("pico_fr", "pico", "fr-FR", phone_map(_ROMANCE + "o=o|O y=j tS=tS j=j w=w")),
    PhoneVoice("pico_de", "pico", "de-DE", phone_map(
        "a=a e=E i=i o=O|o u=u|U b=b d=d g=g p=p t=t k=k f=f s=s x=x m=m n=n J=n+j l=l y=j "
        "tS=t_S j=j w=u")),
    PhoneVoice("pico_gb", "pico", "en-GB", phone_map("a={|V e=E o=Q|O: u=U " + _BRITISH)),
    PhoneVoice("pico_us", "pico", "en-US", phone_map("a=A:|V e=E|eI o=O:|Q u=u:|U " + _BRITISH)),
    PhoneVoice("flite_awb", "flite", "awb", ENGLISH),
    PhoneVoice("flite_rms", "flite", "rms", ENGLISH),
)  # fmt: skip
