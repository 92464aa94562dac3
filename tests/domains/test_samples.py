"""Samples wider than 8 bits and colours that a profile tells: what the file means is what is read."""

import io
import struct
import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.samples import MOST_PROFILE, decode
from tests.pictures import chunk, encode
from tests.pictures import png as written_png

Samples = NDArray[np.integer]
HEIGHT, WIDTH = 5, 7
RNG = np.random.default_rng(3)
COLOURS = RNG.integers(0, 1024, (HEIGHT, WIDTH, 4))
COLOURS[0, 0], COLOURS[0, 1] = 1023, 0
PNG_COLOURS = {1: 0, 2: 4, 3: 2, 4: 6}
"""PNG's number for a picture of so many channels."""
RAW, DEFLATED = 1, 8
REDUCED = "reduced from {} to 8 bits a channel"
STRETCHED = "the samples reach {} of their 16 bits: stretched to the whole range"


def png(samples: Samples, *chunks: bytes, depth: int = 16) -> bytes:
    rows = b"".join(b"\0" + row.astype(f">u{depth // 8}").tobytes() for row in samples)
    return written_png(WIDTH, HEIGHT, rows, *chunks, depth=depth, colour=PNG_COLOURS[samples.shape[2]])


def tiff(
    samples: Samples,
    order: str = "<",
    *,
    bits: int = 16,
    compression: int = RAW,
    separate: bool = False,
    white_is_zero: bool = False,
    data: bytes | None = None,
    sample_format: int = 1,
    alpha: int = 2,
) -> bytes:
    """With a strip, or with one a channel."""
    channels = samples.shape[2]
    planes = np.moveaxis(samples, 2, 0)[:, :, :, None] if separate else samples[None]
    typed = planes.astype(f"{order}{'i' if sample_format == 2 else 'u'}{4 if bits == 32 else 2}")
    strips = [data or plane.tobytes() for plane in typed]
    if compression == DEFLATED:
        strips = [zlib.compress(strip) for strip in strips]
    offsets = [8 + sum(map(len, strips[:number])) for number in range(len(strips))]
    tags: dict[int, Sequence[int]] = {
        **{256: [WIDTH], 257: [HEIGHT], 258: [bits] * channels, 259: [compression]},
        **{262: [2 if channels > 2 else 1 - white_is_zero], 273: offsets, 277: [channels], 278: [HEIGHT]},
        **{279: [len(strip) for strip in strips], 284: [2 if separate else 1]},
        **({338: [alpha]} if channels == 4 else {}),
        **({339: [sample_format] * channels} if sample_format > 1 else {}),
    }
    start = 8 + sum(map(len, strips))
    place, entries, more = start + 2 + 12 * len(tags) + 4, b"", b""
    for tag, values in tags.items():
        packed = struct.pack(f"{order}{len(values)}I", *values)
        entries += struct.pack(f"{order}HHI", tag, 4, len(values))
        entries += packed if len(values) == 1 else struct.pack(f"{order}I", place + len(more))
        more += packed if len(values) > 1 else b""
    head = struct.pack(f"{order}2sHI", b"II" if order == "<" else b"MM", 42, start)
    return head + b"".join(strips) + struct.pack(f"{order}H", len(tags)) + entries + bytes(4) + more


def pnm(samples: Samples, most: int = 65535) -> bytes:
    kind = 5 if samples.shape[2] == 1 else 6
    return f"P{kind} {WIDTH} {HEIGHT} {most}\n".encode() + samples.astype(">u2").tobytes()


def decoded(data: bytes) -> tuple[NDArray[np.uint8], list[str]]:
    """(H, W, channels) and the notes."""
    with Image.open(io.BytesIO(data)) as image:
        picture, notes = decode(image, "a.png")
    return np.asarray(picture).reshape(HEIGHT, WIDTH, -1), notes


def scaled(samples: Samples, most: int) -> NDArray[np.floating]:
    return np.rint(samples * 255 / most)


