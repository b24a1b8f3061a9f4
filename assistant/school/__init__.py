"""Learning the game: practice against the computer, lessons, and the apprentice."""
