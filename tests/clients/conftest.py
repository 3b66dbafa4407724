"""The vault and state folder of daemons, as their own tests have them."""

from tests.daemon.conftest import home

__all__ = ["home"]
