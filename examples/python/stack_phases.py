# SPDX-License-Identifier: BSD-3-Clause
"""Phase linking of a radar stack with moraine's signatures: stack_phases.png.

Needs: pip install './python[examples]'; moraine itself is not needed.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from headgate.hosts import moraine as mr  # the change: mr.emi and mr.ds_temp_coh were moraine's

TURN = (-np.pi, np.pi)
rng = np.random.default_rng(2)
rows, columns, n, looks = 60, 80, 20, 40
points = rows * columns

# A bowl that sinks by 30 mm a year, seen every 12 days by a C-band radar (wavelength 56 mm); coherence decays with time
# and is poor in a strip.
down, along = np.mgrid[:rows, :columns]
rate = -30.0 * np.exp(-(((down - 28) / 14.0) ** 2 + ((along - 42) / 20.0) ** 2))  # mm / year
years = np.arange(n) * 12 / 365.25
true_phase = (4 * np.pi / 56.0) * rate.reshape(-1, 1) * years
lag = np.abs(np.subtract.outer(years, years))
root = np.linalg.cholesky(0.15 + 0.85 * np.exp(-lag / 0.25) + 1e-6 * np.eye(n))
poor = np.linalg.cholesky(0.02 + 0.98 * np.exp(-lag / 0.02) + 1e-6 * np.eye(n))
noise = ((rng.standard_normal((points, n, looks)) + 1j * rng.standard_normal((points, n, looks))) / 2**0.5)
strip = ((along > 8) & (along < 16)).reshape(-1, 1, 1)
signal = np.exp(1j * true_phase)[..., None] * np.where(strip, poor @ noise, root @ noise)

norm = np.sqrt((np.abs(signal) ** 2).sum(-1))
covariance = signal @ signal.conj().swapaxes(1, 2) / (norm[:, :, None] * norm[:, None, :])
first, second = np.triu_indices(n, 1)
coh = np.ascontiguousarray(covariance[:, first, second], dtype="complex64")

phase, quality = mr.emi(coh)
fit = mr.ds_temp_coh(coh, phase)

figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
panels = [
    ("True phase, first to last image", np.angle(np.exp(1j * true_phase[:, -1])), "twilight", TURN, "phase (rad)"),
    ("Linked phase, first to last image", np.angle(phase[:, -1]), "twilight", TURN, "phase (rad)"),
    ("Temporal coherence", fit, "viridis", (0, 1), "temporal coherence (1)"),
]
for axis, (title, values, colours, (low, high), unit) in zip(axes, panels):
    shown = axis.imshow(values.reshape(rows, columns), cmap=colours, vmin=low, vmax=high)
    axis.set(title=title, xlabel="range (pixels)", ylabel="azimuth (pixels)")
    figure.colorbar(shown, ax=axis, label=unit, shrink=0.8)
error = np.angle(phase[:, -1] * np.exp(-1j * (true_phase[:, -1] - true_phase[:, 0])))[~strip.ravel()]
print(f"{points} points, {n} images: rms error {np.sqrt(np.mean(error**2)):.2f} rad outside the strip")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "stack_phases.png", dpi=110)
