"""The table learns its players' voices: their readings, and the network fitted to them.

NumPy alone, so that it works where the assistant works; ``docs/voices.md`` tells how well.
"""
