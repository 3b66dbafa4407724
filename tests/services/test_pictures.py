import io
import struct
import zlib

import pytest
from PIL import Image, ImageSequence

from sidecar.errors import Refused
from sidecar.services.pictures import picture_of


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    return Image.effect_noise((width, height), 100).convert(mode)


@pytest.mark.parametrize(
    ("kind", "content_type"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp")],
)
def test_a_large_picture_is_shrunk_and_keeps_its_format(kind: str, content_type: str) -> None:
    made = picture_of("p", encoded(Image.new("RGB", (3136, 800), "red"), kind))
    assert made is not None
    assert (made.width, made.height, made.original_width, made.original_height) == (1568, 400, 3136, 800)
    shown = Image.open(io.BytesIO(made.data))
    assert (shown.format, shown.size, made.content_type) == (kind, (1568, 400), content_type)
    red = shown.convert("RGB").getpixel((5, 5))
    assert isinstance(red, tuple)
    assert red[0] > 245
    assert max(red[1:]) < 10


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_small_picture_keeps_its_bytes(kind: str) -> None:
    data = encoded(noise(300, 200), kind)
    made = picture_of("p", data)
    assert made is not None
    assert made.data == data


@pytest.mark.parametrize("kind", ["BMP", "AVIF"])
def test_what_clients_do_not_show_becomes_png(kind: str) -> None:
    made = picture_of("p", encoded(noise(30, 20), kind))
    assert made is not None
    assert made.content_type == "image/png"
    assert Image.open(io.BytesIO(made.data)).format == "PNG"


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        ("RGBA", "PNG"),
        ("LA", "PNG"),
        ("RGBA", "WEBP"),
        ("P", "PNG"),
        ("P", "GIF"),
        ("I;16", "PNG"),
        ("CMYK", "JPEG"),
        ("1", "PNG"),
    ],
)
def test_every_kind_of_colour(mode: str, kind: str) -> None:
    image, options = Image.new("RGBA", (2000, 100), (0, 200, 0, 255)), {}
    image.paste((0, 0, 0, 0), (0, 0, 1000, 100))
    has_alpha = mode in {"RGBA", "LA", "P"}
    if mode == "P":
        image, options = image.convert("P"), {"transparency": image.convert("P").getpixel((0, 0))}
    elif mode == "I;16":
        image = Image.new("I;16", (2000, 100), 65535)
    else:
        image = image.convert(mode)
    made = picture_of("p", encoded(image, kind, **options))
    assert made is not None
    shown = Image.open(io.BytesIO(made.data))
    assert shown.size == (1568, 78)
    alpha = shown.convert("RGBA").getchannel("A")
    assert (alpha.getpixel((10, 40)) == 0) is has_alpha
    assert alpha.getpixel((1500, 40)) == 255
    if mode == "I;16":
        assert shown.convert("L").getpixel((10, 10)) == 255


def test_of_a_moving_picture_that_is_too_large_one_frame_is_left() -> None:
    frames = [Image.new("RGB", (2000, 100), colour) for colour in ("red", "blue")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    made = picture_of("p", data)
    assert made is not None
    shown = Image.open(io.BytesIO(made.data))
    assert (made.frames, len(list(ImageSequence.Iterator(shown)))) == (2, 1)
    small = encoded(frames[0].resize((20, 10)), "GIF", save_all=True, append_images=[frames[1].resize((20, 10))])
    kept = picture_of("p", small)
    assert kept is not None
    assert kept.data == small


def test_a_picture_stands_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = picture_of("p", encoded(Image.new("RGB", (2000, 1000)), "JPEG", exif=exif))
    assert made is not None
    assert (made.width, made.height, made.original_width, made.original_height) == (784, 1568, 1000, 2000)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_no_picture_is_above_a_megabyte(kind: str) -> None:
    data = encoded(noise(1100, 1100), kind, quality=100)
    assert len(data) > 1_000_000
    made = picture_of("p", data)
    assert made is not None
    assert len(made.data) <= 1_000_000
    assert made.width >= 400


def _bomb(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("side", [11_000, 50_000])
def test_a_picture_that_would_fill_the_memory_is_refused(side: int) -> None:
    with pytest.raises(Refused, match="pixels"):
        picture_of("bomb.png", _bomb(side, side))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture",
        b"\x89PNG\r\n\x1a\n",
        encoded(noise(2000, 20), "PNG")[:3000],
        encoded(noise(2000, 2000), "JPEG")[:3000],
        encoded(noise(20, 20), "PNG")[:-20],
        b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        _bomb(2000, 2000),
    ],
)
def test_what_cannot_be_read_is_no_picture(data: bytes) -> None:
    assert picture_of("p", data) is None
