# SPDX-License-Identifier: BSD-3-Clause
"""Engine, settings, plans, contexts, traces and errors as a Python program meets them."""

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import headgate

from conftest import complex_normal


def test_settings_and_their_origins(tmp_path):
    path = tmp_path / "headgate.yaml"
    path.write_text("version: 1\nthreads: {max: 3}\nops: {emi: {kappa: 2.5e4}}\n")
    config = headgate.Config({"routing.tie_margin": 0.25, "routing.prefer": ["cpu-serial"]}, path=path)
    assert config.settings["threads.max"] == "3"
    assert config.origins["threads.max"][1].endswith("headgate.yaml:2:11")
    assert config.origins["routing.tie_margin"] == ("0.25", "api")
    assert headgate.Config.of({}).load_text(config.dump()).settings == config.settings
    with headgate.Engine(path) as engine:
        assert engine.settings["ops.emi.kappa"] == "25000"


@pytest.mark.parametrize("key,value,told", [
    ("threads.maxx", 1, 'did you mean "threads.max"'), ("threads.max", "many", "threads.max"),
    ("routing.fallback", "no", "never"),
])
def test_wrong_settings_are_told(key, value, told):
    with pytest.raises(headgate.Error) as refused:
        headgate.Engine({key: value})
    assert refused.value.code == headgate.Status.ECONFIG
    assert told in str(refused.value)


