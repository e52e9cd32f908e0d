# SPDX-License-Identifier: BSD-3-Clause
"""Every operation against the command: `headgate generate` makes a file, its datasets and attributes are the keywords
of the method by name, and what `headgate run` wrote is what the method returns.

So names, shapes, types and defaults of C, files and Python are the same words.
"""

import inspect
import shutil
import subprocess

import numpy as np
import pytest

import headgate
from headgate._abi import FAMILIES, OPERATIONS
from headgate._draft import CHOICES

h5py = pytest.importorskip("h5py", reason="the files need h5py")
HEADGATE = shutil.which("headgate") or pytest.skip("the command headgate is not there", allow_module_level=True)

SIZES = {
    "curvature": "ny=13 nx=9 s=5 nnz=60", "curvature_kernel": "k=40 ny=7 nx=5", "curvature_dirty": "k=30 ny=6 nx=5",
    "curvature_data_vector": "n=40 s=6 nnz=90", "emi": "n=7 batch=20 looks=30 layout=packed",
    "evd": "n=6 batch=11 looks=30 layout=full", "ds_temp_coh": "n=6 batch=11 looks=30 layout=packed",
    "visibility": "nant=5 nfeed=2 nax=2 nsrc=60 nbeam=1 npairs=0", "visibility_horizon": "nsrc=50",
    "visibility_angles": "nsrc=50", "visibility_beam": "nbeam=2 nfeed=2 nax=2 nsrc=40 nza=20 naz=30",
    "visibility_tau": "nant=6 nsrc=40", "visibility_z": "nant=4 nsrc=30 nfeed=2 nax=2 nbeam=1",
    "visibility_gram": "m=9 k=20", "visibility_product": "m=5 n=7 k=20",
    "visibility_pairs": "nant=6 nfeed=2 k=20 npairs=8",
    "kirchhoff_forward": "ns=3 nr=5 nt=80 nx=12 nz=9 dynamic=1", "kirchhoff_adjoint": "ns=3 nr=5 nt=80 nx=12 nz=9",
    "kirchhoff_traveltime": "n=4 nx=11 nz=7", "kirchhoff_angles": "n=4 nx=11 nz=7",
    "kirchhoff_spreading": "n=4 nx=11 nz=7", "kirchhoff_station_index": "n=4 nx=11 nz=7",
    "kirchhoff_wavelet": "nwav=31",
    "kirchhoff_convolve": "nwav=21 nt=60 n=4",
}
ABOUT_THE_FILE = {"headgate_format", "op"}
PYTHON_WORD = {"in": "in_"}
# Sizes that C and Python take from an array's shape; a file has them as attributes of their own.
FROM_SHAPES = {"visibility_pairs": {"nant"}}
NO_DEFAULT = {"ny", "nx"}


def read(path):
    with h5py.File(path) as file:
        arrays = {PYTHON_WORD.get(name, name): file[name][...] for name in file}
        numbers = {name: value for name, value in file.attrs.items() if name not in ABOUT_THE_FILE}
    return arrays, numbers


def python_value(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray) and value.shape == (2,):
        return tuple(float(x) for x in value)
    return value.item() if isinstance(value, np.generic) else value


def named(result, op):
    if isinstance(result, tuple):
        return result._asdict()
    return {OPERATIONS[op][-1].name: result}


@pytest.mark.parametrize("op", sorted(SIZES))
def test_as_the_command(op, tmp_path):
    path, out = tmp_path / "in.h5", tmp_path / "out.h5"
    subprocess.run([HEADGATE, "generate", op, *SIZES[op].split(), "dtype=f64", "-o", path], check=True)
    subprocess.run([HEADGATE, "run", op, path, "-o", out], check=True, stdout=subprocess.DEVNULL)
    arrays, numbers = read(path)
    expected, _ = read(out)
    keywords = inspect.signature(getattr(headgate.Engine, op).function).parameters
    given = {**arrays, **{name: python_value(value) for name, value in numbers.items()}}
    given = {name: value for name, value in given.items() if name not in FROM_SHAPES.get(op, ())}
    assert set(given) <= set(keywords), f"{op}: the file has what Python lacks"
    with headgate.Engine() as engine:
        call = getattr(engine, op)
        found = named(call(**given), op)
        assert call.explain(**given).kernel == engine.last_trace.kernel
    assert set(found) == set(expected), op
    for name in expected:
        assert found[name].dtype == expected[name].dtype and found[name].shape == expected[name].shape, name
        assert np.allclose(found[name], expected[name], rtol=1e-12, atol=1e-12, equal_nan=True), name


def test_every_operation_is_compared():
    assert set(SIZES) == set(OPERATIONS)


@pytest.mark.parametrize("op", sorted(set(OPERATIONS) - {"kirchhoff_forward", "kirchhoff_adjoint"}))
def test_plans_as_calls(op, tmp_path):
    path = tmp_path / "in.h5"
    subprocess.run([HEADGATE, "generate", op, *SIZES[op].split(), "dtype=f32", "-o", path], check=True)
    arrays, numbers = read(path)
    given = {**arrays, **{name: python_value(value) for name, value in numbers.items()}}
    given = {name: value for name, value in given.items() if name not in FROM_SHAPES.get(op, ())}
    with headgate.Engine() as engine:
        call = getattr(engine, op)
        expected = named(call(**given), op)
        plan = call.plan(**given)
        fresh = {name: arrays[name].copy() for name in plan._arrays_of_a_run() if name in arrays}
        for found in (plan(**fresh), plan(*fresh.values())):
            for name, array in named(found, op).items():
                assert np.array_equal(array, expected[name], equal_nan=True), name


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_keywords_are_attributes(op, tmp_path):
    """Every option of a method that the params struct has is an attribute that the command knows."""
    path, out = tmp_path / "in.h5", tmp_path / "out.h5"
    subprocess.run([HEADGATE, "generate", op, *SIZES[op].split(), "dtype=f64", "-o", path], check=True)
    with headgate.Engine() as engine, h5py.File(path, "r+") as file:
        preset = engine._new_params(FAMILIES[op])
        for name in set(inspect.signature(getattr(headgate.Engine, op).function).parameters) & {
            name for name, *_ in preset._fields_
        } - set(file.attrs) - set(file) - NO_DEFAULT:
            value = getattr(preset, name)
            words = CHOICES.get(name, "").split()
            file.attrs[name] = words[value] if words else list(value) if name in ("angle", "aperture") else value
    told = subprocess.run(
        [HEADGATE, "run", op, path, "-o", out], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert (told.returncode, told.stderr) == (0, "")
