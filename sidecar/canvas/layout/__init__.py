"""Where cards go on a canvas: pure functions over boxes."""
