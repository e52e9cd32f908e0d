# SPDX-License-Identifier: BSD-3-Clause
"""The scaling model of doc/scaling.md: measured on this machine, predicted for many.

    scaling.py measure OUT.json [--seconds 3] [--ranks 1,2,3,4]   headgate and headgate-mpi of the PATH, Open MPI
    scaling.py predict IN.json [--svg OUT.svg]                    tables, and the picture by gnuplot

measure runs each operation at about so many seconds of work, and at LARGER times that, on 1, 2, 3, 4 ranks of one thread,
keeps the seconds of every rank by phase, and takes the process time of the run (not the wall time) for the rate of the
kernel: the machine may be busy. predict takes the constants of the work from the smaller size on 1 and 2 ranks alone, and
sets what they foretell beside all other runs; then it puts them into the formulas of `phases`. What a single machine cannot
tell is in NETWORK.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Assumed, not measured: a cluster of two-socket nodes with one rank each socket.
NETWORK = {
    "network": 10e9,  # bytes a second of one rank
    "latency": 2e-6,  # seconds of a message
    "files": 50e9,  # bytes a second of the shared file system, all ranks together
    "add": 5e8,  # numbers a second that a rank adds up
    "cores": 32,  # of one rank, at 0.9 of the single core's rate each
}

LARGER = 3  # times the items of the size that the constants come from
FITTED = (1, 2)  # ranks that they come from

# Sizes of a problem of `items` items: bytes that are divided, of one item; bytes all ranks need; bytes written of one item;
# numbers summed; units of work of one item.
PROBLEMS = {
    "kirchhoff_forward": {"items": "sources", "work": "pairs"},
    "kirchhoff_adjoint": {"items": "sources", "work": "pairs"},
    "emi": {"items": "points", "work": "points"},
    "visibility": {"items": "frequencies", "work": "antenna sources"},
}
# What is measured here, and what is predicted: a survey, a stack and an array of the size that needs many machines.
HERE = {
    "kirchhoff_forward": {"ns": 61, "nr": 64, "nt": 1000, "nx": 300, "nz": 200},
    "kirchhoff_adjoint": {"ns": 61, "nr": 64, "nt": 1000, "nx": 300, "nz": 200},
    "emi": {"n": 120, "batch": 1001},
    "visibility": {"nant": 40, "nsrc": 4000, "nfreq": 13},
}
THERE = {
    "kirchhoff_forward": {"ns": 4096, "nr": 2048, "nt": 4000, "nx": 2000, "nz": 1000},
    "kirchhoff_adjoint": {"ns": 4096, "nr": 2048, "nt": 4000, "nx": 2000, "nz": 1000},
    "emi": {"n": 200, "batch": 10_000_000},
    "visibility": {"nant": 350, "nsrc": 1_000_000, "nfreq": 1024},
}


def sizes(op, p):
    """items, divided input, shared input, output (bytes; the first two and the last of one item), summed bytes, work."""
    if op.startswith("kirchhoff"):
        ni, data = p["nx"] * p["nz"], 4 * p["nr"] * p["nt"]
        forward = op == "kirchhoff_forward"
        return {"n": p["ns"], "divided": 4 * ni + (0 if forward else data), "shared": 4 * ni * (p["nr"] + forward),
                "written": data if forward else 0, "summed": 0 if forward else 4 * ni, "work": p["nr"] * ni}
    if op == "emi":
        pairs = p["n"] * (p["n"] - 1) // 2
        return {"n": p["batch"], "divided": 8 * pairs, "shared": 0, "written": 8 * p["n"] + 12, "summed": 0,
                "work": (p["n"] / 60) ** 3}
    grid = 4 * 91 * 181
    return {"n": p["nfreq"], "divided": 4 * p["nsrc"] + grid, "shared": 12 * p["nsrc"], "written": 8 * p["nant"] ** 2,
            "summed": 0, "work": p["nant"] * p["nsrc"] * (1 + p["nant"] / 40)}


def make(op, p, path):
    if op == "visibility":
        import h5py
        import numpy as np

        random = np.random.default_rng(1)
        crd = random.normal(size=(3, p["nsrc"]))
        with h5py.File(path, "w") as file:
            file.attrs.update({"headgate_format": 1, "op": op})
            file["freq_hz"] = np.linspace(1e8, 2e8, p["nfreq"])
            file["antpos"] = random.normal(0, 50, (p["nant"], 3)).astype("f4")
            file["crd"] = (crd / np.linalg.norm(crd, axis=0)).astype("f4")
            file["flux"] = random.uniform(0.1, 1, (p["nfreq"], p["nsrc"])).astype("f4")
            file["grid"] = random.normal(size=(p["nfreq"], 1, 1, 1, 91, 181)).astype("f4")
            file["daz"], file["dza"] = np.array([2 * np.pi / 180], "f4"), np.array([np.pi / 180], "f4")
        return
    words = [f"{key}={value}" for key, value in p.items()]
    subprocess.run(["headgate", "generate", op, *words, "-q", "-o", path], check=True)


def launch(n, op, path, out):
    environment = dict(os.environ)
    if os.geteuid() == 0:
        environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    words = ["mpirun", "--oversubscribe", "-n", str(n), "headgate-mpi", "run", op, path, "-o", out, "--json"]
    words += ["-s", "threads.max=1", "-b", "cpu-serial"]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, env=environment)
    return json.loads(done.stdout)


def measure(words):
    result = {"machine": os.uname().machine, "cores": len(os.sched_getaffinity(0)), "runs": []}
    with tempfile.TemporaryDirectory() as folder:
        for op, problem in HERE.items():
            path, out = f"{folder}/in.h5", f"{folder}/out.h5"
            problem = dict(problem)
            item = {"emi": "batch", "visibility": "nfreq"}.get(op, "ns")
            key = "nr" if item == "ns" else item
            make(op, problem, path)
            once = launch(1, op, path, out)["ranks"][0]["cpu"]
            problem[key] = max(int(problem[key] * words.seconds / once), 5) | 1
            for larger in (1, LARGER):
                problem[item] *= larger
                make(op, problem, path)
                for n in [int(n) for n in words.ranks.split(",")] * words.repeats:
                    load = os.getloadavg()[0]
                    run = launch(n, op, path, out)
                    result["runs"].append({"op": op, "problem": dict(problem), "larger": larger, "n": n, "load": load,
                                           "kernel": run["kernel"], "ranks": run["ranks"], "seconds": run["seconds"]})
                    print(op, problem, n, f"{run['seconds']:.2f} s", f"load {load:.1f}", file=sys.stderr)
    Path(words.file).write_text(json.dumps(result, indent=1))


def slowest(run):
    return max(k["cpu"] for k in run["ranks"])


def best(runs, op, larger, n):
    """The run with the least process time of its slowest rank: others' work disturbs it least."""
    return min((r for r in runs if (r["op"], r["larger"], r["n"]) == (op, larger, n)), key=slowest)


