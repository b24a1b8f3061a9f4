"""The voice that makes no sound."""

from assistant.voice import NullVoice, SaidSentence, Voice
from assistant.voice.port import KEPT
from tests.contracts.voice_contract import VoiceContract


class TestNullVoice(VoiceContract):
    def make(self) -> Voice:
        return NullVoice()

    def told(self, voice: Voice) -> list[str]:
        assert isinstance(voice, NullVoice)
        return [said.text for said in voice.said]


def test_it_remembers_what_each_sentence_was_about() -> None:
    voice = NullVoice()
    voice.say("Órdago.", seq=7, urgent=True)
    assert voice.said == [SaidSentence("Órdago.", 7, urgent=True)]


def test_it_does_not_remember_for_ever() -> None:
    voice = NullVoice()
    for seq in range(KEPT + 5):
        voice.say("Paso.", seq=seq)
    assert [voice.said[0].seq, voice.said[-1].seq] == [5, KEPT + 4]
