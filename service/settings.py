"""Settings in one table.

Each can be set by an environment variable, PREDINET_PROLOG_ and its name in capitals, and all but the secret ones by
an option of `predinet-prolog serve`. The options and docs/settings.md are made from this table.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import annotated_types
from pydantic import AfterValidator, BeforeValidator, ByteSize, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from service.errors import SettingsError

PREFIX = "PREDINET_PROLOG_"


def _field(default: object, help: str, *, metavar: str = "N", **bounds: object) -> Any:
    """A setting: what it is, what its value is called on a command line, and its bounds."""
    return Field(default, description=help, json_schema_extra={"metavar": metavar}, **bounds)  # type: ignore[call-overload]


def _separated(value: object) -> object:
    """The parts of a text, separated by commas or blanks."""
    return re.findall(r"[^,\s]+", value) if isinstance(value, str) else value


_SEVERAL = BeforeValidator(_separated)


def _token(token: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[A-Za-z0-9._~+/=-]{16,256}", token.get_secret_value()):
        raise ValueError("a token has 16 to 256 characters out of A-Z a-z 0-9 . _ ~ + / = -")
    return token


def _origin(origin: str) -> str:
    if not re.fullmatch(r"https?://[^/?#\s]+", origin):
        raise ValueError(f"an origin is http(s)://host or http(s)://host:port, without a path, not {origin!r}")
    return origin


class Settings(BaseSettings):
    """Defaults of the command line's options, and all that the HTTP service can be told."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    model: str = _field(
        "relations-game",
        "Model that is used where none is named: a shipped one or a file.",
        metavar="NAME|PATH",
        min_length=1,
    )
    time_limit: float = _field(1.0, "Seconds a query may take.", metavar="S", gt=0, le=600)
    answer_limit: int = _field(1000, "Most answers a query gets.", ge=1, le=1_000_000)
    host: str = _field("127.0.0.1", "Address the service listens on.", metavar="H", min_length=1)
    port: int = _field(8000, "Port the service listens on; 0: one that is free.", metavar="P", ge=0, le=65535)
    workers: int = _field(2, "Prolog processes of the service: queries run at once.", ge=1, le=64)
    waiting: int = _field(64, "Most queries that wait for a free Prolog process.", ge=1, le=100_000)
    per_client: int = _field(
        16, "Most queries, and most images, of one client at once, waiting or running.", ge=1, le=100_000
    )
    patience: float = _field(
        5.0, "Seconds a query waits for a free Prolog process, and an image to be read.", metavar="S", gt=0, le=600
    )
    max_upload: ByteSize = _field(
        ByteSize(8 * 2**20), "Most bytes of a request with an image.", metavar="BYTES", ge=1024, le=2**30
    )
    upload_seconds: float = _field(
        20.0,
        "Seconds for a request's head to arrive, as many for its body, and as many for its answer to be taken.",
        metavar="S",
        gt=0,
        le=3600,
    )
    data: Path | None = _field(
        None,
        "Folder the scenes are kept in, made if need be; by default one among the account's own data.",
        metavar="DIR",
    )
    store_bytes: ByteSize = _field(
        ByteSize(2**30),
        "Most bytes of the scenes kept; the least recently used go first.",
        metavar="BYTES",
        ge=2**20,
        le=2**50,
    )
    store_bytes_per_client: ByteSize = _field(
        ByteSize(64 * 2**20),
        "Most bytes of one client's scenes; its own least recently used go first.",
        metavar="BYTES",
        ge=2**16,
        le=2**50,
    )
    store_days: float = _field(30.0, "Days a scene is kept after it was last used.", metavar="DAYS", gt=0, le=36_500)
    tokens: Annotated[tuple[Annotated[SecretStr, AfterValidator(_token)], ...], NoDecode, _SEVERAL] = _field(
        (),
        "Bearer tokens of 16 to 256 letters, digits and signs of `._~+/=-`, separated by commas, one of which each "
        "request must bring; by default anyone may ask.",
    )
    origins: Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, _SEVERAL] = _field(
        (), "Origins, separated by commas, whose pages may use the service (CORS); by default none.", metavar="ORIGINS"
    )

    def data_folder(self) -> Path:
        """Where the scenes are kept. It need not exist yet."""
        return (self.data or _platform_data_folder()).expanduser()


def load_settings(names: Mapping[str, str] = MappingProxyType({}), /, **overrides: object) -> Settings:
    """The settings: `overrides` that are not None, else the environment, else the defaults.

    `names` are the options that overrides came from, where they are not called as `serve` calls them. Raises
    SettingsError that names the first value that is out of bounds, and where it came from.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0])
        source = names.get(name, _option(name)) if name in given else f"{PREFIX}{name.upper()}"
        # pydantic's own messages do not show the value, and those of the checks above do where they may.
        value = "" if fault["type"] == "value_error" or _secret(name) else f", not {fault['input']!r}"
        raise SettingsError(f"{source}: {fault['msg'].removeprefix('Value error, ')}{value}") from error


def unknown_variables() -> Iterator[tuple[str, str | None]]:
    """The environment variables that begin with PREFIX and set nothing, each with the known one nearest to it; None if
    none is near."""
    known = {name.upper(): f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    for variable in sorted(os.environ):
        name = variable.upper().removeprefix(PREFIX)
        if variable.upper().startswith(PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1)
            yield variable, known[near[0]] if near else None


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
    for name, field in Settings.model_fields.items():
        yield Described(
            name,
            f"{PREFIX}{name.upper()}",
            None if _secret(name) else _option(name),
            _metavar(field),
            _bounds(field),
            _written(field.default),
            field.description or "",
        )


def _secret(name: str) -> bool:
    return "SecretStr" in str(Settings.model_fields[name].annotation)


def _metavar(field: FieldInfo) -> str:
    assert isinstance(field.json_schema_extra, dict)
    return str(field.json_schema_extra["metavar"])


def _bounds(field: FieldInfo) -> str:
    least = most = ""
    for bound in field.metadata:
        match bound:
            case annotated_types.Ge(ge=value):
                least = f"{_written(value, field)}"
            case annotated_types.Gt(gt=value):
                least = f"more than {_written(value, field)}"
            case annotated_types.Le(le=value):
                most = f"{_written(value, field)}"
    return f"{least} to {most}" if least and most else ""


def _written(value: object, field: FieldInfo | None = None) -> str:
    """`value` as it would be written in the environment; bytes in the largest whole unit."""
    if value is None or value == ():
        return ""
    if isinstance(value, ByteSize) or (field is not None and field.annotation is ByteSize):
        assert isinstance(value, int)
        return ByteSize(value).human_readable(decimal=False, separator="").replace(".0", "")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _platform_data_folder() -> Path:
    """The account's folder for this program's data, as the platform has it."""
    match sys.platform:
        case "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or "~/AppData/Local")
        case "darwin":
            base = Path("~/Library/Application Support")
        case _:
            # The specification has relative paths ignored.
            named = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share")
            base = named if named.is_absolute() else Path("~/.local/share")
    return base / "predinet-prolog"
