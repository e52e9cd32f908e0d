# SPDX-License-Identifier: BSD-3-Clause
"""moraine's emi and ds_temp_coh against its formulas in NumPy, and against the package where that is installed."""

import numpy as np
import pytest

from headgate.hosts import moraine as adapter


def stack(rng, points=40, n=9, looks=60):
    """Packed coherences of distributed scatterers: exponential decorrelation, unequal phases, finite looks."""
    decay = 0.3 + 0.7 * np.exp(-np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / 3.0)
    phase = np.exp(1j * rng.uniform(-3, 3, (points, n)))
    noise = (rng.standard_normal((points, n, looks)) + 1j * rng.standard_normal((points, n, looks))) / np.sqrt(2)
    s = phase[..., None] * (np.linalg.cholesky(decay) @ noise)
    power = np.sqrt((np.abs(s) ** 2).sum(-1))
    coh = (s @ s.conj().swapaxes(1, 2)) / (power[:, :, None] * power[:, None, :])
    i, j = np.triu_indices(n, 1)
    return np.ascontiguousarray(coh[:, i, j].astype("complex64")), n


def moraine_emi(coh, n, ref):
    """The formula of moraine's CPU code, batched: smallest eigenvector of |coh|^-1 o coh."""
    full = np.ones((len(coh), n, n), complex)
    i, j = np.triu_indices(n, 1)
    full[:, i, j], full[:, j, i] = coh, coh.conj()
    values, vectors = np.linalg.eigh(np.linalg.inv(np.abs(full)) * full)
    phase = vectors[..., 0] * vectors[..., [ref], 0].conj()
    return phase / np.abs(phase), values[:, 0]


@pytest.mark.parametrize("ref", [0, 4])
def test_emi(rng, ref):
    coh, n = stack(rng)
    expected, expected_quality = moraine_emi(coh, n, ref)
    phase, quality = adapter.emi(coh, ref)
    assert phase.dtype == "complex64" and quality.dtype == "float32"
    assert np.abs(np.angle(phase * expected.conj())).max() < 2e-3
    assert np.allclose(quality, expected_quality, rtol=1e-3)


def test_ds_temp_coh(rng):
    coh, n = stack(rng)
    phase, _ = adapter.emi(coh)
    i, j = np.triu_indices(n, 1)
    fit = np.abs((coh / np.abs(coh) * phase[:, i].conj() * phase[:, j]).mean(1))
    assert np.allclose(adapter.ds_temp_coh(coh, phase), fit, atol=1e-5)
    some = np.column_stack((i, j))[::2]
    assert np.allclose(
        adapter.ds_temp_coh(np.ascontiguousarray(coh[:, ::2]), phase, some),
        np.abs((coh / np.abs(coh) * phase[:, i].conj() * phase[:, j])[:, ::2].mean(1)), atol=1e-5,
    )


def test_against_moraine(rng):
    moraine = pytest.importorskip("moraine")
    coh, _ = stack(rng)
    expected, expected_quality = moraine.emi(coh)
    phase, quality = adapter.emi(coh)
    assert np.abs(np.angle(phase * expected.conj())).max() < 2e-3
    assert np.allclose(quality, expected_quality, rtol=2e-3)
