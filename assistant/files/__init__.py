"""The files of this machine: editable data, settings, profiles, atomic replacement of files."""
