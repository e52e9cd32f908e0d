# SPDX-License-Identifier: BSD-3-Clause
"""Files that are right in unusual ways, and files that are wrong, through `headgate run`.

    hdf5.py WORK_FOLDER
"""
import os
import random
import subprocess
import sys

import h5py
import numpy as np

checks = failed = 0


def check(words, condition):
    global checks, failed
    checks += 1
    if not condition:
        failed += 1
        print("FAILED:", words)


def write(path, op, arrays, attributes=None, head=True):
    with h5py.File(path, "w") as f:
        if head:
            f.attrs["headgate_format"] = 1
            f.attrs["op"] = op
        for name, value in (attributes or {}).items():
            f.attrs[name] = value
        for name, value in arrays.items():
            f[name] = value


def run(op, path="in.h5", *options, out="out.h5"):
    if os.path.exists(out):
        os.remove(out)
    p = subprocess.run(["headgate", "run", op, path, "-o", out, *options], capture_output=True, text=True)
    return p.returncode, p.stderr


def refused(words, code, text, op, path="in.h5", *options):
    got, err = run(op, path, *options)
    check("%s: exit code %d, expected %d\n  %s" % (words, got, code, err.strip()), got == code)
    check("%s: no %r in %r" % (words, text, err), text in err)
    check(words + ": no output file", not os.path.exists("out.h5"))


def served(words, op, path="in.h5", *options):
    got, err = run(op, path, *options)
    check("%s: exit code %d\n  %s" % (words, got, err.strip()), got == 0)
    if got:
        return {}, {}, err
    with h5py.File("out.h5", "r") as f:
        return {k: f[k][()] for k in f}, dict(f.attrs), err


def gram_input(dtype=np.complex128):
    rng = np.random.default_rng(7)
    return (rng.standard_normal((5, 7)) + 1j * rng.standard_normal((5, 7))).astype(dtype)


def values():
    z = gram_input()
    want = z @ z.conj().T

    write("in.h5", "visibility_gram", dict(Z=z))
    out, attributes, err = served("plain", "visibility_gram")
    check("plain: nothing on stderr", err == "")
    check("plain: values", np.abs(out["V"] - want).max() < 1e-13)
    check("plain: type", out["V"].dtype == np.complex128)
    for name in ("headgate_format", "op", "plugin", "kernel", "reason", "version", "seconds"):
        check("output attribute " + name, name in attributes)
    check("output op", attributes["op"] == "visibility_gram" and attributes["headgate_format"] == 1)
    check("output datasets", sorted(out) == ["V"])

    # big-endian, swapped members, mixed widths, chunks with filters, strings of fixed length
    big = np.dtype([("r", ">f8"), ("i", ">f8")])
    swapped = np.dtype([("i", "<f8"), ("r", "<f8")])
    mixed = np.dtype([("r", "<f4"), ("i", ">f8")])
    for words, kind in (("big-endian", big), ("members swapped", swapped), ("members of two widths", mixed)):
        pairs = np.zeros(z.shape, kind)
        pairs["r"], pairs["i"] = z.real, z.imag
        write("in.h5", "visibility_gram", dict(Z=pairs))
        out, _, _ = served(words, "visibility_gram")
        check(words + ": values", np.abs(out["V"] - want).max() < (1e-5 if kind is mixed else 1e-13))
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"] = np.uint8(1)
        f.attrs["op"] = np.bytes_("visibility_gram")
        f.create_dataset("Z", data=z, chunks=(2, 3), compression="gzip", shuffle=True)
    out, _, _ = served("chunks, gzip, shuffle", "visibility_gram")
    check("chunks: values", np.abs(out["V"] - want).max() < 1e-13)
    write("in.h5", "visibility_gram", dict(Z=gram_input(np.complex64)))
    out, _, _ = served("complex64", "visibility_gram")
    check("complex64 stays", out["V"].dtype == np.complex64)
    half = np.zeros(z.shape, np.dtype([("r", "<f2"), ("i", "<f2")]))
    half["r"], half["i"] = z.real, z.imag
    write("in.h5", "visibility_gram", dict(Z=half))
    out, _, _ = served("half floats", "visibility_gram")
    check("half floats become complex64", out["V"].dtype == np.complex64)
    check("half floats: values", np.abs(out["V"] - want).max() < 0.2)


