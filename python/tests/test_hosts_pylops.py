# SPDX-License-Identifier: BSD-3-Clause
"""The PyLops operator against PyLops' own: products, dot test, stacks, solvers, and who is faster."""

import pickle
import time
import warnings

import numpy as np
import pytest

pylops = pytest.importorskip("pylops")
from pylops.optimization.basic import lsqr  # noqa: E402
from pylops.utils.wavelets import ricker  # noqa: E402

from headgate.hosts.pylops import Kirchhoff  # noqa: E402

Theirs = pylops.waveeqprocessing.Kirchhoff
pytestmark = pytest.mark.filterwarnings("ignore")


def survey(nx=31, nz=23, ns=5, nr=7, nt=160, **options):
    """A line at the surface over a box of constant velocity; metres and seconds."""
    x, z, t = np.arange(nx) * 10.0, 20 + np.arange(nz) * 10.0, np.arange(nt) * 0.004
    stations = lambda n, shift: np.vstack((np.linspace(shift, x[-1] - shift, n), np.zeros(n)))  # noqa: E731
    wav, _, wavc = ricker(t[:21], f0=20)
    keywords = {"mode": "analytic", "wavfilter": True, "engine": "numpy", **options}
    return (z, x, t, stations(ns, 13.0), stations(nr, 4.0), 1500.0, wav, wavc), keywords


def both(**options):
    args, keywords = survey(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Theirs(*args, **keywords), Kirchhoff(*args, **keywords)


VARIANTS = {
    "kinematic": {}, "dynamic": {"dynamic": True},
    "apertures": {"dynamic": True, "aperture": (1.0, 2.0), "angleaperture": 40},
    "no angle limit": {"dynamic": True, "angleaperture": None}, "float32": {"dtype": "float32", "dynamic": True},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_products(variant, rng):
    theirs, ours = both(**VARIANTS[variant])
    model, data = rng.standard_normal(theirs.shape[1]), rng.standard_normal(theirs.shape[0])
    model, data = model.astype(theirs.dtype), data.astype(theirs.dtype)
    tolerance = 3e-5 if theirs.dtype == "float32" else 1e-12
    for a, b in ((theirs @ model, ours @ model), (theirs.H @ data, ours.H @ data)):
        assert b.dtype == a.dtype
        assert np.abs(a - b).max() <= tolerance * np.abs(a).max()


def test_three_dimensions(rng):
    x, y, z, t = np.arange(8) * 10.0, np.arange(6) * 10.0, 30 + np.arange(7) * 10.0, np.arange(80) * 0.004
    points = lambda n: np.vstack((rng.random(n) * y[-1], rng.random(n) * x[-1], np.zeros(n)))  # noqa: E731
    args = (z, x, t, points(3), points(4), 1500.0, ricker(t[:11], f0=20)[0], 10)
    theirs, ours = (K(*args, y=y, mode="analytic", dynamic=True) for K in (Theirs, Kirchhoff))
    model = rng.standard_normal(theirs.shape[1])
    assert np.allclose(theirs @ model, ours @ model, atol=1e-12 * np.abs(theirs @ model).max())
    assert pylops.utils.dottest(ours, rtol=1e-10)


@pytest.mark.parametrize("variant", ["kinematic", "apertures"])
def test_dot_test_of_pylops(variant):
    assert pylops.utils.dottest(both(**VARIANTS[variant])[1], rtol=1e-10)


def test_inside_a_stack(rng):
    args, keywords = survey()
    z, x, t, srcs, *rest = args
    whole = Kirchhoff(*args, **keywords)
    groups = [Kirchhoff(z, x, t, srcs[:, cut], *rest, **keywords) for cut in (slice(0, 2), slice(2, 5))]
    stack = pylops.VStack(groups)
    model = rng.standard_normal(whole.shape[1])
    assert np.allclose(stack @ model, whole @ model, atol=1e-9)
    assert pylops.utils.dottest(stack, rtol=1e-10)


def test_one_table_is_refused():
    args, keywords = survey()
    own = Theirs(*args, **keywords)
    table = (own.trav_srcs[:, :, None] + own.trav_recs[:, None, :]).reshape(len(own.trav_srcs), -1)
    with pytest.raises(NotImplementedError, match="two tables"):
        Kirchhoff(*args, **{**keywords, "mode": "byot", "trav": table})


def test_operators_travel_to_other_processes(rng):
    ours = both()[1]
    model = rng.standard_normal(ours.shape[1])
    expected = ours @ model
    assert np.array_equal(pickle.loads(pickle.dumps(ours)) @ model, expected)


def test_the_same_inversion_and_faster(capsys):
    """Twenty iterations of least squares: the same image within 1e-5, in less time."""
    theirs, ours = both()
    image = np.zeros((31, 23))
    image[:, 9], image[8:20, 17] = 1.0, -0.7
    data = theirs @ image.ravel()
    found, seconds = [], []
    for K in (theirs, ours):
        K.H @ data  # the first product sets up
        start = time.perf_counter()
        found.append(lsqr(K, data, niter=20, show=False)[0])
        seconds.append(time.perf_counter() - start)
    assert np.linalg.norm(found[0] - found[1]) <= 1e-5 * np.linalg.norm(found[0])
    with capsys.disabled():
        print(f"\n20 iterations of lsqr: PyLops {seconds[0]:.2f} s, Headgate {seconds[1]:.3f} s, "
              f"ratio {seconds[0] / seconds[1]:.0f}")
    assert seconds[1] < seconds[0]
