"""The making of the speech model in models/mus-es: text, voices, features, network, graph.

The modules run in one order, and imports follow the same direction only: vocabulary -> g2p ->
prosody -> voices (espeak, festival, mbrola) -> clips, human -> rooms, noise, augment -> features ->
net, lfmmi, training -> nnet3, graph, export. `scripts/lab/train_model.py` runs them.
`scripts/lab/bench_model.py` measures the result.
"""
