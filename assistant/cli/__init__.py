"""The command line, and the composition root, which puts the features together."""
