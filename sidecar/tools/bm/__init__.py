"""Tools for walking through folders."""

from sidecar.tools.bm.bm_find import bm_find
from sidecar.tools.bm.bm_list import bm_list

__all__ = ["TOOLS"]

TOOLS = (bm_list, bm_find)
