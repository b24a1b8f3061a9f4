"""What measures the hub: servers, simulated tables, and a watcher of the board."""
