"""The companion plugin's way in: routes, messages and events of ``/v1``."""