def attributes():
    z = gram_input()
    want = z @ z.conj().T
    write("in.h5", "visibility_gram", dict(Z=z), dict(alpha=2, convention="conj", check="full"))
    out, _, _ = served("alpha and convention", "visibility_gram")
    check("conj is the transpose", np.abs(out["V"] - 2 * want.T).max() < 1e-12)
    write("in.h5", "visibility_gram", dict(Z=z, V=want), dict(alpha=2.0, beta=-0.5))
    out, _, _ = served("beta", "visibility_gram")
    check("beta reads V", np.abs(out["V"] - 1.5 * want).max() < 1e-12)
    write("in.h5", "visibility_gram", dict(Z=z), dict(beta=1.0))
    refused("beta without V", 65, "dataset V is missing", "visibility_gram")
    write("in.h5", "visibility_gram", dict(Z=z, V=np.full((5, 5), np.nan + 0j)), dict(beta=0.0))
    out, _, _ = served("beta 0 does not read V", "visibility_gram")
    check("beta 0: finite", np.isfinite(out["V"]).all())
    write("in.h5", "visibility_gram", dict(Z=z, extra=z), dict(colour="red"))
    _, _, err = served("unknown names", "visibility_gram")
    check("warning of a dataset", "unknown dataset 'extra'" in err)
    check("warning of an attribute", "unknown attribute 'colour'" in err)
    _, _, err = served("unknown names, quiet", "visibility_gram", "in.h5", "-q")
    check("no warning with -q", err == "")

    crd = np.array([[0.6, 0.0, 0.8], [0.0, 0.6, 0.0], [0.8, -0.8, 0.6]])
    write("in.h5", "visibility_horizon", dict(crd=crd, flux=[1.0, 2.0, 3.0]))
    out, _, _ = served("horizon", "visibility_horizon")
    check("horizon: only what is up", out["crd_up"].tolist() == crd[:, [0, 2]].tolist())
    check("horizon: index", out["index"].tolist() == [0, 2] and out["flux_up"].tolist() == [1.0, 3.0])

    sky = dict(antpos=np.eye(3)[:2], crd=crd, flux=np.ones(3), grid=np.ones((1, 1, 1, 2, 3)), daz=[1.0], dza=[1.0])
    write("in.h5", "visibility", sky, dict(freq_hz=1e6))
    out, _, _ = served("visibility", "visibility")
    check("visibility: V", list(out) == ["V"] and out["V"].shape == (2, 2))
    whole = out["V"]
    write("in.h5", "visibility", dict(sky, pairs=[[1, 0]], Vpairs=np.ones((1, 1, 1), complex)), dict(freq_hz=1e6, beta=2.0))
    out, _, err = served("visibility with pairs", "visibility")
    check("visibility: Vpairs", list(out) == ["Vpairs"] and abs(out["Vpairs"][0, 0, 0] - 2 - whole[1, 0]) < 1e-12)
    check("visibility: Vpairs is known", err == "")

    trav = dict(trav_src=np.full((6, 2), 0.1), trav_rec=np.full((6, 3), 0.2))
    survey = dict(dt=0.01, nt=50, nz=3)
    write("in.h5", "kirchhoff_forward", dict(trav, model=np.arange(6.0).reshape(2, 3)), survey)
    out, _, _ = served("forward", "kirchhoff_forward")
    check("forward: shape", out["data"].shape == (2, 3, 50))
    flat_data = out["data"].reshape(6, 50)
    write("in.h5", "kirchhoff_forward", dict(trav, model=np.arange(6.0)), dict(survey, dynamic=False))
    out, _, _ = served("forward, flat, a boolean flag", "kirchhoff_forward")
    check("flat in is flat out", out["data"].shape == (6, 50) and (out["data"] == flat_data).all())
    write("in.h5", "kirchhoff_adjoint", dict(trav, data=np.ones((2, 3, 50))), dict(survey, angle=[0.2, np.inf]))
    out, _, _ = served("adjoint", "kirchhoff_adjoint")
    check("adjoint: shape by nz", out["model"].shape == (2, 3))
    check("adjoint of ones", (np.abs(out["model"] - 6) < 1e-12).all())
    write("in.h5", "kirchhoff_adjoint", dict(trav, data=np.ones((6, 50))), survey)
    out, _, _ = served("adjoint, flat", "kirchhoff_adjoint")
    check("adjoint: flat", out["model"].shape == (6,))

    write("in.h5", "visibility_tau", dict(antpos=np.zeros((2, 3)), crd=crd), dict(freq_hz=1e8, out_dtype="c64"))
    out, _, _ = served("out_dtype", "visibility_tau")
    check("out_dtype", out["exptau"].dtype == np.complex64 and (out["exptau"] == 1).all())
    write("in.h5", "curvature_kernel", dict(uv=[[1e5, 2e5]], sigma=[1.0]), dict(pix=1e-7, ny=2, nx=3, out_dtype="f32"))
    out, _, _ = served("curvature_kernel", "curvature_kernel")
    check("curvature_kernel: w", out["w"].shape == (4, 6) and out["w"].dtype == np.float32 and out["w"][0, 0] == 1)
    write("in.h5", "curvature_data_vector", dict(d=[1.0, 2.0], indptr=np.array([0, 1, 2], np.int32), rows=np.array([1, 0], np.int16), vals=[3.0, 5.0]))
    out, _, _ = served("narrow index types", "curvature_data_vector")
    check("narrow index types: values", out["D"].tolist() == [6.0, 5.0])


