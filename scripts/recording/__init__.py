"""What ``scripts/record_calls.py`` asks for and writes."""
