# SPDX-License-Identifier: BSD-3-Clause
"""Settings under construction: a file, single keys, and what they amount to with environment and defaults."""

from __future__ import annotations

import os
from typing import Any, Mapping, Union

from ._abi import check, lib, new, written

Settings = Union["Config", Mapping[str, Any], str, "os.PathLike[str]", None]


def to_text(value: Any) -> str:
    """A Python value as the configuration writes it: true, 0.5, [a, b], ~ for None."""
    if value is None:
        return "~"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(to_text(item) for item in value) + "]"
    return repr(value) if isinstance(value, float) else str(value)


class Config:
    """Keys of headgate.yaml(5). A key that is set here wins over environment and file.

    >>> Config({"threads.max": 2, "routing.deterministic": True}).settings["threads.max"]
    '2'
    """

    def __init__(self, values: Mapping[str, Any] | None = None, path: str | os.PathLike[str] | None = None):
        self._handle = new(lib.hgate_config_new)
        if path is not None:
            self.load(path)
        for key, value in (values or {}).items():
            self.set(key, value)

    @classmethod
    def of(cls, settings: Settings) -> Config:
        """A Config itself, a mapping of keys, the path of a file, or None for environment and defaults."""
        if isinstance(settings, cls):
            return settings
        if settings is None or isinstance(settings, Mapping):
            return cls(settings)
        return cls(path=settings)

    def load(self, path: str | os.PathLike[str]) -> Config:
        """Reads a YAML file in place of the default one; all its errors come in one Error, with line and column."""
        check(lib.hgate_config_load(self._handle, os.fsencode(path)))
        return self

    def load_text(self, yaml: str, label: str = "<text>") -> Config:
        """The same from text; `label` stands for the file's name in messages."""
        data = yaml.encode()
        check(lib.hgate_config_load_text(self._handle, data, len(data), label.encode()))
        return self

    def set(self, key: str, value: Any) -> Config:
        """Sets one key. Numbers, booleans, None and lists are written as YAML has them."""
        check(lib.hgate_config_set(self._handle, key.encode(), to_text(value).encode()))
        return self

    def dump(self) -> str:
        """The effective settings as YAML, the origin of each value behind it; the text reads back the same."""
        return written(lib.hgate_config_dump, self._handle)

    @property
    def settings(self) -> dict[str, str]:
        """Every effective key with the text of its value."""
        return {key: value for key, (value, _) in self.origins.items()}

    @property
    def origins(self) -> dict[str, tuple[str, str]]:
        """Every effective key with the text of its value and where that came from ("default", "api", ...)."""
        found: dict[str, tuple[str, str]] = {}
        path: list[str] = []
        for line in self.dump().splitlines():
            word, _, rest = line.strip().partition(":")
            depth = (len(line) - len(line.lstrip())) // 2
            path[depth:] = [word]
            if rest:
                value, _, origin = rest.strip().partition("  # ")
                found[".".join(path)] = (value, origin)
        return found

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.hgate_config_free(self._handle)
            self._handle = None
