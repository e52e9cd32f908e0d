# SPDX-License-Identifier: BSD-3-Clause
"""Least-squares migration with PyLops, its Kirchhoff operator replaced by Headgate's: migrated_image.png.

Needs: pip install './python[examples]' pylops
"""

import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from pylops.optimization.basic import lsqr
from pylops.utils.wavelets import ricker

from headgate.hosts.pylops import Kirchhoff  # the change: was pylops.waveeqprocessing

# A line of 24 sources and 61 receivers at the surface, metres and seconds; three reflectors and a diffractor below.
x, z, t = np.arange(121) * 10.0, np.arange(90) * 8.0, np.arange(500) * 0.003
reflectivity = np.zeros((len(x), len(z)))
reflectivity[:, 25] = 1.0
reflectivity[np.arange(len(x)), (45 + 8 * np.sin(x / 250)).astype(int)] = -0.8
reflectivity[20:70, 70] = 0.7
reflectivity[95, 62] = 3.0
sources = np.vstack((np.linspace(0, x[-1], 24), np.zeros(24)))
receivers = np.vstack((np.linspace(0, x[-1], 61), np.zeros(61)))
wavelet, _, centre = ricker(t[:41], f0=20)

operator = Kirchhoff(
    z, x, t, sources, receivers, 1800.0, wavelet, centre, mode="analytic", dynamic=True, wavfilter=True
)
data = operator @ reflectivity.ravel()
data += np.random.default_rng(1).normal(0, 0.05 * data.std(), data.shape)
start = time.perf_counter()
migrated = (operator.H @ data).reshape(reflectivity.shape)
inverted = lsqr(operator, data, niter=20, damp=1e-3, show=False)[0].reshape(reflectivity.shape)
print(f"migration and 20 iterations: {time.perf_counter() - start:.2f} s")

figure, axes = plt.subplots(2, 2, figsize=(10, 7), layout="constrained")
line = data.reshape(operator.dimsd)[12].T
panels = [
    ("Data of source 12", line, (0, x[-1], t[-1], 0), "receiver position (m)", "time (s)"),
    ("Reflectivity", reflectivity.T, (0, x[-1], z[-1], 0), "position (m)", "depth (m)"),
    ("Migrated image", migrated.T, (0, x[-1], z[-1], 0), "position (m)", "depth (m)"),
    ("Least-squares image, 20 iterations", inverted.T, (0, x[-1], z[-1], 0), "position (m)", "depth (m)"),
]
for axis, (title, picture, extent, along, down) in zip(axes.flat, panels):
    limit = np.percentile(np.abs(picture), 99.5) or 1
    shown = axis.imshow(picture / limit, cmap="gray", vmin=-1, vmax=1, extent=extent, aspect="auto")
    axis.set(title=title, xlabel=along, ylabel=down)
figure.colorbar(shown, ax=axes, label="amplitude, each panel by its 99.5th percentile", shrink=0.6)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "migrated_image.png", dpi=110)
