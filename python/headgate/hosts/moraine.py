# SPDX-License-Identifier: BSD-3-Clause
"""moraine: phase linking with moraine's signatures. NumPy in, NumPy out; CuPy in, CuPy out.

    from headgate.hosts import moraine as headgate_moraine
    mr.emi = headgate_moraine.emi       or call it inside map_blocks
"""

from __future__ import annotations

from typing import Any

from ..engine import Engine
from ..shared import shared_engine


def emi(coh: Any, ref: int = 0, *, rule: str | None = None, headgate: Engine | None = None) -> tuple[Any, Any]:
    """Phase history ph (n_points, n_images) complex and emi_quality (n_points,) real.

    coh: (n_points, n_images (n_images - 1) / 2) complex, moraine's packed pairs. ref: reference image.
    rule: "none" for moraine without regularization; None is the engine's setting, adaptive by default, which leaves
    well-conditioned points as they are. Points that cannot be solved are NaN.
    """
    engine = headgate or shared_engine()
    phase, quality, *_ = engine.emi(coh, ref=ref, rule=rule)
    return phase, quality


def ds_temp_coh(coh: Any, ph: Any, image_pairs: Any = None, *, headgate: Engine | None = None) -> Any:
    """Temporal coherence (n_points,) real of phases ph (n_points, n_images) complex.

    coh: (n_points, n_pairs) complex. image_pairs: (n_pairs, 2) integers; None: all pairs.
    """
    pairs = None if image_pairs is None else image_pairs.astype("int32")
    return (headgate or shared_engine()).ds_temp_coh(coh, ph, pairs=pairs)
