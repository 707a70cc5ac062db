"""Machines: what is simulated."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Union

from . import _heddle

Settings = Mapping[str, Any]


def setting_text(value: Any) -> str:
    """A value as machine files and `--set` write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def setting_words(settings: Optional[Settings]) -> List[str]:
    return [f"{key}={setting_text(value)}" for key, value in (settings or {}).items()]


def machines() -> List[str]:
    """Names of the machines that come with heddle."""
    return _heddle.machine_names()


def load_plugin(file: Union[str, "os.PathLike[str]"]) -> str:
    """Loads a plug-in with policies of its own (docs/plug-ins.md), here and in the runs that follow. Returns its name."""
    name, _, path = _heddle.load_plugin(os.fspath(file))
    loaded = [each for each in os.environ.get("HEDDLE_PLUGINS", "").split(":") if each]
    if path not in loaded:
        os.environ["HEDDLE_PLUGINS"] = ":".join([*loaded, path])
    return name


class Machine(Mapping[str, Any]):
    """A machine of heddle, or of a TOML file, with settings over it: a mapping of all parameters, by dotted key.

    Machines do not change; `changed` makes another one. Raises Error for names, keys and values that are wrong.
    """

    def __init__(self, name: Union[str, "os.PathLike[str]", None] = None, settings: Optional[Settings] = None) -> None:
        #: The shipped machine's name, or the file's path; what `heddle run -m` takes.
        self.source = os.fspath(name) if name is not None else _heddle.default_machine()
        #: The settings over it.
        self.settings: Dict[str, Any] = dict(settings or {})
        self._machine = _heddle.Machine(self.source, setting_words(self.settings))

    @classmethod
    def of(cls, machine: Union["Machine", str, "os.PathLike[str]", None], settings: Optional[Settings] = None) -> "Machine":
        """`machine`, or the one of this name or file, with settings over it."""
        if not isinstance(machine, Machine):
            return cls(machine, settings)
        return machine.changed(settings) if settings else machine

    def changed(self, settings: Settings) -> "Machine":
        """This machine with other values of some parameters."""
        return Machine(self.source, {**self.settings, **settings})

    @property
    def name(self) -> str:
        return self._machine.name

    @property
    def description(self) -> str:
        return self._machine.description

    def describe(self, key: str) -> Dict[str, Any]:
        """Value, origin, unit, range, meaning and source of a parameter."""
        return self._machine.describe(key)

    def to_toml(self) -> str:
        """The machine as a file to start from."""
        return self._machine.to_toml()

    def __getitem__(self, key: str) -> Any:
        return self._machine.get(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._machine.keys())

    def __len__(self) -> int:
        return len(self._machine.keys())

    def __repr__(self) -> str:
        return f"Machine({self.source!r}, {self.settings!r})" if self.settings else f"Machine({self.source!r})"
