"""Words in, words out: the lexicon, the sentences, and the .mus script."""
