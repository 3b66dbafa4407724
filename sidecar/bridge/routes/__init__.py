"""The routes there are; each module adds its own by one line here."""

from sidecar.bridge.routes import (
    about,
    activity,
    canvas,
    context,
    control,
    events,
    links,
    parity,
    proposals,
    requests,
    status,
)
from sidecar.bridge.routes.hello import hello_among

__all__ = ["ROUTES"]

_ABOUT_VAULTS = (
    *status.ROUTES,
    *events.ROUTES,
    *links.ROUTES,
    *activity.ROUTES,
    *control.ROUTES,
    *about.ROUTES,
    *parity.ROUTES,
    *context.ROUTES,
    *requests.ROUTES,
    *proposals.ROUTES,
    *canvas.ROUTES,
)
ROUTES = (hello_among(_ABOUT_VAULTS), *_ABOUT_VAULTS)
