"""Search by meaning: vectors of passages, made in the background and kept beside the index; needs an extra."""
