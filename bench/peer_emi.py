#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regularized EMI by LAPACK in a numba loop, as phase-linking packages do it, and by Headgate, on the same points.

    python3 -m venv VENV && VENV/bin/pip install numpy scipy numba
    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        VENV/bin/python bench/peer_emi.py [--images N ...] [--looks L] [--dtype c128] [--gpu] [--json FILE]

The peer's loop is compiled by numba and calls LAPACK for each point, in the precision of the input: the eigenvalues of
|Gamma| (syevd), its inverse after beta (getrf, getri), and the one eigenpair of the smallest eigenvalue of M (heevr).
It is the form that moraine has given its CPU path; the releases on the package index compute all pairs (heevd) and do
not regularize. That form, `all pairs`, is timed too, but has no phases to compare. Each round runs every rival once,
in turn, on one thread; the least and the median count, as wall time and as CPU time of the process. Errors are the
largest over the images of a point, against the same steps in float64, over points with lambda_2 / lambda_1 - 1 of
1e-3 or more.

--gpu: the batched sequence of CuPy (eigvalsh, inv, eigh) and Headgate on arrays that lie on the device.
"""

import argparse
import ctypes
import json
import os
import platform
import statistics
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402

import headgate  # noqa: E402

KAPPA = 1e5


# ---- points

def true_coherence(rng, t):
    """Decay to a long-term level, with a yearly cycle."""
    first, tau, level, cycle = rng.uniform(0.75, 0.97), rng.uniform(20, 300), rng.uniform(0.02, 0.45), rng.uniform(0, 0.35)
    dt = np.abs(t[:, None] - t)
    level = min(level, first)
    g = ((first - level) * np.exp(-dt / tau) + level) * (1 - cycle + cycle * np.cos(2 * np.pi * dt / 365.25))
    np.fill_diagonal(g, 1)
    return g


def generate(points, n, looks, dtype, seed=1):
    """Packed sample coherences of `looks` circular Gaussian looks, images every 12 days."""
    rng = np.random.default_rng(seed)
    t, upper = 12.0 * np.arange(n), np.triu_indices(n, 1)
    coh = np.empty((points, n * (n - 1) // 2), dtype)
    for p in range(points):
        factor = np.linalg.cholesky(true_coherence(rng, t) + 1e-12 * np.eye(n))
        phase = np.exp(1j * (rng.normal(0, 4) * t / 365.25 + rng.normal(0, 0.6, n)))
        s = phase[:, None] * (factor @ (rng.standard_normal((n, looks)) + 1j * rng.standard_normal((n, looks))))
        cov = s @ s.conj().T
        amplitude = np.sqrt(np.diag(cov).real)
        coh[p] = (cov / amplitude[:, None] / amplitude)[upper]
    return coh


def full(xp, coh, n):
    (i, j), diagonal = xp.triu_indices(n, 1), xp.arange(n)
    gamma = xp.zeros((len(coh), n, n), coh.dtype)
    gamma[:, i, j] = coh
    gamma[:, j, i] = coh.conj()
    gamma[:, diagonal, diagonal] = 1
    return gamma


def beta_of(xp, low, high):
    lift = xp.maximum(0, -low)
    lack = high / KAPPA - low
    by_condition = lack / xp.maximum((1 - low) + (high - 1) / KAPPA, 1e-300)
    return xp.where(lack > 0, xp.maximum(2 * lift / (1 + 2 * lift), by_condition), 2 * lift / (1 + 2 * lift))


def batched(xp, coh, n):
    """All steps on whole batches, in the precision of coh: phases, and lambda_2 / lambda_1 - 1."""
    gamma = full(xp, coh, n)
    a = xp.abs(gamma)
    values = xp.linalg.eigvalsh(a).astype(np.float64)
    keep = (1 - beta_of(xp, values[:, 0], values[:, -1])).astype(a.dtype)[:, None, None]
    eye = xp.eye(n, dtype=a.dtype)
    weights = xp.linalg.inv(keep * a + (1 - keep) * eye)
    values, vectors = xp.linalg.eigh(weights * (keep * gamma + (1 - keep) * eye))
    v = vectors[:, :, 0] * vectors[:, :1, 0].conj()
    return v / xp.abs(v), values[:, 1] / values[:, 0] - 1


# ---- the peer: LAPACK called by a loop that numba compiles

def lapack(name, n_arguments):
    from numba.extending import get_cython_function_address

    address = get_cython_function_address("scipy.linalg.cython_lapack", name)
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * n_arguments)(address)


def compiled(dtype):
    """The peer's two loops, compiled: the one pair with regularization, and all pairs without."""
    from numba import njit

    is_single = dtype == np.complex64
    heevr = lapack("cheevr" if is_single else "zheevr", 24)
    real, kappa = np.float32 if is_single else np.float64, KAPPA

    @njit(fastmath=False)
    def unpacked(coh, gamma):
        n, at = len(gamma), 0
        for i in range(n):
            gamma[i, i] = 1
            for j in range(i + 1, n):
                gamma[i, j] = coh[at]
                gamma[j, i] = np.conj(coh[at])
                at += 1

    @njit(fastmath=False)
    def one_pair(coh, n, phase, quality):
        gamma, m = np.empty((n, n), coh.dtype), np.empty((n, n), coh.dtype)
        values, vector, support = np.empty(n, real), np.empty(n, coh.dtype), np.empty(2 * n, np.int32)
        work, rwork, iwork = np.empty(64 * n, coh.dtype), np.empty(24 * n, real), np.empty(10 * n, np.int32)
        size = np.array([n, 1, 1, 0, 64 * n, 24 * n, 10 * n, 0], np.int32)  # n, il, iu, found, work sizes, info
        words = np.frombuffer(b"VIU", np.uint8)
        limits = np.zeros(3, real)
        for p in range(len(coh)):
            unpacked(coh[p], gamma)
            a = np.abs(gamma)
            all_values = np.linalg.eigvalsh(a)
            low, high = np.float64(all_values[0]), np.float64(all_values[-1])
            lift, lack = max(0.0, -low), high / kappa - low
            beta = 2 * lift / (1 + 2 * lift)
            if lack > 0:
                beta = max(beta, lack / ((1 - low) + (high - 1) / kappa))
            keep = real(1 - beta)
            for i in range(n):
                for j in range(n):
                    if i != j:
                        a[i, j] *= keep
            inverse = np.linalg.inv(a)
            for i in range(n):
                for j in range(n):  # conj(M), by columns
                    m[i, j] = inverse[i, j] * gamma[i, j] if i == j else inverse[i, j] * keep * gamma[i, j]
            heevr(words[0:].ctypes, words[1:].ctypes, words[2:].ctypes, size[0:].ctypes, m.ctypes, size[0:].ctypes,
                  limits[0:].ctypes, limits[1:].ctypes, size[1:].ctypes, size[2:].ctypes, limits[2:].ctypes,
                  size[3:].ctypes, values.ctypes, vector.ctypes, size[0:].ctypes, support.ctypes, work.ctypes,
                  size[4:].ctypes, rwork.ctypes, size[5:].ctypes, iwork.ctypes, size[6:].ctypes, size[7:].ctypes,
                  size[7:].ctypes)
            for i in range(n):
                z = np.conj(vector[i]) * vector[0]
                phase[p, i] = z / abs(z)
            quality[p] = values[0]

    @njit(fastmath=False)
    def all_pairs(coh, n, phase, quality):
        gamma = np.empty((n, n), coh.dtype)
        for p in range(len(coh)):
            unpacked(coh[p], gamma)
            values, vectors = np.linalg.eigh(np.linalg.inv(np.abs(gamma)) * gamma)
            for i in range(n):
                z = vectors[i, 0] * np.conj(vectors[0, 0])
                phase[p, i] = z / abs(z)
            quality[p] = values[0]

    return {"one pair": one_pair, "all pairs": all_pairs}


