"""The texts of ``scripts/record_calls.py``, and the set that it writes."""
