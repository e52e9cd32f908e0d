# SPDX-License-Identifier: BSD-3-Clause
"""PyAutoArray: the curvature matrix F of an interferometer inversion from its precision operator and sparse triplets.

    from headgate.hosts.autoarray import InterferometerSparseOperator
    operator = InterferometerSparseOperator.from_nufft_precision_operator(nufft_precision_operator, dirty_image)

The host runs its likelihoods in processes of their own, so the engine here uses one thread; it survives a fork.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._operation import Plan
from ..engine import Engine
from ..shared import shared_engine

SERIAL = {"threads.max": 1, "plugins.cpu-openmp.enabled": False, "plugins.cuda.enabled": False}


def compressed_columns(rows: Any, cols: Any, vals: Any, S: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triplets of a mapping matrix as indptr (S+1,) int64, rows (nnz,) int64, vals (nnz,) float64."""
    rows, cols = np.asarray(rows, dtype=np.int64), np.asarray(cols, dtype=np.int64)
    order = np.argsort(cols, kind="stable")
    indptr = np.zeros(S + 1, np.int64)
    np.cumsum(np.bincount(cols, minlength=S), out=indptr[1:])
    return indptr, rows[order], np.asarray(vals, dtype=np.float64)[order]


class InterferometerSparseOperator:
    """Stands in for PyAutoArray's class of this name; one plan serves every likelihood."""

    def __init__(self, nufft_precision_operator: Any, dirty_image: Any = None, headgate: Engine | None = None):
        """nufft_precision_operator: (2 y_shape, 2 x_shape) real, offset (dy, dx) at [dy mod 2y, dx mod 2x]."""
        self._w = np.ascontiguousarray(nufft_precision_operator, dtype=np.float64)
        if self._w.ndim != 2 or self._w.shape[0] % 2 or self._w.shape[1] % 2:
            raise ValueError(f"nufft_precision_operator must have shape (2y, 2x), found {self._w.shape}")
        self.dirty_image, self._engine, self._plan = dirty_image, headgate, None
        self.y_shape, self.x_shape = (n // 2 for n in self._w.shape)
        self.M = self.y_shape * self.x_shape

    @classmethod
    def from_nufft_precision_operator(
        cls, nufft_precision_operator: Any, dirty_image: Any = None, *, batch_size: int = 128
    ) -> InterferometerSparseOperator:
        """PyAutoArray's factory; batch_size has no meaning here."""
        return cls(nufft_precision_operator, dirty_image)

    def _planned(self, *matrix: np.ndarray) -> Plan:
        if self._plan is None:
            iy, ix = (a.ravel().astype(np.int32) for a in np.mgrid[: self.y_shape, : self.x_shape])
            engine = self._engine or shared_engine(SERIAL)
            self._plan = engine.curvature.plan(self._w, iy, ix, *matrix)
        return self._plan

    def curvature_matrix_diag_from(self, rows: Any, cols: Any, vals: Any, *, S: int) -> np.ndarray:
        """F (S, S) float64 of a mapping matrix in triplets: rows are flat cells of the extent, y x_shape + x."""
        matrix = compressed_columns(rows, cols, vals, S)
        return self._planned(*matrix)(*matrix)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_plan": None, "_engine": None}


def curvature_matrix(nufft_precision_operator: Any, rows: Any, cols: Any, vals: Any, *, S: int) -> np.ndarray:
    """F (S, S) float64 in one call; keep an InterferometerSparseOperator where the operator stays the same."""
    return InterferometerSparseOperator(nufft_precision_operator).curvature_matrix_diag_from(rows, cols, vals, S=S)
