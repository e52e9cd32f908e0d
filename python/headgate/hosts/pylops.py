# SPDX-License-Identifier: BSD-3-Clause
"""PyLops: a Kirchhoff operator whose two products are Headgate's; set-up, wavelet and apertures stay PyLops' own.

    from headgate.hosts.pylops import Kirchhoff          in place of pylops.waveeqprocessing.Kirchhoff
    K = Kirchhoff(z, x, t, srcs, recs, vel, wav, wavcenter, mode="analytic", engine="numpy")
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pylops.utils.backend import get_array_module
from pylops.waveeqprocessing import Kirchhoff as PylopsKirchhoff

from ..engine import Engine
from ..kirchhoff import KirchhoffPlan
from ..shared import shared_engine


class Kirchhoff(PylopsKirchhoff):
    """pylops.waveeqprocessing.Kirchhoff with tables for sources and receivers apart; model and data of NumPy or CuPy.

    Arguments are those of the parent; ``headgate`` is an Engine, None the one that the adapters share. ``engine`` of
    the parent may stay as it is: every engine of its own is replaced. Tables are cast to ``dtype`` once, and prepared
    at the first product.
    """

    def __init__(self, *args: Any, headgate: Engine | None = None, **keywords: Any):
        self._headgate = headgate
        self._plans: dict[str, KirchhoffPlan] = {}
        super().__init__(*args, **{**keywords, "engine": "numpy"})

    def _register_multiplications(self, engine: str) -> None:
        """The parent's set-up ends here."""
        if not self.travsrcrec:
            raise NotImplementedError("traveltimes must be two tables, trav=(of the sources, of the receivers)")
        self._kirch_matvec = self._headgate_matvec
        self._kirch_rmatvec = self._headgate_rmatvec

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_plans": {}, "_headgate": None}  # a copy in another process makes its own

    # -- the survey in Headgate's words --

    def _tables(self) -> dict[str, Any]:
        tables = {"trav_src": self.trav_srcs, "trav_rec": self.trav_recs}
        if self.dynamic:
            tables.update(
                amp_src=self.amp_srcs, amp_rec=self.amp_recs, ang_src=self.angle_srcs, ang_rec=self.angle_recs,
                vel=self.vel, tap=self.aperturetap,
            )
        return tables

    def _options(self) -> dict[str, Any]:
        options = {"dt": float(self.dt), "nt": int(self.nt), "nz": int(self.nz), "skip_nonfinite": True}
        if self.dynamic:
            options.update(
                dynamic=True, angle=tuple(map(float, self.angleaperture)), aperture=tuple(map(float, self.aperture)),
                offset_taper="unit",  # PyLops rounds before it multiplies: its offset taper cuts and does not roll off
            )
        return options

    def _plan(self, xp: Any) -> KirchhoffPlan:
        if xp.__name__ not in self._plans:
            arrays = {
                name: xp.ascontiguousarray(xp.asarray(table), dtype=self.dtype)
                for name, table in self._tables().items()
            }
            if self.dynamic:  # PyLops keeps an index for each pair, source-major
                arrays["six"] = xp.asarray(np.asarray(self.six).reshape(self.ns, self.nr)[:, 0].astype("int64"))
                arrays["rix"] = xp.asarray(np.asarray(self.rix).reshape(self.ns, self.nr)[0].astype("int64"))
            engine = self._headgate or shared_engine()
            self._plans[xp.__name__] = engine.kirchhoff_plan(**arrays, **self._options())
        return self._plans[xp.__name__]

    # -- products --

    def _headgate_matvec(self, x: Any, y: Any, *_: Any) -> Any:
        xp = get_array_module(x)
        return self._plan(xp).forward(xp.ascontiguousarray(x, dtype=self.dtype), out=y)

    def _headgate_rmatvec(self, x: Any, y: Any, *_: Any) -> Any:
        xp = get_array_module(x)
        return self._plan(xp).adjoint(xp.ascontiguousarray(x, dtype=self.dtype), out=y)
