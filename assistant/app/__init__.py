"""Settings, wiring and the command line: the only place where adapters meet. Rank 4."""