def nothing():
    """Calls without an element to write succeed, whatever the operation."""
    z = np.zeros((3, 7), complex)
    none = np.zeros(0, np.int32)
    trav = dict(trav_src=np.zeros((6, 0)), trav_rec=np.zeros((6, 3)), model=np.zeros((2, 3)))
    for op, arrays, attributes, name, shape in (
        ("emi", dict(coh=np.zeros((0, 3), complex)), {}, "phase", (0, 3)),
        ("ds_temp_coh", dict(coh=np.zeros((0, 3), complex), phase=np.zeros((0, 3), complex)), {}, "t_coh", (0,)),
        ("curvature", dict(w=np.ones((4, 6)), iy=none, ix=none, indptr=np.zeros(1, int), rows=none, vals=np.zeros(0)), {}, "F", (0, 0)),
        ("visibility_angles", dict(crd=np.zeros((3, 0))), {}, "az", (0,)),
        ("visibility_horizon", dict(crd=np.zeros((3, 0)), flux=np.zeros(0)), {}, "crd_up", (3, 0)),
        ("visibility_pairs", dict(Z=z, pairs=np.zeros((0, 2), int)), dict(nant=3, nfeed=1), "Vpairs", (0, 1, 1)),
        ("kirchhoff_forward", trav, dict(dt=0.1, nt=9, nz=3), "data", (0, 3, 9)),
    ):
        write("in.h5", op, arrays, attributes)
        out, head, err = served(op + ", nothing to write", op)
        if out:
            check(op + ": shape of nothing", out[name].shape == shape)
            check(op + ": the kernel that would do it", head["plugin"].startswith("cpu-") and head["kernel"])
        check(op + ": nothing on stderr", err == "")
        p = subprocess.run(["headgate", "run", op, "in.h5", "-o", "out.h5", "--json"], capture_output=True, text=True)
        check(op + ": JSON", p.returncode == 0 and '"attempts":[]' in p.stdout)


