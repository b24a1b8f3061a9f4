"""What bench_speakers.py is made of: four voices round a table, and who is taken for whom."""
