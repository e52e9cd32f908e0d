# SPDX-License-Identifier: BSD-3-Clause
"""What real producers hand over: strides, flags, capsules of both kinds, devices, streams; nothing leaks."""

import ctypes
import gc
import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import headgate
from headgate import _tensors
from headgate._abi import CALL
from headgate._draft import Draft

from conftest import Producer, complex_normal

NUMPY_HAS_VERSIONS = np.lib.NumpyVersion(np.__version__) >= "2.1.0"


def gram(Z):
    return Z @ Z.conj().T


# ---- NumPy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 1), (3, 0), (5, 7)])
def test_contiguous_arrays(engine, rng, shape):
    Z = complex_normal(rng, shape)
    assert np.allclose(engine.visibility_gram(Z), gram(Z), atol=1e-5)


def test_dimensions_of_length_one_have_free_strides(engine, rng):
    whole = complex_normal(rng, (6, 5))
    row = whole[2:3, :][::-1]
    assert np.allclose(engine.visibility_gram(row), gram(row), atol=1e-5)


@pytest.mark.parametrize("cut", [
    lambda Z: Z[::2], lambda Z: Z[:, 1:], lambda Z: Z.T, lambda Z: Z[::-1], lambda Z: np.asfortranarray(Z),
])
def test_strided_arrays_are_refused_by_name(engine, rng, cut):
    with pytest.raises(headgate.Error) as refused:
        engine.visibility_gram(cut(complex_normal(rng, (6, 5))))
    assert refused.value.code == headgate.Status.ESTRIDE
    assert "Z: strides are" in str(refused.value)


def test_unaligned_arrays_are_refused(engine):
    crd = np.zeros(4 * 3 * 4 + 8, "u1")[1:49].view("f4").reshape(3, 4)
    with pytest.raises(headgate.Error) as refused:
        engine.visibility_angles(crd)
    assert refused.value.code == headgate.Status.ESTRIDE


def test_read_only_inputs_are_read(engine, rng):
    Z = complex_normal(rng, (4, 6))
    Z.flags.writeable = False
    assert np.allclose(engine.visibility_gram(Z), gram(Z), atol=1e-5)


def test_read_only_outputs_are_refused(engine, rng):
    V = np.full((4, 4), 77, "complex64")
    V.flags.writeable = False
    with pytest.raises(ValueError, match="V: is read-only"):
        engine.visibility_gram(complex_normal(rng, (4, 6)), out=V)
    assert (V == 77).all()


def test_byte_order_is_refused(engine):
    with pytest.raises((BufferError, headgate.Error)):
        engine.visibility_gram(np.ones((2, 3), ">c8"))


@pytest.mark.parametrize("thing", [[[1, 2]], 3.5, "Z", None])
def test_what_is_no_array(engine, thing):
    with pytest.raises((TypeError, headgate.Error)) as refused:
        engine.visibility_gram(thing)
    assert "Z" in str(refused.value)


def test_subclasses_make_arrays_of_numpy(engine, rng):
    class Stack(np.ndarray):
        pass

    Z = complex_normal(rng, (3, 4)).view(Stack)
    assert type(engine.visibility_gram(Z)) is np.ndarray


# ---- capsules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("versioned", [False, True])
def test_capsules_are_borrowed_and_freed_by_their_producer(engine, rng, versioned):
    Z = complex_normal(rng, (5, 7))
    V = np.empty((5, 5), "complex64")
    producer = Producer(Z, versioned=versioned)
    for _ in range(10):
        engine.visibility_gram(producer, out=V)
    gc.collect()
    assert (producer.made, producer.freed) == (10, 10)
    assert np.allclose(V, gram(Z), atol=1e-5)


def test_capsules_of_refused_calls_are_freed(engine, rng):
    producer = Producer(complex_normal(rng, (5, 7)))
    for _ in range(10):
        with pytest.raises(headgate.Error):
            engine.visibility_gram(producer, out=np.empty((5, 6), "complex64"))
    gc.collect()
    assert (producer.made, producer.freed) == (10, 10)


