# SPDX-License-Identifier: BSD-3-Clause
"""Where libheadgate.so is: HEADGATE_LIBRARY, the loader's search, or the build that the package was installed from."""

from __future__ import annotations

import ctypes
import os

LOADER_NAME = "libheadgate.so.{}"
SONAMES = (0, 1, 2)  # newest last; the version check decides whether one fits


def _from_environment() -> ctypes.CDLL | None:
    path = os.environ.get("HEADGATE_LIBRARY")
    return ctypes.CDLL(path) if path else None


def _from_loader() -> ctypes.CDLL | None:
    for name in [LOADER_NAME.format(n) for n in SONAMES] + ["libheadgate.so"]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def _from_tree() -> ctypes.CDLL | None:
    """setup.py writes _tree.py when the source tree has a build beside it."""
    try:
        from . import _tree
    except ImportError:
        return None
    return ctypes.CDLL(_tree.LIBRARY) if os.path.exists(_tree.LIBRARY) else None


def tree_plugins(library: ctypes.CDLL) -> str | None:
    """Folder of the plugins of a library that was not installed; None where the library knows its own."""
    try:
        from . import _tree
    except ImportError:
        return None
    return _tree.PLUGINS if library._name == _tree.LIBRARY else None


def load() -> ctypes.CDLL:
    """Loads the library with RTLD_LOCAL, as ctypes does; plugins never look for its symbols.

    Raises ImportError with what to do where there is none; OSError of a wrong HEADGATE_LIBRARY passes.
    """
    for source in (_from_environment, _from_loader, _from_tree):
        library = source()
        if library is not None:
            return library
    raise ImportError(
        "libheadgate.so was not found: install Headgate (make install, then ldconfig), "
        "or set HEADGATE_LIBRARY to the file"
    )
