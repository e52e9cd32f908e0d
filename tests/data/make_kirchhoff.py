#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes tests/data/kirchhoff/*.npy from a float64 program that knows the same mathematics.

    python3 make_kirchhoff.py FOLDER_OF_KIRCHHOFF_PY

Each file is a sequence of NumPy records, in the order of ORDER (surveys) or SETUP_ORDER (set-up operations) below. All
inputs are float32 numbers, stored wider, so that one set of results holds for both precisions. Arrays that a case does
not have are stored with length 0. In every survey but the plain ones one source table entry is NaN, one receiver entry
infinite and one beyond the record.
"""
import importlib.util
import os
import sys

import numpy as np

TABLES = ("trav_src", "trav_rec", "amp_src", "amp_rec", "ang_src", "ang_rec", "vel", "six", "rix", "tap", "wav")
ORDER = ("sizes",        # ny (0 = 2D), nx, nz, ns, nr, nt
         "scalars",      # dt, t0, wavc, aperture lo hi, angle lo hi, unit taper, dynamic
         ) + TABLES + ("model", "data", "fwd", "adj", "fwd_mag", "adj_mag",
                       "bound")  # u_max, terms of a forward sample, terms of an adjoint point
INF = float("inf")
#        name          case       seed  options
CASES = (("plain",     "tiny2d",  1,    dict()),
         ("wavelet",   "tiny3d",  3,    dict(wavelet=True)),
         ("dynamic2d", "tiny2d",  4,    dict(dynamic=True, wavelet=True, aperture=(0.3, 1.4), angle=(0.2, 1.3))),
         ("dynamic3d", "tiny3d",  5,    dict(dynamic=True, aperture=(0.5, 2.5), offset_taper="unit")),
         ("cut",       "tiny2d",  6,    dict(dynamic=True, aperture=(1.0, 1.0), angle=(0.9, 0.9))),
         ("open",      "tiny3d",  7,    dict(dynamic=True)),
         ("short",     "short2d", 8,    dict(dynamic=True, angle=(0.6, 1.2), t0=0.02)),
         ("wide",      "wide2d",  9,    dict(wavelet=True, t0=-0.01)),
         ("onepair",   "onepair2d", 10, dict()))
SETUP_ORDER = ("sizes",    # ny, nx, nz
               "grid",     # dy, dx, dz, y0, x0, z0
               "speed",    # v, eps, dt
               "stations", "trav", "dist", "ang", "amp", "idx", "wav", "wav_filtered", "wavc", "x", "convolved",
               "correlated")
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kirchhoff")


def load(folder):
    spec = importlib.util.spec_from_file_location("kirchhoff", os.path.join(folder, "kirchhoff.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def single(x):
    return np.asarray(x, np.float32).astype(float)


def save(name, records):
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, name + ".npy"), "wb") as f:
        for array in records:
            array = np.asarray(array)
            np.save(f, np.ascontiguousarray(array, np.int64 if array.dtype.kind == "i" else np.float64))


def survey(oracle, name, case, seed, options):
    options = dict(options)
    t0 = options.pop("t0", 0.0)
    meta, arrays = oracle.build(case, seed, dtype="float32", **options)
    arrays = {k: x.astype(float if x.dtype.kind == "f" else np.int64) for k, x in arrays.items()}
    meta["t0"] = t0
    if name != "plain":
        arrays["trav_src"][min(2, meta["ns"] * 2), meta["ns"] // 2] = np.nan
        arrays["trav_rec"][3, 0] = np.inf
        arrays["trav_src"][4, 0] = 10.0
    known = {k: x.copy() for k, x in arrays.items()}
    if options.get("dynamic"):
        arrays["ang_src"][5, 0] = np.nan
        known["trav_src"][5, 0] = np.nan               # for the oracle, whose taper takes no NaN: the same gap
        arrays["amp_rec"][6, 0] = known["amp_rec"][6, 0] = np.inf
    c = oracle.to_case(meta, known)
    u_max, gap = c.edges()
    assert gap >= 1e-3, (name, gap)
    shape = tuple(meta["shape"])
    off = (INF, INF)
    record = {k: arrays.get(k, np.zeros(0)) for k in TABLES}
    ny = shape[0] if len(shape) == 3 else 0
    record.update(
        sizes=np.array([ny, *shape[-2:], meta["ns"], meta["nr"], meta["nt"]]),
        scalars=[meta["dt"], t0, meta["wavc"], *(meta["aperture"] or off), *(meta["angle"] or off),
                 meta["offset_taper"] == "unit", bool(meta["dynamic"])],
        model=arrays["model"], data=arrays["data"], fwd=c.forward(arrays["model"]),
        adj=c.adjoint(arrays["data"]).reshape(shape), fwd_mag=c.forward(arrays["model"], True),
        adj_mag=c.adjoint(arrays["data"], True).reshape(shape), bound=[u_max, c.ni, c.ns * c.nr])
    save(name, [record[k] for k in ORDER])


def setup(oracle, name, sizes, steps, origins, n, nwav, rng):
    """One file for all set-up operations; the axes are (x, z) or (y, x, z)."""
    ndim = len(sizes)
    axes = tuple(o + h * np.arange(k) for k, h, o in zip(sizes, steps, origins))
    low, high = [min(a) for a in axes], [max(a) for a in axes]
    stations = single([rng.uniform(lo - 5, hi + 5, n) for lo, hi in zip(low, high)])
    v, eps, dt = 1500.0, 3.25, 0.004
    dist = oracle.distances(axes, stations)
    trav = single(dist / v)                           # the angles are those of the table as stored
    wav = single(rng.standard_normal(nwav))
    wavc = nwav // 3
    x = single(rng.standard_normal((2, 3, 19)))
    c = oracle.Case(np.zeros((1, 1)), np.zeros((1, 1)), 19, dt, 1, wav=wav, wavc=wavc)
    pad = [0] * (3 - ndim)
    save(name, [np.array(pad + list(sizes)), np.array([0.0] * len(pad) + list(steps) + [0.0] * len(pad) + list(origins)),
                [v, eps, dt], stations, trav, dist, oracle.angles(trav, sizes, steps),
                oracle.spreading(dist, ndim, eps),
                oracle.station_index(stations[ndim - 2], origins[ndim - 2], steps[ndim - 2]).astype(np.int64), wav,
                oracle.filter_wavelet(wav, dt, ndim), np.array([wavc]), x, c._conv(x), c._corr(x)])


def main():
    oracle = load(sys.argv[1])
    for name, case, seed, options in CASES:
        survey(oracle, name, case, seed, options)
    rng = np.random.default_rng(77)
    setup(oracle, "setup2d", (6, 9), (10.0, 6.0), (3.0, -2.0), 4, 12, rng)
    setup(oracle, "setup3d", (3, 5, 4), (12.0, -9.0, 7.0), (0.0, 40.0, 1.0), 7, 41, rng)


if __name__ == "__main__":
    main()
