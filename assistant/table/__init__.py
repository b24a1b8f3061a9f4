"""The table: it turns what is heard, seen or pressed into events, and keeps them in a journal."""
