"""Drills: exercises without end, and when each comes again."""
