"""A hall full of tables: each sends its journal, the hub keeps them all. Rank 3.

``uplink`` and what it needs run at a table; the rest is the hub's. See ``docs/hub.md``.
"""
