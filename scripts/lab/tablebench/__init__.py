"""A simulated Mus table in a bar: its players, its room, its microphones, and the talk behind."""
