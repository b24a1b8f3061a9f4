"""What anybody can hand over, spoilt in every way, to every reader of it."""
