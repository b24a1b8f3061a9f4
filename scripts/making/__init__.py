"""The parts of scripts/new, which makes the stubs of a wording, a house rule or a language."""
