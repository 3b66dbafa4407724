"""Vault Sidecar: AI agents search, read and write an Obsidian vault."""

__version__ = "0.1.0"
