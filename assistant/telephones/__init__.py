"""Telephones before the players as microphones: their sound as one stream for the ear."""
