"""Deals that synthesised voices say aloud, for test audio, the benches and the demo."""
