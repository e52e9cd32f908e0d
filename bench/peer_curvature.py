#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The curvature matrix by PyAutoArray and by Headgate, on the same input in one run.

    headgate generate curvature case=aris8 -o aris8.h5
    PYTHONPATH=python python bench/peer_curvature.py aris8.h5 [--repeats N] [--only WORD...] [--json FILE]

needs autoarray (2026.10.26 or newer, which asks for Python 3.12), numba and h5py beside headgate's own package.
Everything runs on one thread. Each round runs every route once, in turn, so that a busy machine harms all alike; the
least and the median of the rounds are printed, with the ratio of a route of the peer to its counterpart here:

    full         curvature_direct_conv, numba           cpu-serial/full
    symmetric    curvature_direct_conv_symmetric, numba cpu-serial/symmetric
    fft          InterferometerSparseOperator, scipy    cpu-fftw/fft
    decided      the route that the peer's cost model takes, and the one that Headgate's takes

Compiling (numba) and preparing (spectra, unwrapped w, Headgate's plan) come before the first round. The peer's inputs
in its own layout and its ranking are made beforehand too and not timed; Headgate's are part of each run.
"""
import argparse
import json
import os
import statistics
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import h5py
import headgate
import numpy as np
from scipy import sparse

INPUTS = ("w", "iy", "ix", "indptr", "rows", "vals")
ROUTES = {"full": "cpu-serial/full", "symmetric": "cpu-serial/symmetric", "fft": "cpu-fftw/fft"}


def read(path):
    with h5py.File(path) as file:
        return {name: file[name][()] for name in INPUTS}


# ---- Headgate

def ours(p, route):
    """A function that computes F by a route, or by the chosen one."""
    settings = {"threads.max": 1, "plugins.cpu-openmp.enabled": False}
    if route:
        settings.update({"routing.force.curvature": route, "gates.curvature.symmetric_max_work_fraction": 1})
    engine = headgate.Engine(settings)
    plan = engine.curvature.plan(*(p[name] for name in INPUTS))
    S = len(p["indptr"]) - 1
    F = np.zeros((S, S))

    def run():
        plan(p["indptr"], p["rows"], p["vals"], out=F)
        return F

    run.route = lambda: str(plan.trace.route)
    return run


# ---- PyAutoArray

def theirs(p):
    """The three routes of the peer, and the name of the one that it would take."""
    from autoarray.inversion.inversion.interferometer import inversion_interferometer_util as fft_util
    from autoarray.inversion.inversion.interferometer_numba import inversion_interferometer_numba_util as util

    ny, nx = (n // 2 for n in p["w"].shape)
    iy, ix = p["iy"].astype(np.int64), p["ix"].astype(np.int64)
    S, flat = len(p["indptr"]) - 1, iy * nx + ix
    by_column = sparse.csc_matrix((p["vals"], p["rows"], p["indptr"]), shape=(len(iy), S))
    by_pixel = by_column.tocsr()
    column = [p["indptr"], p["rows"].astype(np.int64), p["vals"]]
    arguments = [p["w"], iy, ix, flat, by_pixel.indptr.astype(np.int64), by_pixel.indices.astype(np.int64),
                 by_pixel.data, *column, ny, nx, S]
    extra = util.symmetric_restriction_inputs_from(iy, ix, column[0], column[1], ny, nx, S)
    ranked = [extra[key] for key in util.SYMMETRIC_KERNEL_KEYS]
    operator = fft_util.InterferometerSparseOperator.from_nufft_precision_operator(
        p["w"], dirty_image=np.zeros(len(iy)))
    entries = dict(rows=flat[column[1]], cols=np.repeat(np.arange(S), np.diff(column[0])), vals=p["vals"], S=S)
    routes = {"full": lambda: util.curvature_direct_conv(*arguments),
              "symmetric": lambda: util.curvature_direct_conv_symmetric(*arguments, *ranked),
              "fft": lambda: operator.curvature_matrix_diag_from(**entries)}
    f = extra["work_fraction"]
    gate = f <= 0.7
    t_fft, t_direct = util.curvature_route_seconds_from(S, len(p["vals"]), (ny, nx), f if gate else None)
    return routes, "fft" if t_fft < t_direct else "symmetric" if gate else "full", f


# ---- rounds

def measure(functions, repeats):
    seconds = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            seconds[name].append(time.perf_counter() - start)
    return {name: {"seconds": min(s), "median": statistics.median(s)} for name, s in seconds.items()}


def small():
    """A problem that compiles what numba has to."""
    w = np.ones((6, 8))
    return dict(w=w, iy=np.array([0, 2]), ix=np.array([3, 0]), indptr=np.array([0, 1, 2]), rows=np.array([0, 1]),
                vals=np.ones(2))


def compare(path, repeats, only):
    p = read(path)
    for run in theirs(small())[0].values():
        run()
    routes, taken, f = theirs(p)
    wanted = [name for name in ROUTES if not only or name in only]
    functions = {}
    for name in wanted:
        functions["peer " + name] = routes[name]
        functions["headgate " + name] = ours(p, ROUTES[name])
    decided = functions["headgate decided"] = ours(p, None)
    results = {name: function().copy() for name, function in functions.items()}
    reference = results["headgate " + wanted[0]]
    peak = np.abs(reference).max()
    times = measure(functions, repeats)
    S, nnz = len(p["indptr"]) - 1, len(p["vals"])
    print(f"{os.path.basename(path)}: S {S}, entries {nnz}, extent {p['w'].shape[0] // 2} x {p['w'].shape[1] // 2}, "
          f"f {f:.4f}; {repeats} rounds after a first")
    print(f"  {'route':<20} {'seconds':>9} {'median':>9} {'ratio':>7} {'of medians':>11} {'difference / peak':>18}")
    for name, t in times.items():
        side, route = name.split()
        peer = times.get("peer " + (taken if route == "decided" else route))
        ratio = f"{peer['seconds'] / t['seconds']:7.1f} {peer['median'] / t['median']:11.1f}" \
            if side == "headgate" and peer else f"{'':>7} {'':>11}"
        t["difference"] = float(np.abs(results[name] - reference).max() / peak)
        print(f"  {name:<20} {t['seconds']:9.4f} {t['median']:9.4f} {ratio} {t['difference']:18.1e}")
    best = min((t["seconds"] for name, t in times.items() if name.startswith("peer")), default=float("nan"))
    print(f"  decided: the peer {taken}, Headgate {decided.route()}; "
          f"the peer's best takes {best / times['headgate decided']['seconds']:.1f} times as long")
    return dict(case=os.path.basename(path), S=S, nnz=nnz, f=f, peer_takes=taken, headgate_takes=decided.route(),
                times=times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", help="what headgate generate curvature wrote")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=list(ROUTES), help="only these routes")
    parser.add_argument("--json", help="a file for the numbers")
    words = parser.parse_args()
    found = [compare(path, words.repeats, words.only) for path in words.files]
    if words.json:
        with open(words.json, "w") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
