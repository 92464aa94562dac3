"""The samples of an image file as they are meant: 8 bits a channel, upright, in the colours of sRGB."""

import io
import re
import sys
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageCms, ImageFile
from PIL.TiffImagePlugin import BITSPERSAMPLE, PHOTOMETRIC_INTERPRETATION, PLANAR_CONFIGURATION, TiffImageFile

from predinet_prolog.domains.errors import ImageError

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "PPM")
"""What is read. Not all that Pillow could: some of its readers start other programs (EPS)."""
_TURNS = "FLIP_LEFT_RIGHT ROTATE_180 FLIP_TOP_BOTTOM TRANSPOSE ROTATE_270 TRANSVERSE ROTATE_90"
TURNED = {orientation: Image.Transpose[name] for orientation, name in enumerate(_TURNS.split(), 2)}
"""What makes an image upright, by its EXIF orientation; 1 says that it is, all others nothing."""
BITS = (8, 10, 12, 14, 16)
"""Of the samples that cameras, scanners and microscopes write into files of 16 bits."""
WIDENED = (256, 257)
"""What samples of 8 bits are multiplied by to have 16."""
MOST_PROFILE = 4 * 2**20
"""Bytes of a colour profile that is applied: printers' largest have some three million."""
STEPS = 9
"""Of each channel's range, at which it is tried whether a profile is sRGB's."""
SAME = 2
"""Levels of 255 by which profiles of sRGB differ from each other."""
WHITE_IS_ZERO, SEPARATE = 0, 2
"""What tags of a TIFF say: samples are turned over; every channel is in a plane of its own."""
_WIDE = re.compile(r"(RGB|RGBA|RGBX|RGBa|LA);16([LBN])")
"""Pillow's names for colours of 16 bits, of which its decoders keep the high byte, and for their byte order."""


def decode(image: ImageFile.ImageFile, where: str) -> tuple[Image.Image, list[str]]:
    """The picture in the file `image`, opened and not yet decoded, and what was done to it that a user should know of.

    ImageError, which calls the file `where`, if its samples are of a kind that is not read; of a file that is damaged,
    any error of Pillow's.
    """
    rawmode, declared = _stored(image)
    file, tiles, tags = image.fp, image.tile, image.tag_v2 if isinstance(image, TiffImageFile) else {}
    # A TIFF loses its orientation when it is loaded, for it is turned then, and its tags when it is copied. Of a PNG
    # all is decoded to look for EXIF at its end.
    orientation = image.getexif().get(ExifTags.Base.Orientation)
    image.load()
    notes: list[str] = []
    picture: Image.Image = image
    if image.mode == "F":
        raise ImageError(f"{where} has floating-point samples: save it with 8 bits a channel")
    if image.mode == "I" or image.mode.startswith("I;"):
        picture = _grey(image, tags, declared, where, notes)
    elif rawmode == "R" and tags.get(BITSPERSAMPLE, (8,))[0] == 16:
        planes = [_again(file, image, tiles, plane) for plane in image.getbands()]
        picture = _colour(np.stack(planes, axis=-1), image.info, declared, notes)
    elif wide := _WIDE.fullmatch(rawmode):
        high = np.asarray(image)
        narrow = int(high[..., :3].max()) < 1 << BITS[-2] - 8
        if narrow and (tags.get(PLANAR_CONFIGURATION) == SEPARATE or wide[1] == "RGBa"):
            raise ImageError(f"{where} has samples of 16 bits in a rare order: save it as PNG")
        if narrow or declared or "transparency" in image.info:
            low = _again(file, image, tiles, wide)
            picture = _colour(np.left_shift(high, 8, dtype=np.uint16) | low, image.info, declared, notes)
        else:
            notes.append("reduced from 16 to 8 bits a channel")
    if orientation in TURNED:
        notes.insert(0, "turned upright as its EXIF orientation says")
        # Not by ImageOps.exif_transpose, which writes all EXIF values again: seconds, where they are many.
        if not isinstance(image, TiffImageFile):
            picture = picture.transpose(TURNED[orientation])
    if "icc_profile" in image.info:
        picture = _in_srgb(picture, image.info["icc_profile"], notes)
    return picture, notes


def _stored(image: ImageFile.ImageFile) -> tuple[str, int | None]:
    """Pillow's name for how samples are stored, and the largest, if the file says that it is not that of all bits."""
    if not image.tile:
        return "", None
    codec, _, _, args = cast("Any", image.tile[0])  # of the browser's Pillow its fields have no names
    if codec == "ppm" and args[1] > 255:  # Pillow would make 8 bits of them, or scale them to 16
        rawmode = "RGB;16B" if image.mode == "RGB" else "I;16B"
        image.tile = [tile._replace(codec_name="raw", args=(rawmode, 0, 1)) for tile in image.tile]
        return rawmode, args[1] if args[1] < 65535 else None
    return str(args if isinstance(args, str) else args[0] if args else ""), None


def _grey(
    image: Image.Image, tags: Mapping[int, Any], declared: int | None, where: str, notes: list[str]
) -> Image.Image:
    """Greyscale of more than 8 bits, which Pillow's own conversion would clip at 255; with alpha if a shade is
    transparent."""
    bits = tags.get(BITSPERSAMPLE, (16,))[0]
    if bits > 16:
        raise ImageError(f"{where} has samples of {bits} bits: save it with 8 bits a channel")
    samples = np.asarray(image).astype(np.int32)
    samples -= min(int(samples.min()), 0)  # they may have signs
    levels = _to_8_bits(samples, declared or (2**bits - 1 if bits < 16 else None), notes)
    grey = Image.fromarray(255 - levels if tags.get(PHOTOMETRIC_INTERPRETATION) == WHITE_IS_ZERO else levels)
    if (transparent := image.info.get("transparency")) is not None:
        grey.putalpha(Image.fromarray(np.where(samples == transparent, 0, 255).astype(np.uint8)))
    return grey


