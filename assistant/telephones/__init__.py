"""The players' telephones as microphones: one stream of sound for the ear."""