def test_read_only_flag_of_a_capsule(engine, rng):
    Z = complex_normal(rng, (4, 6))
    assert np.allclose(
        engine.visibility_gram(Producer(Z, flags=1), out=np.empty((4, 4), "complex64")), gram(Z), atol=1e-5
    )
    with pytest.raises(ValueError, match="V: is read-only"):
        engine.visibility_gram(Z, out=Producer(np.empty((4, 4), "complex64"), flags=1))


def test_another_major_version_is_refused(engine, rng):
    with pytest.raises(BufferError, match="Z: .*DLPack 2.0"):
        engine.visibility_gram(Producer(complex_normal(rng, (4, 6)), major=2))


def test_what_a_producer_says_is_passed_on(engine):
    class Conjugated:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **words):
            raise BufferError("Can't export tensors with the conjugate bit set")

    with pytest.raises(BufferError, match="Z: Can't export tensors with the conjugate bit set"):
        engine.visibility_gram(Conjugated())


def test_pinned_memory_is_host_memory(engine, rng):
    Z = complex_normal(rng, (4, 6))
    V = np.empty((4, 4), "complex64")
    engine.visibility_gram(Producer(Z, device=(3, 0)), out=V)
    assert np.allclose(V, gram(Z), atol=1e-5)


# ---- devices and streams -------------------------------------------------------------------------


@pytest.fixture
def device_engine():
    """An engine with a plugin whose device memory is memory of the host."""
    folder = os.environ.get("FAKE_PLUGINS")
    if not folder or not os.path.exists(f"{folder}/headgate-fake-device.so"):
        pytest.skip("FAKE_PLUGINS is not the folder of the fake plugins")
    with headgate.Engine({"plugins.files": [f"{folder}/headgate-fake-device.so"], "plugins.allow_insecure_path": True}) as made:
        yield made


def streams_told(monkeypatch):
    told = []
    real = headgate.Exec._use_stream
    monkeypatch.setattr(
        headgate.Exec, "_use_stream", lambda self, device, s: (told.append((device, s)), real(self, device, s))
    )
    return told


@pytest.mark.parametrize("current,asked", [(0, 1), (1, 1), (2, 2), (0x7F00, 0x7F00)])
def test_the_stream_of_the_framework_is_asked_for_and_used(device_engine, rng, monkeypatch, current, asked):
    told = streams_told(monkeypatch)
    Z = Producer(complex_normal(rng, (4, 6)), device=(2, 1), current_stream=current)
    V = Producer(np.empty((4, 4), "complex64"), device=(2, 1))
    device_engine.visibility_gram(Z, out=V)
    assert Z.streams == V.streams == [asked]
    assert told == [(1, current)]
    assert device_engine.last_trace.plugin == "fake-device"
    assert device_engine.last_trace.document["problem"]["space"] == "cuda:1"


def test_the_stream_of_an_exec_wins(device_engine, rng, monkeypatch):
    told = streams_told(monkeypatch)
    Z = Producer(complex_normal(rng, (4, 6)), device=(2, 0), current_stream=0x7F00)
    V = Producer(np.empty((4, 4), "complex64"), device=(2, 0), current_stream=0x7F00)
    device_engine.visibility_gram(Z, out=V, exec=headgate.Exec(device_engine, stream=0x5500))
    assert Z.streams == V.streams == [0x5500]
    assert told == [(0, 0x5500)]


def test_host_arrays_get_no_stream(engine, rng):
    Z = Producer(complex_normal(rng, (4, 6)))
    engine.visibility_gram(Z, out=np.empty((4, 4), "complex64"))
    assert Z.streams == [None]


def test_arrays_of_two_devices_are_refused(device_engine, rng):
    with pytest.raises(headgate.Error) as refused:
        device_engine.visibility_gram(
            Producer(complex_normal(rng, (4, 6)), device=(2, 0)),
            out=Producer(np.empty((4, 4), "complex64"), device=(2, 1)),
        )
    assert refused.value.code == headgate.Status.EDEVICE


