"""An SVG from standard input as PNG on standard output, in a process of its own.

The library keeps all threads of its process waiting while it draws. This is the one place that imports it.
"""

import sys

import resvg_py

__all__: list[str] = []

if __name__ == "__main__":
    sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode())))
