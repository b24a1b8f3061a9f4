"""One step a file, named in their order."""