WRITERS = {
    **{f"PNG of {channels}": (png, channels, {}) for channels in PNG_COLOURS},
    **{
        f"TIFF of {channels}, {order}, {compression}": (tiff, channels, {"order": order, "compression": compression})
        for channels in (1, 3, 4)
        for order in "<>"
        for compression in (RAW, DEFLATED)
    },
    **{
        f"TIFF in planes of {channels}, {order}": (tiff, channels, {"order": order, "separate": True})
        for channels in (3, 4)
        for order in "<>"
    },
    "TIFF of 4 without alpha": (tiff, 4, {"alpha": 0}),
    **{f"PNM of {channels}": (pnm, channels, {}) for channels in (1, 3)},
}


@pytest.mark.parametrize("writer", WRITERS)
def test_the_range_used_is_the_whole_range(writer: str) -> None:
    write, channels, options = WRITERS[writer]
    for bits in (10, 12, 14, 16):
        samples = COLOURS[..., :channels] * (2**bits - 1) // 1023
        pixels, notes = decoded(write(samples, **options))
        wanted = scaled(samples, 2**bits - 1)
        if channels == 2:
            wanted = wanted[..., [0, 0, 0, 1]]
        if channels == 4 and "alpha" in options:
            wanted = wanted[..., :3]
        # Of colours of all 16 bits, the decoder's high bytes are taken.
        np.testing.assert_allclose(pixels, wanted, atol=1 if bits == 16 and channels > 1 else 0)
        assert notes == [REDUCED.format(16) if bits == 16 else STRETCHED.format(bits)]


