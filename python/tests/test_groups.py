# SPDX-License-Identifier: BSD-3-Clause
"""Source groups from Python: the same numbers as the whole call, the callback, the cut."""

import numpy as np
import pytest

import headgate

NS, NR, NT, NX, NZ = 7, 5, 90, 13, 11


@pytest.fixture
def survey():
    rng = np.random.default_rng(3)
    tables = {"trav_src": rng.uniform(0, 0.1, (NX * NZ, NS)), "trav_rec": rng.uniform(0, 0.1, (NX * NZ, NR))}
    return {**tables, "dt": 0.003, "nt": NT, "nz": NZ, "nx": NX}


def test_forward_has_the_same_bits(engine, survey):
    model = np.random.default_rng(4).standard_normal((NX, NZ))
    whole = engine.kirchhoff_forward(model, **survey)
    told = []
    groups = headgate.Groups(sources_per_group=3, receivers_per_group=2, progress=lambda *a: told.append(a[:3]))
    assert np.array_equal(engine.kirchhoff_group_forward(model, groups=groups, **survey), whole)
    assert told == [(g, 9, phase) for g in range(9) for phase in ("copy in", "compute", "copy out")]


def test_adjoint(engine, survey):
    data = np.random.default_rng(5).standard_normal((NS, NR, NT))
    whole = engine.kirchhoff_adjoint(data, **survey)
    image = engine.kirchhoff_group_adjoint(data, groups=headgate.Groups(sources_per_group=2), **survey)
    assert np.allclose(image, whole, rtol=0, atol=1e-12)
    shares = [headgate.Groups(first_source=f, n_sources=n) for f, n in ((0, 4), (4, 3), (7, 0))]
    images = [engine.kirchhoff_group_adjoint(data, groups=g, **survey) for g in shares]
    assert np.allclose(sum(images), whole, rtol=0, atol=1e-12)


def test_a_callback_that_stops_or_raises(engine, survey):
    model, data = np.ones((NX, NZ)), np.full((NS, NR, NT), 7.0)
    with pytest.raises(headgate.Error, match="group 1 of 7: the callback asked to stop") as caught:
        engine.kirchhoff_group_forward(
            model, out=data, groups=headgate.Groups(1, progress=lambda group, *_: group == 1), **survey)
    assert caught.value.code is headgate.Status.ESTOPPED
    assert (data[1:] == 7).all() and not (data[0] == 7).all()

    def broken(*_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        engine.kirchhoff_group_forward(model, groups=headgate.Groups(1, progress=broken), **survey)


def test_cut(engine):
    sizes = {"dt": 0.003, "nt": NT, "nz": NZ, "nx": NX}
    whole = engine.kirchhoff_group_info(NS, NR, **sizes)
    assert (whole.n_groups, whole.sources_per_group, whole.receivers_per_group) == (1, NS, NR)
    assert whole.forward.endswith("/scatter") and whole.pinned_bytes == 0
    tight = headgate.Groups(device_budget=whole.device_bytes * 3 // 4)
    cut = engine.kirchhoff_group_info(NS, NR, groups=tight, **sizes)
    assert cut.n_groups > 1 and cut.device_bytes <= tight.device_budget
    with pytest.raises(headgate.Error, match="device_budget: a group of 1 sources and 1 receivers needs"):
        engine.kirchhoff_group_info(NS, NR, groups=headgate.Groups(device_budget=10), **sizes)
