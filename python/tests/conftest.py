# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: an engine, random arrays, and a framework of its own that counts what it hands out."""

import ctypes

import numpy as np
import pytest

import headgate
from headgate._structs import DLTensor
from headgate._tensors import _VersionedTensor


@pytest.fixture
def engine():
    with headgate.Engine() as made:
        yield made


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def complex_normal(rng, shape, dtype="complex64"):
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid


class Producer:
    """A framework of one array: exports host memory as memory of any device, and counts capsules made and freed."""

    def __init__(self, array, device=(1, 0), versioned=True, flags=0, current_stream=0, major=1):
        self.array, self.device, self.versioned, self.flags = array, device, versioned, flags
        self.current_stream, self.major = current_stream, major
        self.streams, self.made, self.freed = [], 0, 0
        self._alive = []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None, **words):
        if not self.versioned and words:
            raise TypeError("unexpected keyword max_version")
        self.streams.append(stream)
        array = self.array
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        tensor = DLTensor(
            array.ctypes.data, *self.device, array.ndim, {"f": 2, "c": 5, "i": 0}[array.dtype.kind],
            8 * array.itemsize, 1, shape, strides, 0,
        )
        if self.versioned:
            managed, name = _VersionedTensor(self.major, 0, None, None, self.flags, tensor), b"dltensor_versioned"
        else:
            managed, name = _Managed(tensor, None, None), b"dltensor"

        def destroy(capsule):
            self.freed += 1

        destructor = _DESTRUCTOR(destroy)
        self._alive.append((managed, shape, strides, destructor, name))
        self.made += 1
        return _new_capsule(ctypes.addressof(managed), name, ctypes.cast(destructor, ctypes.c_void_p))
