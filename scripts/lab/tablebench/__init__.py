"""A bar around a Mus table: who talks there, and how the room carries it to the microphone."""
