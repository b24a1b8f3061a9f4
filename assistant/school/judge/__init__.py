"""The judge of calls: the chance to win the juego that each call leaves, by maestro's values."""

from assistant.school.judge.judging import Judge, Judgement, Valued, ValuedThrow

__all__ = ["Judge", "Judgement", "Valued", "ValuedThrow"]
