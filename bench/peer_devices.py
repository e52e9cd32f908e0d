# SPDX-License-Identifier: BSD-3-Clause
"""One GPU against several of one host: an engine and a thread for each, arrays in the memory of the device.

    peer_devices.py 0,1 [--repeats 10] [--small]

The whole problem is run on the first device, then each device runs its part; sums of images are made on the host, in the
order of the devices, and are part of the time. Needs CuPy. The goal is 1.85 times for two.
"""

import argparse
import statistics
import threading
import time

import cupy
import numpy as np

import headgate


def shares(n, parts):
    least, more = divmod(n, parts)
    starts = [k * least + min(k, more) for k in range(parts + 1)]
    return [slice(a, b) for a, b in zip(starts, starts[1:])]


def kirchhoff(small):
    """Station-major tables, so that a part of the sources is a piece of each array."""
    ns, nr, nt, nx, nz = (15, 7, 120, 20, 17) if small else (1021, 256, 1024, 512, 512)
    random = np.random.default_rng(1)
    x, z = np.meshgrid(np.arange(nx), np.arange(1, nz + 1), indexing="ij")

    def table(n):
        stations = np.linspace(0, nx - 1, n)[:, None]
        return (np.hypot(x.ravel() - stations, z.ravel()) * (0.45 * nt * 0.004 / np.hypot(nx, nz))).astype("f4")

    arrays = {"trav_src": table(ns), "trav_rec": table(nr), "model": random.normal(size=(nx, nz)).astype("f4"),
              "data": random.normal(size=(ns, nr, nt)).astype("f4")}
    return ns, arrays, {"dt": 0.004, "nt": nt, "nx": nx, "nz": nz, "station_major": True}


def emi(small):
    points, n = (999, 30) if small else (39999, 60)
    random = np.random.default_rng(2)
    phase = random.uniform(0, 2 * np.pi, (points, n)).astype("f4")
    i, j = np.triu_indices(n, 1)
    moduli = (0.2 + 0.7 * np.exp(-(j - i) / 12.0)).astype("f4")
    angles = np.ascontiguousarray(phase[:, i] - phase[:, j])
    return points, {"coh": np.ascontiguousarray((moduli * np.exp(1j * angles)).astype("c8"))}, {}


class Worker(threading.Thread):
    """One device: its part of the arrays, an engine, as many timed rounds as the others."""

    def __init__(self, op, device, part, arrays, scalars, gate, rounds):
        super().__init__()
        self.op, self.device, self.part, self.arrays = op, device, part, arrays
        self.scalars, self.gate, self.rounds = scalars, gate, rounds
        self.result = self.error = None

    def run(self):
        try:
            with cupy.cuda.Device(self.device), headgate.Engine() as engine:
                self.work(engine)
        except BaseException as error:
            self.error = error
            self.gate.abort()

    def prepare(self, engine):
        a, s = self.arrays, self.part
        if self.op == "emi":
            coh = cupy.asarray(a["coh"][s])
            plan = engine.emi.plan(coh)
            return lambda: plan(coh).phase
        model, data = cupy.asarray(a["model"]), cupy.asarray(a["data"][s])
        plan = engine.kirchhoff_plan(trav_src=cupy.asarray(a["trav_src"][s]), trav_rec=cupy.asarray(a["trav_rec"]),
                                     **self.scalars)
        if self.op == "kirchhoff_forward":
            out = cupy.empty_like(data)
            return lambda: plan.forward(model, out=out)
        out = cupy.empty_like(model)
        return lambda: cupy.asnumpy(plan.adjoint(data, out=out))

    def work(self, engine):
        call = self.prepare(engine)
        call()
        cupy.cuda.runtime.deviceSynchronize()
        for _ in range(self.rounds):
            self.gate.wait()
            self.result = call()
            cupy.cuda.runtime.deviceSynchronize()
            self.gate.wait()


def measure(op, devices, problem, rounds):
    n, arrays, scalars = problem
    gate = threading.Barrier(len(devices) + 1)
    workers = [Worker(op, d, s, arrays, scalars, gate, rounds) for d, s in zip(devices, shares(n, len(devices)))]
    for worker in workers:
        worker.start()
    seconds, total = [], None
    try:
        for _ in range(rounds):
            gate.wait(60)
            start = time.perf_counter()
            gate.wait(60)
            if op == "kirchhoff_adjoint":
                total = workers[0].result.astype("f8")
                for worker in workers[1:]:
                    total += worker.result
            seconds.append(time.perf_counter() - start)
    except threading.BrokenBarrierError:
        pass
    for worker in workers:
        worker.join()
        if worker.error:
            raise worker.error
    if op != "kirchhoff_adjoint":
        total = np.concatenate([cupy.asnumpy(w.result) for w in workers])
    return seconds, total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("devices")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--small", action="store_true")
    words = parser.parse_args()
    devices = [int(word) for word in words.devices.split(",")]
    problems = {"kirchhoff_forward": kirchhoff(words.small), "emi": emi(words.small)}
    problems["kirchhoff_adjoint"] = problems["kirchhoff_forward"]
    print(f"{'operation':20} {'one: min, median ms':>22} {'all: min, median ms':>22} {'ratio':>7}  result")
    for op in ("kirchhoff_forward", "kirchhoff_adjoint", "emi"):
        one, whole = measure(op, devices[:1], problems[op], words.repeats)
        many, parts = measure(op, devices, problems[op], words.repeats)
        same = "same bits" if whole.tobytes() == parts.tobytes() else f"{np.abs(whole - parts).max() / np.abs(whole).max():.2g} of the peak"
        cells = [f"{1e3 * min(s):.2f}, {1e3 * statistics.median(s):.2f}" for s in (one, many)]
        print(f"{op:20} {cells[0]:>22} {cells[1]:>22} {statistics.median(one) / statistics.median(many):7.3f}  {same}")


if __name__ == "__main__":
    main()
