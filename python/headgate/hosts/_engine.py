# SPDX-License-Identifier: BSD-3-Clause
"""The engines that adapters use when the caller gives none: opened at first use, one for each set of settings."""

from __future__ import annotations

import os
import threading
from typing import Any, Mapping

from ..engine import Engine

_engines: dict[tuple, Engine] = {}
_lock = threading.Lock()


def _renew_lock() -> None:
    """Another thread of the parent may have held it while the child was made."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


def shared(settings: Mapping[str, Any] | None = None) -> Engine:
    """An engine that lives as long as the process; children of a fork use their parent's."""
    key = tuple(sorted((settings or {}).items()))
    with _lock:
        if key not in _engines:
            _engines[key] = Engine(settings)
        return _engines[key]
