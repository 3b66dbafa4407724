"""From a file's bytes to one ``ParsedFile``, and from an edit to new text: pure functions."""
