#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes tests/data/visibility/*.npy from a float64 program that knows the same mathematics.

    python3 make_visibility.py FOLDER_OF_VISIBILITY_PY [HERA_BEAM.fits]

Each file is a sequence of NumPy records, in the order of ORDER below. All inputs are float32 numbers, stored wider, so
that one set of results holds for both precisions. Phases are made in extended precision. Without the beam file
visibility/hera.npy stays as it is.
"""
import importlib.util
import os
import sys

import numpy as np

ORDER = ("antpos", "crd", "flux", "grid", "daz", "dza", "az0", "za0", "beam_idx", "pairs",
         "options",                          # frequency, periodic, square root of the power
         "up", "az", "za", "beam", "exptau", "Z", "V", "Vpairs", "Vpairs_matvis")
CASES = {
    "tiny":     dict(nant=3, nfeed=2, nax=3, nbeam=2, nsrc=17, nza=7, naz=11, freq=100e6, shifted=1),
    "odd":      dict(nant=5, nfeed=1, nax=2, nbeam=3, nsrc=23, nza=5, naz=13, freq=123e6),
    "feeds3":   dict(nant=4, nfeed=3, nax=1, nbeam=4, nsrc=29, nza=9, naz=8, freq=140e6),
    "power":    dict(nant=7, nfeed=2, nax=1, nbeam=5, nsrc=41, nza=12, naz=19, freq=150e6, power=1),
    "periodic": dict(nant=6, nfeed=2, nax=1, nbeam=5, nsrc=31, nza=8, naz=12, freq=150e6, periodic=1),
    "long":     dict(nant=9, nfeed=2, nax=1, nbeam=3, nsrc=1, nza=11, naz=17, freq=200e6, spacing=219.0),
    "wide":     dict(nant=11, nfeed=2, nax=3, nbeam=1, nsrc=67, nza=13, naz=10, freq=170e6),
}
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "visibility")


def load(folder):
    spec = importlib.util.spec_from_file_location("visibility", os.path.join(folder, "visibility.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def single(x):
    """Rounded to float32, kept in double."""
    return np.asarray(x, np.complex64).astype(complex) if np.iscomplexobj(x) else np.asarray(x, np.float32).astype(float)


def phases(antpos, crd, freq):
    """exp(2 pi i turns) with 64 bits of turns."""
    turns = (antpos.astype(np.longdouble) @ crd.astype(np.longdouble)) * np.longdouble(freq) / np.longdouble(299792458)
    angle = 8 * np.arctan(np.longdouble(1)) * (turns - np.rint(turns))
    return np.cos(angle).astype(float) + 1j * np.sin(angle).astype(float)


def make(oracle, name, o, rng):
    antpos = single(oracle.hex_array(o["nant"], o.get("spacing", 14.6), rng=rng))
    crd, flux = oracle.sky(o["nsrc"], rng, upper_only=o["nsrc"] == 1)
    grid, daz, dza = oracle.airy_dipole_grid(o["nbeam"], o["nza"], o["naz"], rng, o["freq"], o["nax"], o["nfeed"],
                                             endpoint=not o.get("periodic"), power=bool(o.get("power")))
    nbeam = o["nbeam"]
    steps = 1 + 0.05 * np.arange(nbeam) if o.get("shifted") else np.ones(1)
    starts = 0.03 * (1 + np.arange(nbeam)) if o.get("shifted") else np.zeros(1)
    case = dict(antpos=antpos, crd=single(crd), flux=single(flux), grid=single(grid), daz=single(daz * steps),
                dza=single(dza * steps), az0=single(starts), za0=single(-0.5 * starts),
                beam_idx=rng.integers(0, nbeam, o["nant"]))
    n = o["nant"]
    case["pairs"] = np.stack([rng.integers(0, n, n + 2), rng.integers(0, n, n + 2)], 1)
    case["pairs"][0], case["pairs"][-1] = (1, 1), case["pairs"][1]
    case["options"] = np.array([o["freq"], o.get("periodic", 0), o.get("power", 0)])
    return case


def solve(oracle, c, o):
    up, crd, flux = oracle.horizon_cut(c["crd"], c["flux"])
    az, za = oracle.enu_to_azza(crd)
    c.update(up=up, az=az, za=za)
    c["beam"] = oracle.beam_interp(c["grid"], az, za, c["daz"], c["dza"], c["az0"], c["za0"],
                                   periodic=bool(o.get("periodic")), sqrt_power=bool(o.get("power")))
    c["exptau"] = phases(c["antpos"], crd, o["freq"])
    assert np.abs(c["exptau"] - oracle.tau(c["antpos"], crd, o["freq"])).max() < 1e-11
    c["Z"] = oracle.z_matrix(c["beam"], c["exptau"], flux, c["beam_idx"])
    c["V"] = oracle.gram(c["Z"])
    c["Vpairs"] = oracle.pair_dot(c["Z"], o["nant"], o["nfeed"], c["pairs"])
    c["Vpairs_matvis"] = oracle.pair_dot(c["Z"], o["nant"], o["nfeed"], c["pairs"], matvis_order=True)


def save(name, records):
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, name + ".npy"), "wb") as f:
        for array in records:
            array = np.asarray(array)
            kind = {"i": np.int64, "c": np.complex128}.get(array.dtype.kind, np.float64)
            np.save(f, np.ascontiguousarray(array, kind))


def save_hera(oracle, path):
    """The few nodes of the first frequency that three points need: steps, nodes (za, az), values (node, axis, feed),
    points (az, za), results (feed, axis, point)."""
    grid, daz, dza = oracle.read_hera_fits(path)
    az, za = np.array([0.3, 2.0, 6.28]), np.array([0.1, 0.7, 1.5])
    nodes = set()
    for a, z in zip(az, za):
        i, j = int(z / dza), int(a / daz)
        nodes |= {(p, min(q, grid.shape[-1] - 1)) for p in (i, i + 1) for q in (j, j + 1)}
    nodes = np.array(sorted(nodes))
    values = grid[0][:, :, nodes[:, 0], nodes[:, 1]].transpose(2, 0, 1)
    save("hera", [[daz, dza], nodes, values, np.stack([az, za], 1), oracle.beam_interp(grid[:1], az, za, daz, dza)[0]])


def main():
    oracle = load(sys.argv[1])
    for k, (name, o) in enumerate(CASES.items()):
        case = make(oracle, name, o, np.random.default_rng([31, k]))
        solve(oracle, case, o)
        save(name, [case[key] for key in ORDER])
    if len(sys.argv) > 2:
        save_hera(oracle, sys.argv[2])


if __name__ == "__main__":
    main()
