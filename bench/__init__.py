"""Measurements. Each result file says by which command, commit and machine it came about."""
