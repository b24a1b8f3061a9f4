"""Computer players: they decide by their own cards and what was said aloud, by nothing else."""

from assistant.school.players.beginners import Chancer, Novice, Player, Sight, least, sight_of

__all__ = ["Chancer", "Novice", "Player", "Sight", "least", "sight_of"]
