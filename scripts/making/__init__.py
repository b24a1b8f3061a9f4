"""What scripts/new makes: the stubs of a wording, a house rule or a language."""
