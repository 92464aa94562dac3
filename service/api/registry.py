"""The models that the service offers, each loaded once."""

from pathlib import Path

from predinet_prolog.neural import ModelNotFoundError, shipped_models
from predinet_prolog.neural.model import Model
from predinet_prolog.service.pipeline import choose, open_model
from predinet_prolog.service.readings import Readings
from predinet_prolog.service.settings import DEFAULT_MODEL, SCENES_MODEL


class ModelRegistry:
    """The shipped models and the default one, which may be a file; where there is none (None), the image decides.
    Clients name models, never files."""

    def __init__(self, default: str | None) -> None:
        self._sources: dict[str, str | Path] = dict(shipped_models())
        self._default = default
        if default is not None and default not in self._sources:
            self._default = Path(default).stem  # a default that is a file is offered by the file's name
            self._sources[self._default] = default

    def get(self, name: str | None) -> Model:
        """The model of that name, or the one used without an image. Raises ModelNotFoundError, which lists them."""
        chosen = name or self._default or DEFAULT_MODEL
        if chosen not in self._sources:
            raise ModelNotFoundError(f"no model {chosen}: the service has {', '.join(self._sources)}")
        return open_model(self._sources[chosen])

    def choose(self, name: str | None, image: Readings, *, boxes: bool) -> Model:
        """The model to see the image with: that of the name, or the default, or the one that suits the image. Where
        boxes come with it, that is one which takes them."""
        return self.get(name or self._default or (SCENES_MODEL if boxes else choose(image)))

    def all(self) -> list[tuple[Model, bool]]:
        """Every model, and whether it is the default; one of those that images decide between is not."""
        return [(self.get(name), name == self._default) for name in self._sources]
