"""The one yardstick: what each call leaves of the chance to win the juego, by maestro's values."""

from assistant.school.judge.judging import Judge, Judgement, Valued, ValuedThrow

__all__ = ["Judge", "Judgement", "Valued", "ValuedThrow"]
