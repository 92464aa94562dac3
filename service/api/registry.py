"""The models that the service offers, each loaded once."""

import threading
from pathlib import Path

from neural import Model, ModelNotFoundError, load_model, shipped_models


class ModelRegistry:
    """The shipped models and the default one, which may be a file. Clients name models, never files."""

    def __init__(self, default: str) -> None:
        self._sources: dict[str, str | Path] = dict(shipped_models())
        # A default that is a file is offered by the file's name.
        self._default = default if default in self._sources else Path(default).stem
        self._sources[self._default] = default
        self._loaded: dict[str, Model] = {}
        self._lock = threading.Lock()

    def get(self, name: str | None) -> Model:
        """The model of that name, or the default. Raises ModelNotFoundError that lists the known ones."""
        chosen = name or self._default
        if chosen not in self._sources:
            raise ModelNotFoundError(f"no model {chosen}: the service has {', '.join(self._sources)}")
        if chosen not in self._loaded:  # a lock that is held while a model loads is not for the event loop
            with self._lock:
                if chosen not in self._loaded:
                    self._loaded[chosen] = load_model(self._sources[chosen])
        return self._loaded[chosen]

    def all(self) -> list[tuple[Model, bool]]:
        """Every model, and whether it is the default."""
        return [(self.get(name), name == self._default) for name in self._sources]
