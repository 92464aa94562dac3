"""Settings in one table. Each can be set by an environment variable: PREDINET_PROLOG_ and its name in capitals."""

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.errors import SettingsError

PREFIX = "PREDINET_PROLOG_"


class Settings(BaseSettings):
    """Defaults of the command line's options, and all that the HTTP service can be told."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    model: str = Field("relations-game", description="Model that is used where none is named: a shipped one or a file.")
    time_limit: float = Field(1.0, gt=0, le=600, description="Seconds a query may take.")
    answer_limit: int = Field(1000, ge=1, le=1_000_000, description="Most answers a query gets.")
    host: str = Field("127.0.0.1", min_length=1, description="Address the service listens on.")
    port: int = Field(8000, ge=1, le=65535, description="Port the service listens on.")
    workers: int = Field(2, ge=1, le=64, description="Prolog processes of the service: queries run at once.")
    patience: float = Field(5.0, gt=0, le=600, description="Seconds a request waits for a free Prolog process.")
    max_upload: int = Field(8 * 2**20, ge=1024, description="Most bytes of a request to the service.")


def load_settings(**overrides: object) -> Settings:
    """The settings: `overrides` that are not None, else the environment, else the defaults.

    Raises SettingsError that names the first value that is out of bounds.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0])
        source = name.replace("_", " ") if name in given else f"{PREFIX}{name.upper()}"
        raise SettingsError(f"{source}: {fault['msg']}, not {fault['input']!r}") from error
