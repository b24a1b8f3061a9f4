"""Everything that people can hand over, damaged in many ways, for every reader of it."""
