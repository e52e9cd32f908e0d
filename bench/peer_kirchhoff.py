#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Kirchhoff pair beside PyLops (engine numba, or cuda on a GPU) on the same tables, in one process.

    python3 -m venv VENV && VENV/bin/pip install pylops numba
    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        VENV/bin/python bench/peer_kirchhoff.py --threads 1

PyLops makes the tables of its own analytic mode, with its default limits; Headgate gets them through the adapter
headgate.hosts.pylops, which also asks for what PyLops does where the two differ on purpose: the offset aperture that cuts
and does not roll off. Only the products are timed, without the wavelet
and without plan or compilation. Rivals take turns; the minimum of the wall clock and of the process's CPU time are given
as ns per pair (source, receiver, image point), and ratios are of the latter for one thread, of the former for more.
Differences are shares of the largest number.
"""

import argparse
import os
import platform
import time
import warnings

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
sizes = {"ns": 20, "nr": 30, "nt": 500, "nx": 100, "nz": 100, "threads": 1, "repeats": 15}
for name, value in sizes.items():
    parser.add_argument(f"--{name}", type=int, default=value)
parser.add_argument("--dtype", choices=["f32", "f64", "both"], default="both")
parser.add_argument("--engine", choices=["numba", "cuda"], default="numba")
options = parser.parse_args()
os.environ["NUMBA_NUM_THREADS"] = str(options.threads)  # PyLops reads it when it is imported

warnings.simplefilter("ignore", FutureWarning)  # of PyLops, about the form of its traveltime argument

import numpy as np  # noqa: E402
import pylops  # noqa: E402
from pylops.utils.backend import to_cupy_conditional  # noqa: E402
from pylops.waveeqprocessing import Kirchhoff as Theirs  # noqa: E402

import headgate  # noqa: E402
from headgate.hosts.pylops import Kirchhoff as Ours  # noqa: E402

ns, nr, nt, nx, nz = options.ns, options.nr, options.nt, options.nx, options.nz
DX, DZ, SPEED = 10.0, 6.0, 2000.0
ON_GPU = options.engine == "cuda"


def arguments(dtype):
    """A survey over the whole grid: no two sizes or steps alike, every time inside the record."""
    x, z = np.arange(nx) * DX, np.arange(nz) * DZ
    longest = 2 * np.hypot(x[-1], z[-1]) / SPEED
    t = np.linspace(0, 1.02 * longest, nt)
    srcs = np.vstack([np.linspace(0.05 * x[-1], 0.93 * x[-1], ns), np.full(ns, 3.0)])
    recs = np.vstack([np.linspace(0.02 * x[-1], 0.97 * x[-1], nr), np.full(nr, 5.0)])
    return (z, x, t, srcs, recs, SPEED, np.ones(1), 0), {"mode": "analytic", "dtype": dtype}


class NoWavelet:
    """In place of the convolution, so that the products alone are timed."""

    def _matvec(self, y):
        return y

    _rmatvec = _matvec


def rivals(engine, dtype, dynamic):
    given, keywords = arguments(dtype)
    theirs = Theirs(*given, **keywords, dynamic=dynamic, engine=options.engine)
    ours = Ours(*given, **keywords, dynamic=dynamic, headgate=engine)
    for operator in (theirs, ours):
        operator.cop = NoWavelet()
        for name in vars(operator):
            table = getattr(operator, name)
            if isinstance(table, np.ndarray) and table.dtype.kind == "f":
                setattr(operator, name, np.ascontiguousarray(table.astype(dtype)))
    return theirs, ours


def wait():
    if ON_GPU:
        import cupy

        cupy.cuda.Device().synchronize()


def race(calls):
    """Minimum of wall and CPU seconds of each, and what each gave."""
    best = {name: [np.inf, np.inf] for name in calls}
    results = {name: call() for name, call in calls.items()}  # compiles, prepares
    wait()
    for _ in range(options.repeats):
        for name, call in calls.items():
            start = time.perf_counter(), time.process_time()
            call()
            wait()
            took = time.perf_counter() - start[0], time.process_time() - start[1]
            best[name] = [min(pair) for pair in zip(best[name], took)]
    return best, results


def numbers(array):
    return np.asarray(array.get() if hasattr(array, "get") else array, dtype=np.float64).ravel()


def main():
    print(f"{platform.processor() or platform.machine()}; Headgate {headgate.library_version}, PyLops "
          f"{pylops.__version__} engine {options.engine}, NumPy {np.__version__}; load {os.getloadavg()[0]:.1f}")
    print(f"ns {ns}, nr {nr}, nt {nt}, {nx} x {nz}, threads {options.threads}")
    print(f"{'':22} {'PyLops ns wall cpu':>20} {'Headgate ns wall cpu':>22} {'ratio':>6} {'difference':>10}")
    rng = np.random.default_rng(1)
    pairs = ns * nr * nx * nz
    config = headgate.Config()
    config.set("threads.max", str(options.threads))
    with headgate.Engine(config) as engine:
        for dtype in ("float32", "float64"):
            if options.dtype not in ("both", {"float32": "f32", "float64": "f64"}[dtype]):
                continue
            model, data = rng.standard_normal(nx * nz).astype(dtype), rng.standard_normal(ns * nr * nt).astype(dtype)
            if ON_GPU:
                model, data = to_cupy_conditional(None, model), to_cupy_conditional(None, data)
            for dynamic in (False, True):
                theirs, ours = rivals(engine, dtype, dynamic)
                for direction in ("adjoint", "forward"):
                    product, array = ("_matvec", model) if direction == "forward" else ("_rmatvec", data)
                    best, results = race({
                        name: lambda operator=operator: getattr(operator, product)(array)
                        for name, operator in (("theirs", theirs), ("ours", ours))
                    })
                    want, got = numbers(results["theirs"]), numbers(results["ours"])
                    clock = 1 if options.threads == 1 and not ON_GPU else 0
                    per_pair = {name: [1e9 * s / pairs for s in both] for name, both in best.items()}
                    print(f"{dtype:8}{'dynamic' if dynamic else '':8}{direction:8}"
                          f"{per_pair['theirs'][0]:11.3f} {per_pair['theirs'][1]:8.3f}"
                          f"{per_pair['ours'][0]:13.3f} {per_pair['ours'][1]:8.3f}"
                          f"{best['theirs'][clock] / best['ours'][clock]:8.2f}"
                          f"{np.abs(want - got).max() / np.abs(want).max():11.1e}")


if __name__ == "__main__":
    main()
