"""The players' voices: enrolment, adaptation of the speech model to them, and who spoke.

It needs only NumPy, so that it works wherever the assistant works; docs/voices.md has the figures.
"""
