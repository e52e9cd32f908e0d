# SPDX-License-Identifier: BSD-3-Clause
"""Source groups: surveys that go through a device, or the host's kernels, piece by piece."""

from __future__ import annotations

import ctypes
import math
from ctypes import byref, c_void_p
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Sequence


from ._abi import CALL, check, decoded, lib
from ._draft import Array, Draft
from ._structs import GROUP_PROGRESS, GroupInfo, GroupParams, KirchhoffShape

PHASES = ("copy in", "compute", "copy out")
Progress = Callable[[int, int, str, float, int], Any]


class Cut(NamedTuple):
    """How a survey would be cut, and what a full group takes; bytes where the kernels run, and of page-locked staging."""

    sources_per_group: int
    receivers_per_group: int
    n_groups: int
    device_bytes: int
    pinned_bytes: int
    bytes_in_group: int
    forward: str | None
    adjoint: str | None


@dataclass
class Groups:
    """How to cut. 0 lets the budgets decide (bytes, 0 = what is free on a device, no limit on the host).

    device: number of the CUDA device, None = kernels for the host's memory. streams: addresses of cudaStream_t for
    work, copies in, copies out. first_source, n_sources: the share of this call. progress(group, n_groups, phase,
    seconds, bytes): True stops with Error ESTOPPED; what it raises is raised by the call.
    """

    sources_per_group: int = 0
    receivers_per_group: int = 0
    device_budget: int = 0
    pinned_budget: int = 0
    slots: int = 2
    device: int | None = None
    streams: Sequence[int] = ()
    first_source: int = 0
    n_sources: int | None = None
    progress: Progress | None = None

    def _struct(self) -> GroupParams:
        p = GroupParams()
        check(lib.hgate_group_params_init(byref(p)))
        p.sources_per_group, p.receivers_per_group = self.sources_per_group, self.receivers_per_group
        p.device_budget, p.pinned_budget, p.nslots = self.device_budget, self.pinned_budget, self.slots
        p.first_source, p.n_sources = self.first_source, -1 if self.n_sources is None else self.n_sources
        p.device_id = -1 if self.device is None else self.device
        p.nstreams = len(self.streams)
        p._list = (c_void_p * max(1, len(self.streams)))(*self.streams)
        p.streams = ctypes.cast(p._list, c_void_p) if self.streams else None
        p._raised = []
        if self.progress is not None:
            p._call = GROUP_PROGRESS(_guarded(self.progress, p._raised))
            p.progress = p._call
        return p


def _guarded(progress: Progress, raised: list[BaseException]) -> Callable[..., int]:
    def call(_user: int, group: int, n_groups: int, phase: int, seconds: float, moved: int) -> int:
        try:
            return 1 if progress(group, n_groups, PHASES[phase], seconds, moved) else 0
        except BaseException as error:  # ctypes would print and lose it
            raised.append(error)
            return 1

    return call


class GroupOperations:
    """The Kirchhoff pair in groups of sources."""

    def kirchhoff_group_forward(
        self, model: Array, *, groups: Groups | None = None, out: Array | None = None, exec: Any = None, **survey: Any
    ) -> Array:
        """Demigration by groups: data (ns, nr, nt) R = L model. Tables and data on the host, keywords as in
        kirchhoff_forward; model on the host or on the device of the groups (then pass data as out)."""
        return self._kirchhoff_group(self.kirchhoff_forward, model, groups, out, exec, survey)

    def kirchhoff_group_adjoint(
        self, data: Array, *, groups: Groups | None = None, out: Array | None = None, exec: Any = None, **survey: Any
    ) -> Array:
        """Migration by groups: model (nx, nz) or (ny, nx, nz) R = L' data; arrays alike."""
        return self._kirchhoff_group(self.kirchhoff_adjoint, data, groups, out, exec, survey)

    def _kirchhoff_group(self, bound: Any, array: Array, groups: Groups | None, out: Any, exec: Any, survey: Any):
        draft, result = bound._draft(CALL, (array,), {**survey, "out": out, "exec": exec})
        values, group = draft._values, (groups or Groups())._struct()
        forward = bound.op == "kirchhoff_forward"
        function = lib.hgate_kirchhoff_group_forward if forward else lib.hgate_kirchhoff_group_adjoint
        first, second = ("model", "data") if forward else ("data", "model")
        context = exec if exec is not None else self._thread_exec()
        try:
            check(function(self._open_handle(), context._handle, values["params"], values["tables"], values[first],
                           values[second], byref(group)))
        except Exception:
            if group._raised:
                raise group._raised[0]
            raise
        return result(draft)

    def kirchhoff_group_info(
        self, ns: int, nr: int, *, dtype: str = "f32", nwav: int = 0, n_vel: int = 1, groups: Groups | None = None,
        **survey: Any
    ) -> Cut:
        """The cut of a survey of so many sources and receivers, from its sizes alone: dt, nt, nz, nx and the other
        scalars as in kirchhoff_forward."""
        draft = Draft(self, "kirchhoff_forward", CALL, None, None)
        flags = survey.pop("dynamic", 0) | 2 * survey.pop("station_major", 0) | 4 * survey.pop("skip_nonfinite", 0)
        draft.params(flags=int(flags), **survey)
        ni = math.prod((survey.get("ny") or 1, survey["nx"], survey["nz"]))
        shape = KirchhoffShape()
        shape.ns, shape.nr, shape.ni, shape.nwav, shape.n_vel = ns, nr, ni, nwav, n_vel
        shape.dtype_code, shape.dtype_bits, shape.dtype_lanes = 2, {"f32": 32, "f64": 64}[dtype], 1
        info, group = GroupInfo(), (groups or Groups())._struct()
        check(lib.hgate_kirchhoff_group_info(
            self._open_handle(), draft._values["params"], byref(shape), byref(group), byref(info)))
        routes = [
            f"{decoded(getattr(info, d + '_plugin'))}/{decoded(getattr(info, d + '_kernel'))}"
            if getattr(info, d + "_plugin") else None for d in ("forward", "adjoint")
        ]
        return Cut(info.sources_per_group, info.receivers_per_group, info.n_groups, info.device_bytes,
                   info.pinned_bytes, info.bytes_in_group, *routes)
