"""The rules of Mus. Standard library only; no clock, randomness, files or threads."""
