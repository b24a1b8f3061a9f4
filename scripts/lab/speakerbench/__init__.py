"""The parts of bench_speakers.py: four voices at a table, and who is taken for whom."""
