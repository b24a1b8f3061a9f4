"""The load test of the hub: real servers, simulated tables, and curves of the figures."""
