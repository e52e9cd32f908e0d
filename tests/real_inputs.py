# SPDX-License-Identifier: BSD-3-Clause
"""Takes real measurements through `headgate run` and compares with stored float64 results.

    real_inputs.py HEADGATE DATA_FOLDER WORK_FOLDER

The beam of a HERA dipole, the baselines of an ALMA observation and a seismic velocity section are read from DATA_FOLDER;
what else an operation needs (positions, sources, a mapping) is made by formulas below, so that nothing depends on a
random generator. The stored results are those of tests/data/make_real_inputs.py.
"""
import json
import os
import subprocess
import sys

import numpy as np

GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)


# ---- the three measurements -----------------------------------------------------------------------------------------
def read_fits_image(path):
    """Header and first image of a FITS file of 64-bit floats."""
    raw = open(path, "rb").read()
    header, position = {}, 0
    while "END" not in header:
        card = raw[position:position + 80].decode("ascii")
        position += 80
        key, _, rest = card.partition("=")
        header[key.strip()] = rest.split("/")[0].strip().strip("'")
    shape = [int(header["NAXIS%d" % axis]) for axis in range(int(header["NAXIS"]), 0, -1)]
    start = -(-position // 2880) * 2880
    return header, np.frombuffer(raw, ">f8", int(np.prod(shape)), start).reshape(shape).astype(float)


def hera_beam(folder):
    """grid (nbeam 1, nax, nfeed, nza, naz) of the first frequency; steps of azimuth and zenith angle in radians."""
    header, image = read_fits_image(os.path.join(folder, "NF_HERA_Dipole_small.fits"))
    field = (image[0] + 1j * image[1])[:, 0, :, 0]  # part, axis, window, feed, frequency, za, az
    return field[None], np.deg2rad(float(header["CDELT1"])), np.deg2rad(float(header["CDELT2"]))


def alma_baselines(folder):
    return np.load(os.path.join(folder, "alma_uv_wavelengths.npy"))


def velocity_section(folder):
    return np.load(os.path.join(folder, "kirchhoff_velocity_section.npy")).astype(float)


# ---- inputs of the operations: operation, datasets, attributes -------------------------------------------------------
def fraction(n, step):
    """n numbers in [0, 1) that fill it evenly and in no order."""
    return np.mod(0.5 + step * np.arange(n), 1.0)


def beam_input(folder):
    grid, daz, dza = hera_beam(folder)
    az = np.concatenate([[0.3, 2.0, 6.28], -0.2 + 6.8 * fraction(41, GOLDEN)])
    za = np.concatenate([[0.1, 0.7, 1.5], 1.7 * fraction(41, np.sqrt(2.0))])
    return "visibility_beam", dict(grid=grid, daz=[daz], dza=[dza], az=az, za=za), {}


def visibility_input(folder):
    grid, daz, dza = hera_beam(folder)
    nant, nsrc = 7, 101
    up = 1.0 - 1.5 * fraction(nsrc, GOLDEN)  # a third of the sources is below the horizon
    angle = 2.0 * np.pi * fraction(nsrc, np.sqrt(3.0))
    radius = np.sqrt(1.0 - up ** 2)
    return ("visibility",
            dict(antpos=np.column_stack([14.6 * np.arange(nant) ** 1.2, 31.0 * fraction(nant, GOLDEN), 0.1 * fraction(nant, 0.3)]),
                 crd=np.stack([radius * np.cos(angle), radius * np.sin(angle), up]),
                 flux=0.1 + 10.0 * fraction(nsrc, np.sqrt(5.0)) ** 3, grid=grid, daz=[daz], dza=[dza]),
            dict(freq_hz=100e6))


def curvature_kernel_input(folder):
    uv = alma_baselines(folder)
    sigma = 0.8 + 0.5 * fraction(len(uv), GOLDEN)
    return "curvature_kernel", dict(uv=uv, sigma=sigma), dict(pix=0.25 / np.abs(uv).max(), ny=23, nx=29)


def curvature_mapping():
    """A disc of pixels off the middle of 23 x 29, mapped bilinearly and with a shear to a mesh of 6 x 7 columns."""
    ny, nx, my, mx = 23, 29, 6, 7
    y, x = np.mgrid[:ny, :nx]
    iy, ix = np.nonzero((y - 10.5) ** 2 + (x - 16.0) ** 2 <= 110.0)
    fy = (iy + 0.3 * np.sin(0.5 * ix)) / ny * (my - 1.2) + 0.1
    fx = (ix + 0.2 * iy) / (nx + 5) * (mx - 1.2) + 0.1
    jy, jx = np.floor(fy).astype(int), np.floor(fx).astype(int)
    ay, ax = fy - jy, fx - jx
    column = np.stack([jy * mx + jx, jy * mx + jx + 1, (jy + 1) * mx + jx, (jy + 1) * mx + jx + 1])
    weight = np.stack([(1 - ay) * (1 - ax), (1 - ay) * ax, ay * (1 - ax), ay * ax])
    pixel = np.broadcast_to(np.arange(len(iy)), column.shape)
    order = np.lexsort((pixel.ravel(), column.ravel()))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(column.ravel(), minlength=my * mx))])
    return dict(iy=iy.astype(np.int32), ix=ix.astype(np.int32), indptr=indptr.astype(np.int64),
                rows=pixel.ravel()[order].astype(np.int32), vals=weight.ravel()[order])


GRID = dict(nx=200, nz=138, dx=16.0, dz=16.0)
SOURCES = np.array([[-40.0, 1210.0, 2890.0], [2.0, 3.5, 1.0]])
RECEIVERS = np.array([[15.0, 610.0, 1395.0, 2201.0, 3150.0], [5.0, 7.0, 6.0, 5.5, 8.0]])
VELOCITY, TIMES = 3000.0, dict(dt=0.008, nt=400)


