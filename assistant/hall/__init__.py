"""A hall full of tables: tournaments, and the hub that keeps every table's journal."""
