"""The making of the eye's second check: drawn prints, samples, the network, and its training."""
