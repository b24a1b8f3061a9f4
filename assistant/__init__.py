"""Mus table assistant: hears the calls, sees the cards, keeps the stones."""

__version__ = "0.2.0"
