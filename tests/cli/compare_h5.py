# SPDX-License-Identifier: BSD-3-Clause
"""Files of divided runs: made, spoiled, compared. See devices.sh and tests/mpi/run.sh.

    compare_h5.py ONE MANY TOLERANCE          the same datasets; TOLERANCE in eps of the peak, 0: the same bits
    compare_h5.py --make flat|station FORWARD ADJOINT
    compare_h5.py --frequencies N FILE        also FILE's single ones, NAME.K.h5; -1, 0: files that are refused
    compare_h5.py --long N FILE               a visibility at N frequencies, small in all else
    compare_h5.py --stacked ALL ONE...        ALL is the stack of the others
    compare_h5.py --spoil IN OUT              the last source's table has a NaN
    compare_h5.py --all-are VALUE FILE
    compare_h5.py --dot FORWARD_IN FORWARD_OUT ADJOINT_IN ADJOINT_OUT LIMIT
"""

import sys

import h5py
import numpy as np


def load(path):
    with h5py.File(path, "r") as file:
        arrays = {name: dataset[()] for name, dataset in file.items()}
    return {name: a["r"] + 1j * a["i"] if a.dtype.names else a for name, a in arrays.items()}


def store(path, op, attributes, arrays):
    with h5py.File(path, "w") as file:
        file.attrs.update({"headgate_format": 1, "op": op, **attributes})
        for name, array in arrays.items():
            file[name] = array


def compare(one, many, tolerance):
    one, many = load(one), load(many)
    assert one and sorted(one) == sorted(many), (sorted(one), sorted(many))
    for name, a in one.items():
        b = many[name]
        assert a.shape == b.shape and a.dtype == b.dtype, (name, a.shape, b.shape)
        if float(tolerance) == 0:
            assert a.tobytes() == b.tobytes(), name
        else:
            error = np.abs(a - b).max() / (np.finfo(a.dtype).eps * np.abs(a).max())
            assert error <= float(tolerance), (name, error)


def make(kind, forward, adjoint):
    random = np.random.default_rng(3)
    ns, nr, nt, nx, nz = 3, 5, 90, 11, 7
    trav_src = random.uniform(0, 0.16, (nx * nz, ns)).astype("f4")
    trav_rec = random.uniform(0, 0.16, (nx * nz, nr)).astype("f4")
    model, data = random.normal(size=nx * nz).astype("f4"), random.normal(size=(ns * nr, nt)).astype("f4")
    attributes = {"dt": 0.004, "nt": nt, "nx": nx, "nz": nz, "alpha": 0.5, "beta": 2.0}
    tables = {"trav_src": trav_src, "trav_rec": trav_rec}
    if kind == "station":
        attributes["station_major"] = 1
        tables = {name: np.ascontiguousarray(table.T) for name, table in tables.items()}
        model, data = model.reshape(nx, nz), data.reshape(ns, nr, nt)
    for op, path in (("forward", forward), ("adjoint", adjoint)):
        store(path, "kirchhoff_" + op, attributes, {**tables, "model": model, "data": data})


def frequencies(n, path):
    random = np.random.default_rng(5)
    nant, nsrc, nza, naz = 4, 61, 13, 17
    n_written = max(int(n), 1) if int(n) else 2
    freq_hz = np.linspace(1e8, 2e8, n_written)
    crd = random.normal(size=(3, nsrc)).astype("f4")
    crd /= np.linalg.norm(crd, axis=0)
    arrays = {
        "antpos": random.normal(0, 20, (nant, 3)).astype("f4"),
        "crd": crd,
        "daz": np.array([2 * np.pi / (naz - 1)], "f4"),
        "dza": np.array([np.pi / 2 / (nza - 1)], "f4"),
    }
    flux = random.uniform(0.1, 1, (n_written, nsrc)).astype("f4")
    grid = random.normal(size=(n_written, 1, 1, 2, nza, naz)).astype("f4")
    if n == "-1":  # more fluxes than frequencies
        store(path, "visibility", {}, {**arrays, "freq_hz": freq_hz, "flux": np.vstack([flux, flux]), "grid": grid})
        return
    attributes = {"freq_hz": 1e8} if n == "0" else {}
    store(path, "visibility", attributes, {**arrays, "freq_hz": freq_hz, "flux": flux, "grid": grid})
    for k in range(n_written):
        single = {**arrays, "flux": flux[k], "grid": grid[k]}
        store(path.replace(".h5", f".{k}.h5"), "visibility", {"freq_hz": freq_hz[k]}, single)


def long(n, path):
    random = np.random.default_rng(9)
    arrays = {
        "antpos": random.normal(0, 20, (2, 3)).astype("f4"),
        "crd": np.tile(np.array([[0.6], [0.0], [0.8]], "f4"), (1, 300)),
        "flux": random.uniform(0.1, 1, 300).astype("f4"),
        "grid": random.normal(size=(1, 1, 1, 5, 9)).astype("f4"),
        "daz": np.array([np.pi / 4], "f4"),
        "dza": np.array([np.pi / 8], "f4"),
        "freq_hz": np.linspace(1e8, 2e8, int(n)),
    }
    store(path, "visibility", {}, arrays)


def stacked(path, *single):
    stack = load(path)["V"]
    assert stack.shape[0] == len(single)
    for k, one in enumerate(single):
        assert np.abs(stack[k]).max() > 0
        assert stack[k].tobytes() == load(one)["V"].tobytes(), k


def spoil(source, target):
    with h5py.File(source, "r") as file:
        attributes, arrays = dict(file.attrs), {name: dataset[()] for name, dataset in file.items()}
    arrays["trav_src"][0, -1] = np.nan
    with h5py.File(target, "w") as file:
        file.attrs.update(attributes)
        for name, array in arrays.items():
            file[name] = array


def all_are(value, path):
    for name, array in load(path).items():
        assert array.size and (array == float(value)).all(), name


def dot(forward_in, forward_out, adjoint_in, adjoint_out, limit):
    model, data = load(forward_in)["model"].astype("f8"), load(forward_out)["data"].astype("f8")
    other, image = load(adjoint_in)["data"].astype("f8"), load(adjoint_out)["model"].astype("f8")
    difference = np.vdot(data, other) - np.vdot(model, image)
    error = abs(difference) / (np.linalg.norm(data) * np.linalg.norm(other))
    assert np.linalg.norm(data) > 0 and error <= float(limit), error


words = sys.argv[1:]
commands = {"--make": make, "--frequencies": frequencies, "--long": long, "--stacked": stacked, "--spoil": spoil, "--all-are": all_are, "--dot": dot}
commands.get(words[0], compare)(*(words[1:] if words[0] in commands else words))
