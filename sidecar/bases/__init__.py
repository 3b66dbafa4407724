"""Obsidian's ``.base`` files as text and values; nothing here knows of a vault."""
