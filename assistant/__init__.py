"""Mus table assistant: hears the calls, sees the cards, keeps the stones."""

__version__ = "0.1.0"
