#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The visibility family beside CuPy on a GPU: stage by stage and one whole chunk, in one process on the same numbers.

    PYTHONPATH=python HEADGATE_LIBRARY=BUILD/.libs/libheadgate.so HEADGATE_PLUGIN_PATH=BUILD/plugins/.libs \
        python3 bench/peer_visibility_gpu.py

The peer is the sequence that a simulation makes of CuPy's own calls: cupyx.scipy.ndimage.map_coordinates (order 1) for
the real and the imaginary part of each plane, a matrix product and exp for the phases, one elementwise expression for
Z, matmul (cuBLAS' cgemm) for the product. Rivals take turns on one stream and are timed by events; minima and medians
in milliseconds. Errors are against complex128 on the same stored numbers, as a share of the largest visibility.
"""

import argparse

import cupy as cp
import numpy as np
from cupyx.scipy.ndimage import map_coordinates

import headgate

FREQ, NFEED, NAX = 150e6, 2, 2
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
for name, value in {"nant": 350, "nbeam": 350, "nsrc": 33334, "nza": 180, "naz": 360, "repeats": 5}.items():
    parser.add_argument(f"--{name}", type=int, default=value)
options = parser.parse_args()
nant, nbeam, nsrc, nza, naz = options.nant, options.nbeam, options.nsrc, options.nza, options.naz


def problem():
    """Antennas on a disk, sources all over the upper half of the sky, smooth beams that all differ."""
    rng = np.random.default_rng(1)
    antpos = np.zeros((nant, 3), "f4")
    antpos[:, :2] = rng.uniform(-100, 100, (nant, 2))
    up, turn = rng.uniform(1e-3, 1, nsrc), rng.uniform(0, 2 * np.pi, nsrc)
    across = np.sqrt(1 - up**2)
    crd = np.array([across * np.cos(turn), across * np.sin(turn), up]).astype("f4")
    flux = (rng.pareto(1.5, nsrc) + 0.01).astype("f4")
    za, az = cp.linspace(0, np.pi, nza), cp.arange(naz) * (2 * np.pi / naz)
    width = cp.asarray(rng.uniform(0.3, 0.5, (nbeam, NAX, NFEED, 1, 1)))
    slope = cp.asarray(rng.uniform(0, 1, (nbeam, NAX, NFEED, 1, 1)))
    grid = cp.empty((nbeam, NAX, NFEED, nza, naz), "c8")
    for b in range(nbeam):
        shape = cp.exp(-((za[:, None] / width[b]) ** 2)) * (1 + 0.2 * cp.sin(az) * cp.sin(za)[:, None])
        grid[b] = shape * cp.exp(1j * slope[b] * za[:, None])
    daz, dza = cp.asarray([az[1]], "f4"), cp.asarray([za[1]], "f4")
    beam_idx = cp.arange(nant, dtype="i4") % nbeam
    return cp.asarray(antpos), cp.asarray(crd), cp.asarray(flux), grid, daz, dza, beam_idx


antpos, crd, flux, grid, daz, dza, beam_idx = problem()


def peer_beam():
    e, n, u = crd
    at = cp.stack([cp.arctan2(cp.hypot(e, n), u) / dza, (cp.arctan2(n, e) % (2 * np.pi)) / daz])
    out = cp.empty((nbeam, NFEED, NAX, nsrc), "c8")
    for b in range(nbeam):
        for x in range(NAX):
            for f in range(NFEED):
                plane = grid[b, x, f]
                # A column more, so that the last interval ends where the first begins.
                turn = cp.concatenate([plane, plane[:, :1]], axis=1)
                out[b, f, x].real = map_coordinates(turn.real, at, order=1, mode="nearest")
                out[b, f, x].imag = map_coordinates(turn.imag, at, order=1, mode="nearest")
    return out


def peer_phases():
    return cp.exp(cp.complex64(2j * np.pi * FREQ / 299792458.0) * (antpos @ crd))


def peer_z(beam, phases):
    amplitude = cp.sqrt(cp.float32(0.5) * flux)
    return (beam[beam_idx] * (phases * amplitude)[:, None, None, :]).reshape(nant * NFEED, NAX * nsrc)


def peer_product(Z):
    return Z @ Z.conj().T


def exact():
    """The product in complex128 from single steps of Headgate in float64."""
    with headgate.Engine() as engine:
        wide = crd.astype("f8")
        az, za = engine.visibility_angles(wide)
        beam = engine.visibility_beam(grid, daz.astype("f8"), dza.astype("f8"), az, za, az_mode="periodic",
                                      out_dtype="c128")
        tau = engine.visibility_tau(antpos.astype("f8"), wide, freq_hz=FREQ)
        Z = engine.visibility_z(beam, tau, flux.astype("f8"), beam_idx=beam_idx)
        return Z @ Z.conj().T


def timed(call):
    start, end = cp.cuda.Event(), cp.cuda.Event()
    start.record()
    result = call()
    end.record()
    end.synchronize()
    del result
    return cp.cuda.get_elapsed_time(start, end)


def race(rivals):
    times = {name: [] for name in rivals}
    for name, call in rivals.items():
        timed(call)
    for _ in range(options.repeats):
        for name, call in rivals.items():
            times[name].append(timed(call))
    return {name: (min(t), sorted(t)[len(t) // 2]) for name, t in times.items()}


def main():
    gpu = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{gpu}; Headgate {headgate.library_version}, CuPy {cp.__version__}")
    print(f"nant {nant}, nbeam {nbeam}, 2 feeds, 2 axes, {nsrc} sources up, float32")
    with headgate.Engine() as engine:
        beam, tau = peer_beam(), peer_phases()
        Z = peer_z(beam, tau)
        az, za = engine.visibility_angles(crd)
        V = engine.visibility_gram(Z)
        out = {"beam": cp.empty_like(beam), "tau": cp.empty_like(tau), "Z": cp.empty_like(Z)}
        keywords = {"beam_idx": beam_idx, "freq_hz": FREQ, "az_mode": "periodic", "n_up": nsrc}
        plan = engine.visibility.plan(antpos, crd, flux, grid, daz, dza, **keywords)
        del keywords["freq_hz"], keywords["az_mode"]
        stages = {
            "beam": (peer_beam, lambda: engine.visibility_beam(grid, daz, dza, az, za, az_mode="periodic",
                                                               out=out["beam"])),
            "phases": (peer_phases, lambda: engine.visibility_tau(antpos, crd, freq_hz=FREQ, out=out["tau"])),
            "Z": (lambda: peer_z(beam, tau),
                  lambda: engine.visibility_z(beam, tau, flux, beam_idx=beam_idx, out=out["Z"])),
            "product": (lambda: peer_product(Z), lambda: engine.visibility_gram(Z, out=V)),
            "whole chunk": (lambda: peer_product(peer_z(peer_beam(), peer_phases())),
                            lambda: plan(antpos, crd, flux, grid, daz, dza, beam_idx=beam_idx, n_up=nsrc, out=V)),
        }
        print(f"{'stage':12} {'CuPy min':>9} {'median':>8} {'Headgate min':>13} {'median':>8} {'ratio':>6}")
        for name, (peer, ours) in stages.items():
            times = race({"peer": peer, "ours": ours})
            print(f"{name:12} {times['peer'][0]:9.3f} {times['peer'][1]:8.3f} {times['ours'][0]:13.3f} "
                  f"{times['ours'][1]:8.3f} {times['peer'][0] / times['ours'][0]:6.1f}")
        want = exact()
        theirs = peer_product(peer_z(peer_beam(), peer_phases()))
        for name, got in (("CuPy", theirs), ("Headgate", V)):
            print(f"error of {name}: {float(abs(got - want).max() / abs(want).max()):.1e} of the peak")


if __name__ == "__main__":
    main()