def test_a_file_with_errors(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("version: 1\nroutng: {}\nthreads: {max: -3}\n")
    with pytest.raises(headgate.Error) as refused:
        headgate.Config(path=path)
    assert 'bad.yaml:2:1: unknown key "routng"' in str(refused.value) and "bad.yaml:3:" in str(refused.value)


def test_params_that_are_not_given_are_those_of_the_settings():
    coh = np.ones((1, 3), "complex64")  # closing phases: beta is what keeps the condition below kappa
    betas = {}
    for kappa in (1e3, 1e4):
        with headgate.Engine({"ops.emi.kappa": kappa}) as engine:
            betas[kappa] = engine.emi(coh).beta[0]
            assert engine.emi(coh, ref=1).beta[0] == betas[kappa]  # ref given, kappa still that of the settings
            assert engine.emi(coh, kappa=1e5).beta[0] < betas[kappa]
    assert betas[1e3] > betas[1e4] > 0


def test_unknown_choices_are_refused(engine):
    with pytest.raises(headgate.Error, match="rule: 'adaptiv' is unknown, expected one of adaptive, fixed, none"):
        engine.emi(np.ones((1, 3), "complex64"), rule="adaptiv")


@pytest.mark.parametrize("ref", [0.5, 2**32 + 1, "first"])
def test_numbers_that_do_not_fit_are_refused(engine, ref):
    with pytest.raises(headgate.Error, match="ref"):
        engine.emi(np.ones((1, 3), "complex64"), ref=ref)


def test_forced_kernels_and_traces(rng):
    Z = complex_normal(rng, (4, 9))
    with headgate.Engine({"routing.force.visibility_gram": "cpu-serial/gemm"}) as engine:
        engine.visibility_gram(Z)
        assert engine.last_trace.route == "cpu-serial/gemm"
    with headgate.Engine({"trace.timing": True}) as engine:
        engine.visibility_gram(Z)
        assert engine.last_trace.measured > 0
        told = engine.visibility_gram.explain(Z)
        assert np.isnan(told.measured) and told.predicted > 0
        assert {c["state"] for c in told.document["candidates"]} >= {"chosen"}
        assert told.route in str(told)


def test_explain_writes_nothing(engine, rng):
    V = np.full((4, 4), 77, "complex64")
    engine.visibility_gram.explain(complex_normal(rng, (4, 9)), out=V)
    assert (V == 77).all()


def test_plugins_and_kernels(engine):
    serial = next(p for p in engine.plugins if p.name == "cpu-serial")
    assert serial.status == "usable" and serial.reason == "" and "isa" in " ".join(serial.facts)
    assert {k.name for k in engine.kernels("emi") if k.plugin == "cpu-serial"} >= {"reference", "interleaved"}
    with pytest.raises(headgate.Error, match="'gram' is unknown"):
        engine.kernels("gram")


def test_plans(engine, rng):
    Z = complex_normal(rng, (5, 8))
    plan = engine.visibility_gram.plan(Z, alpha=2)
    V = np.empty((5, 5), "complex64")
    for _ in range(3):
        Z = complex_normal(rng, (5, 8))
        assert plan(Z, out=V) is V
        assert np.allclose(V, 2 * Z @ Z.conj().T, atol=1e-4)
    with pytest.raises(headgate.Error, match="Z: "):
        plan(complex_normal(rng, (4, 8)))
    assert plan.trace.kernel and len(plan.workspace) == 2


def test_a_plan_of_curvature_keeps_w_and_the_mask(engine, rng):
    ny, nx = 4, 3
    w = engine.curvature_kernel(rng.standard_normal((9, 2)), np.ones(9), pix=0.1, ny=ny, nx=nx)
    iy, ix = (a.ravel().astype("int32") for a in np.mgrid[:ny, :nx])
    matrix = rng.standard_normal((12, 2)) * (rng.random((12, 2)) < 0.5)
    def compressed(M):
        columns = [np.flatnonzero(M[:, s]) for s in range(M.shape[1])]
        indptr = np.cumsum([0] + [len(c) for c in columns]).astype("int64")
        return indptr, np.concatenate(columns).astype("int32"), np.concatenate([M[c, s] for s, c in enumerate(columns)])
    plan = engine.curvature.plan(w, iy, ix, *compressed(matrix))
    W = w[(iy[:, None] - iy) % (2 * ny), (ix[:, None] - ix) % (2 * nx)]
    for M in (matrix, matrix[::-1].copy()):
        assert np.allclose(plan(*compressed(M)), M.T @ W @ M, atol=1e-9)
    f = headgate.curvature_work_fraction(iy, ix, ny, nx, *compressed(matrix)[:2])
    assert 0 < f <= 1


def test_a_plan_of_kirchhoff_runs_both_ways(engine, rng):
    survey = {"trav_src": rng.random((12, 2)) / 4, "trav_rec": rng.random((12, 3)) / 4, "dt": 0.05, "nt": 16, "nz": 4}
    plan = engine.kirchhoff_plan(**survey)
    model, data = rng.standard_normal((3, 4)), rng.standard_normal((2, 3, 16))
    forward, adjoint = plan.forward(model), plan.adjoint(data)
    assert forward.shape == data.shape and adjoint.shape == model.shape
    assert np.isclose((forward * data).sum(), (model * adjoint).sum())
    assert np.allclose(plan.forward(model, alpha=2, beta=1, out=forward.copy()), 3 * forward)
    assert plan.forward(model.ravel()).shape == (6, 16)
    assert plan.adjoint(data.reshape(6, 16)).shape == (12,)
    info = plan.info
    assert info.pairs == 2 * 3 * 12 and info.forward.startswith("cpu-")
    assert np.allclose(engine.kirchhoff_forward(model, **survey), forward)


def test_beta_needs_the_array_that_it_scales(engine, rng):
    with pytest.raises(headgate.Error, match="V: beta is 0.5"):
        engine.visibility_gram(complex_normal(rng, (3, 4)), beta=0.5)


def test_outputs_that_are_not_wanted(engine):
    coh = np.ones((2, 3), "complex64")
    phase = np.empty((2, 3), "complex64")
    result = engine.emi(coh, out=(phase, None, None, None))
    assert result.phase is phase and result[1:] == (None, None, None)
    assert engine.emi(coh, out=(None, None, np.empty(2, "int32"), None)).phase.shape == (2, 3)


def test_engines_close_what_is_theirs(rng):
    engine = headgate.Engine()
    plan = engine.visibility_gram.plan(complex_normal(rng, (3, 4)))
    exec = headgate.Exec(engine, threads=1)
    engine.visibility_gram(complex_normal(rng, (3, 4)), exec=exec)
    trace = exec.last_trace
    engine.close()
    engine.close()
    del plan, exec
    gc.collect()
    assert trace.kernel and trace.document["schema"] == 1
    with pytest.raises(headgate.Error, match="the engine is closed"):
        engine.visibility_gram(complex_normal(rng, (3, 4)))


def test_errors_survive_a_pipe():
    error = headgate.Error(headgate.Status.ESHAPE, "Z: rank")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, str(again)) == (headgate.Status.ESHAPE, "HGATE_ESHAPE: Z: rank")


