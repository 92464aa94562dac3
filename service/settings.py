"""Settings in one table.

Each can be set by an environment variable, PREDINET_PROLOG_ and its name in capitals, and all but the secret ones by
an option of `predinet-prolog serve`. The options are made from this table; a test holds that the end of docs/service.md
lists them all.
"""

# ruff: noqa: RUF009 (`_setting` gives a dataclass field)
import dataclasses
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, NewType

from predinet_prolog.lazily import lazily
from predinet_prolog.service.errors import SettingsError

# Slow to load, and missing in a browser.
difflib, platformdirs, pydantic = lazily("difflib"), lazily("platformdirs"), lazily("pydantic")

PREFIX = "PREDINET_PROLOG_"
DEFAULT_MODEL, SCENES_MODEL, CLEVR_MODEL = "relations-game", "scenes", "clevr"
"""The shipped models for boards and for pictures of any size. Where none is named, an image's own kind decides, and for
what is done without an image it is the first."""
Bytes = NewType("Bytes", int)
"""A number of bytes; users may write it with a unit."""


class _Listed(NamedTuple):
    """What each part of a setting that has several is like, and what is said of one that is not."""

    pattern: str
    fault: str


_TOKEN = _Listed(r"[A-Za-z0-9._~+/=-]{16,256}", "a token has 16 to 256 characters out of A-Z a-z 0-9 . _ ~ + / = -")
_ORIGIN = _Listed(
    r"https?://[^/?#\s]+", "an origin is http(s)://host or http(s)://host:port, without a path, not {value!r}"
)


def _setting(default: object, help: str, metavar: str = "N", *, parts: _Listed | None = None, **bounds: object) -> Any:
    """A setting: what it is, what its value is called on a command line, and its bounds, which pydantic checks."""
    secret = parts is _TOKEN
    about = {"help": help, "metavar": metavar, "parts": parts, "secret": secret, "bounds": bounds}
    return dataclasses.field(default=default, repr=not secret, metadata=about)


@dataclass(frozen=True)
class Settings:
    """Defaults of the command line's options, and all that the HTTP service can be told."""

    model: str | None = _setting(
        None,
        "Model that is used where none is named: a shipped one or a file; by default the one that suits the image.",
        "NAME|PATH",
        min_length=1,
    )
    time_limit: float = _setting(1.0, "Seconds a query may take.", "S", gt=0, le=600)
    answer_limit: int = _setting(1000, "Most answers a query gets.", ge=1, le=1_000_000)
    host: str = _setting("127.0.0.1", "Address the service listens on.", "H", min_length=1)
    port: int = _setting(8000, "Port the service listens on; 0: one that is free.", "P", ge=0, le=65535)
    workers: int = _setting(2, "Prolog processes of the service: queries run at once.", ge=1, le=64)
    waiting: int = _setting(64, "Most queries that wait for a free Prolog process.", ge=1, le=100_000)
    per_client: int = _setting(
        16, "Most queries, and most images, of one client at once, waiting or running.", ge=1, le=100_000
    )
    patience: float = _setting(
        5.0, "Seconds a query waits for a free Prolog process, and an image to be read.", "S", gt=0, le=600
    )
    learn_seconds: float = _setting(20.0, "Seconds a search for rules may take.", "S", gt=0, le=3600)
    max_upload: Bytes = _setting(Bytes(8 * 2**20), "Most bytes of a request with an image.", "BYTES", ge=1024, le=2**30)
    upload_seconds: float = _setting(
        20.0,
        "Seconds for a request's head to arrive, as many for its body, and as many for its answer to be taken.",
        "S",
        gt=0,
        le=3600,
    )
    data: Path | None = _setting(
        None, "Folder the scenes are kept in, made if need be; by default one among the account's own data.", "DIR"
    )
    store_bytes: Bytes = _setting(
        Bytes(2**30), "Most bytes of the scenes kept; the least recently used go first.", "BYTES", ge=2**20, le=2**50
    )
    store_bytes_per_client: Bytes = _setting(
        Bytes(64 * 2**20),
        "Most bytes of one client's scenes; its own least recently used go first.",
        "BYTES",
        ge=2**16,
        le=2**50,
    )
    store_days: float = _setting(30.0, "Days a scene is kept after it was last used.", "DAYS", gt=0, le=36_500)
    tokens: tuple[str, ...] = _setting(
        (),
        "Bearer tokens of 16 to 256 letters, digits and signs of `._~+/=-`, separated by commas, one of which each "
        "request must bring; by default anyone may ask.",
        parts=_TOKEN,
    )
    origins: tuple[str, ...] = _setting(
        (),
        "Origins, separated by commas, whose pages may use the service (CORS); by default none.",
        "ORIGINS",
        parts=_ORIGIN,
    )

    def data_folder(self) -> Path:
        """Where the scenes are kept. It need not exist yet."""
        if self.data is not None:
            return self.data.expanduser()
        return Path(platformdirs.user_data_path("predinet-prolog", appauthor=False))


