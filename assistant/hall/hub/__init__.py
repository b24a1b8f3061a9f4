"""The hub of a hall: each table sends its journal over MQTT, and the hub stores them all.

``uplink`` and what it imports run at a table; the rest runs at the hub. See ``docs/hub.md``.
"""
