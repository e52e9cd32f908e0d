# SPDX-License-Identifier: BSD-3-Clause
"""The emi family: phase linking of radar stacks."""

from __future__ import annotations

import enum
import math
from typing import NamedTuple

from ._draft import REAL_OF, Array, Draft
from ._operation import operation


class EmiStatus(enum.IntEnum):
    """Codes of the status array. Below 16 the phase is usable; from 16 on phase, quality and beta are NaN."""

    OK = 0
    REGULARIZED = 1
    FALLBACK_USED = 2
    PARTIAL = 3
    INDEFINITE = 4
    BAD_NONFINITE = 16
    BAD_MODULUS = 17
    BAD_HERMITIAN = 18
    BAD_EMPTY = 19
    SINGULAR = 20
    NO_CONVERGENCE = 21
    ZERO_REF = 22


class Emi(NamedTuple):
    """Of P points with n images: phase (P, n) C of unit modulus, quality (P,) R, status (P,) int32, beta (P,) R."""

    phase: Array
    quality: Array
    status: Array
    beta: Array


class Evd(NamedTuple):
    """phase (P, n) C of unit modulus, quality (P,) R, status (P,) int32."""

    phase: Array
    quality: Array
    status: Array


def images_of(shape: tuple[int, ...], n_images: int | None) -> int:
    """Images of coherences (P, n, n) or (P, n(n-1)/2); what fits neither is refused by the library."""
    if n_images:
        return n_images
    if len(shape) == 3:
        return shape[2]
    pairs = shape[-1] if shape else 0
    return (1 + math.isqrt(1 + 8 * pairs)) // 2


class EmiOperations:
    """P points, n images. C is complex64 or complex128, R its real type.

    coh is full (P, n, n), upper triangle used, or packed (P, n(n-1)/2): pairs (i, j), i < j, row by row, with
    arg coh_ij = theta_i - theta_j.
    """

    @operation
    def emi(
        draft: Draft, coh: Array, *, n_images: int | None = None, ref: int | None = None, rule: str | None = None,
        beta: float | None = None, kappa: float | None = None, fallback: str | None = None, check: str | None = None,
    ) -> Emi:
        """Phases by regularized EMI; a bad point gets a status code and NaN and changes no other point.

        coh: (P, n, n) or (P, n(n-1)/2) C. n_images: n, None = from the shape. ref: reference image, phase exactly 1.
        rule: "adaptive" (the least shrinkage that the point needs), "fixed" (beta, 0 <= beta < 1), "none".
        kappa: condition limit of rule adaptive, 1e2 ... 1e12. fallback: "none" or "evd" for points that are not
        positive definite. check: "none", "values", "full". Options left None are those of the engine's settings.
        out: (phase, quality, status, beta); None for one of the last three leaves it out.
        """
        seen = draft.array("coh", coh)
        points, real = seen.dim(0), REAL_OF.get(seen.dtype, "f64")
        draft.params(
            n_images=n_images, ref=ref, rule=rule, beta=beta, kappa=kappa, fallback=fallback, check=check
        )
        draft.output("phase", (points, images_of(seen.shape, n_images)), seen.dtype)
        draft.output("quality", (points,), real, optional=True)
        draft.output("status", (points,), "i32", optional=True)
        draft.output("beta", (points,), real, optional=True)
        return lambda d: Emi(*d.results)

    @operation
    def evd(
        draft: Draft, coh: Array, *, n_images: int | None = None, ref: int | None = None, check: str | None = None
    ) -> Evd:
        """Phases of the eigenvector of the largest eigenvalue of |coh| o coh; quality is that eigenvalue.

        Arrays and options as in emi. out: (phase, quality, status).
        """
        seen = draft.array("coh", coh)
        points = seen.dim(0)
        draft.params(n_images=n_images, ref=ref, check=check)
        draft.output("phase", (points, images_of(seen.shape, n_images)), seen.dtype)
        draft.output("quality", (points,), REAL_OF.get(seen.dtype, "f64"), optional=True)
        draft.output("status", (points,), "i32", optional=True)
        return lambda d: Evd(*d.results)

    @operation
    def ds_temp_coh(
        draft: Draft, coh: Array, phase: Array, *, pairs: Array | None = None, n_images: int | None = None,
        check: str | None = None,
    ) -> Array:
        """Goodness of fit t_coh (P,) R, 0 ... 1; NaN for a point without a usable pair.

        coh: (P, N) or (P, n, n) C. phase: (P, n) C. pairs: (N, 2) int32, images of each column of coh; None: all
        pairs in packed order.
        """
        seen = draft.array("coh", coh)
        draft.array("pairs", pairs), draft.array("phase", phase)
        draft.params(n_images=n_images, check=check)
        draft.output("t_coh", (seen.dim(0),), REAL_OF.get(seen.dtype, "f64"))