DARK = COLOURS % 40
SIGNED = COLOURS[..., :1] * 4 - 2000
PACKED = np.packbits((COLOURS[..., 0, None] * 4 >> np.arange(11, -1, -1) & 1).reshape(HEIGHT, -1), axis=1).tobytes()
MEANT: dict[str, tuple[bytes, Samples | NDArray[np.floating], list[str]]] = {
    "8 bits, dark": (png(DARK, depth=8), DARK, []),
    **{f"8 bits times {times}, dark": (png(DARK[..., :3] * times), DARK[..., :3], [REDUCED.format(16)])
       for times in (256, 257)},
    **{
        f"PNM that says {most}, {channels}": (
            pnm(COLOURS[..., :channels] // 2, most),
            scaled(COLOURS[..., :channels] // 2, most),
            [REDUCED.format(most.bit_length())],
        )
        for most in (1023, 4095)
        for channels in (1, 3)
    },
    "TIFF, 12 bits packed": (
        tiff(COLOURS[..., :1], bits=12, data=PACKED), scaled(COLOURS[..., :1] * 4, 4095), [REDUCED.format(12)]
    ),
    "TIFF, zero is white": (
        tiff(COLOURS[..., :1], white_is_zero=True), 255 - scaled(COLOURS[..., :1], 1023), [STRETCHED.format(10)]
    ),
    "TIFF with signs": (tiff(SIGNED, sample_format=2), scaled(SIGNED + 2000, 4095), [STRETCHED.format(12)]),
    "a transparent colour": (
        png(COLOURS[..., :3], chunk(b"tRNS", struct.pack(">3H", *COLOURS[2, 2, :3]))),
        np.dstack([scaled(COLOURS[..., :3], 1023), 255 * ~(COLOURS[..., :3] == COLOURS[2, 2, :3]).all(axis=2)]),
        [STRETCHED.format(10)],
    ),
    "a transparent grey": (
        png(COLOURS[..., :1], chunk(b"tRNS", struct.pack(">H", COLOURS[2, 2, 0]))),
        np.dstack([scaled(COLOURS[..., :1], 1023), 255 * (COLOURS[..., :1] != COLOURS[2, 2, 0])]),
        [STRETCHED.format(10)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MEANT)
def test_samples_are_read_as_they_are_meant(case: str) -> None:
    data, wanted, told = MEANT[case]
    pixels, notes = decoded(data)
    np.testing.assert_array_equal(pixels, wanted)
    assert notes == told


@pytest.mark.parametrize(
    ("data", "culprit"),
    [
        (tiff(COLOURS[..., :1], bits=32), "samples of 32 bits"),
        (tiff(COLOURS[..., :3], separate=True, compression=DEFLATED), "samples of 16 bits in a rare order"),
    ],
)
def test_samples_that_cannot_be_read_are_refused(data: bytes, culprit: str) -> None:
    with pytest.raises(DomainError, match=f"a.png has {culprit}: save it"):
        decoded(data)


# --- Colour profiles ---

SRGB = ((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410))
"""Red, green and blue as XYZ on a white of D50, here and below."""
P3 = ((0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407))
ADOBE = ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457))
PROPHOTO = ((0.79767, 0.28804, 0.0), (0.13519, 0.71188, 0.0), (0.03134, 0.00009, 0.82491))
SAID = "its colours were brought to sRGB from its colour profile"
OFF = "its colour profile could not be applied: colours may be off"


def profile(space: bytes, tags: dict[bytes, bytes], kind: bytes = b"mntr", connection: bytes = b"XYZ ") -> bytes:
    place, table, body = 132 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        table += struct.pack(">4sII", name, place + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    size = place + len(body)
    header = struct.pack(">I4sI4s4s4s", size, b"    ", 0x02100000, kind, space, connection) + bytes(12) + b"acsp"
    head = header.ljust(68, b"\0") + numbers(0.9642, 1.0, 0.8249) + bytes(48)
    return head + struct.pack(">I", len(tags)) + table + body


def numbers(*values: float) -> bytes:
    return struct.pack(f">{len(values)}i", *(round(value * 65536) for value in values))


def curve(gamma: float) -> bytes:
    return b"curv" + struct.pack(">IIH", 0, 1, round(gamma * 256))


def rgb_profile(primaries: Sequence[Sequence[float]], gamma: float) -> bytes:
    rgb = zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries, strict=True)
    matrix = {name: b"XYZ " + bytes(4) + numbers(*xyz) for name, xyz in rgb}
    return profile(b"RGB ", {**matrix, **{name + b"TRC": curve(gamma) for name in (b"r", b"g", b"b")}})


def printer(ink: int) -> bytes:
    """A profile of four inks: that one is red, and black is black; the others cannot be seen."""
    corners = np.indices((2, 2, 2, 2)).reshape(4, -1).T
    lab = [(0, 128, 128) if inks[3] else (128, 200, 180) if inks[ink] else (255, 128, 128) for inks in corners]
    line = bytes(range(256))
    head = b"mft1" + bytes(4) + bytes([4, 3, 2, 0]) + numbers(1, 0, 0, 0, 1, 0, 0, 0, 1)
    return profile(b"CMYK", {b"A2B0": head + line * 4 + np.array(lab, np.uint8).tobytes() + line * 3}, b"prtr", b"Lab ")


def in_srgb(pixels: Samples, primaries: Sequence[Sequence[float]], gamma: float) -> NDArray[np.floating]:
    """By the definitions: light, XYZ, light of sRGB, its curve."""
    light = (pixels / 255) ** gamma @ np.array(primaries) @ np.linalg.inv(np.array(SRGB))
    light = light.clip(0, 1)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


PIXELS = RNG.integers(40, 216, (HEIGHT, WIDTH, 3)).astype(np.uint8)


@pytest.mark.parametrize("format", ["PNG", "TIFF"])
@pytest.mark.parametrize(
    ("primaries", "gamma"),
    [(P3, 2.2), (ADOBE, 2.2), (PROPHOTO, 1.8), (SRGB, 1.0), ((SRGB[1], SRGB[0], SRGB[2]), 2.2)],
    ids=["P3", "AdobeRGB", "ProPhoto", "linear", "exchanged"],
)
def test_colours_of_a_profile_become_srgb(primaries: Sequence[Sequence[float]], gamma: float, format: str) -> None:
    pixels, notes = decoded(encode(PIXELS, format, icc_profile=rgb_profile(primaries, gamma)))
    np.testing.assert_allclose(pixels, in_srgb(PIXELS, primaries, gamma), atol=2)
    assert np.abs(pixels - PIXELS.astype(int)).max() > 9, "there is something to see"
    assert notes == [SAID]


def test_a_profile_of_srgb_changes_nothing() -> None:
    from PIL import ImageCms

    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    pixels, notes = decoded(encode(PIXELS, icc_profile=icc))
    np.testing.assert_array_equal(pixels, PIXELS)
    assert notes == []


def test_grey_alpha_and_palettes_have_profiles_too() -> None:
    linear = in_srgb(np.full((1, 3), 55), SRGB, 1.0)[0, 0]
    grey = np.full((HEIGHT, WIDTH), 55, np.uint8)
    pixels, notes = decoded(encode(grey, icc_profile=profile(b"GRAY", {b"kTRC": curve(1)})))
    np.testing.assert_allclose(pixels, linear, atol=2)
    assert notes == [SAID]
    pixels, _ = decoded(encode(grey, icc_profile=rgb_profile(SRGB, 1)))
    np.testing.assert_allclose(pixels, linear, atol=2)
    pixels, _ = decoded(encode(np.dstack([PIXELS, grey]), icc_profile=rgb_profile(P3, 2.2)))
    np.testing.assert_allclose(pixels[..., :3], in_srgb(PIXELS, P3, 2.2), atol=2)
    np.testing.assert_array_equal(pixels[..., 3], grey)
    four = Image.fromarray(PIXELS).quantize(4)
    pixels, _ = decoded(encode(four, icc_profile=rgb_profile(SRGB[::-1], 2.2)))
    np.testing.assert_allclose(pixels, in_srgb(np.array(four.convert("RGB")), SRGB[::-1], 2.2), atol=2)


@pytest.mark.parametrize("ink", [0, 1, 2])
def test_printers_colours_have_profiles(ink: int) -> None:
    inks = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    inks[1:, :, ink] = inks[2:, :, 3] = 255
    pixels, notes = decoded(encode(Image.fromarray(inks, "CMYK"), "TIFF", icc_profile=printer(ink)))
    white, red, black = pixels[:3, 0].astype(int)
    assert white.min() > 245
    assert red[0] > red[1:].max() + 60
    assert black.max() < 10
    assert notes == [SAID]


GOOD = rgb_profile(P3, 2.2)


@pytest.mark.parametrize(
    "icc",
    [b"no profile", GOOD[:200], GOOD + bytes(MOST_PROFILE), printer(0), profile(b"GRAY", {b"kTRC": curve(1)}),
     GOOD.replace(b"mntr", b"link"), GOOD.replace(b"rXYZ", b"zXYZ")],
    ids=["no profile", "cut short", "too large", "of inks", "of grey", "of another class", "without red"],
)  # fmt: skip
def test_a_profile_that_cannot_be_applied_is_told(icc: bytes) -> None:
    pixels, notes = decoded(encode(PIXELS, "TIFF", icc_profile=icc))
    np.testing.assert_array_equal(pixels, PIXELS)
    assert notes == [OFF]


def test_damaged_profiles_raise_nothing() -> None:
    rng = np.random.default_rng(5)
    for whole in (GOOD, printer(1)):
        for _ in range(100):
            damaged = np.frombuffer(whole, np.uint8).copy()
            damaged[rng.integers(len(whole), size=8) // rng.integers(1, 30)] = rng.integers(256, size=8)
            picture = Image.new("RGB" if whole is GOOD else "CMYK", (WIDTH, HEIGHT))
            decoded(encode(picture, "TIFF", icc_profile=damaged.tobytes()))
