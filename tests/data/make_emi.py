#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes tests/data/emi/*.npy from a float64 program that knows the same mathematics.

    python3 make_emi.py FOLDER_OF_EMI_PY

Each file is a sequence of NumPy records, in the order of ORDER below. Coherences are stored in complex64, so that single
and double precision start from the same numbers.
"""
import importlib.util
import os
import sys

import numpy as np

ORDER = ("coh", "options", "phase", "quality", "beta", "status", "gap", "t_coh", "evd_phase", "evd_quality", "evd_gap")
RULES = ("adaptive", "fixed", "none")
#       name             points n  looks profile    ref rule beta kappa fallback
CASES = (("few", 9, 5, 12, "mixed", 0, 0, 0.0, 1e5, 0), ("wide", 5, 17, 9, "mixed", 16, 0, 0.0, 1e5, 0),
         ("regular", 6, 13, 60, "long", 4, 2, 0.0, 1e5, 0), ("indefinite", 6, 14, 8, "mixed", 2, 2, 0.0, 1e5, 0),
         ("fallback", 6, 14, 8, "mixed", 2, 2, 0.0, 1e5, 1), ("fixed", 7, 11, 16, "mixed", 1, 1, 0.35, 1e5, 0),
         ("fixed-fallback", 7, 18, 6, "mixed", 5, 1, 0.02, 1e5, 1), ("kappa", 5, 10, 7, "mixed", 3, 0, 0.0, 1e2, 0),
         ("short", 4, 30, 45, "short", 7, 0, 0.0, 1e5, 0), ("stack45", 2, 92, 45, "mixed", 0, 0, 0.0, 1e5, 0),
         ("stack100", 2, 92, 100, "mixed", 31, 0, 0.0, 1e5, 0))


def load(folder):
    spec = importlib.util.spec_from_file_location("emi", os.path.join(folder, "emi.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    oracle = load(sys.argv[1])
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "emi")
    os.makedirs(folder, exist_ok=True)
    for seed, (name, points, n, looks, profile, ref, rule, beta, kappa, fallback) in enumerate(CASES, 1):
        full, _ = oracle.generate(points, n, looks, seed=seed, profile=profile)
        coh = oracle.pack(full).astype(np.complex64)
        r = oracle.emi(coh, n=n, ref=ref, rule=RULES[rule], beta=beta, kappa=kappa,
                       fallback="evd" if fallback else "none")
        evd = []
        for c in oracle.unpack(coh.astype(np.complex128), n):
            lam = np.linalg.eigvalsh(np.abs(c) * c)
            evd.append(oracle.evd_point(c, ref)[:2] + (1.0 - lam[-2] / lam[-1],))
        record = dict(r, coh=coh, options=np.array([n, ref, rule, beta, kappa, fallback], float), t_coh=r["temp_coh"],
                      status=r["status"].astype(np.int32), evd_phase=np.array([e[0] for e in evd]),
                      evd_quality=np.array([e[1] for e in evd]), evd_gap=np.array([e[2] for e in evd]))
        with open(os.path.join(folder, name + ".npy"), "wb") as f:
            for key in ORDER:
                np.save(f, np.ascontiguousarray(record[key]))
        print(name, r["status"], r["beta"].round(4), r["gap"].round(5))


if __name__ == "__main__":
    main()
