# SPDX-License-Identifier: BSD-3-Clause
"""Makes real_inputs.npz: float64 results of the oracles on the inputs of tests/real_inputs.py.

    make_real_inputs.py ORACLE_FOLDER DATA_FOLDER

An array is stored as every stride-th element of it, with its shape and norm.
"""
import os
import sys

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [sys.argv[1], os.path.dirname(here)]
import curvature  # noqa: E402
import kirchhoff  # noqa: E402
import real_inputs as inputs  # noqa: E402
import visibility  # noqa: E402

folder = sys.argv[2]
stored = {}


def store(name, value, stride=1):
    stored.update({name: value.ravel()[::stride], name + "_shape": np.array(value.shape), name + "_stride": stride,
                   name + "_norm": np.linalg.norm(value)})


_, a, _ = inputs.beam_input(folder)
beam = visibility.beam_interp(a["grid"], a["az"], a["za"], a["daz"], a["dza"])
store("beam3", beam[..., :3])
store("beam", beam)
_, a, attributes = inputs.visibility_input(folder)
store("V", visibility.visibility(a["antpos"], a["crd"], a["flux"], a["grid"], a["daz"], a["dza"], attributes["freq_hz"]))

_, a, attributes = inputs.curvature_kernel_input(folder)
w = curvature.kernel_gemm(a["uv"], a["sigma"], attributes["pix"], attributes["ny"], attributes["nx"])
store("w", w)
m = inputs.curvature_mapping()
store("F", curvature.F_dense(w, m["iy"].astype(int), m["ix"].astype(int), m["indptr"], m["rows"], m["vals"]))

grid = inputs.GRID
section = inputs.velocity_section(folder)
shape, spacing = (grid["nx"], grid["nz"]), (grid["dx"], grid["dz"])
axes = tuple(n * step for n, step in zip((np.arange(n) for n in shape), spacing))
assert section.shape == shape
tables = {}
for end, stations in (("src", inputs.SOURCES), ("rec", inputs.RECEIVERS)):
    tables["trav_" + end] = kirchhoff.traveltimes(axes, stations, inputs.VELOCITY)
    tables["ang_" + end] = kirchhoff.angles(tables["trav_" + end], shape, spacing)
    tables["amp_" + end] = kirchhoff.spreading(kirchhoff.distances(axes, stations), 2, 60.0)
for kind in ("kinematic", "dynamic"):
    extra = {k: v for k, v in tables.items() if not k.startswith("trav")} if kind == "dynamic" else {}
    if extra:
        extra["vel"] = section.ravel()
    case = kirchhoff.Case(tables["trav_src"], tables["trav_rec"], inputs.TIMES["nt"], inputs.TIMES["dt"], grid["nz"],
                          dynamic=kind == "dynamic", **extra)
    model = inputs.reflectivity(section)
    data = case.forward(model)
    image = case.adjoint(data).reshape(shape)
    u_max, gap = case.edges()
    assert gap > 1.0, "an index lies near an end of the record"
    eps = np.finfo(float).eps
    store("data_" + kind, data)
    store("image_" + kind, image, stride=11)
    stored["data_%s_bound" % kind] = 8 * eps * (u_max + np.sqrt(case.ni)) * case.forward(model, mag=True).max()
    stored["image_%s_bound" % kind] = 8 * eps * (u_max + np.sqrt(case.ns * case.nr)) * case.adjoint(data, mag=True).max()
np.savez_compressed(os.path.join(here, "real_inputs.npz"), **stored)
print({k: v.shape for k, v in stored.items() if np.ndim(v) == 1 and len(v) > 8})
