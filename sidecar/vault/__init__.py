"""The files of one vault on disk: listing, reading, writing, watching."""
