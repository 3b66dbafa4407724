"""What a client starts, in parts: the standard library only, since a client waits for its first answer."""
