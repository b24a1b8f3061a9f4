"""The rules of Mus. Rank 0: standard library only; no clock, randomness, files or threads."""
