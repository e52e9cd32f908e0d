# SPDX-License-Identifier: BSD-3-Clause
"""The draft of one call: arrays, params and outputs by the names of the C function, ready to be sent in any form."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import TYPE_CHECKING, Any, Iterable

from . import _tensors
from ._abi import EXPLAIN, FAMILIES, OPERATIONS, PLAN, check, function_name, lib, new
from ._outputs import empty_like_of
from ._structs import DLTensor
from ._tensors import View
from .errors import Error, Status

if TYPE_CHECKING:
    from .engine import Engine
    from .exec import Exec

Array = Any
"""Anything with __dlpack__ or __cuda_array_interface__, row-major."""

# Words of the choices, in the order of their numbers.
CHOICES = {
    "rule": "adaptive fixed none",
    "fallback": "none evd",
    "convention": "zzh conj pairs_matvis",
    "az_mode": "clamp periodic",
    "tau_mode": "auto direct reduced wide",
    "matprod": "auto herk gemm gemm3m herk3 zherk fp16x3 tf32x3 dot",
    "offset_taper": "apply unit",
    "check": "none values full",
}
REAL_OF = {"c64": "f32", "c128": "f64"}
COMPLEX_OF = {"f32": "c64", "f64": "c128"}


def number_of(name: str, value: Any) -> Any:
    """A choice's word as its number; other values as they are."""
    if not isinstance(value, str):
        return value
    words = CHOICES.get(name, "").split()
    if value not in words:
        expected = f"one of {', '.join(words)}" if words else "a number"
        raise Error(Status.EINVAL, f"{name}: '{value}' is unknown, expected {expected}")
    return words.index(value)


def default_params(settings: dict[str, str], family: str, kind: type[ctypes.Structure]) -> ctypes.Structure:
    """A params struct as the library and the engine's settings preset it; auto is left to the library."""
    params = kind()
    check(getattr(lib, f"hgate_{family}_params_init")(byref(params)))
    for name, *_ in kind._fields_:
        text = settings.get(f"ops.{family}.{name}", "auto")
        if text != "auto":
            value = CHOICES[name].split().index(text) if name in CHOICES else float(text)
            setattr(params, name, value)
    return params


class Draft:
    """The arguments of one call, by the names of the C function, and what keeps them alive."""

    def __init__(self, engine: Engine, op: str, form: str, exec: Exec | None, out: Any):
        self.engine, self.op, self.form = engine, op, form
        self._exec = exec
        self._given = list(out) if isinstance(out, (tuple, list)) else [out]
        self._picks = isinstance(out, (tuple, list))  # None in a tuple: that optional output is not wanted
        self._values: dict[str, Any] = {}
        self._kept: list[Any] = []
        self._first: View | None = None
        self._stream: int | None = None
        self.results: list[Any] = []

    # -- inputs --

    def view(self, name: str, array: Array | None) -> View:
        """A look at an input; None gives a shapeless one, which the library refuses where it is required."""
        if array is None:
            return View(DLTensor())
        if self._stream is None:
            wanted = _tensors.current_stream(array)
            if wanted is not None:
                fixed = self._exec.stream if self._exec is not None else None
                self._stream = wanted if fixed is None else fixed
        seen = _tensors.view(name, array, self._stream)
        self._kept.append(seen)
        if self._first is None or (seen.is_on_device and not self._first.is_on_device):
            self._first = seen
        return seen

    def array(self, name: str, array: Array | None) -> View:
        """An array argument of the C function."""
        seen = self.view(name, array)
        self._values[name] = None if array is None else ctypes.pointer(seen.tensor)
        return seen

    def struct(self, name: str, arrays: dict[str, Array | None], **numbers: Any) -> dict[str, View]:
        """A struct argument of arrays and numbers."""
        made = next(a.struct for a in OPERATIONS[self.op] if a.name == name)()
        for word, value in numbers.items():
            setattr(made, word, value)
        views = {}
        for word, array in arrays.items():
            views[word] = self.view(word, array)
            if array is not None:
                setattr(made, word, ctypes.pointer(views[word].tensor))
        self._values[name] = ctypes.pointer(made)
        return views

    def scalars(self, **numbers: Any) -> None:
        """Scalar arguments of the C function."""
        self._values.update(numbers)

    def params(self, **given: Any) -> None:
        """The params struct; without a given value the library takes the engine's settings alone."""
        wanted = {name: value for name, value in given.items() if value is not None}
        if not wanted:
            self._values["params"] = None
            return
        params = self.engine._new_params(FAMILIES[self.op])
        for name, value in wanted.items():
            kind = dict((f[0], f[1]) for f in params._fields_)[name]
            value = number_of(name, value)
            try:
                setattr(params, name, kind(*value) if isinstance(value, (tuple, list)) else value)
            except TypeError:
                setattr(params, name, int(value))  # bool, and integers of NumPy
            if isinstance(getattr(params, name), int) and getattr(params, name) != value:
                raise Error(Status.EVALUE, f"{name}: {value} does not fit its type")
        self._values["params"] = ctypes.pointer(params)

    # -- outputs --

    def output(self, name: str, shape: Iterable[int], dtype: str, optional: bool = False, beta: Any = 0) -> None:
        """The next output: the caller's array, or a new one; plans and explain need its shape only."""
        i = len(self.results)
        given = self._given[i] if i < len(self._given) else None
        if given is not None:
            seen = _tensors.view(name, given, self._stream, is_output=True)
        elif optional and self._picks:
            self._values[name] = None
            self.results.append(None)
            return
        elif self.form in (PLAN, EXPLAIN):
            first = self._first.tensor if self._first else None
            device = (first.device_type, first.device_id) if first else (_tensors.CPU, 0)
            seen = _tensors.blank(tuple(shape), dtype, device)
        elif beta:
            raise Error(Status.EINVAL, f"{name}: beta is {beta}, so pass the array that it scales as out=")
        elif self._first is None:
            self._values[name] = None  # nothing was given at all; the library says what is missing
            self.results.append(None)
            return
        else:
            seen = _tensors.view(
                name, empty_like_of(self._first.array, tuple(shape), dtype), self._stream, is_output=True
            )
        self._kept.append(seen)
        self._values[name] = ctypes.pointer(seen.tensor)
        self.results.append(seen.array)

    # -- forms --

    def send(self, handle: Any) -> Any:
        """Calls the C function of the form; returns what it makes (plan, trace), else None."""
        exec = self._exec if self._exec is not None else self.engine._thread_exec()
        if self._stream is not None and self._first is not None:
            exec._use_stream(self._first.tensor.device_id, self._stream)
        arguments = [self._values[a.name] for a in OPERATIONS[self.op] if self.form in a.forms]
        function = getattr(lib, function_name(self.op, self.form))
        try:
            if self.form in (PLAN, EXPLAIN):
                return new(function, handle, exec._handle, *arguments)
            return check(function(handle, exec._handle, *arguments))
        except Error:
            exec._raise_what_was_raised()
            raise
