# SPDX-License-Identifier: BSD-3-Clause
"""A gravitationally lensed source reconstructed from visibilities, F as PyAutoArray asks for it: source.png.

Needs: pip install './python[examples]'; PyAutoArray itself is not needed.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import headgate
from headgate.hosts.autoarray import InterferometerSparseOperator, compressed_columns  # the change

ARCSEC = np.pi / 180 / 3600
rng = np.random.default_rng(4)

# Image plane: 61 x 61 pixels of 0.06 arcsec. Row 0 is the top. Source plane: 24 x 24 pixels of 0.06 arcsec.
n, side, pix = 61, 24, 0.06
axis = (np.arange(n) - n // 2) * pix
y, x = (a.ravel() for a in np.meshgrid(-axis, axis, indexing="ij"))
r = np.hypot(x, y) + 1e-9
beta_x, beta_y = x - 0.9 * x / r, y - 0.9 * 0.85 * y / r  # an isothermal lens of 0.9 arcsec, a little elliptical

# Each image pixel inside the mask takes its light from four source pixels.
column, row = beta_x / pix + side / 2 - 0.5, side / 2 - 0.5 - beta_y / pix
c0, r0 = np.floor(column).astype(int), np.floor(row).astype(int)
inside = (r < 1.75) & (c0 >= 0) & (c0 < side - 1) & (r0 >= 0) & (r0 < side - 1)
rows, cols, vals = [], [], []
for dr in (0, 1):
    for dc in (0, 1):
        rows.append(np.flatnonzero(inside))
        cols.append(((r0 + dr) * side + c0 + dc)[inside])
        vals.append(((1 - abs(row - r0 - dr)) * (1 - abs(column - c0 - dc)))[inside])
rows, cols, vals = (np.concatenate(part) for part in (rows, cols, vals))

# The truth, its image, and 4000 noisy visibilities.
sx, sy = np.meshgrid(np.arange(side) - side / 2 + 0.5, side / 2 - 0.5 - np.arange(side))
truth = np.exp(-((sx - 2) ** 2 + (sy + 1) ** 2) / 8) + 0.6 * np.exp(-((sx + 4) ** 2 + (sy - 3) ** 2) / 4)
image = np.zeros(n * n)
np.add.at(image, rows, vals * truth.ravel()[cols])
uv = rng.normal(0, 1.5e5, (4000, 2))
sigma = np.full(len(uv), 4.0)
phase = -2j * np.pi * ARCSEC * (np.outer(uv[:, 0], x) + np.outer(uv[:, 1], y))
vis = np.exp(phase) @ image + sigma * (rng.standard_normal(len(uv)) + 1j * rng.standard_normal(len(uv)))

with headgate.Engine() as engine:
    w = engine.curvature_kernel(uv, sigma, pix=pix * ARCSEC, ny=n, nx=n)
    dirty = engine.curvature_dirty(uv, sigma, vis, y * ARCSEC, x * ARCSEC)
    D = engine.curvature_data_vector(dirty, *compressed_columns(rows, cols, vals, side**2))
F = InterferometerSparseOperator(w).curvature_matrix_diag_from(rows, cols, vals, S=side**2)

# Smooth in both directions: H is the sum of squared differences of neighbours, weighted by hand.
step = np.eye(side)[:-1] - np.eye(side, k=1)[:-1]
across, down = np.kron(np.eye(side), step), np.kron(step, np.eye(side))
H = across.T @ across + down.T @ down + 1e-6 * np.eye(side**2)
source = np.linalg.solve(F + 60.0 * H, D).reshape(side, side)

figure, axes = plt.subplots(1, 3, figsize=(13, 3.9), layout="constrained")
half, wide = side * pix / 2, n * pix / 2
panels = [
    ("Dirty image", dirty.reshape(n, n), wide, "sum of weighted visibilities (1/Jy)"),
    ("Source", truth, half, "brightness (Jy/pixel)"),
    ("Reconstructed source", source, half, "brightness (Jy/pixel)"),
]
for place, (title, values, edge, unit) in zip(axes, panels):
    limits = {"vmin": 0, "vmax": truth.max()} if edge == half else {}
    shown = place.imshow(values, extent=(-edge, edge, -edge, edge), cmap="inferno", **limits)
    place.set(title=title, xlabel="x (arcsec)", ylabel="y (arcsec)")
    figure.colorbar(shown, ax=place, label=unit, shrink=0.8)
error = np.sqrt(np.mean((source - truth) ** 2)) / truth.max()
print(f"{len(uv)} visibilities, {side**2} source pixels: rms error {error:.3f} of the peak")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "source.png", dpi=110)
