"""Words in, words out: the lexicon (words to calls), the phrases (events to sentences), scripts."""
