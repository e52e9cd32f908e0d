# SPDX-License-Identifier: BSD-3-Clause
"""One engine for a process, whoever asks first: for functions that a scheduler calls from threads and forked workers."""

from __future__ import annotations

import os
import threading
from typing import Any, Mapping

from .engine import Engine

_engines: dict[tuple, Engine] = {}
_lock = threading.Lock()


def _renew_lock() -> None:
    """Another thread of the parent may have held it while the child was made."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


def shared_engine(settings: Mapping[str, Any] | None = None) -> Engine:
    """The process's engine for these settings: opened by the first call, there until the end, for all threads.

    A child made by fork has its parent's, which computes on the processor with one thread there; device arrays are refused in
    it. A spawned process opens its own. Nobody else's settings are in it, so do not close it; one that was closed is opened
    anew. The settings are keys ("threads.max"), None those of environment and defaults.
    """
    key = tuple(sorted((name, repr(value)) for name, value in (settings or {}).items()))
    with _lock:
        engine = _engines.get(key)
        if engine is None or engine._handle is None:
            engine = _engines[key] = Engine(settings)
        return engine
