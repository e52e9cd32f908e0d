#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Source groups on a device: how much of the copies is hidden behind the work.

    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        python3 bench/groups.py --device 0

With one slot nothing overlaps, and the phases that the callback tells add up to the whole; with two slots and three streams
they run beside each other. Prints seconds of copy in, work and copy out, the total of both ways, their ratio, and the
largest part that the total could not go below. NumPy's arrays are pageable, so packing into page-locked staging is part of the
copy in. Streams come from CuPy.
"""

import argparse
import time

import numpy as np

import headgate

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
for name, value in {"ns": 256, "nr": 256, "nt": 2048, "nx": 512, "nz": 512, "groups": 8, "repeats": 3}.items():
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
    """Seconds of a whole call, and of its phases."""
    phases = {}

    def told(group, n_groups, phase, seconds, moved):
        phases[phase] = phases.get(phase, 0.0) + seconds

    groups = headgate.Groups(
        sources_per_group=-(-ns // options.groups), slots=slots, device=options.device, streams=streams, progress=told)
    start = time.perf_counter()
    call(groups)
    return time.perf_counter() - start, phases


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
            apart, phases = min((measure(call, 1, streams) for _ in range(options.repeats)), key=lambda r: r[0])
            together, _ = min((measure(call, 2, streams) for _ in range(options.repeats)), key=lambda r: r[0])
            parts = ", ".join(f"{phase} {seconds * 1e3:.1f}" for phase, seconds in phases.items())
            print(f"{name}: {parts} ms; one by one {apart * 1e3:.1f}, beside each other {together * 1e3:.1f} ms: "
                  f"{together / sum(phases.values()):.2f} of the sum, {max(phases.values()) / sum(phases.values()):.2f} "
                  f"at best; {engine.last_trace.route}")


if __name__ == "__main__":
    main()
