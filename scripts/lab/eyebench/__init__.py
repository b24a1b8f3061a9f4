"""Tables with cards on them, rendered as a camera above would see them, with the truth beside."""
