"""The index of many files, made by processes of their own so that all processors work on it."""
