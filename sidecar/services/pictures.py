"""Pictures made small enough to show; the one place that imports Pillow, when the first picture is asked for."""

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sidecar.errors import Refused

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Picture", "picture_of"]

_LONGEST_SIDE = 1568
_LARGEST = 1_000_000
"""Bytes of a picture in a reply; clients refuse more."""
_MOST_PIXELS = 100_000_000
"""A larger one takes more memory to unpack than a picture of a vault is worth, and may be made to."""
_SMALLER = 0.95
"""What is left of a side beyond what its bytes ask for, so that the second try is seldom too large again."""
_READABLE = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF")
_SHOWN = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
"""Formats that clients show; others become PNG."""
_DEEP = frozenset({"I;16", "I;16B", "I;16L", "I;16N"})
_QUALITY = 85


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is shown, with its size now and before; of a moving one that had to be shrunk, one frame."""

    data: bytes
    content_type: str
    width: int
    height: int
    original_width: int
    original_height: int
    frames: int


def picture_of(path: str, data: bytes) -> Picture | None:
    """Return a picture of at most 1,568 pixels a side and 1 MB, its format and transparency kept.

    What is small enough keeps its bytes. ``None`` when the bytes are no picture that can be read.

    Raises:
        Refused: when it would unpack to more than 100 million pixels.

    """
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - costs 40 ms that few processes need

    Image.MAX_IMAGE_PIXELS = None  # the check below says it in our words, before anything is unpacked
    try:
        with Image.open(io.BytesIO(data), formats=_READABLE) as image:
            width, height = image.size
            if width * height > _MOST_PIXELS:
                raise Refused(
                    f"'{path}' has {width:,} x {height:,} pixels, too many to unpack.",
                    hint="Ask the user for a smaller copy.",
                )
            kind = image.format or ""
            frames = int(getattr(image, "n_frames", 1))
            if kind in _SHOWN and max(width, height) <= _LONGEST_SIDE and len(data) <= _LARGEST:
                image.verify()
                return Picture(data, _SHOWN[kind], width, height, width, height, frames)
            return _shrunk(image, kind if kind in _SHOWN else "PNG", frames)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        return None


def _shrunk(image: "Image", kind: str, frames: int) -> Picture:
    from PIL import Image, ImageOps  # noqa: PLC0415 - as above

    original = image.size
    side = _LONGEST_SIDE
    image.draft("RGB", (side, side))  # only JPEG: unpacks a large one at a fraction of its size
    profile = image.info.get("icc_profile")
    plain = _plain(ImageOps.exif_transpose(image))
    turned = (plain.width > plain.height) != (original[0] > original[1])
    while True:
        plain.thumbnail((side, side), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        plain.save(out, kind, **_options(kind, profile))
        if out.tell() <= _LARGEST:
            break
        side = max(1, int(max(plain.size) * _SMALLER * (_LARGEST / out.tell()) ** 0.5))
    width, height = reversed(original) if turned else original
    return Picture(out.getvalue(), _SHOWN[kind], *plain.size, width, height, frames)


def _plain(image: "Image") -> "Image":
    """Return the first frame in colours that every format and every client knows."""
    if image.mode in _DEEP:
        return image.point(lambda value: value / 256).convert("L")
    if image.mode in {"L", "LA", "RGB", "RGBA"}:
        return image.copy()
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _options(kind: str, profile: bytes | None) -> dict[str, object]:
    options: dict[str, object] = {"icc_profile": profile} if profile and kind != "GIF" else {}
    if kind in {"JPEG", "WEBP"}:
        options["quality"] = _QUALITY
    return options
