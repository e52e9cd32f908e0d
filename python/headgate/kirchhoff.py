# SPDX-License-Identifier: BSD-3-Clause
"""The kirchhoff family: demigration (forward) and migration (adjoint) from traveltime tables, and their set-up."""

from __future__ import annotations

import math
from ctypes import byref
from typing import Any, NamedTuple

from ._abi import check, decoded, lib
from ._structs import KirchhoffPlanInfo
from ._draft import Array, Draft
from ._operation import Plan, operation

DYNAMIC, STATION_MAJOR, SKIP_NONFINITE = 1, 2, 4
_TABLES = "trav_src trav_rec amp_src amp_rec ang_src ang_rec vel six rix tap wav".split()
_OFF = (math.inf, math.inf)


class Traveltime(NamedTuple):
    """trav (ni, n) R in seconds and dist (ni, n) R in the grid's length unit."""

    trav: Array
    dist: Array


class PlanInfo(NamedTuple):
    """Bytes, kernels and pair counts of a plan; pairs_dropped is -1 below check level full."""

    bytes_referenced: int
    tables_referenced: bool
    bytes_prepared: int
    ws_host: int
    ws_device: int
    forward: str
    adjoint: str
    pairs: int
    pairs_dropped: int


def _survey(draft: Draft, o: dict[str, Any]) -> tuple[int, int, int, tuple[int, ...]]:
    """Tables and params from the options of a call; gives ns, nr, nt and the shape of an image."""
    views = draft.struct("tables", {name: o.get(name) for name in _TABLES})
    flags = sum(bit for bit, name in (
        (DYNAMIC, "dynamic"), (STATION_MAJOR, "station_major"), (SKIP_NONFINITE, "skip_nonfinite")
    ) if o[name])
    draft.params(
        dt=o["dt"], t0=o["t0"], nt=o["nt"], ny=o["ny"] or 0, nx=o["nx"] or 0, nz=o["nz"], flags=flags,
        offset_taper=o["offset_taper"], aperture=tuple(o["aperture"] or _OFF), angle=tuple(o["angle"] or _OFF),
        wavc=o["wavc"], check=o["check"],
    )
    station, point = (0, 1) if o["station_major"] else (1, 0)
    ni = views["trav_src"].dim(point)
    nx = o["nx"] or ni // max(o["nz"], 1) // max(o["ny"] or 1, 1)
    image = (o["ny"], nx, o["nz"]) if o["ny"] else (nx, o["nz"])
    return views["trav_src"].dim(station), views["trav_rec"].dim(station), o["nt"], image


def _grid(draft: Draft, nx: int, nz: int, dx: float, dz: float, x0: float, z0: float, ny: int | None,
          dy: float | None, y0: float) -> int:
    """The grid argument; gives its number of nodes."""
    draft.struct("grid", {}, ny=ny or 0, nx=nx, nz=nz, dy=dy or 0.0, dx=dx, dz=dz, y0=y0, x0=x0, z0=z0)
    return (ny or 1) * nx * nz


class KirchhoffPlan:
    """The tables of a survey, checked and prepared once for both directions."""

    def __init__(self, engine: Any, plan: Plan):
        self._engine, self._plan = engine, plan

    def forward(self, model: Array, *, alpha: float = 1.0, beta: float = 0.0, out: Any = None, exec: Any = None):
        """data = alpha L model + beta data; shapes as in Engine.kirchhoff_forward."""
        return self._run(self._engine.kirchhoff_forward, model, alpha, beta, out, exec)

    def adjoint(self, data: Array, *, alpha: float = 1.0, beta: float = 0.0, out: Any = None, exec: Any = None):
        """model = alpha L' data + beta model; shapes as in Engine.kirchhoff_adjoint."""
        return self._run(self._engine.kirchhoff_adjoint, data, alpha, beta, out, exec)

    def _run(self, bound: Any, array: Array, alpha: float, beta: float, out: Any, exec: Any) -> Array:
        keywords = {**self._plan._fixed, "alpha": alpha, "beta": beta, "out": out, "exec": exec}
        keywords.pop("model")
        draft, result = bound._draft("run", (array,), keywords)
        draft.send(self._plan._handle)
        return result(draft)

    @property
    def info(self) -> PlanInfo:
        """Bytes, kernels and pair counts."""
        i = KirchhoffPlanInfo()
        check(lib.hgate_kirchhoff_info(self._plan._handle, byref(i)))
        routes = [
            f"{decoded(getattr(i, d + '_plugin'))}/{decoded(getattr(i, d + '_kernel'))}" for d in ("forward", "adjoint")
        ]
        return PlanInfo(
            i.bytes_referenced, bool(i.tables_referenced), i.bytes_prepared, i.ws_host, i.ws_device, *routes, i.pairs,
            i.pairs_dropped,
        )

    def close(self) -> None:
        """Frees the plan and lets go of the tables."""
        self._plan.close()