def test_progress_stops_and_raises(rng):
    coh = np.ones((20000, 66), "complex64")
    with headgate.Engine({"routing.force.emi": "cpu-serial"}) as engine:
        seen = []
        def stop(done, total):
            seen.append((done, total))
            return True
        with pytest.raises(headgate.Error) as stopped:
            engine.emi(coh, exec=headgate.Exec(engine, progress=stop))
        assert stopped.value.code == headgate.Status.ESTOPPED and len(seen) == 1
        def interrupt(done, total):
            raise KeyboardInterrupt
        with pytest.raises(KeyboardInterrupt):
            engine.emi(coh, exec=headgate.Exec(engine, progress=interrupt))


def test_the_log_goes_to_the_callback(tmp_path):
    lines = []
    with headgate.Engine(
        {"log.level": "debug", "plugins.path": [str(tmp_path / "none")]}, log=lambda *line: lines.append(line)
    ):
        pass
    assert lines and all(isinstance(level, int) and isinstance(text, str) for level, _, text in lines)


def test_threads_share_an_engine(engine, rng):
    Zs = [complex_normal(rng, (17, 40)) for _ in range(8)]
    found = [None] * len(Zs)
    def work(i):
        for _ in range(20):
            found[i] = engine.visibility_gram(Zs[i])
        assert engine.last_trace.kernel
    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(Zs))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for Z, V in zip(Zs, found):
        assert np.allclose(V, Z @ Z.conj().T, atol=1e-4)


def _in_worker(Z):
    return _ENGINE.visibility_gram(Z)


def test_a_forked_pool_of_workers(engine, rng):
    global _ENGINE
    _ENGINE = engine
    Zs = [complex_normal(rng, (9, 30)) for _ in range(6)]
    engine.emi(np.ones((300, 45), "complex64"))  # the parent has used its threads
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(_in_worker, Zs).get(timeout=60)
    for Z, V in zip(Zs, found):
        assert np.allclose(V, Z @ Z.conj().T, atol=1e-4)
    assert np.allclose(engine.visibility_gram(Zs[0]), found[0])


def _in_own_engine(Z):
    with headgate.Engine() as engine:
        return engine.visibility_gram(Z)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers_with_engines_of_their_own(method, engine, rng):
    Zs = [complex_normal(rng, (5, 11)) for _ in range(4)]
    engine.visibility_gram(Zs[0])
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(_in_own_engine, Zs).get(timeout=120)
    for Z, V in zip(Zs, found):
        assert np.allclose(V, Z @ Z.conj().T, atol=1e-4)


def test_one_engine_for_a_process():
    one, serial = headgate.shared_engine(), headgate.shared_engine({"threads.max": 1})
    assert headgate.shared_engine() is one and headgate.shared_engine({}) is one and serial is not one
    assert serial.settings["threads.max"] == "1"
    found = []
    threads = [threading.Thread(target=lambda: found.append(headgate.shared_engine({"threads.max": 2}))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(map(id, found))) == 1
    serial.close()
    assert headgate.shared_engine({"threads.max": 1}) is not serial


def _in_the_shared_engine(Z):
    return headgate.shared_engine({"threads.max": 1}).visibility_gram(Z)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers_with_the_shared_engine(method, rng):
    Zs = [complex_normal(rng, (5, 11)) for _ in range(4)]
    whole = [_in_the_shared_engine(Z) for Z in Zs]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(_in_the_shared_engine, Zs).get(timeout=120)
    for V, W in zip(found, whole):
        assert V.tobytes() == W.tobytes()


def test_a_missing_library_is_told(tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", "import headgate"], capture_output=True, text=True,
        env={**os.environ, "HEADGATE_LIBRARY": str(tmp_path / "none.so")},
    )
    assert told.returncode == 1 and "none.so" in told.stderr


def test_chunks():
    sizes = {"nant": 350, "nfeed": 2, "nax": 2, "nsrc": 50000, "nbeam": 1, "nbeampix": 90 * 360}
    few = headgate.visibility_chunks(**sizes, mem_limit=2**30)
    assert few.n_chunks * few.chunk >= 50000 and few.bytes <= 2**30
    with pytest.raises(headgate.Error) as refused:
        headgate.visibility_chunks(**sizes, mem_limit=1000)
    assert refused.value.code == headgate.Status.ENOMEM