def _again(file: Any, image: ImageFile.ImageFile, tiles: list[Any], part: re.Match[str] | str) -> NDArray[Any]:
    """The samples of one plane (H, W), or, as `_WIDE` matched their order, the low bytes of all (H, W, channels)."""
    file.seek(0)
    with Image.open(file, formats=(str(image.format),)) as again:
        assert isinstance(again, ImageFile.ImageFile)
        if isinstance(part, str):
            assert isinstance(again, TiffImageFile)
            again._mode = rawmode = "I;16" if again.tag_v2.prefix == b"II" else "I;16B"
            tiles = [tile for tile in tiles if tile.args[0].upper() == part]
        elif part[1] == "LA":  # Pillow has one order of it: they are read as four channels of 8 bits
            rawmode = "RGBA"
        else:  # told that they lie in the other order, Pillow takes the low bytes for the high ones
            little = part[2] == "L" or (part[2] == "N" and sys.byteorder == "little")
            rawmode = f"{part[1]};16{'B' if little else 'L'}"
        again.tile = [
            tile._replace(args=rawmode if isinstance(tile.args, str) else (rawmode, *tile.args[1:])) for tile in tiles
        ]
        pixels = np.asarray(again)
        return pixels[..., [1, 1, 1, 3]] if rawmode == "RGBA" else pixels


def _colour(
    samples: NDArray[np.uint16], info: Mapping[Any, Any], declared: int | None, notes: list[str]
) -> Image.Image:
    """Colours of 16 bits (H, W, channels), with alpha if they have it or one of them is transparent."""
    levels = _to_8_bits(samples[..., :3], declared, notes)
    alpha = _to_8_bits(samples[..., 3], None, []) if samples.shape[2] > 3 else None
    if "transparency" in info:
        alpha = np.where((samples == info["transparency"]).all(axis=2), 0, 255).astype(np.uint8)
    return Image.fromarray(levels if alpha is None else np.dstack([levels, alpha]))


def _to_8_bits(samples: NDArray[Any], declared: int | None, notes: list[str]) -> NDArray[np.uint8]:
    """The samples, of 16 bits at most, scaled so that the largest `declared` becomes 255. If none is, it is that of the
    bits which they reach, but for dark samples of 8 bits that were widened: they use the whole range."""
    reached = int(samples.max())
    top = declared or next(2**bits - 1 for bits in BITS if reached < 2**bits)
    if not declared and top < 65535 and any(not (samples % factor).any() for factor in WIDENED):
        top = 65535
    if declared or top == 65535:
        notes.append(f"reduced from {top.bit_length()} to 8 bits a channel")
    else:
        notes.append(f"the samples reach {top.bit_length()} of their 16 bits: stretched to the whole range")
    levels = ((np.arange(65536) * 255 + top // 2) // top).clip(max=255).astype(np.uint8)
    scaled = np.empty(samples.shape, np.uint8)
    for row, line in zip(scaled, samples, strict=True):  # all at once would take eight times the memory
        row[:] = levels[line]
    return scaled


def _in_srgb(picture: Image.Image, profile: object, notes: list[str]) -> Image.Image:
    """The picture in the colours of sRGB, if its `profile` tells others. A profile that cannot be used changes nothing
    but the notes."""
    alpha = picture.convert("RGBA").getchannel("A") if picture.has_transparency_data else None
    try:
        if not isinstance(profile, bytes) or not 0 < len(profile) <= MOST_PROFILE:
            raise ValueError
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = {"GRAY": "L", "RGB": "RGB", "CMYK": "CMYK"}[source.profile.xcolor_space.strip()]
        if (mode == "L" and picture.mode not in ("1", "L", "LA")) or (mode == "CMYK") != (picture.mode == "CMYK"):
            raise ValueError
        transform = ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), mode, "RGB")
        if mode != "CMYK" and _changes_nothing(transform, mode):
            return picture
        colours = ImageCms.applyTransform(picture.convert(mode), transform)
        assert colours is not None
    except Exception:  # no profile, of another kind of colours, or no library for it: errors have no family
        notes.append("its colour profile could not be applied: colours may be off")
        return picture
    notes.append("its colours were brought to sRGB from its colour profile")
    if alpha is not None:
        colours.putalpha(alpha)
    return colours


def _changes_nothing(transform: ImageCms.ImageCmsTransform, mode: str) -> bool:
    """Whether the transform, from L or RGB to RGB, leaves colours as they are."""
    steps = np.linspace(0, 255, STEPS**3 if mode == "L" else STEPS).round().astype(np.uint8)
    colours = np.stack(np.meshgrid(*[steps] * (1 if mode == "L" else 3)), axis=-1).reshape(1, STEPS**3, -1)
    probe = Image.fromarray(colours[..., 0] if mode == "L" else colours)
    result = ImageCms.applyTransform(probe, transform)
    return bool(np.abs(np.int16(np.asarray(result)) - np.asarray(probe.convert("RGB"))).max() <= SAME)
