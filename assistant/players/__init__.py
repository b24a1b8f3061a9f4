"""Computer players: they decide by their own cards and what was said aloud, by nothing else."""

from assistant.players.beginners import Chancer, Novice, least
from assistant.players.port import Player
from assistant.players.sight import Sight, sight_of

__all__ = ["Chancer", "Novice", "Player", "Sight", "least", "sight_of"]
