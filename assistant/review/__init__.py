"""Looking back at an evening: the record for a dispute, its pictures, and the report."""
