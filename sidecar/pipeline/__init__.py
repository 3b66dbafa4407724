"""The one place where the arrow runs: from the disk through parsing into catalog and index."""
