"""Deals said aloud by voices of the machine, to be heard again: test audio and the demo."""
