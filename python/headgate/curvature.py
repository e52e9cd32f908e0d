# SPDX-License-Identifier: BSD-3-Clause
"""The curvature family: F = M' W M of a pixelized interferometer reconstruction, and its neighbours."""

from __future__ import annotations

import ctypes
from ctypes import byref

from . import _tensors
from ._abi import check, lib
from ._draft import Array, Draft
from ._operation import operation


class CurvatureOperations:
    """N masked pixels at (iy, ix) in an extent of ny x nx cells; M is N x S in compressed columns (indptr, rows, vals).

    R is float32 or float64, one precision per call; I is int32 or int64.
    """

    @operation
    def curvature(
        draft: Draft, w: Array, iy: Array, ix: Array, indptr: Array, rows: Array, vals: Array, *,
        w_general: bool | None = None, check: str | None = None,
    ) -> Array:
        """Curvature matrix F (S, S) R.

        w: (2ny, 2nx) R, offset (dy, dx) at [dy mod 2ny, dx mod 2nx]. iy, ix: (N,) I, cells of the pixels.
        indptr: (S+1,) int64. rows: (nnz,) I. vals: (nnz,) R; a NaN or Inf touches its own row and column of F only.
        w_general: w need not be even; slower kernels only. check: "none", "values", "full".
        A plan keeps w, iy and ix: ``plan = engine.curvature.plan(w, iy, ix, indptr, rows, vals)``, then
        ``plan(indptr, rows, vals)`` with a new M each time.
        """
        draft.array("w", w), draft.array("iy", iy), draft.array("ix", ix)
        columns = draft.array("indptr", indptr).dim(0) - 1
        draft.array("rows", rows)
        dtype = draft.array("vals", vals).dtype
        draft.params(w_general=w_general, check=check)
        draft.output("F", (max(columns, 0),) * 2, dtype)

    @operation
    def curvature_kernel(
        draft: Draft, uv: Array, sigma: Array, *, pix: float, ny: int, nx: int, out_dtype: str = "f64",
        check: str | None = None,
    ) -> Array:
        """Offset kernel w (2ny, 2nx) from baselines: w(dy, dx) = sum_k sigma_k^-2 cos(2 pi pix (dx u_k - dy v_k)).

        uv: (K, 2) float64, wavelengths. sigma: (K,) or (K, 2) float64, columns equal; +Inf is weight 0.
        pix: pixel scale in radians. ny, nx: extent in cells. out_dtype: "f32" or "f64".
        """
        draft.array("uv", uv), draft.array("sigma", sigma)
        draft.params(pix=pix, check=check)
        draft.output("w", (2 * ny, 2 * nx), out_dtype)

    @operation
    def curvature_dirty(
        draft: Draft, uv: Array, sigma: Array, vis: Array, y: Array, x: Array, *, check: str | None = None
    ) -> Array:
        """Dirty image d (N,) float64: d_p = sum_k sigma_k^-2 (Re vis_k cos phi - Im vis_k sin phi).

        phi = 2 pi (x_p u_k + y_p v_k). uv: (K, 2) float64, wavelengths. sigma: (K,) float64. vis: (K,) complex128.
        y, x: (N,) float64, radians.
        """
        draft.array("uv", uv), draft.array("sigma", sigma), draft.array("vis", vis)
        n = draft.array("y", y).dim(0)
        draft.array("x", x)
        draft.params(check=check)
        draft.output("d", (n,), "f64")

    @operation
    def curvature_data_vector(
        draft: Draft, d: Array, indptr: Array, rows: Array, vals: Array, *, check: str | None = None
    ) -> Array:
        """Data vector D = M' d (S,) R. d: (N,) R; indptr: (S+1,) int64; rows: (nnz,) I; vals: (nnz,) R."""
        dtype = draft.array("d", d).dtype
        columns = draft.array("indptr", indptr).dim(0) - 1
        draft.array("rows", rows), draft.array("vals", vals)
        draft.params(check=check)
        draft.output("D", (max(columns, 0),), dtype)


def curvature_work_fraction(iy: Array, ix: Array, ny: int, nx: int, indptr: Array, rows: Array) -> float:
    """Share of the full kernel's multiply-adds that the symmetric kernel needs, 0 ... 1. Host arrays, no engine."""
    arrays = {"iy": iy, "ix": ix, "indptr": indptr, "rows": rows}
    views = {name: _tensors.view(name, array) for name, array in arrays.items()}
    at = {name: byref(seen.tensor) for name, seen in views.items()}
    f = ctypes.c_double()
    check(lib.hgate_curvature_work_fraction(at["iy"], at["ix"], ny, nx, at["indptr"], at["rows"], byref(f)))
    return f.value
