"""Rendered tables with cards, as a camera above would see them, with the truth beside."""
