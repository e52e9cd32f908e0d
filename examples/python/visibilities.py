# SPDX-License-Identifier: BSD-3-Clause
"""Visibilities of a hexagonal array with matvis, its source sum and Z matrix replaced by Headgate's: visibilities.png.

Needs: pip install './python[examples]' matvis
"""

import sys

import astropy.units as u
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matvis
import numpy as np
from astropy.coordinates import EarthLocation
from astropy.time import Time
from astropy.utils import iers
from pyuvdata.analytic_beam import AiryBeam

from headgate.hosts import matvis as headgate_matvis  # the change: this line and the next, and matprod_method below

headgate_matvis.install()
iers.conf.auto_download = False  # nothing is fetched

# 37 antennas, 14.6 m apart, in a hexagon; 2000 sources over the sky; one time, one frequency.
axial = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3]
positions = np.array([(14.6 * (q + r / 2), 14.6 * r * 3**0.5 / 2, 0.0) for q, r in axial])
rng = np.random.default_rng(3)
sources = 2000
vis = matvis.simulate_vis(
    ants=dict(enumerate(positions)), fluxes=rng.pareto(1.5, (sources, 1)) + 0.1, ra=rng.uniform(0, 2 * np.pi, sources),
    dec=np.arcsin(rng.uniform(-1, 1, sources)), freqs=np.array([150e6]), times=Time([2459845.2], format="jd"),
    beams=[AiryBeam(diameter=14.0)], precision=2,
    telescope_loc=EarthLocation.from_geodetic(21.43 * u.deg, -30.72 * u.deg, 1050 * u.m),
    coord_method="CoordinateRotationERFA", matprod_method="Headgate",
)
V = vis.reshape(len(positions), len(positions))
first, second = np.triu_indices(len(positions), 1)
u_v = (positions[second] - positions[first])[:, :2]

figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
panels = [
    ("Amplitude", np.abs(V[first, second]), "viridis", None, "amplitude (Jy)"),
    ("Phase", np.angle(V[first, second]), "twilight", np.pi, "phase (rad)"),
]
for axis, (title, values, colours, limit, unit) in zip(axes, panels):
    both = np.concatenate((u_v, -u_v)), np.concatenate((values, -values if limit else values))
    limits = {"vmin": -limit, "vmax": limit} if limit else {}
    shown = axis.scatter(both[0][:, 0], both[0][:, 1], c=both[1], s=22, cmap=colours, **limits)
    axis.set(title=title, xlabel="baseline to East (m)", ylabel="baseline to North (m)", aspect="equal")
    figure.colorbar(shown, ax=axis, label=unit, shrink=0.8)
print(f"{len(positions)} antennas, {sources} sources: V is Hermitian within {np.abs(V - V.conj().T).max():.1g} Jy")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "visibilities.png", dpi=110)
