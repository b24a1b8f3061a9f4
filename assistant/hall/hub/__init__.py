"""A hall full of tables: each sends its journal, the hub keeps them all.

``uplink`` and what it needs run at a table; the rest is the hub's. See ``docs/hub.md``.
"""
