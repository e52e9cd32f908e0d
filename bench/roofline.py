# SPDX-License-Identifier: BSD-3-Clause
"""Steps of visibility on one core beside what the core can do: roofline.py OUT.svg|OUT.png [NANT NBEAM NSRC]

Prints a table and draws it. Needs headgate and gnuplot in the PATH and a C compiler (CC). Operations are those of the
table in doc/visibility.md; bytes are what must come from and go to memory: inputs and outputs of a step by itself.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NFEED, NAX, NZA, NAZ = 2, 2, 91, 181  # the grid of headgate bench: all of it above the horizon


def steps(nant, nbeam, nsrc):
    """Name, keys, float32 operations and bytes of each step; half of the sources of the fused call are up."""
    m, k, grid = nant * NFEED, NAX * nsrc, 8 * nbeam * NFEED * NAX * NZA * NAZ
    values, up = nbeam * NFEED * NAX, nsrc // 2
    work = {"angles": 70 * nsrc, "beam": 16 * values * nsrc, "tau": 45 * nant * nsrc, "z": 8 * m * k, "gram": 3 * m * m * k}
    shape = {"nfeed": NFEED, "nax": NAX, "nsrc": nsrc}
    beams = {**shape, "nbeam": nbeam}
    return [
        ("angles", "visibility_angles", {"nsrc": nsrc}, work["angles"], 20 * nsrc),
        ("beam", "visibility_beam", beams, work["beam"], 8 * values * nsrc + grid + 8 * nsrc),
        ("tau", "visibility_tau", {"nant": nant, "nsrc": nsrc}, work["tau"], 8 * nant * nsrc + 12 * nsrc),
        ("Z", "visibility_z", {**beams, "nant": nant}, work["z"], 8 * (m * k + values * nsrc + nant * nsrc)),
        ("product", "visibility_gram", {"m": m, "k": k}, work["gram"], 8 * (m * k + m * m)),
        ("all steps, fused", "visibility", {**beams, "nant": nant}, sum(work.values()) * up // nsrc, grid + 16 * nsrc + 8 * m * m),
    ]


def roofs():
    source = Path(__file__).resolve().parent / "roofs.c"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "roofs"
        subprocess.run([*os.environ.get("CC", "cc").split(), "-O3", "-march=native", "-mprefer-vector-width=512",
                        "-ffp-contract=fast", source, "-o", program], check=True)
        return json.loads(subprocess.run([program], check=True, capture_output=True).stdout)


def measure(op, keys):
    """The fastest kernel and the least of three runs of the bench."""
    words = [f"{key}={value}" for key, value in keys.items()]
    command = ["headgate", "bench", op, *words, "dtype=f32", "threads=1", "-s", "plugins.cpu-openmp.enabled=false",
               "--no-verify", "--quiet", "--json"]
    results = []
    for _ in range(3):
        run = subprocess.run(command, check=True, capture_output=True)
        results += [r for r in json.loads(run.stdout)["results"] if r["seconds"]]
    best = min(results, key=lambda r: r["seconds"])
    return best["kernel"], best["seconds"]


def draw(rows, top, picture):
    terminal = "pngcairo size 900,560 font 'Sans,11'" if picture.endswith(".png") else \
        "svg size 900,560 font 'sans-serif,14' background rgb 'white'"
    data = "\n".join(f'{flop / size:.4g} {flop / seconds / 1e9:.4g} "{name}"' for name, _, seconds, flop, size, _ in rows)
    script = f"""
set terminal {terminal}
set output '{picture}'
set title "steps of visibility on one core, float32" noenhanced
set logscale xy
set xrange [0.3:1000]
set samples 1000
set yrange [0.5:{2 * top["flop"] / 1e9:.4g}]
set format xy "%g"
set grid lt 1 lc rgb "#d8d8d8"
set key right bottom
set xlabel "operations for each byte of memory"
set ylabel "1e9 operations in a second"
$steps << EOD
{data}
EOD
roof(x) = x * {top["bytes"] / 1e9:.4g} < {top["flop"] / 1e9:.4g} ? x * {top["bytes"] / 1e9:.4g} : {top["flop"] / 1e9:.4g}
plot roof(x) with lines lw 2 lc rgb "#404040" title "multiply-adds and memory of the core", \\
     $steps using 1:2 with points pt 7 ps 1 lc rgb "#0072B2" title "measured", \\
     $steps using 1:2:3 with labels offset 0,-1 notitle
"""
    subprocess.run([shutil.which("gnuplot") or sys.exit("gnuplot is not here")], input=script, text=True, check=True)


def main():
    if len(sys.argv) not in (2, 5):
        sys.exit(__doc__)
    nant, nbeam, nsrc = map(int, sys.argv[2:] or (100, 10, 20000))
    top, rows = roofs(), []
    print(f"one core: {top['flop'] / 1e9:.1f}e9 float32 operations a second, {top['bytes'] / 1e9:.1f} GB/s\n")
    print("| step | kernel | ms | operations a byte | 1e9 operations / s | roof | share |\n| --- | --- | --- | --- | --- | --- | --- |")
    for name, op, keys, flop, size in steps(nant, nbeam, nsrc):
        kernel, seconds = measure(op, keys)
        roof = min(top["flop"], top["bytes"] * flop / size)
        rows.append((name, kernel, seconds, flop, size, roof))
        print(f"| {name} | `{kernel}` | {seconds * 1e3:.3g} | {flop / size:.3g} | {flop / seconds / 1e9:.3g} | {roof / 1e9:.3g} "
              f"| {flop / seconds / roof:.0%} |")
    draw(rows, top, sys.argv[1])


if __name__ == "__main__":
    main()
