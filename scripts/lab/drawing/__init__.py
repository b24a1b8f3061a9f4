"""The deck of cards that the project draws itself, in millimetres, as pixels or as SVG."""