class KirchhoffOperations:
    """ns sources, nr receivers, nt samples; ni image points, z fastest. R is float32 or float64, I int32 or int64."""

    @operation
    def kirchhoff_forward(
        draft: Draft, model: Array, *, trav_src: Array, trav_rec: Array, dt: float, nt: int, nz: int,
        nx: int | None = None, ny: int | None = None, t0: float = 0.0, alpha: float = 1.0, beta: float = 0.0,
        dynamic: bool = False, amp_src: Array | None = None, amp_rec: Array | None = None,
        ang_src: Array | None = None, ang_rec: Array | None = None, vel: Array | None = None,
        six: Array | None = None, rix: Array | None = None, tap: Array | None = None, wav: Array | None = None,
        wavc: int = 0, aperture: tuple[float, float] | None = None, angle: tuple[float, float] | None = None,
        offset_taper: str = "apply", station_major: bool = False, skip_nonfinite: bool = False,
        check: str | None = None,
    ) -> Array:
        """Demigration: data (ns, nr, nt) R = alpha L model + beta data; of a flat model (ns nr, nt).

        model: (nx, nz), (ny, nx, nz) or (ni,) R. trav_src: (ni, ns) R, trav_rec: (ni, nr) R, seconds.
        dt, t0: seconds, step and time of sample 0. dynamic: weights from amp_*, ang_* (tables like trav_*, radians) and
        vel (ni,) or (1,) R. aperture: limits of offset / depth in grid steps, needs six (ns,) and rix (nr,) I.
        angle: limits in radians. tap: (ntap,) R. wav: (nwav,) R, centre at wavc, convolved along time.
        """
        values = dict(locals())
        ns, nr, samples, _ = _survey(draft, values)
        seen = draft.array("model", model)
        draft.scalars(alpha=alpha, beta=beta)
        shape = (ns * nr, samples) if len(seen.shape) == 1 else (ns, nr, samples)
        draft.output("data", shape, seen.dtype, beta=beta)

    @operation
    def kirchhoff_adjoint(
        draft: Draft, data: Array, *, trav_src: Array, trav_rec: Array, dt: float, nt: int, nz: int,
        nx: int | None = None, ny: int | None = None, t0: float = 0.0, alpha: float = 1.0, beta: float = 0.0,
        dynamic: bool = False, amp_src: Array | None = None, amp_rec: Array | None = None,
        ang_src: Array | None = None, ang_rec: Array | None = None, vel: Array | None = None,
        six: Array | None = None, rix: Array | None = None, tap: Array | None = None, wav: Array | None = None,
        wavc: int = 0, aperture: tuple[float, float] | None = None, angle: tuple[float, float] | None = None,
        offset_taper: str = "apply", station_major: bool = False, skip_nonfinite: bool = False,
        check: str | None = None,
    ) -> Array:
        """Migration: model (nx, nz) or (ny, nx, nz) R = alpha L' data + beta model; of data (ns nr, nt) flat (ni,).

        data: (ns, nr, nt) or (ns nr, nt) R. Everything else as in kirchhoff_forward.
        """
        values = dict(locals())
        *_, image = _survey(draft, values)
        seen = draft.array("data", data)
        draft.scalars(alpha=alpha, beta=beta)
        shape = (math.prod(image),) if len(seen.shape) == 2 else image
        draft.output("model", shape, seen.dtype, beta=beta)

    def kirchhoff_plan(self, **survey: Any) -> KirchhoffPlan:
        """Prepares the tables of a survey for both directions; keywords as in kirchhoff_forward."""
        return KirchhoffPlan(self, self.kirchhoff_forward.plan(None, **survey))

    @operation
    def kirchhoff_traveltime(
        draft: Draft, stations: Array, *, v: float, nx: int, nz: int, dx: float, dz: float, x0: float = 0.0,
        z0: float = 0.0, ny: int | None = None, dy: float | None = None, y0: float = 0.0,
    ) -> Traveltime:
        """Straight-ray traveltimes dist / v: trav and dist (ni, n) R.

        stations: (ndim, n) R, rows (x, z) or (y, x, z). v: speed. Grid: node = origin + step * index.
        out: (trav, dist); dist None leaves it out.
        """
        seen = draft.array("stations", stations)
        shape = (_grid(draft, nx, nz, dx, dz, x0, z0, ny, dy, y0), seen.dim(1))
        draft.scalars(v=v)
        draft.output("trav", shape, seen.dtype)
        draft.output("dist", shape, seen.dtype, optional=True)
        return lambda d: Traveltime(*d.results)

    @operation
    def kirchhoff_angles(
        draft: Draft, trav: Array, *, nx: int, nz: int, dx: float, dz: float, x0: float = 0.0, z0: float = 0.0,
        ny: int | None = None, dy: float | None = None, y0: float = 0.0,
    ) -> Array:
        """Ray angles ang (ni, n) R in radians, 0 = vertical, from the gradient of a table trav (ni, n) R."""
        seen = draft.array("trav", trav)
        _grid(draft, nx, nz, dx, dz, x0, z0, ny, dy, y0)
        draft.output("ang", seen.shape, seen.dtype)

    @operation
    def kirchhoff_spreading(draft: Draft, dist: Array, *, ndim: int, eps: float) -> Array:
        """Geometrical spreading amp (ni, n) R: 1/sqrt(dist + eps) for ndim 2, 1/(dist + eps) for 3.

        dist: (ni, n) R. eps: > 0, in the unit of dist.
        """
        seen = draft.array("dist", dist)
        draft.scalars(ndim=ndim, eps=eps)
        draft.output("amp", seen.shape, seen.dtype)

    @operation
    def kirchhoff_station_index(
        draft: Draft, stations: Array, *, nx: int, nz: int, dx: float, dz: float, x0: float = 0.0, z0: float = 0.0,
        ny: int | None = None, dy: float | None = None, y0: float = 0.0, out_dtype: str = "i32",
    ) -> Array:
        """Lateral grid index idx (n,) I = floor((x - x0) / dx). stations: (ndim, n) R. out_dtype: "i32" or "i64"."""
        seen = draft.array("stations", stations)
        _grid(draft, nx, nz, dx, dz, x0, z0, ny, dy, y0)
        draft.output("idx", (seen.dim(1),), out_dtype)

    @operation
    def kirchhoff_wavelet(draft: Draft, wav: Array, *, ndim: int, dt: float) -> Array:
        """wav_filtered (nwav,) R: the wavelet's DFT times sqrt(i w) (ndim 2) or -i w (ndim 3). wav: (nwav,) R."""
        seen = draft.array("wav", wav)
        draft.scalars(ndim=ndim, dt=dt)
        draft.output("wav_filtered", seen.shape, seen.dtype)

    @operation
    def kirchhoff_convolve(draft: Draft, wav: Array, in_: Array, *, wavc: int, adjoint: bool = False) -> Array:
        """out (..., nt) R = wav * in_ along the last axis, zeros outside; adjoint: the correlation.

        wav: (nwav,) R, centre at index wavc. in_: (..., nt) R ("in" of the C function, which Python reserves).
        """
        draft.array("wav", wav)
        seen = draft.array("in_", in_)
        draft.scalars(wavc=wavc, adjoint=int(adjoint))
        draft.output("out", seen.shape, seen.dtype)
