# SPDX-License-Identifier: BSD-3-Clause
"""PyAutoArray's curvature matrix: against Fourier products in NumPy, against the package where that is installed."""

import multiprocessing
import pickle

import numpy as np
import pytest

import headgate
from headgate.hosts.autoarray import InterferometerSparseOperator, curvature_matrix

NY, NX, S = 9, 7, 6


def precision_operator(rng):
    with headgate.Engine() as engine:
        return engine.curvature_kernel(rng.standard_normal((50, 2)) * 1e4, np.ones(50), pix=2e-5, ny=NY, nx=NX)


def triplets(rng, nnz=80):
    return rng.integers(0, NY * NX, nnz), rng.integers(0, S, nnz), rng.random(nnz)


def by_fourier(w, rows, cols, vals):
    """What PyAutoArray does: columns on the extent, padded, times the transform of w, then gathered."""
    F = np.zeros((S, NY * NX))
    np.add.at(F, (cols, rows), vals)
    padded = np.zeros((S, 2 * NY, 2 * NX))
    padded[:, :NY, :NX] = F.reshape(S, NY, NX)
    G = np.fft.ifft2(np.fft.fft2(padded) * np.fft.fft2(w)).real[:, :NY, :NX].reshape(S, -1)
    return 0.5 * (F @ G.T + (F @ G.T).T)


def test_curvature_matrix(rng):
    w = precision_operator(rng)
    operator = InterferometerSparseOperator.from_nufft_precision_operator(w, None, batch_size=3)
    for _ in range(3):
        matrix = triplets(rng)
        expected = by_fourier(w, *matrix)
        for found in (operator.curvature_matrix_diag_from(*matrix, S=S), curvature_matrix(w, *matrix, S=S)):
            assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()
    again = pickle.loads(pickle.dumps(operator))
    assert np.array_equal(again.curvature_matrix_diag_from(*matrix, S=S), found)


def test_odd_shapes_are_refused():
    with pytest.raises(ValueError, match=r"must have shape \(2y, 2x\)"):
        InterferometerSparseOperator(np.zeros((3, 4)))


def _likelihood(matrix):
    return _OPERATOR.curvature_matrix_diag_from(*matrix, S=S)


def test_a_forked_pool_of_samplers(rng):
    global _OPERATOR
    w = precision_operator(rng)
    _OPERATOR = InterferometerSparseOperator(w)
    matrices = [triplets(rng) for _ in range(6)]
    expected = [_likelihood(m) for m in matrices]  # the parent has its plan
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(_likelihood, matrices).get(timeout=60)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected))


def test_against_autoarray(rng):
    jax = pytest.importorskip("jax")
    util = pytest.importorskip("autoarray.inversion.inversion.interferometer.inversion_interferometer_util")
    jax.config.update("jax_enable_x64", True)
    w, matrix = precision_operator(rng), triplets(rng)
    theirs = util.InterferometerSparseOperator.from_nufft_precision_operator(w, None, batch_size=4)
    expected = np.asarray(theirs.curvature_matrix_diag_from(*matrix, S=S))
    found = InterferometerSparseOperator(w).curvature_matrix_diag_from(*matrix, S=S)
    assert np.abs(found - expected).max() <= 1e-11 * np.abs(expected).max()
