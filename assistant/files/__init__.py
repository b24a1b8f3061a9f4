"""The files of this machine: data that players may edit, settings, profiles, atomic replacement."""
