#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes tests/data/curvature/*.npy from a float64 program that knows the same mathematics.

    python3 make_curvature.py FOLDER_OF_CURVATURE_PY FOLDER_OF_BASELINES

Each file is a sequence of NumPy records, in the order of ORDER below. alma.npy has every 300th baseline of an ALMA
observation, alma_uv_wavelengths.npy. evidence.npy has the logarithm of the evidence of each case, in the order of
EVIDENCE.
"""
import importlib.util
import os
import sys

import numpy as np

ORDER = ("w", "iy", "ix", "indptr", "rows", "vals", "fractions", "F",   # the curvature matrix
         "uv", "sigma", "pix", "vis", "y", "x", "d", "D")               # where w and the data vector come from
#        case        size step seed
CASES = (("square", 9, 4, 1), ("circle", 14, 5, 2), ("offset", 12, 4, 3), ("annulus", 15, 4, 4), ("lens", 17, 4, 5),
         ("rect", 13, 5, 6), ("rect-lens", 16, 4, 7), ("empty", 13, 5, 8), ("row", 23, 6, 9), ("column", 19, 5, 10),
         ("one", 1, 1, 11))
ALMA = ("lens", 21, 4, 13, 300)          # case, size, step, seed, and which baselines
EVIDENCE = [case[0] for case in CASES] + ["tangled", "alma"]
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "curvature")


def load(folder):
    spec = importlib.util.spec_from_file_location("curvature", os.path.join(folder, "curvature.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tangled(oracle, rng):
    """Unsorted and repeated entries, pixels that share a cell, equal columns, empty columns, a mask with a border and
    an empty row inside, in an extent whose sides differ."""
    ny, nx, n, s = 7, 12, 31, 9
    iy = rng.choice([1, 2, 4, 5], n)
    ix = rng.integers(2, nx - 1, n)
    iy[7], ix[7] = iy[3], ix[3]
    columns = [rng.integers(0, n, k) for k in (5, 0, 1, 8, 3, 8, 0, 12, 2)]
    columns[5] = columns[3]                            # two equal columns
    columns[7][4] = columns[7][9]                      # a pixel twice
    rows = np.concatenate(columns)
    indptr = np.concatenate([[0], np.cumsum([len(c) for c in columns])])
    vals = rng.normal(size=len(rows))
    vals[indptr[5]:indptr[6]] = vals[indptr[3]:indptr[4]]
    pix = 0.03 * oracle.ARCSEC
    uv = rng.normal(size=(37, 2)) * 0.2 / pix
    sigma = rng.uniform(0.7, 1.4, 37)
    y, x = oracle.coords(iy, ix, ny, nx, pix)
    vis = rng.normal(size=37) + 1j * rng.normal(size=37)
    return dict(ny=ny, nx=nx, iy=iy, ix=ix, indptr=indptr, rows=rows, vals=vals, S=s, pix=pix, uv=uv, sigma=sigma,
                w=oracle.kernel_direct(uv, sigma, pix, ny, nx), vis=vis, dirty=oracle.dirty(vis, sigma, y, x, uv))


def save(oracle, name, g):
    a = (g["iy"], g["ix"], g["indptr"], g["rows"], g["ny"], g["nx"])
    y, x = oracle.coords(g["iy"], g["ix"], g["ny"], g["nx"], g["pix"])
    record = dict(g, y=y, x=x, d=g["dirty"],
                  fractions=np.array([oracle.work_fraction(*a), oracle.pair_fraction(*a)]), pix=np.array([g["pix"]]),
                  F=oracle.F_dense(g["w"], g["iy"], g["ix"], g["indptr"], g["rows"], g["vals"]),
                  D=oracle.data_vector(g["dirty"], g["indptr"], g["rows"], g["vals"]))
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, name + ".npy"), "wb") as f:
        for key in ORDER:
            array = np.asarray(record[key])
            kind = {"i": np.int64, "c": np.complex128}.get(array.dtype.kind, np.float64)
            np.save(f, np.ascontiguousarray(array, kind))


def evidence(oracle, name):
    """ln of the evidence for H = 1e-3 tr(F) / S times the unit matrix."""
    with open(os.path.join(FOLDER, name + ".npy"), "rb") as f:
        record = {key: np.load(f) for key in ORDER}
    F = record["F"]
    H = 1e-3 * np.trace(F) / len(F) * np.eye(len(F))
    return oracle.evidence(F, record["D"], H, record["vis"], record["sigma"])["logL"]


def main():
    oracle = load(sys.argv[1])
    for case, size, step, seed in CASES:
        save(oracle, case, oracle.make(case, seed, size, step, nvis=41))
    save(oracle, "tangled", tangled(oracle, np.random.default_rng(12)))
    case, size, step, seed, every = ALMA
    uv = np.load(os.path.join(sys.argv[2], "alma_uv_wavelengths.npy"))[::every]
    save(oracle, "alma", oracle.make(case, seed, size, step, uv))
    np.save(os.path.join(FOLDER, "evidence.npy"), [evidence(oracle, name) for name in EVIDENCE])


if __name__ == "__main__":
    main()