def fit(runs, op):
    """From the slowest rank's process time on 1 and 2 ranks: seconds of a unit of work, and of every rank whatever its part.

    For kirchhoff the latter goes by the receiver tables, which every rank checks and prepares: seconds of a byte.
    """
    one, two = [best(runs, op, 1, n) for n in FITTED]
    s = sizes(op, one["problem"])
    whole, part = [math.ceil(s["n"] / n) * s["work"] for n in FITTED]
    slope = min((slowest(one) - slowest(two)) / (whole - part), slowest(one) / whole)
    fixed = slowest(one) - slope * whole
    shared = s["shared"]
    return slope, fixed / shared if op.startswith("kirchhoff") else fixed


def fixed_seconds(op, problem, c):
    return c[op][1] * (sizes(op, problem)["shared"] if op.startswith("kirchhoff") else 1.0)


def constants(runs):
    """Work of each operation as in fit; bytes a second of this machine's reading, sharing, writing."""
    found = {}
    rates = {"read": [], "share": [], "write": []}
    for run in runs:
        s = sizes(run["op"], run["problem"])
        most = math.ceil(s["n"] / run["n"])
        read = most * s["divided"] + s["shared"] / run["n"]
        rates["read"].append(read / min(r["read"] for r in run["ranks"]))
        rates["write"].append((most * s["written"] + s["summed"]) / min(r["write"] for r in run["ranks"]))
        if run["n"] > 1 and s["shared"] > 1e6:
            rates["share"].append(s["shared"] / min(r["share"] for r in run["ranks"]))
    for op in HERE:
        found[op] = fit(runs, op)
    found["open"] = min(min(r["open"] for r in run["ranks"]) for run in runs)
    found.update({name: max(values) for name, values in rates.items() if values})
    return found


def phases(op, problem, ranks, c, network):
    """Seconds of the slowest rank, by phase."""
    s = sizes(op, problem)
    most = math.ceil(s["n"] / ranks)
    files = min(c["read"], network["files"] / ranks)
    steps = math.ceil(math.log2(ranks)) if ranks > 1 else 0
    cores = 1 + 0.9 * (network["cores"] - 1)
    return {
        "open": c["open"] + network["latency"] * steps,
        "read": (most * s["divided"] + s["shared"] / ranks) / files,
        "share": (2 * s["shared"] / network["network"] + steps * network["latency"]) if ranks > 1 else 0.0,
        "run": (most * s["work"] * c[op][0] + fixed_seconds(op, problem, c)) / cores,
        "sum": (2 * s["summed"] * (ranks - 1) / ranks / network["network"] + 2 * ranks * network["latency"]
                + s["summed"] / 4 / network["add"]) if ranks > 1 and s["summed"] else 0.0,
        "write": most * s["written"] / files + s["summed"] / c["write"],
    }


