"""Card sightings -> hands that one can trust, or what is missing. Rank 1: no pictures here.

What lies before a seat may be read card by card, but is judged together: no card is in the deck
twice, so a card that is plain in one place is none of the choices in another.
"""

from assistant.showdown.assign import assigned
from assistant.showdown.settle import Place, Settled, Trouble, settle
from assistant.showdown.vote import agreed

__all__ = ["Place", "Settled", "Trouble", "agreed", "assigned", "settle"]
