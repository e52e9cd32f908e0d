# SPDX-License-Identifier: BSD-3-Clause
"""New arrays in the framework, and on the device, of an array that was given."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable

_LONG = {"f": "float", "c": "complex", "i": "int"}


def dtype_name(word: str) -> str:
    """"c64" to "complex64": what every framework calls it."""
    return f"{_LONG[word[0]]}{word[1:]}"


def _numpy(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return sys.modules["numpy"].empty(shape, dtype)


def _cupy(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    cupy = sys.modules["cupy"]
    with like.device:
        return cupy.empty(shape, dtype)


def _torch(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return like.new_empty(shape, dtype=getattr(sys.modules["torch"], dtype))


def _numba(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return importlib.import_module("numba.cuda").device_array(shape, dtype)


def _standard(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """Any framework that follows the array API standard."""
    namespace = like.__array_namespace__()
    return namespace.empty(shape, dtype=getattr(namespace, dtype), device=like.device)


_MAKERS: dict[str, Callable[[Any, tuple[int, ...], str], Any]] = {
    "numpy": _numpy, "cupy": _cupy, "torch": _torch, "numba": _numba,
}


def empty_like_of(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """An array of a shape and a dtype word ("c64"), uninitialized, where `like` is."""
    for base in type(like).__mro__:  # a subclass of ndarray is of NumPy wherever it was written
        maker = _MAKERS.get(base.__module__.partition(".")[0])
        if maker is not None:
            return maker(like, shape, dtype_name(dtype))
    if hasattr(like, "__array_namespace__"):
        return _standard(like, shape, dtype_name(dtype))
    raise TypeError(f"{type(like).__name__} cannot make arrays; pass out=")
