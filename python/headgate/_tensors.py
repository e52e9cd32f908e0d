# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any framework as DLTensor: borrowed through __dlpack__, __cuda_array_interface__ or __array_interface__.

A borrowed look leaves the capsule's name alone, so that the producer's own destructor frees it; the View keeps the
capsule alive until the call has been enqueued.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from ._structs import DLTensor

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_LETTERS = {code: letter for letter, code in _CODES.items()}
_READ_ONLY = 1  # bit of the flags of a versioned capsule
_LEGACY_STREAM = 1  # DLPack's number of the stream that CUDA calls 0

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_capsule_is = ctypes.pythonapi.PyCapsule_IsValid
_capsule_is.restype, _capsule_is.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]


class _VersionedTensor(ctypes.Structure):
    """DLManagedTensorVersioned of DLPack 1.x; the unversioned one starts with the tensor itself."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", DLTensor),
    ]


class View:
    """A DLTensor, what keeps its memory alive, and the array that it shows (None for a shape alone)."""

    __slots__ = ("tensor", "owner", "array", "_numbers")

    def __init__(self, tensor: DLTensor, owner: Any = None, array: Any = None, numbers: Any = None):
        self.tensor, self.owner, self.array, self._numbers = tensor, owner, array, numbers

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tensor.shape[i] for i in range(self.tensor.ndim))

    @property
    def dtype(self) -> str:
        """"f32", "c128", "i64": the words of the documentation."""
        return f"{_LETTERS.get(self.tensor.code, '?')}{self.tensor.bits}"

    @property
    def is_on_device(self) -> bool:
        return self.tensor.device_type in (CUDA, CUDA_MANAGED)

    def dim(self, axis: int) -> int:
        """Length of an axis; 0 where there is no such axis, which the library then refuses by name."""
        shape = self.shape
        return shape[axis] if -len(shape) <= axis < len(shape) else 0


def blank(shape: tuple[int, ...], dtype: str, device: tuple[int, int], data: int | None = None) -> View:
    """A row-major tensor; without data it is the shape alone, as plans and explain take it."""
    numbers = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tensor = DLTensor(
        data, device[0], device[1], len(shape), _CODES[dtype[0]], int(dtype[1:]), 1,
        ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64)), None, 0,
    )
    return View(tensor, numbers=numbers)


# ---- DLPack --------------------------------------------------------------------------------------


def _ask(array: Any, stream: int | None) -> Any:
    """The capsule; versioned where the producer knows how, since only that one may be read-only."""
    words = {} if stream is None else {"stream": stream}
    try:
        return array.__dlpack__(**words, max_version=(1, 0))
    except TypeError:  # a producer older than max_version
        return array.__dlpack__(**words)


def _from_capsule(name: str, capsule: Any, is_output: bool) -> View:
    if _capsule_is(capsule, b"dltensor_versioned"):
        managed = _VersionedTensor.from_address(_capsule_pointer(capsule, b"dltensor_versioned"))
        if managed.major > 1:
            raise BufferError(f"{name}: exported by DLPack {managed.major}.{managed.minor}, 1.x is understood")
        if is_output and managed.flags & _READ_ONLY:
            raise ValueError(f"{name}: is read-only, but the call writes it")
        tensor = managed.tensor
    elif _capsule_is(capsule, b"dltensor"):
        tensor = DLTensor.from_address(_capsule_pointer(capsule, b"dltensor"))
    else:
        raise BufferError(f"{name}: __dlpack__ returned no unused capsule")
    return View(tensor, owner=capsule)


# ---- interfaces of plain dictionaries ------------------------------------------------------------


def _from_interface(name: str, interface: dict, device: tuple[int, int], is_output: bool) -> View:
    address, is_read_only = interface["data"]
    kind, size = interface["typestr"][1], int(interface["typestr"][2:])
    swapped = "<" if sys.byteorder == "big" else ">"
    if interface["typestr"][0] == swapped or kind not in _CODES or interface.get("mask") is not None:
        raise BufferError(f"{name}: type {interface['typestr']} cannot be passed on")
    if is_output and is_read_only:
        raise ValueError(f"{name}: is read-only, but the call writes it")
    view = blank(interface["shape"], f"{kind}{8 * size}", device, address or None)
    if interface.get("strides") is not None:
        view.owner = (ctypes.c_int64 * len(interface["shape"]))(*(s // size for s in interface["strides"]))
        view.tensor.strides = ctypes.cast(view.owner, ctypes.POINTER(ctypes.c_int64))
    return view


def _cuda_device_of(array: Any, address: int) -> int:
    """Device of a __cuda_array_interface__, which does not tell: asked of the array, or of CuPy where that is loaded."""
    memory = getattr(array, "gpu_data", None)  # of numba-cuda
    if memory is not None:
        return int(memory.context.device.id)
    cupy = sys.modules.get("cupy")
    return int(cupy.cuda.runtime.pointerGetAttributes(address).device) if cupy is not None and address else 0


# ---- all of them ---------------------------------------------------------------------------------


def view(name: str, array: Any, stream: int | None = None, is_output: bool = False) -> View:
    """A look at an array; `stream` is the address of the CUDA stream that the call works on (0: legacy default).

    Raises TypeError for what is no array, BufferError for one that its framework does not hand out, ValueError for a
    read-only output.
    """
    if hasattr(array, "__dlpack__"):
        device_type = int(array.__dlpack_device__()[0])
        number = (stream or _LEGACY_STREAM) if device_type in (CUDA, CUDA_MANAGED) else None
        try:
            seen = _from_capsule(name, _ask(array, number), is_output)
        except (BufferError, RuntimeError, TypeError) as error:
            interface = getattr(array, "__array_interface__", None)
            if device_type != CPU or interface is None or not interface["data"][1]:
                raise BufferError(f"{name}: {error}") from error
            seen = _from_interface(name, interface, (CPU, 0), is_output)  # read-only, from a NumPy before 2.1
    elif hasattr(array, "__cuda_array_interface__"):
        interface = array.__cuda_array_interface__
        produced_on = interface.get("stream")
        if produced_on is not None and produced_on not in (stream or 0, stream or _LEGACY_STREAM):
            raise BufferError(
                f"{name}: was produced on stream {produced_on:#x} and the call works on {stream or 0:#x}; "
                "synchronize it, or pass exec=Exec(engine, stream=...)"
            )
        device = (CUDA, _cuda_device_of(array, interface["data"][0]))
        seen = _from_interface(name, interface, device, is_output)
    else:
        raise TypeError(f"{name}: {type(array).__name__} is no array (no __dlpack__, no __cuda_array_interface__)")
    seen.array = array
    return seen


def current_stream(array: Any) -> int | None:
    """Address of the stream that an array's framework works on; None for host arrays."""
    module = type(array).__module__.partition(".")[0]
    if hasattr(array, "__dlpack_device__"):
        device_type, device_id = (int(x) for x in array.__dlpack_device__())
        if device_type not in (CUDA, CUDA_MANAGED):
            return None
        if module == "cupy":
            return int(sys.modules["cupy"].cuda.get_current_stream(device_id).ptr)
        if module == "torch":
            return int(sys.modules["torch"].cuda.current_stream(device_id).cuda_stream)
        return int(getattr(array, "current_stream", 0))
    if hasattr(array, "__cuda_array_interface__"):
        return int(array.__cuda_array_interface__.get("stream") or 0)
    return None
