# SPDX-License-Identifier: BSD-3-Clause
"""The classes for matvis against matvis' own, one by one and inside a whole simulation."""

import numpy as np
import pytest

matvis = pytest.importorskip("matvis")
from matvis.core.getz import ZMatrixCalc as TheirZ  # noqa: E402
from matvis.cpu.beams import UVBeamInterpolator as TheirBeams  # noqa: E402
from matvis.cpu.matprod import CPUMatMul  # noqa: E402
from pyuvdata.analytic_beam import AiryBeam  # noqa: E402

from conftest import complex_normal  # noqa: E402
from headgate.hosts import matvis as adapter  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
NANT, NFEED, NAX, NSRC = 5, 2, 2, 60


@pytest.mark.parametrize("precision,dtype,tolerance", [(1, "complex64", 1e-4), (2, "complex128", 1e-12)])
@pytest.mark.parametrize("pairs", [None, np.array([[0, 1], [4, 2], [3, 3], [0, 1]])])
def test_products(rng, precision, dtype, tolerance, pairs):
    z = complex_normal(rng, (NANT * NFEED, NAX * NSRC), dtype)
    found = []
    for kind in (CPUMatMul, adapter.MatProd):
        product = kind(2, NFEED, NANT, pairs, precision=precision)
        product.setup()
        for chunk in range(2):
            product(z * (chunk + 1), chunk)
        out = np.empty((product.npairs, NFEED, NFEED), dtype)
        product.sum_chunks(out)
        found.append(out)
    assert np.abs(found[0] - found[1]).max() <= tolerance * np.abs(found[0]).max()


@pytest.mark.parametrize("nbeam,indices", [(1, None), (NANT, None), (2, np.array([0, 1, 1, 0, 1]))])
def test_z(rng, nbeam, indices):
    flux = rng.random(NSRC).astype("float32")
    beam = complex_normal(rng, (nbeam, NFEED, NAX, NSRC))
    exptau = complex_normal(rng, (NANT, NSRC))
    found = []
    for kind in (TheirZ, adapter.ZMatrixCalc):
        calc = kind(nant=NANT, nfeed=NFEED, nax=NAX, nsrc=NSRC, ctype=np.complex64)
        calc.setup()
        found.append(calc(flux, beam, exptau.copy(), indices).copy())
    assert np.allclose(*found, atol=1e-6)


def uvbeam(efield, diameter=14.0):
    made = AiryBeam(diameter=diameter).to_uvbeam(
        freq_array=np.array([1.5e8]), beam_type="efield" if efield else "power", pixel_coordinate_system="az_za",
        axis1_array=np.linspace(0, 2 * np.pi, 72, endpoint=False), axis2_array=np.linspace(0, np.pi / 2, 46),
    )
    made.peak_normalize()
    return made


@pytest.mark.parametrize("polarized", [False, True])
def test_beams(rng, polarized):
    directions = rng.standard_normal((3, NSRC))
    tx, ty = (directions / np.linalg.norm(directions, axis=0))[:2]
    beams = [uvbeam(polarized), uvbeam(polarized, diameter=9.0)]
    found = []
    for kind in (TheirBeams, adapter.BeamInterpolator):
        beam = kind(
            beam_list=beams, beam_idx=np.array([0, 1, 1, 0, 1]), polarized=polarized, nant=NANT, freq=1.5e8, nsrc=NSRC,
            precision=2, spline_opts={"order": 1},
        )
        beam.setup()
        found.append(beam(tx, ty).copy())
    assert beam._grid is not None
    assert np.allclose(*found, atol=1e-6)


@pytest.mark.parametrize("polarized", [False, True])
def test_a_whole_simulation(rng, polarized):
    import astropy.units as u
    from astropy.coordinates import EarthLocation
    from astropy.time import Time
    from astropy.utils import iers

    iers.conf.auto_download = False
    keywords = {
        "ants": {i: np.array([14.0 * i, 3.0 * i * i, 0.0]) for i in range(NANT)}, "fluxes": rng.random((NSRC, 1)),
        "ra": rng.uniform(0, 2 * np.pi, NSRC), "dec": rng.uniform(-1.2, 0.3, NSRC), "freqs": np.array([1.5e8]),
        "times": Time(np.linspace(2459845.0, 2459845.1, 3), format="jd"), "beams": [uvbeam(polarized)],
        "telescope_loc": EarthLocation.from_geodetic(21.4 * u.deg, -30.7 * u.deg, 1000 * u.m), "polarized": polarized,
        "precision": 2, "beam_spline_opts": {"order": 1}, "coord_method": "CoordinateRotationERFA",
    }
    expected = matvis.simulate_vis(**keywords)
    adapter.install()
    try:
        found = matvis.simulate_vis(**keywords, matprod_method="Headgate")
    finally:
        adapter.uninstall()
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()
