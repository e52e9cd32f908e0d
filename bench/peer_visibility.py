#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The visibility family beside matvis on the CPU: stage by stage and one whole chunk, in one process on the same numbers.

    python3 -m venv VENV && VENV/bin/pip install matvis
    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        VENV/bin/python bench/peer_visibility.py --threads 1

Phases, Z and product of matvis are its own classes; its beams are evaluated as its beam reader does, one call of
scipy.ndimage.map_coordinates (order 1) for the real and one for the imaginary part of each plane, without the reader's
bookkeeping. Rivals take turns and the minimum counts, so that a busy neighbour harms both. Errors are against complex128
on the same stored numbers, as a share of the largest visibility.
"""

import argparse
import os
import platform
import time

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
for name, value in {"nant": 100, "nbeam": 10, "nsrc": 20000, "nza": 91, "naz": 360, "threads": 1, "repeats": 7}.items():
    parser.add_argument(f"--{name}", type=int, default=value)
parser.add_argument("--dtype", choices=["f32", "f64"], default="f32")
options = parser.parse_args()
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = str(options.threads)  # read by NumPy's own BLAS when it is loaded

import matvis  # noqa: E402
import numpy as np  # noqa: E402
from matvis.coordinates import enu_to_az_za  # noqa: E402
from matvis.core.getz import ZMatrixCalc  # noqa: E402
from matvis.core.tau import TauCalculator  # noqa: E402
from matvis.cpu.matprod import CPUMatMul  # noqa: E402
from scipy.ndimage import map_coordinates  # noqa: E402

import headgate  # noqa: E402

FREQ, NFEED, NAX = 150e6, 2, 2
real, cplx = (np.float32, np.complex64) if options.dtype == "f32" else (np.float64, np.complex128)
nant, nbeam, nsrc, nza, naz = options.nant, options.nbeam, options.nsrc, options.nza, options.naz


def problem():
    """Antennas on a disk, sources all over the upper half of the sky, smooth beams that all differ."""
    rng = np.random.default_rng(1)
    antpos = np.zeros((nant, 3), real)
    antpos[:, :2] = rng.uniform(-100, 100, (nant, 2))
    up, turn = rng.uniform(1e-3, 1, nsrc), rng.uniform(0, 2 * np.pi, nsrc)
    across = np.sqrt(1 - up**2)
    crd = np.array([across * np.cos(turn), across * np.sin(turn), up]).astype(real)
    flux = rng.pareto(1.5, nsrc).astype(real) + real(0.01)
    za, az = np.linspace(0, np.pi / 2, nza), np.arange(naz) * (2 * np.pi / (naz - 1))
    width = rng.uniform(0.3, 0.5, (nbeam, NAX, NFEED, 1, 1))
    grid = np.exp(-((za[:, None] / width) ** 2)) * (1 + 0.2 * np.sin(az) * np.sin(za)[:, None])
    grid = grid * np.exp(1j * rng.uniform(0, 1, (nbeam, NAX, NFEED, 1, 1)) * za[:, None])
    daz, dza = np.array([az[1]], real), np.array([za[1]], real)
    beam_idx = np.arange(nant, dtype=np.int32) % nbeam
    return antpos, crd, flux, np.ascontiguousarray(grid.astype(cplx)), daz, dza, beam_idx


antpos, crd, flux, grid, daz, dza, beam_idx = problem()
tau_of = TauCalculator(antpos, FREQ, nsrc, 1 if real is np.float32 else 2)
z_of = ZMatrixCalc(nant, NFEED, NAX, nsrc, cplx)
product_of = CPUMatMul(1, NFEED, nant, None, 1 if real is np.float32 else 2)
for part in (tau_of, z_of, product_of):
    part.setup()
amplitude = np.sqrt(real(0.5) * flux)


def peer_beam():
    az, za = enu_to_az_za(crd[0], crd[1], orientation="uvbeam")
    at = np.array([za / dza[0], az / daz[0]])
    out = np.empty((nbeam, NFEED, NAX, nsrc), cplx)
    for b in range(nbeam):
        for x in range(NAX):
            for f in range(NFEED):
                plane = grid[b, x, f]
                out[b, f, x].real = map_coordinates(plane.real, at, order=1, mode="nearest")
                out[b, f, x].imag = map_coordinates(plane.imag, at, order=1, mode="nearest")
    return out


def peer_chunk():
    # ZMatrixCalc scales the phases in place, so each stage starts from fresh ones, as in matvis' loop.
    return product_of(z_of(amplitude, peer_beam(), tau_of(crd), beam_idx), 0)


def exact():
    """The same in float64 from the stored numbers, by NumPy alone."""
    e, n, u = crd.astype(np.float64)
    x = np.clip(np.arctan2(np.hypot(e, n), u) / float(dza[0]), 0, nza - 1)
    y = np.clip((np.arctan2(n, e) % (2 * np.pi)) / float(daz[0]), 0, naz - 1)
    i, j = np.minimum(x.astype(int), nza - 2), np.minimum(y.astype(int), naz - 2)
    fx, fy, wide = x - i, y - j, grid.astype(np.complex128)
    beam = sum(
        wide[..., i + k, j + m] * np.abs(1 - k - fx) * np.abs(1 - m - fy) for k in (0, 1) for m in (0, 1)
    ).transpose(0, 2, 1, 3)
    turns = antpos.astype(np.float64) @ crd.astype(np.float64) * (FREQ / 299792458.0)
    phase = np.exp(2j * np.pi * (turns - np.rint(turns))) * np.sqrt(0.5 * flux.astype(np.float64))
    Z = (beam[beam_idx] * phase[:, None, None, :]).reshape(nant * NFEED, NAX * nsrc)
    return Z.conj() @ Z.T


def race(rivals):
    best = dict.fromkeys(rivals, np.inf)
    for _ in range(options.repeats):
        for name, call in rivals.items():
            start = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main():
    print(f"{platform.processor() or platform.machine()}; Headgate {headgate.library_version}, matvis "
          f"{matvis.__version__}, NumPy {np.__version__}")
    print(f"nant {nant}, nbeam {nbeam}, 2 feeds, 2 axes, {nsrc} sources up, {options.dtype}, threads {options.threads}")
    with headgate.Engine() as engine:
        run = headgate.Exec(engine, threads=options.threads)
        tau, beam = tau_of(crd).copy(), peer_beam()
        Z = z_of(amplitude, beam, tau.copy(), beam_idx).copy()
        az, za = engine.visibility_angles(crd, exec=run)
        geometry = {"daz": daz, "dza": dza}
        stages = {
            "beam": (lambda: peer_beam(), lambda: engine.visibility_beam(grid, az=az, za=za, **geometry, exec=run)),
            "phases": (lambda: tau_of(crd), lambda: engine.visibility_tau(antpos, crd, freq_hz=FREQ, exec=run)),
            "Z": (lambda: z_of(amplitude, beam, tau.copy(), beam_idx),
                  lambda: engine.visibility_z(beam, tau, flux, beam_idx=beam_idx, exec=run)),
            "product": (lambda: product_of(Z, 0), lambda: engine.visibility_gram(Z, convention="conj", exec=run)),
            "whole chunk": (peer_chunk, lambda: engine.visibility(
                antpos, crd, flux, grid, beam_idx=beam_idx, freq_hz=FREQ, convention="conj", **geometry, exec=run)),
        }
        print(f"{'stage':12} {'matvis ms':>10} {'Headgate ms':>12} {'ratio':>6}  route")
        for name, (peer, ours) in stages.items():
            best = race({"peer": peer, "ours": ours})
            ours()
            print(f"{name:12} {1e3 * best['peer']:10.2f} {1e3 * best['ours']:12.2f} "
                  f"{best['peer'] / best['ours']:6.2f}  {run.last_trace.route}")
        want = exact()
        M = nant * NFEED
        theirs = peer_chunk().reshape(nant, nant, NFEED, NFEED).transpose(0, 3, 1, 2).reshape(M, M)
        for name, V in (("matvis", theirs), ("Headgate", stages["whole chunk"][1]())):
            print(f"error of {name}: {np.abs(V - want).max() / np.abs(want).max():.1e} of the peak")


if __name__ == "__main__":
    main()
