#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The curvature matrix on a GPU: by transforms in CuPy and by the kernels of Headgate, on the same arrays.

    PYTHONPATH=python python bench/peer_curvature_gpu.py [--extent N] [--spacing CELLS...] [--repeats N]

The peer is the route that libraries of arrays offer: columns scattered into batches of 64 zeroed images, cuFFT of the
next length without prime factors above 7, a product with the spectrum of w, the way back, and M' times the result. Its
transposed M and its spectrum are made beforehand; Headgate makes its lists of M in each run. Every route runs in turn;
the least and the median of the rounds are printed, synchronised with the device, and the difference of F.

A disc of pixels and hexagonal hats of the given half widths stand in for a lensed source; w is a sum of a few cosines.
"""
import argparse
import statistics
import time

import cupy as cp
import headgate
import numpy as np
from cupyx.scipy import sparse

INPUTS = ("w", "iy", "ix", "indptr", "rows", "vals")
KERNELS = ("symmetric", "full", "pair", "fft")
BATCH = 64


def problem(n, half):
    rng = np.random.default_rng(1)
    centre = 0.5 * (n - 1)
    y, x = np.mgrid[:n, :n]
    inside = (y - centre) ** 2 + (x - centre) ** 2 <= 0.25 * n * n
    number = np.full((n, n), -1)
    number[inside] = np.arange(inside.sum())
    indptr, rows, vals = [0], [], []
    for gy, gx in np.stack(np.meshgrid(*2 * [np.arange(half / 2, n, half)], indexing="ij"), -1).reshape(-1, 2):
        if (gy - centre) ** 2 + (gx - centre) ** 2 > 0.25 * n * n:
            continue
        vy, vx = gy + 0.9 * (rng.random() - 0.5), gx + 0.9 * (rng.random() - 0.5)
        near = tuple(slice(max(0, int(v) - half - 1), int(v) + half + 2) for v in (vy, vx))
        dy, dx = y[near] - vy, x[near] - vx
        hat = 1 - np.maximum(abs(dy), np.maximum(abs(dx), abs(dy - dx))) / half
        taken = (hat > 0) & inside[near]
        rows.append(number[near][taken])
        vals.append(hat[taken])
        indptr.append(indptr[-1] + int(taken.sum()))
    offset = np.fft.fftfreq(2 * n, 1 / (2 * n))
    w = sum((0.1 + rng.random()) * np.cos(offset * a - offset[:, None] * b) for a, b in rng.random((12, 2)) - 0.5)
    return dict(w=w, iy=y[inside].astype(np.int32), ix=x[inside].astype(np.int32), indptr=np.array(indptr),
                rows=np.concatenate(rows).astype(np.int32), vals=np.concatenate(vals))


def ours(p, kernel):
    engine = headgate.Engine({"routing.force.curvature": f"cuda/{kernel}", "ops.curvature.exact_triangle": False,
                              "gates.curvature.symmetric_max_work_fraction": 1})
    plan = engine.curvature.plan(*(p[name] for name in INPUTS))
    F = cp.zeros(2 * [len(p["indptr"]) - 1])
    return lambda: plan(p["indptr"], p["rows"], p["vals"], out=F)


def smooth(n):
    rest = n
    for factor in (2, 3, 5, 7):
        while rest % factor == 0:
            rest //= factor
    return n if rest == 1 else smooth(n + 1)


def theirs(p):
    n, S = p["w"].shape[0] // 2, len(p["indptr"]) - 1
    period = smooth(2 * n - 1)
    offset = np.fft.fftfreq(2 * n, 1 / (2 * n)).astype(int)
    used = abs(offset) < n
    wide = np.zeros((period, period))
    wide[np.ix_(offset[used] % period, offset[used] % period)] = cp.asnumpy(p["w"])[np.ix_(used, used)]
    spectrum = cp.fft.rfft2(cp.asarray(wide))
    start = cp.asnumpy(p["indptr"])
    column = cp.asarray(np.repeat(np.arange(S), np.diff(start)))
    cell = p["iy"].astype(np.int64) * period + p["ix"]
    by_column = sparse.csc_matrix((p["vals"], p["rows"], p["indptr"].astype(np.int32)), shape=(len(cell), S))
    transposed = by_column.T.tocsr()
    F = cp.zeros((S, S))

    def run():
        for s in range(0, S, BATCH):
            e = min(S, s + BATCH)
            some = slice(int(start[s]), int(start[e]))
            image = cp.zeros((e - s, period * period))
            image[column[some] - s, cell[p["rows"][some]]] = p["vals"][some]
            image = image.reshape(-1, period, period)
            U = cp.fft.irfft2(cp.fft.rfft2(image) * spectrum, s=(period, period)).reshape(e - s, -1)
            F[:, s:e] = transposed @ cp.ascontiguousarray(U[:, cell].T)

    run.F = F
    return run


def measure(run, repeats):
    seconds = []
    for _ in range(repeats + 1):
        cp.cuda.Device().synchronize()
        start = time.perf_counter()
        run()
        cp.cuda.Device().synchronize()
        seconds.append(time.perf_counter() - start)
    return min(seconds[1:]), statistics.median(seconds[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--extent", type=int, default=341)
    parser.add_argument("--spacing", type=int, nargs="+", default=[8, 4])
    parser.add_argument("--repeats", type=int, default=7)
    words = parser.parse_args()
    print(cp.cuda.runtime.getDeviceProperties(0)["name"].decode())
    for half in words.spacing:
        p = {name: cp.asarray(array) for name, array in problem(words.extent, half).items()}
        peer = theirs(p)
        base, median = measure(peer, 3)
        peak = float(abs(peer.F).max())
        print(f"S {len(p['indptr']) - 1}, entries {len(p['vals'])}, extent {words.extent}\n"
              f"  {'CuPy':<10} {1e3 * base:9.3f} ms ({1e3 * median:.3f})")
        for kernel in KERNELS:
            run = ours(p, kernel)
            least, median = measure(run, words.repeats)
            difference = float(abs(run() - peer.F).max()) / peak
            print(f"  {kernel:<10} {1e3 * least:9.3f} ms ({1e3 * median:.3f}), {base / least:6.1f} times as fast, "
                  f"difference / peak {difference:.1e}")


if __name__ == "__main__":
    main()