def load_settings(names: Mapping[str, str] = MappingProxyType({}), /, **overrides: object) -> Settings:
    """The settings: `overrides` that are not None, else the environment, else the defaults.

    `names` are the options that overrides came from, where they are not called as `serve` calls them. Raises
    SettingsError that names the first value that is out of bounds, and where it came from.
    """
    environment = {name.upper(): value for name, value in os.environ.items()}
    chosen: dict[str, Any] = {}
    for field in dataclasses.fields(Settings):
        variable = f"{PREFIX}{field.name.upper()}"
        if (value := overrides.get(field.name)) is not None:
            source = names.get(field.name, _option(field.name))
        elif (value := environment.get(variable)) is not None:
            source = variable
        else:
            continue
        try:
            chosen[field.name] = _listed(field, value) if field.metadata["parts"] else _checked(field, value)
        except ValueError as error:
            raise SettingsError(f"{source}: {error}") from error
    return Settings(**chosen)


def _listed(field: "dataclasses.Field[Any]", value: Any) -> tuple[str, ...]:
    """The parts of a text, separated by commas or blanks. Raises ValueError for a part that is not as it has to be."""
    parts = tuple(re.findall(r"[^,\s]+", value) if isinstance(value, str) else value)
    for part in parts:
        if not re.fullmatch(field.metadata["parts"].pattern, part):
            raise ValueError(field.metadata["parts"].fault.format(value=part))
    return parts


def _checked(field: "dataclasses.Field[Any]", value: object) -> object:
    """The value as the setting's type. Raises ValueError for one of another type or out of bounds.

    Pydantic, which is slow to load, is asked only where something is set.
    """
    kind: Any = pydantic.ByteSize if field.type is Bytes else field.type
    try:
        return pydantic.TypeAdapter(Annotated[kind, pydantic.Field(**field.metadata["bounds"])]).validate_python(value)
    except pydantic.ValidationError as error:
        raise ValueError(f"{error.errors()[0]['msg']}, not {value!r}") from error


def unknown_variables() -> Iterator[tuple[str, str | None]]:
    """The environment variables that begin with PREFIX and set nothing, each with the nearest known one or None."""
    names = {field.name.upper(): f"{PREFIX}{field.name.upper()}" for field in dataclasses.fields(Settings)}
    for variable in sorted(os.environ):
        name = variable.upper().removeprefix(PREFIX)
        if variable.upper().startswith(PREFIX) and name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            yield variable, names[near[0]] if near else None


class Described(NamedTuple):
    """A setting as people read of it."""

    name: str
    variable: str
    """Its environment variable."""
    option: str | None
    """Its option of `serve`; None for a secret, which every process of the machine could read on a command line."""
    metavar: str
    """What the option's value is called."""
    bounds: str
    """Such as "1 to 64"; empty where there are none."""
    default: str
    """As it would be written; empty where there is none."""
    help: str


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def described() -> Iterator[Described]:
    """Every setting, in the table's order."""
    for field in dataclasses.fields(Settings):
        about, sized = field.metadata, field.type is Bytes
        limits = about["bounds"]
        least = f"more than {_written(limits['gt'], sized)}" if "gt" in limits else _written(limits.get("ge"), sized)
        yield Described(
            field.name,
            f"{PREFIX}{field.name.upper()}",
            None if about["secret"] else _option(field.name),
            about["metavar"],
            f"{least} to {_written(limits['le'], sized)}" if "le" in limits else "",
            _written(field.default, sized),
            about["help"],
        )


def _written(value: Any, sized: bool) -> str:
    """`value` as it would be written in the environment; bytes in the largest whole unit."""
    if value is None or value == ():
        return ""
    if sized:
        return in_units(value).replace(" ", "")
    return f"{value:g}" if isinstance(value, float) else str(value)


def in_units(size: int) -> str:
    """That many bytes, in the largest unit of which they are a whole number."""
    unit = max(exponent for exponent in range(6) if size % 1024**exponent == 0)
    return f"{size // 1024**unit} {('B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB')[unit]}"
