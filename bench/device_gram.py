#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every kernel of visibility_gram on a GPU over a grid of sizes: times, errors, and how good the choice is.

    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        python3 bench/device_gram.py --json FILE

Needs CuPy. Times are between events on the stream, behind a kernel that waits until all is queued, so that they are
those of the device; kernels take turns, the median of the repeats counts. Errors are against complex128 on the same
stored numbers, as a share of the largest element. The file has the terms of the cost model of each kernel too, from
which constants are fitted.
"""

import argparse
import json

import cupy
import headgate

SIZES = {
    64: (1000, 4000, 16384, 65536),
    128: (1000, 8000, 33000, 65536, 100003),
    200: (1000, 33000, 131072),
    256: (4000, 16384, 65536),
    350: (1000, 4000, 16384, 32768, 66668),
    500: (1000, 8000, 33000, 65536),
    700: (250, 1000, 4000, 16384, 33000, 65536, 66668),
    1000: (1000, 8000, 33000),
    1400: (1000, 4000, 16384, 33000, 65536),
    2048: (1000,),
}

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--only", help="M,K of one size")
parser.add_argument("--repeats", type=int, default=7)
parser.add_argument("--error", action="store_true", help="errors too, which takes longer")
parser.add_argument("--json", help="file to write")
options = parser.parse_args()


WAIT = cupy.RawKernel(
    "extern \"C\" __global__ void wait(long long clocks) { for (long long t = clock64(); clock64() - t < clocks;); }", "wait"
)


def make(m, k, rng):
    """Rows of different strength, sources of very different flux."""
    flux = rng.random(k, dtype="float32") ** -0.5
    Z = cupy.empty((m, k), "complex64")
    Z.real = rng.standard_normal((m, k), dtype="float32") + cupy.float32(0.3)
    Z.imag = rng.standard_normal((m, k), dtype="float32")
    Z *= flux
    Z *= (1 / (1 + cupy.arange(m) % 5)).astype("float32")[:, None]
    return Z


def exact(Z):
    V = cupy.zeros((len(Z), len(Z)), "complex128")
    for k in range(0, Z.shape[1], 8192):
        block = Z[:, k : k + 8192].astype("complex128")
        V += block @ block.conj().T
    return V


def candidates(engine, Z, V):
    document = engine.visibility_gram.explain(Z, out=V).document
    return {c["kernel"]: c for c in document["candidates"] if c["plugin"] == "cuda" and "seconds" in c}


def measure(engines, default, m, k, rng):
    Z, V = make(m, k, rng), cupy.empty((m, m), "complex64")
    told = candidates(default, Z, V)
    chosen = next(name for name, c in told.items() if c["state"] == "chosen")
    plans = {name: engines[name].visibility_gram.plan(Z, out=V) for name in told}
    times = {name: [] for name in told}
    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    for repeat in range(options.repeats + 1):
        for name, plan in plans.items():
            WAIT((1,), (1,), (600000,))
            start.record()
            plan(Z, out=V)
            end.record()
            end.synchronize()
            if repeat > 0:
                times[name].append(1e-3 * cupy.cuda.get_elapsed_time(start, end))
    point = {"m": m, "k": k, "chosen": chosen, "kernels": {}}
    want = exact(Z) if options.error else None
    for name, c in told.items():
        seconds = sorted(times[name])
        entry = {"median": seconds[len(seconds) // 2], "min": seconds[0], "predicted": c["seconds"], "terms": c["terms"]}
        if options.error:
            plans[name](Z, out=V)
            entry["error"] = float(abs(V - want).max() / abs(want).max())
        point["kernels"][name] = entry
    best = min(entry["median"] for entry in point["kernels"].values())
    point["regret"] = point["kernels"][chosen]["median"] / best
    return point


def main():
    rng = cupy.random.default_rng(1)
    sizes = [(m, k) for m, ks in SIZES.items() for k in ks]
    if options.only:
        sizes = [tuple(int(word) for word in options.only.split(","))]
    default = headgate.Engine()
    tiny = make(2, 3, rng)
    names = list(candidates(default, tiny, cupy.empty((2, 2), "complex64")))
    engines = {name: headgate.Engine({"routing.force.visibility_gram": f"cuda/{name}"}) for name in names}
    points = [measure(engines, default, m, k, rng) for m, k in sizes]
    for p in points:
        cells = [
            f"{name} {1e3 * e['median']:.3f} ({1e3 * e['predicted']:.3f})" + (f" {e['error']:.1e}" if "error" in e else "")
            for name, e in p["kernels"].items()
        ]
        print(f"{p['m']:5d} x {p['k']:6d}  {p['regret']:.3f} {p['chosen']:7s} " + "  ".join(cells))
    good = sum(p["regret"] <= 1.10 for p in points) / len(points)
    print(f"chosen / best <= 1.10 at {100 * good:.1f} % of {len(points)} sizes, worst {max(p['regret'] for p in points):.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(points, file, indent=1)


if __name__ == "__main__":
    main()
