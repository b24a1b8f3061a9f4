"""The deck of cards that the project draws itself: shapes in millimetres, as pixels or as SVG."""
