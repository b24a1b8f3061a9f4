"""Spanish phones from festival's voices of other languages, many sentences in a process.

Diphone voices: the UniSyn database is opened from its group file and gets an utterance of type
Segments, so that no code of the voice's language runs. Other voices: each Spanish word enters the
lexicon with its phones and syllables and is spoken as an utterance of type Words. Source: the
Festival manual, chapters "UniSyn synthesizer" and "Utterance types".
"""

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from . import audio, g2p, prosody
from .festival_voices import DiphoneVoice, Voice, WordVoice, can_say

_INDEX_BYTES = 400_000
_DIPHONE = re.compile(rb"^([^\s-]+)-([^\s-]+)\s", re.MULTILINE)
_OPEN_DATABASE = """
(us_diphone_init (list '(name "{name}") (list 'index_file "{group}") '(grouped "true")
  '(default_diphone "{silence}-{silence}")))
(us_db_select "{name}")
(Parameter.set 'Synth_Method 'UniSyn) (Parameter.set 'us_sigpr 'lpc)
(set! us_abs_offset 0.0) (set! window_factor 1.0) (set! us_rel_offset 0.0) (set! us_gain 0.9)
(set! UniSyn_module_hooks nil)
"""


def speak_all(
    voice: Voice, texts: Sequence[str], rng: random.Random, folder: Path
) -> Iterator[tuple[str, audio.Samples]]:
    """Say the texts that the voice can say; yield each with its samples."""
    wanted = {text: _phones(text) for text in texts}
    texts = [text for text in texts if can_say(voice, wanted[text])]
    if isinstance(voice, DiphoneVoice):
        script, wavs = _diphone_script(voice, texts, rng, folder)
    else:
        script, wavs = _word_script(voice, texts, rng, folder)
    _run(script, folder)
    for text, wav in wavs:
        if not wav.exists():
            continue
        samples = audio.trimmed(audio.read(wav)) if wav.stat().st_size > 1000 else None
        wav.unlink()
        if samples is not None:
            yield text, samples


def _phones(text: str) -> set[str]:
    return {phone for word in text.split() for phone in g2p.phones_of(word)}


def _run(script: str, folder: Path) -> None:
    path = folder / "batch.scm"
    path.write_text(script, encoding="latin-1")
    subprocess.run(["festival", "-b", str(path)], capture_output=True, check=False)
    path.unlink()


def _save(wav: Path) -> str:
    return f'(utt.save.wave u "{wav}" \'riff)\n'


def _diphone_script(
    voice: DiphoneVoice, texts: Sequence[str], rng: random.Random, folder: Path
) -> tuple[str, list[tuple[str, Path]]]:
    known = diphones(voice.group)
    script = [_OPEN_DATABASE.format(name=voice.name, group=voice.group, silence=voice.silence)]
    wavs = []
    for index, text in enumerate(texts):
        plan = prosody.segments(text, prosody.delivery(voice.pitches, rng), rng)
        line = said_by(voice, plan, rng)
        pairs = zip([s.phone for s in line], [s.phone for s in line[1:]], strict=False)
        if not known.issuperset(pairs):
            continue
        wav = folder / f"{voice.name}-{index}.wav"
        listed = " ".join(_segment(segment) for segment in line)
        script.append(f"(set! u (Utterance Segments ({listed})))\n(utt.synth u)\n{_save(wav)}")
        wavs.append((text, wav))
    return "".join(script), wavs


@cache
def diphones(group: Path) -> frozenset[tuple[str, str]]:
    """Return the diphones in the group file of a voice."""
    index = group.read_bytes().split(b"EST_Header_End")[1][:_INDEX_BYTES]
    return frozenset(
        (left.decode("latin-1"), right.decode("latin-1")) for left, right in _DIPHONE.findall(index)
    )


def _segment(segment: prosody.Segment) -> str:
    pitch = f" (0.5 {segment.pitch:.0f})" if segment.pitch else ""
    return f"({segment.phone} {segment.seconds:.3f}{pitch})"


def said_by(
    voice: DiphoneVoice, plan: Sequence[prosody.Segment], rng: random.Random
) -> list[prosody.Segment]:
    """Translate a plan of Spanish phones into the voice's own phones.

    A sentence keeps one choice among the ways to say a phone, as one speaker would.
    """
    chosen: dict[tuple[str, bool], str] = {}
    line: list[prosody.Segment] = []
    for index, segment in enumerate(plan):
        before = plan[index - 1].phone if index else prosody.PAUSE
        after = plan[index + 1].phone if index + 1 < len(plan) else prosody.PAUSE
        own = _own_phones(voice, segment, before, after, chosen, rng).split()
        line += [prosody.Segment(phone, segment.seconds / len(own), segment.pitch) for phone in own]
    return line


def _own_phones(
    voice: DiphoneVoice, segment: prosody.Segment, before: str, after: str,
    chosen: dict[tuple[str, bool], str], rng: random.Random,
) -> str:  # fmt: skip
    phone = segment.phone
    if phone == prosody.PAUSE:
        return voice.silence
    if phone == "n" and voice.nasal and after in ("k", "g", "x"):
        return voice.nasal
    ways = (voice.phones.get(phone) or voice.phones["s"]).split("|")
    if phone == "j" and voice.nasal != "n*" and before in g2p.VOWELS and after not in g2p.VOWELS:
        return voice.phones["i"].split("|")[-1]  # a falling diphthong ends in a short vowel
    if phone in g2p.VOWELS and voice.name.startswith("it_"):
        return ways[0] if segment.stressed else ways[-1]  # a1 is stressed in these voices
    return chosen.setdefault((phone, segment.stressed), rng.choice(ways))


def _word_script(
    voice: WordVoice, texts: Sequence[str], rng: random.Random, folder: Path
) -> tuple[str, list[tuple[str, Path]]]:
    words = sorted({word for text in texts for word in text.split()})
    # Invented names keep the voice's own lexicon and letter-to-sound rules out of the way.
    names = {word: "zq" + _letters(index) for index, word in enumerate(words)}
    script = [voice.start + "\n"] + [_entry(voice, names[word], word, rng) for word in words]
    wavs = []
    for index, text in enumerate(texts):
        wav = folder / f"{voice.name}-{index}.wav"
        listed = " ".join(names[word] for word in text.split())
        stretch = f"(Parameter.set 'Duration_Stretch {rng.uniform(0.8, 1.3):.2f})\n"
        script.append(f"{stretch}(set! u (utt.synth (Utterance Words ({listed}))))\n{_save(wav)}")
        wavs.append((text, wav))
    return "".join(script), wavs


def _letters(index: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{index:04d}")


def _entry(voice: WordVoice, name: str, word: str, rng: random.Random) -> str:
    phones, accent = g2p.phones_of(word), g2p.stressed(word)
    parts = []
    for syllable in g2p.syllables(phones):
        ways = [(voice.phones.get(phones[i]) or voice.phones["s"]).split("|") for i in syllable]
        said = " ".join(rng.choice(way) for way in ways)
        parts.append(f"(({said}) {int(accent in syllable)})")
    return f'(lex.add.entry \'("{name}" nil ({" ".join(parts)})))\n'
