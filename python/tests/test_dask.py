# SPDX-License-Identifier: BSD-3-Clause
"""The Dask way (examples/dask) with threads, forked and spawned processes: the bits of one call."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
cloudpickle = pytest.importorskip("cloudpickle")


@pytest.fixture(scope="module")
def example():
    path = Path(__file__).parents[2] / "examples" / "dask" / "stack_blocks.py"
    spec = importlib.util.spec_from_file_location("stack_blocks", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["stack_blocks"] = module
    cloudpickle.register_pickle_by_value(module)  # spawned workers cannot import it
    return module


SCHEDULERS = [("synchronous", "spawn"), ("threads", "spawn"), ("processes", "fork"), ("processes", "spawn")]


@pytest.mark.parametrize("scheduler, context", SCHEDULERS)
def test_blocks_of_points(example, rng, scheduler, context):
    points, n = 203, 9
    angle = rng.uniform(-3, 3, (points, n))
    i, j = np.triu_indices(n, 1)
    coh = np.ascontiguousarray(((0.3 + 0.6 * np.exp(-(j - i) / 3)) * np.exp(1j * (angle[:, i] - angle[:, j]))).astype("c8"))
    whole = example.link(coh)  # the parent has used its engine before it is forked
    with dask.config.set(scheduler=scheduler, num_workers=3, **{"multiprocessing.context": context}):
        phase = example.link_blocks(da.from_array(coh, chunks=(37, -1))).compute()
    assert phase.shape == whole.shape and phase.dtype == whole.dtype
    assert phase.tobytes() == whole.tobytes()


@pytest.mark.parametrize("scheduler, context", SCHEDULERS)
def test_groups_of_sources(example, rng, scheduler, context):
    ns, nr, nt, nx, nz = 7, 5, 90, 11, 6
    trav_src, trav_rec = (rng.uniform(0, 0.16, (n, nx * nz)).astype("f4") for n in (ns, nr))
    data = rng.standard_normal((ns, nr, nt)).astype("f4")
    scalars = {"dt": 0.004, "nt": nt, "nx": nx, "nz": nz}
    whole = example.migrate_groups(trav_src, trav_rec, data, ns, **scalars).compute(scheduler="synchronous")
    with dask.config.set(scheduler=scheduler, num_workers=3, **{"multiprocessing.context": context}):
        image = example.migrate_groups(trav_src, trav_rec, data, 3, **scalars).compute()
    assert image.shape == (nx, nz) and np.abs(whole).max() > 0
    assert np.abs(image - whole).max() <= 16 * np.finfo("f4").eps * np.abs(whole).max()
