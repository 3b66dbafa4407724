"""Every agent change with its bytes, and the way back."""