# ---- rounds

def race(rivals, repeats):
    seconds = {name: [] for name in rivals}
    for _ in range(repeats):
        for name, call in rivals.items():
            wall, cpu = time.perf_counter(), time.process_time()
            call()
            seconds[name].append((time.perf_counter() - wall, time.process_time() - cpu))
    return {name: {"wall": min(w for w, _ in s), "median": statistics.median(w for w, _ in s), "cpu": min(c for _, c in s)}
            for name, s in seconds.items()}


def errors(phase, want, gap):
    worst = np.abs(np.angle(phase * want.conj())).max(1)[gap >= 1e-3]
    return {"p50": float(np.median(worst)), "p99": float(np.percentile(worst, 99)), "max": float(worst.max())}


def on_cpu(engine, n, options, peers):
    dtype = np.dtype("complex64" if options.dtype == "c64" else "complex128")
    real = np.zeros(0, dtype).real.dtype
    points = int(min(20000, max(64, options.seconds / (1e-9 * n**3 * 0.8 + 1e-5)))) // 16 * 16
    coh = generate(points, n, options.looks or n, dtype)
    phase, quality = np.empty((points, n), dtype), np.empty(points, real)
    runs = {threads: headgate.Exec(engine, threads=threads) for threads in (1, 2)}
    rivals = {name: lambda call=call: call(coh, n, phase, quality) for name, call in peers.items()}
    results = {}
    for threads, run in runs.items():
        def ours(run=run, threads=threads):
            results[threads] = engine.emi(coh, exec=run)[0]
        rivals[f"Headgate {threads}"] = ours
    for call in rivals.values():
        call()
    times = race(rivals, options.repeats)
    rivals["one pair"]()
    want, gap = batched(np, coh.astype(np.complex128), n)
    error = {"one pair": errors(phase, want, gap), "Headgate 1": errors(results[1], want, gap)}
    print(f"n {n}, {options.looks or n} looks, {points} points, {runs[1].last_trace.route}; "
          f"{int((gap < 1e-3).sum())} points without a unique vector")
    for name, t in times.items():
        ratios = "" if name in peers else "  " + ", ".join(
            f"{times[peer]['wall'] / t['wall']:.1f}x ({times[peer]['cpu'] / t['cpu']:.1f}x) {peer}" for peer in peers)
        phases = "  phase error p50 {p50:.1e} p99 {p99:.1e} max {max:.1e}".format(**error[name]) if name in error else ""
        print(f"  {name:<12} {1e6 * t['wall'] / points:9.2f} us a point, median {1e6 * t['median'] / points:9.2f}, "
              f"CPU {1e6 * t['cpu'] / points:9.2f}{ratios}{phases}")
    print(f"  two threads are {times['Headgate 1']['wall'] / times['Headgate 2']['wall']:.2f} times as fast as one; "
          f"bits {'equal' if np.array_equal(results[1], results[2]) else 'DIFFER'}")
    return {"n": n, "points": points, "times": times, "errors": error}


