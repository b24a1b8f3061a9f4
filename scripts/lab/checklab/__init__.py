"""What makes the network of the eye's second check: prints, samples, the network, its training."""
