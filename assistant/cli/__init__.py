"""The command line, and where the features are put together."""
