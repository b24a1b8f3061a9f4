"""The parts of bench_ears: what is said, in which room it is heard, and what is counted."""