def test_device_arrays_do_not_come_to_the_host(engine, rng):
    V = np.full((4, 4), 77, "complex64")
    with pytest.raises(headgate.Error) as refused:
        engine.visibility_gram(
            Producer(complex_normal(rng, (4, 6)), device=(2, 0)), out=Producer(V, device=(2, 0))
        )
    assert refused.value.code == headgate.Status.ENOKERNEL
    assert (V == 77).all()


class NumbaLike:
    """A device array that has __cuda_array_interface__ alone."""

    def __init__(self, array, stream=None, read_only=False, device=0):
        self.array = array
        self.gpu_data = SimpleNamespace(context=SimpleNamespace(device=SimpleNamespace(id=device)))
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, read_only),
            "strides": None if array.flags.c_contiguous else array.strides, "version": 3, "stream": stream,
        }


def test_the_cuda_array_interface(device_engine, rng, monkeypatch):
    told = streams_told(monkeypatch)
    Z, V = complex_normal(rng, (4, 6)), np.empty((4, 4), "complex64")
    device_engine.visibility_gram(NumbaLike(Z, stream=0x7F00, device=1), out=NumbaLike(V, stream=0x7F00, device=1))
    assert told == [(1, 0x7F00)]
    assert device_engine.last_trace.plugin == "fake-device"
    with pytest.raises(headgate.Error, match="Z: strides are"):
        device_engine.visibility_gram(NumbaLike(Z[:, ::2]), out=NumbaLike(V))
    with pytest.raises(BufferError, match="V: was produced on stream 0x5500"):
        device_engine.visibility_gram(NumbaLike(Z, stream=0x7F00), out=NumbaLike(V, stream=0x5500))
    with pytest.raises(ValueError, match="V: is read-only"):
        device_engine.visibility_gram(NumbaLike(Z), out=NumbaLike(V, read_only=True))


def test_outputs_are_made_where_the_input_is(monkeypatch, engine, rng):
    """A stand-in of CuPy: arrays and streams are asked for through its own names."""
    made = []

    class ndarray(Producer):
        device = None

        def __init__(self, array):
            super().__init__(array)
            self.device = OnDevice((2, 1))

    class OnDevice(tuple):
        def __new__(cls, numbers):
            return super().__new__(cls, numbers)

        def __enter__(self):
            made.append(("device", tuple(self)))

        def __exit__(self, *_):
            pass

    def empty(shape, dtype):
        made.append((shape, dtype))
        return ndarray(np.empty(shape, dtype))

    ndarray.__module__ = "cupy._core.core"
    stream = SimpleNamespace(ptr=0x9900)
    cupy = SimpleNamespace(empty=empty, cuda=SimpleNamespace(get_current_stream=lambda device: stream))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    Z = ndarray(complex_normal(rng, (3, 5)))
    draft = Draft(engine, "visibility_gram", CALL, None, None)
    draft.array("Z", Z)
    draft.output("V", (3, 3), "c64")
    assert made == [("device", (2, 1)), ((3, 3), "complex64")]
    assert Z.streams == draft.results[0].streams == [0x9900]


# ---- PyTorch -------------------------------------------------------------------------------------


def test_torch(engine):
    torch = pytest.importorskip("torch")
    Z = torch.randn(4, 6, dtype=torch.complex64)
    V = engine.visibility_gram(Z)
    assert isinstance(V, torch.Tensor) and torch.allclose(V, Z @ Z.conj().T, atol=1e-5)
    with pytest.raises(BufferError, match="Z:"):
        engine.visibility_gram(Z.conj())


def test_views_tell_shape_and_type():
    seen = _tensors.view("x", np.zeros((2, 3, 5), "float32"))
    assert (seen.shape, seen.dtype, [seen.dim(i) for i in (0, 2, -1, -4, 3)]) == ((2, 3, 5), "f32", [2, 5, 5, 0, 0])
    assert ctypes.sizeof(seen.tensor) == 48
