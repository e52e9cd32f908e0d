# SPDX-License-Identifier: BSD-3-Clause
"""The engine: plugins and settings, frozen at open, and the operations as its methods."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any, Callable

from . import _find
from ._abi import FAMILY_PARAMS, check, decoded, lib, new
from ._structs import DESCRIBE, LOG, KernelInfo, Options, PluginInfo
from ._draft import default_params
from .config import Config, Settings
from .curvature import CurvatureOperations
from .emi import EmiOperations
from .errors import Error, Status
from .exec import Exec
from .groups import GroupOperations
from .kirchhoff import KirchhoffOperations
from .trace import Trace
from .visibility import VisibilityOperations

Log = Callable[[int, str, str], None]
"""log(level, component, text): level 1 error, 2 warning, 3 info, 4 debug, 5 trace. From any thread."""


@dataclass(frozen=True)
class Plugin:
    """A plugin file and what became of it."""

    name: str | None
    path: str | None
    version: str | None
    license: str | None
    description: str | None
    status: str
    """"usable", or why not: "unavailable", "load_failed", "permission", ..."""
    reason: str
    n_kernels: int
    facts: dict[str, str] = field(default_factory=dict)
    """Devices, limits and libraries as a usable plugin tells them."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of an operation; masks as in headgate/plugin.h."""

    plugin: str
    name: str
    dtypes: int
    spaces: int
    flags: int


class Engine(CurvatureOperations, EmiOperations, VisibilityOperations, KirchhoffOperations, GroupOperations):
    """Plugins and settings; never changes after it is open. Any number of threads may call with it.

    settings: a Config, a mapping of keys, the path of a YAML file, or None for environment and defaults.
    log: gets the library's lines; None: nothing is written anywhere.

    >>> with Engine() as engine:
    ...     V = engine.visibility_gram(Z)
    ...     print(engine.last_trace)
    """

    def __init__(self, settings: Settings = None, *, log: Log | None = None):
        self._children: weakref.WeakSet[Any] = weakref.WeakSet()
        self._local = threading.local()
        config = self._with_tree_plugins(Config.of(settings))
        self.settings: dict[str, str] = config.settings
        """Every key in force with the text of its value."""
        options = Options()
        check(lib.hgate_options_init(byref(options)))
        options.config = config._handle
        self._log = LOG(self._decoded_log(log)) if log is not None else LOG()
        options.log = self._log
        self._handle = new(lib.hgate_open, byref(options))
        self._defaults = {
            family: default_params(self.settings, family, kind) for family, kind in FAMILY_PARAMS.items()
        }

    @staticmethod
    def _with_tree_plugins(config: Config) -> Config:
        folder = _find.tree_plugins(lib)
        is_told = "HEADGATE_PLUGIN_PATH" in os.environ or config.origins["plugins.path"][1] != "default"
        return config if folder is None or is_told else config.set("plugins.path", [folder])

    @staticmethod
    def _decoded_log(log: Log):
        return lambda _user, level, component, text: log(level, decoded(component), decoded(text))

    def _open_handle(self) -> Any:
        if self._handle is None:
            raise Error(Status.ESTATE, "the engine is closed")
        return self._handle

    def _new_params(self, family: str) -> ctypes.Structure:
        return type(self._defaults[family]).from_buffer_copy(self._defaults[family])

    def _thread_exec(self) -> Exec:
        exec = getattr(self._local, "exec", None)
        if exec is None:
            self._open_handle()
            exec = self._local.exec = Exec(self)
        return exec

    @property
    def last_trace(self) -> Trace:
        """Decision and run of this thread's last call without an Exec of its own."""
        return self._thread_exec().last_trace

    @property
    def plugins(self) -> list[Plugin]:
        """Every plugin file that was found, usable or not."""
        return [self._plugin(i) for i in range(lib.hgate_plugin_count(self._open_handle()))]

    def _plugin(self, i: int) -> Plugin:
        info, facts = PluginInfo(), {}
        check(lib.hgate_plugin_get(self._handle, i, byref(info)))
        if info.status == 0:
            row = DESCRIBE(lambda _user, key, value: facts.__setitem__(decoded(key), decoded(value)))
            check(lib.hgate_plugin_describe(self._handle, i, row, None))
        words = [decoded(getattr(info, name)) for name in ("name", "path", "version", "license", "description")]
        return Plugin(*words, decoded(info.status_name), decoded(info.reason), info.n_kernels, facts)

    def kernels(self, op: str) -> list[Kernel]:
        """Kernels of an operation ("visibility_gram") in the order in which ties are broken."""
        number = lib.hgate_op_find(op.encode())
        if number < 0:
            raise Error(Status.EINVAL, f"op: '{op}' is unknown")
        found = []
        for i in range(lib.hgate_kernel_count(self._open_handle(), number)):
            info = KernelInfo()
            check(lib.hgate_kernel_get(self._handle, number, i, byref(info)))
            found.append(Kernel(decoded(info.plugin), decoded(info.name), info.dtypes, info.spaces, info.flags))
        return found

    def close(self) -> None:
        """Frees the engine, its plans and contexts; no call may be running. Closing twice is fine."""
        handle, self._handle = self._handle, None
        if handle is not None:
            for child in list(self._children):
                if child._handle:
                    child.close()
            lib.hgate_close(handle)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()