def on_gpu(engine, n, options):
    import cupy

    points = 1024 if n < 64 else 128
    dtype = np.dtype("complex64" if options.dtype == "c64" else "complex128")
    coh = generate(points, n, options.looks or n, dtype)
    want, gap = batched(np, coh.astype(np.complex128), n)
    device, many = cupy.asarray(coh), cupy.asarray(np.tile(coh, (max(1, 20000 // points), 1)))
    result = {}

    def timed(call, count):
        call()
        best = np.inf
        for _ in range(options.repeats):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            call()
            end.record()
            end.synchronize()
            best = min(best, cupy.cuda.get_elapsed_time(begin, end))
        return 1e3 * best / count

    def theirs():
        result["peer"] = batched(cupy, device, n)[0]

    def ours():
        result["ours"] = engine.emi(many)[0]

    peer, own = timed(theirs, points), timed(ours, len(many))
    error = {name: errors(cupy.asnumpy(phase[:points]), want, gap) for name, phase in result.items()}
    print(f"n {n}: CuPy {peer:.3f} us a point, Headgate {own:.4f}: {peer / own:.0f}x; phase error p99 "
          f"{error['peer']['p99']:.1e} and {error['ours']['p99']:.1e}")
    return {"n": n, "cupy": peer, "headgate": own, "errors": error}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, nargs="+", default=[17, 30, 92, 128])
    parser.add_argument("--looks", type=int, default=0, help="0: as many as images")
    parser.add_argument("--dtype", choices=["c64", "c128"], default="c64")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="about the length of the peer's part of a round")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}; Headgate {headgate.library_version}, NumPy {np.__version__}; "
          f"{options.dtype}, least of {options.repeats} rounds; ratios of wall time, in brackets of CPU time")
    with headgate.Engine() as engine:
        if options.gpu:
            records = [on_gpu(engine, n, options) for n in options.images]
        else:
            peers = compiled(np.complex64 if options.dtype == "c64" else np.complex128)
            records = [on_cpu(engine, n, options, peers) for n in options.images]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(records, file, indent=1)


if __name__ == "__main__":
    main()
