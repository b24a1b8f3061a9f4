"""Computer players: they decide only by their own cards and by what was said aloud."""

from assistant.school.players.beginners import Chancer, Novice, Player, Sight, least, sight_of

__all__ = ["Chancer", "Novice", "Player", "Sight", "least", "sight_of"]
