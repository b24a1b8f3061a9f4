"""The parts of the benches of the ear: what is said, in which room, and what is counted."""
