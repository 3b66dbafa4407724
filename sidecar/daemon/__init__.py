"""Processes: the lock, the local socket, the shim."""
