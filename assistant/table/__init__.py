"""The table: what is heard, seen or pressed comes in, decided events come out."""