def ideal(op, problem, c, network):
    return phases(op, problem, 1, c, network)["run"]


def check_table(runs, c):
    """What 1, 2, 3, 4 ranks show here: process time of the slowest rank against the model's share of the work."""
    print("| operation | kernel | ranks | items of the first rank | process s, slowest rank | model | off by | load |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for op, larger, n in sorted({(r["op"], r["larger"], r["n"]) for r in runs}, key=lambda k: (list(HERE).index(k[0]), *k[1:])):
        run = best(runs, op, larger, n)
        s = sizes(op, run["problem"])
        most = math.ceil(s["n"] / n)
        model = most * s["work"] * c[op][0] + fixed_seconds(op, run["problem"], c)
        off = "fitted" if larger == 1 and n in FITTED else f"{100 * (model / slowest(run) - 1):+.0f} %"
        print(f"| {op} | {run['kernel']} | {n} | {most} of {s['n']} | {slowest(run):.2f} | {model:.2f} | {off} | {run['load']:.1f} |")


def scaling_table(c):
    print("\n| operation | ranks | items each | seconds | run | read | share | sum | write | efficiency | weak |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for op, problem in THERE.items():
        key = {"emi": "batch", "visibility": "nfreq"}.get(op, "ns")
        for ranks in (1, 16, 64, 256, 1024):
            t = phases(op, problem, ranks, c, NETWORK)
            total = sum(t.values())
            weak = phases(op, {**problem, key: max(problem[key] // 1024, 1) * ranks}, ranks, c, NETWORK)
            alone = phases(op, {**problem, key: max(problem[key] // 1024, 1)}, 1, c, NETWORK)
            cells = [f"{t[name]:.3g}" for name in ("run", "read", "share", "sum", "write")]
            print(f"| {op} | {ranks} | {math.ceil(problem[key] / ranks)} | {total:.4g} | {' | '.join(cells)} "
                  f"| {ideal(op, problem, c, NETWORK) / ranks / total:.2f} | {sum(alone.values()) / sum(weak.values()):.2f} |")


def takeover_table(c):
    """Where the run is no longer most of the time, and what is."""
    print("\n| operation | ranks from which the run is less than half of the time | most of the rest |")
    print("| --- | --- | --- |")
    for op, problem in THERE.items():
        for k in range(0, 11):
            t = phases(op, problem, 2**k, c, NETWORK)
            if t["run"] < sum(t.values()) / 2:
                rest = max((name for name in t if name != "run"), key=t.get)
                print(f"| {op} | {2**k} | {rest}, {t[rest]:.3g} s of {sum(t.values()):.3g} s |")
                break
        else:
            print(f"| {op} | not up to 1024 | |")


def draw(c, svg):
    gnuplot = shutil.which("gnuplot")
    if not gnuplot:
        sys.exit("gnuplot is not here")
    blocks, titles = [], []
    for op, problem in THERE.items():
        lines = []
        for k in range(0, 41):
            ranks = round(2 ** (k / 4))
            lines.append(f"{ranks} {ideal(op, problem, c, NETWORK) / ranks / sum(phases(op, problem, ranks, c, NETWORK).values())}")
        blocks.append("\n".join(lines))
        titles.append(op.replace("_", " "))
    script = [
        "set terminal svg size 720,440 font 'sans,13' background '#ffffff'", f"set output '{svg}'", "set logscale x 2",
        "set xlabel 'ranks of 32 cores'", "set ylabel 'time of the ideal / time'", "set yrange [0:1.05]", "set grid lc '#dddddd'",
        "set key left bottom", "set border 3", "set tics nomirror", "set xrange [1:1100]",
    ]
    colours = ("#1b6ca8", "#d1495b", "#66a182", "#8d6cab")
    plots = [f"'-' with lines lw 2 lc '{colour}' title '{title}'" for title, colour in zip(titles, colours)]
    script.append("plot " + ", ".join(plots))
    subprocess.run([gnuplot], input="\n".join(script) + "\n" + "\ne\n".join(blocks) + "\ne\n", text=True, check=True)


def predict(words):
    runs = json.loads(Path(words.file).read_text())["runs"]
    c = constants(runs)
    for name, value in c.items():
        print(f"{name}:", ", ".join(f"{v:.3g}" for v in (value if isinstance(value, tuple) else (value,))))
    print()
    check_table(runs, c)
    scaling_table(c)
    takeover_table(c)
    if words.svg:
        draw(c, words.svg)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("measure", "predict"))
    parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--ranks", default="1,2,3,4")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--svg")
    words = parser.parse_args()
    {"measure": measure, "predict": predict}[words.command](words)


if __name__ == "__main__":
    main()