def refusals():
    z = gram_input()
    word = "visibility_gram"
    pair = dict(Z=z[:4], pairs=[[1, 0]])
    write("in.h5", "visibility_pairs", pair, dict(nant=3, nfeed=2))
    refused("nant that is not that of Z", 65, "HGATE_ESHAPE: Z: has 4 rows", "visibility_pairs")
    write("in.h5", "visibility_pairs", pair, dict(nant=-2, nfeed=-2))
    refused("a negative size", 65, "HGATE_EVALUE: nant: is -2", "visibility_pairs")
    write("in.h5", "curvature_kernel", dict(uv=[[1e5, 2e5]], sigma=[1.0]), dict(pix=1e-7, ny=-2, nx=3))
    refused("a negative extent", 65, "HGATE_EVALUE: ny: is -2", "curvature_kernel")
    write("in.h5", "kirchhoff_convolve", {"wav": np.ones(3), "in": np.ones(5)})
    refused("convolve without wavc", 65, "attribute wavc is missing", "kirchhoff_convolve")
    write("in.h5", word, {})
    refused("missing dataset", 65, "dataset Z is missing", word)
    write("in.h5", word, dict(Z=z), head=False)
    refused("no head", 65, "headgate_format", word)
    write("in.h5", word, dict(Z=z), dict(headgate_format=2))
    refused("another format", 65, "headgate_format is 2", word)
    write("in.h5", "visibility_product", dict(Z=z))
    refused("another operation", 65, "op is 'visibility_product'", word)
    write("in.h5", word, dict(Z=z[0]))
    refused("rank", 65, "HGATE_ESHAPE", word)
    write("in.h5", word, dict(Z=z.real))
    refused("real for complex", 65, "HGATE_EDTYPE", word)
    write("in.h5", word, dict(Z=np.ones((2, 3), np.int32)))
    refused("integers", 65, "HGATE_EDTYPE", word)
    write("in.h5", word, dict(Z=z), dict(convention="sideways"))
    refused("unknown choice", 65, "sideways", word)
    write("in.h5", word, dict(Z=z), dict(convention=1))
    refused("a number for a choice", 65, "convention", word)
    write("in.h5", word, dict(Z=z), dict(alpha="two"))
    refused("a word for a number", 65, "alpha", word)
    write("in.h5", word, dict(Z=z), dict(alpha=[1.0, 2.0]))
    refused("two numbers for one", 65, "alpha", word)
    write("in.h5", "emi", dict(coh=np.ones((2, 3, 3), complex)), dict(ref=1.5))
    refused("a fraction for an index", 65, "ref", "emi")
    write("in.h5", "emi", dict(coh=np.ones((2, 3, 3), complex)), dict(ref=3))
    refused("ref beyond the images", 65, "HGATE_EVALUE: ref", "emi")
    write("in.h5", "visibility_tau", dict(antpos=np.zeros((2, 3)), crd=np.ones((3, 1))))
    refused("missing attribute", 65, "attribute freq_hz is missing", "visibility_tau")

    three = np.zeros((2, 2), np.dtype([("r", "f8"), ("i", "f8"), ("k", "f8")]))
    write("in.h5", word, dict(Z=three))
    refused("three members", 65, "not an array of numbers", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f.create_dataset("Z", (3,), dtype=h5py.string_dtype())
    refused("strings", 65, "not an array of numbers", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f.create_dataset("Z", (3,), dtype=h5py.vlen_dtype(np.float64))
    refused("rows of any length", 65, "not an array of numbers", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f["Z"] = h5py.Empty("f8")
    refused("no extent", 65, "Z", word)
    write("in.h5", word, dict(Z=np.zeros((1,) * 9)))
    refused("nine dimensions", 65, "9 dimensions", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, "emi"
        f.create_dataset("coh", (0, 1 << 60), dtype=np.complex64)
    start = os.times().children_user
    got, err = run("emi")
    check("no points of 2^60 pairs: exit code %d" % got, got in (0, 65))
    check("no points of 2^60 pairs: in %g s" % (os.times().children_user - start), os.times().children_user - start < 0.5)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f.create_dataset("Z", (1 << 20, 1 << 20), dtype=np.complex64)
    refused("2^40 elements that are not there", 65, "claims", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f.create_dataset("Z", (1 << 20, 1 << 20), dtype=np.complex64, chunks=(64, 64), compression="gzip")
        f["Z"][:2, :2] = 1
    refused("2^40 elements in one chunk", 65, "claims", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f.create_group("Z")
    refused("a group", 65, "not a dataset", word)
    write("other.h5", word, dict(Z=z))
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f["Z"] = h5py.ExternalLink("other.h5", "Z")
    refused("external link", 65, "link", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f["elsewhere"] = z
        f["Z"] = h5py.SoftLink("/elsewhere")
    refused("soft link", 65, "link", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        layout = h5py.VirtualLayout((5, 7), z.dtype)
        layout[...] = h5py.VirtualSource("other.h5", "Z", (5, 7))
        f.create_virtual_dataset("Z", layout)
    refused("virtual dataset", 65, "another file", word)
    with h5py.File("in.h5", "w") as f:
        f.attrs["headgate_format"], f.attrs["op"] = 1, word
        f.create_dataset("Z", data=z, external=[("raw.bin", 0, h5py.h5f.UNLIMITED)])
    refused("data outside the file", 65, "another file", word)


def damage():
    """Bytes changed at random: refused or served, never a crash of ours. DAMAGE_RUNS sets how many."""
    # libhdf5 forgets some memory of files that it gives up on
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    write("good.h5", "visibility_gram", dict(Z=gram_input()), dict(alpha=2.0))
    good = open("good.h5", "rb").read()
    rng = random.Random(11)
    for k in range(int(os.environ.get("DAMAGE_RUNS", "60"))):
        data = bytearray(good)
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        open("in.h5", "wb").write(data[:rng.randrange(len(data))] if k % 5 == 0 else data)
        code, err = run("visibility_gram")
        check("damaged file %d: exit code %d" % (k, code), code in (0, 65, 71))
        check("damaged file %d: output" % k, os.path.exists("out.h5") == (code == 0))


os.chdir(sys.argv[1])
values()
attributes()
nothing()
refusals()
damage()
print("%d checks, %d failed" % (checks, failed))
sys.exit(1 if failed or not checks else 0)
