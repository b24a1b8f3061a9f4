"""The contract of every voice. The test class of a voice inherits it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from time import monotonic

import pytest

from assistant.voice import Voice

AT_ONCE = 0.5
"""The seconds for which twenty sentences may block the table, on a busy machine."""


class VoiceContract(ABC):
    """The tests of the Voice port."""

    @abstractmethod
    def make(self) -> Voice:
        """A voice that has said nothing yet."""

    @abstractmethod
    def spoken_by(self, voice: Voice, /) -> list[str]:
        """The sentences that a closed voice has spoken to its listeners, in order."""

    @pytest.fixture
    def voice(self) -> Iterator[Voice]:
        voice = self.make()
        yield voice
        voice.close()

    def test_telling_a_voice_never_blocks_the_table(self, voice: Voice) -> None:
        began = monotonic()
        for seq in range(20):
            voice.say("Cinco de deje para Norte y Sur; en total, un amarraco.", seq=seq)
        assert monotonic() - began < AT_ONCE
        voice.silence()

    def test_sentences_of_one_event_are_spoken_in_order(self, voice: Voice) -> None:
        voice.say("Uno.", seq=1)
        voice.say("Dos.", seq=1)
        voice.say("Tres.", seq=1, urgent=True)
        voice.close()
        assert self.spoken_by(voice) == ["Uno.", "Dos.", "Tres."]

    def test_an_urgent_sentence_is_spoken_whatever_comes_after(self, voice: Voice) -> None:
        voice.say("Órdago de Norte a la grande.", seq=1, urgent=True)
        for seq in range(2, 6):
            voice.say("Paso.", seq=seq)
        voice.close()
        assert "Órdago de Norte a la grande." in self.spoken_by(voice)
        assert self.spoken_by(voice)[-1] == "Paso."

    def test_a_closed_voice_says_nothing_more(self, voice: Voice) -> None:
        voice.say("Uno.", seq=1)
        voice.close()
        voice.say("Dos.", seq=2, urgent=True)
        voice.close()
        assert self.spoken_by(voice) == ["Uno."]

    def test_a_voice_speaks_again_after_it_was_silenced(self, voice: Voice) -> None:
        voice.silence()
        voice.say("Uno.", seq=1)
        voice.close()
        assert self.spoken_by(voice) == ["Uno."]

    def test_a_voice_that_said_nothing_can_be_closed(self, voice: Voice) -> None:
        voice.close()
        assert self.spoken_by(voice) == []
