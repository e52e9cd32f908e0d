#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Source groups on a device: how much of the copies is hidden behind the work.

    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        python3 bench/groups.py --device 0

With one slot nothing overlaps; with two slots and three streams the phases run beside each other. Prints the phases that
the callback tells, in ms: copy in (receivers' tables and packing included, NumPy's arrays being pageable), work (planning
included), copy out. What they leave of the one-by-one call is set-up: device memory and page-locked staging, once a call.
The ratio is the whole overlapped call, set-up included, over the sum of the phases alone, beside the same less set-up.
Then where the overlapped run spends its time: the calling thread's ms between two callbacks, by the phase that the second
one tells. Streams come from CuPy.
"""

import argparse
import time

import numpy as np

import headgate

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
for name, value in {"ns": 512, "nr": 256, "nt": 2048, "nx": 512, "nz": 512, "groups": 16, "repeats": 3}.items():
    parser.add_argument(f"--{name}", type=int, default=value)
parser.add_argument("--device", type=int, help="none: the kernels of the host")
options = parser.parse_args()
ns, nr, nt, nx, nz = options.ns, options.nr, options.nt, options.nx, options.nz


def survey():
    """Straight rays over a square of 5 km, station-major."""
    x, z = np.meshgrid(np.linspace(0, 5000, nx), np.linspace(20, 5000, nz), indexing="ij")
    tables = {}
    for name, n in (("trav_src", ns), ("trav_rec", nr)):
        at = np.linspace(13, 4987, n).reshape(-1, 1, 1)
        tables[name] = (np.hypot(x - at, z) / 2000).reshape(n, -1).astype(np.float32)
    dt = 2.02 * float(max(t.max() for t in tables.values())) / nt
    return {**tables, "dt": dt, "nt": nt, "nz": nz, "nx": nx, "station_major": True, "check": "none"}


def measure(call, slots, streams):
    """Seconds of a whole call, of its phases, and of its calling thread between two callbacks."""
    phases, thread = {}, {}
    last = [0.0]

    def told(group, n_groups, phase, seconds, moved):
        now = time.perf_counter()
        phases[phase] = phases.get(phase, 0.0) + seconds
        key = "to the first" if not thread else f"to {phase}"
        thread[key] = thread.get(key, 0.0) + now - last[0]
        last[0] = now

    groups = headgate.Groups(
        sources_per_group=-(-ns // options.groups), slots=slots, device=options.device, streams=streams, progress=told)
    start = last[0] = time.perf_counter()
    call(groups)
    end = time.perf_counter()
    thread["close"] = end - last[0]
    return end - start, phases, thread


def best(call, slots, streams):
    return min((measure(call, slots, streams) for _ in range(options.repeats)), key=lambda run: run[0])


def text(parts):
    return ", ".join(f"{name} {seconds * 1e3:.1f}" for name, seconds in parts.items())


def main():
    streams, s = [], survey()
    model, data = np.ones((nx, nz), np.float32), np.zeros((ns, nr, nt), np.float32)
    if options.device is not None:
        import cupy

        keep = [cupy.cuda.Stream(non_blocking=True) for _ in range(3)]
        streams = [stream.ptr for stream in keep]
    gigabytes = (4 * nx * nz * (ns + nr) + 4 * ns * nr * nt) / 1e9
    print(f"ns {ns}, nr {nr}, nt {nt}, {nx} x {nz}, {options.groups} groups, {gigabytes:.2f} GB, f32, device "
          f"{options.device}")
    with headgate.Engine() as engine:
        calls = {
            "forward": lambda groups: engine.kirchhoff_group_forward(model, out=data, groups=groups, **s),
            "adjoint": lambda groups: engine.kirchhoff_group_adjoint(data, out=model, groups=groups, **s),
        }
        for name, call in calls.items():
            measure(call, 1, streams)
            measure(call, 2, streams)
            apart, phases, _ = best(call, 1, streams)
            together, beside, thread = best(call, 2, streams)
            total = sum(phases.values())
            setup = apart - total
            print(f"{name}: {text(phases)} ms, sum {total * 1e3:.1f}; one by one {apart * 1e3:.1f}, set-up "
                  f"{setup * 1e3:.1f}; {engine.last_trace.route}")
            print(f"  beside each other {together * 1e3:.1f} ms: {together / total:.2f} of the sum, without set-up "
                  f"{(together - setup) / total:.2f}, {max(phases.values()) / total:.2f} at best")
            print(f"  phases there, waits included: {text(beside)}; calling thread: {text(thread)}")


if __name__ == "__main__":
    main()