def reflectivity(section):
    model = np.zeros_like(section)
    model[:, 1:] = 0.5 * np.diff(np.log(section), axis=1)
    return model


# ---- running and comparing -------------------------------------------------------------------------------------------
class Runner:
    """Writes an input file, runs the command, reads the output file, compares with what is stored."""

    def __init__(self, command, folder, stored):
        self.command, self.folder, self.stored = command, folder, stored
        self.n_passed = self.n_failed = 0

    def run(self, op, datasets, attributes):
        import h5py
        infile, outfile = (os.path.join(self.folder, op + end) for end in (".in.h5", ".out.h5"))
        with h5py.File(infile, "w") as f:
            for name, value in datasets.items():
                f[name] = np.asarray(value)
            f.attrs.update(attributes, headgate_format=1, op=op)
        done = subprocess.run([self.command, "run", op, infile, "-o", outfile, "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit("headgate run %s: exit code %d\n%s" % (op, done.returncode, done.stderr))
        record = json.loads(done.stdout)
        self.route = "%s/%s" % (record["plugin"], record["kernel"])
        with h5py.File(outfile, "r") as f:
            return {name: f[name][()] for name in f}

    def compare(self, words, value, name, bound):
        """Largest absolute difference to the stored samples, and the norm that covers what was not stored."""
        value = np.asarray(value)
        if value.shape != tuple(self.stored[name + "_shape"]):
            raise SystemExit("%s: shape is %s, expected %s" % (words, value.shape, tuple(self.stored[name + "_shape"])))
        samples = value.ravel()[::int(self.stored[name + "_stride"])]
        error = float(np.abs(samples - self.stored[name]).max())
        norm = float(self.stored[name + "_norm"])
        norm_error = abs(float(np.linalg.norm(value)) - norm)
        self.judge(words, error, bound)
        if int(self.stored[name + "_stride"]) > 1:
            self.judge(words + ", norm", norm_error, bound * np.sqrt(value.size))

    def judge(self, words, error, bound):
        good = error <= bound  # false for NaN
        self.n_passed += good
        self.n_failed += not good
        print("%s  %-46s error %.2e, bound %.2e  (%s)" % ("ok    " if good else "FAILED", words, error, bound, self.route))


def run_beam(r, folder):
    op, datasets, attributes = beam_input(folder)
    beam = r.run(op, datasets, attributes)["beam"]
    grid = datasets["grid"]
    eps, peak = np.finfo(float).eps, np.abs(grid).max()
    step = max(np.abs(np.diff(grid, axis=3)).max(), np.abs(np.diff(grid, axis=4)).max())
    r.compare("HERA beam, table of three directions", beam[..., :3], "beam3", 1e-15)
    r.compare("HERA beam, 44 directions", beam, "beam", 4 * eps * sum(grid.shape[3:]) * step + 8 * eps * peak)


def run_visibility(r, folder):
    V = r.run(*visibility_input(folder))["V"]
    r.compare("visibilities of 7 antennas with the HERA beam", V, "V", 1e-12 * np.abs(r.stored["V"]).max())


def run_curvature(r, folder):
    op, datasets, attributes = curvature_kernel_input(folder)
    w = r.run(op, datasets, attributes)["w"]
    r.compare("curvature kernel of the ALMA baselines", w, "w", 1e-13 * np.sum(datasets["sigma"] ** -2.0))
    F = r.run("curvature", dict(curvature_mapping(), w=w), {})["F"]
    r.compare("curvature matrix of the ALMA baselines", F, "F", 1e-12 * np.abs(r.stored["F"]).max())


def run_kirchhoff(r, folder):
    section = velocity_section(folder)
    model = reflectivity(section)
    tables = {}
    for end, stations in (("src", SOURCES), ("rec", RECEIVERS)):
        got = r.run("kirchhoff_traveltime", dict(stations=stations), dict(GRID, v=VELOCITY))
        tables["trav_" + end] = got["trav"]
        tables["ang_" + end] = r.run("kirchhoff_angles", dict(trav=got["trav"]), GRID)["ang"]
        tables["amp_" + end] = r.run("kirchhoff_spreading", dict(dist=got["dist"]), dict(ndim=2, eps=60.0))["amp"]
    tables["vel"] = section.ravel()
    for kind in ("kinematic", "dynamic"):
        dynamic = int(kind == "dynamic")
        used = tables if dynamic else {name: tables[name] for name in ("trav_src", "trav_rec")}
        attributes = dict(TIMES, nz=GRID["nz"], dynamic=dynamic)
        data = r.run("kirchhoff_forward", dict(used, model=model), attributes)["data"]
        r.compare("section, %s forward" % kind, data, "data_" + kind, float(r.stored["data_%s_bound" % kind]))
        image = r.run("kirchhoff_adjoint", dict(used, data=data), attributes)["model"]
        r.compare("section, %s adjoint" % kind, image, "image_" + kind, float(r.stored["image_%s_bound" % kind]))
        power = np.vdot(data, data)
        r.judge("section, %s, adjoint of each other" % kind, abs(power - np.vdot(model, image)) / power, 1e-13)


def main():
    command, folder, work = sys.argv[1:4]
    stored = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "real_inputs.npz"))
    runner = Runner(command, work, stored)
    for part in (run_beam, run_visibility, run_curvature, run_kirchhoff):
        part(runner, folder)
    print("%d passed, %d failed" % (runner.n_passed, runner.n_failed))
    return 1 if runner.n_failed or not runner.n_passed else 0


if __name__ == "__main__":
    sys.exit(main())
