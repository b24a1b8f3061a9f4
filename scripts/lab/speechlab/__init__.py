"""How the speech model in models/mus-es is made: text, voices, features, network, graph.

The modules run in one order, and imports go the same way only:
vocabulary -> g2p -> prosody -> voices (espeak, festival, mbrola) -> clips, human ->
rooms, noise, augment -> features -> net, lfmmi, training -> nnet3, graph, export.
`scripts/lab/train_model.py` runs them; `scripts/lab/bench_model.py` measures what comes out.
"""
