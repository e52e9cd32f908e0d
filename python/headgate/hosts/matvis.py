# SPDX-License-Identifier: BSD-3-Clause
"""matvis: the source sum, the Z matrix and beam interpolation as classes that the CPU simulator takes.

    from headgate.hosts import matvis as headgate_matvis
    headgate_matvis.install()       then matvis.simulate_vis(..., matprod_method="Headgate")
"""

from __future__ import annotations

from typing import Any

import matvis.cpu.cpu as _simulator
import matvis.cpu.matprod as _products
import numpy as np
from matvis.coordinates import enu_to_az_za
from matvis.core.getz import ZMatrixCalc as MatvisZMatrixCalc
from matvis.core.matprod import MatProd as MatvisMatProd
from matvis.cpu.beams import UVBeamInterpolator

from ..shared import shared_engine


class MatProd(MatvisMatProd):
    """Sum over sources for the pairs of antennas: out[p, a, b] = sum_k z[(j, a), k] conj(z[(i, b), k])."""

    def setup(self) -> None:
        super().setup()
        self._pairs = np.ascontiguousarray(self.antpairs, dtype=np.int64)

    def compute(self, z: np.ndarray, out: np.ndarray) -> np.ndarray:
        """z: (nant nfeed, nax nsrc) complex; out: (npairs, nfeed, nfeed) complex, matvis' order of feeds."""
        engine = shared_engine()
        engine.visibility_pairs(z, self._pairs, nfeed=self.nfeed, convention="pairs_matvis", check="none", out=out)
        return out


class ZMatrixCalc(MatvisZMatrixCalc):
    """Z = beam exp(tau) amplitude, without the temporary arrays."""

    def __call__(
        self, sqrt_flux: np.ndarray, beam: np.ndarray, exptau: np.ndarray, beam_idx: np.ndarray | None
    ) -> np.ndarray:
        """sqrt_flux: (nsrc,); beam: (nbeam, nfeed, nax, nsrc); exptau: (nant, nsrc), left as it is, unlike matvis.

        Complex amplitudes, of polarized skies, go through matvis' own code.
        """
        if self.gpu or np.iscomplexobj(sqrt_flux):
            return super().__call__(sqrt_flux, beam, exptau, beam_idx)
        indices = None if beam_idx is None else np.ascontiguousarray(beam_idx, dtype=np.int64)
        return shared_engine().visibility_z(
            beam, exptau, sqrt_flux, beam_idx=indices, flux_is_amp=True, check="none", out=self.z
        )


class BeamInterpolator(UVBeamInterpolator):
    """Linear interpolation of UVBeam grids, the order of matvis' GPU class.

    Analytic beams and another order in ``spline_opts`` go through matvis' own code.
    """

    def setup(self) -> None:
        super().setup()
        wanted = self.spline_opts.get("order", 1) == 1 and all(
            beam._isuvbeam and beam.beam.pixel_coordinate_system == "az_za" for beam in self.beam_list
        )
        self._grid = self._stack() if wanted else None

    def _stack(self) -> np.ndarray | None:
        """Grids (nbeam, nax, nfeed, nza, naz) and their steps; None unless all beams share a grid's shape."""
        prepared = [beam.beam._prepare_coordinate_data(beam.beam.data_array) for beam in self.beam_list]
        grids = [data[:, :, 0] for data, _, _ in prepared]
        if len({grid.shape for grid in grids}) > 1:
            return None
        dtype = self.complex_dtype if self.polarized else self.real_dtype
        self._geometry = {
            "daz": np.array([az[1] - az[0] for _, az, _ in prepared], self.real_dtype),
            "dza": np.array([za[1] - za[0] for _, _, za in prepared], self.real_dtype),
            "az0": np.array([az.min() for _, az, _ in prepared], self.real_dtype),
            "za0": np.array([za.min() for _, _, za in prepared], self.real_dtype),
        }
        return np.ascontiguousarray(np.stack([g if self.polarized else g.real for g in grids]), dtype=dtype)

    def interp(self, tx: np.ndarray, ty: np.ndarray, out: np.ndarray) -> np.ndarray:
        """tx, ty: (nsrc,) direction cosines to East and North; out: (nbeam, nfeed, nax, nsrc) complex."""
        if self._grid is None:
            return super().interp(tx, ty, out)
        angles = enu_to_az_za(enu_e=tx, enu_n=ty, orientation="uvbeam")
        az, za = (np.ascontiguousarray(angle, dtype=self.real_dtype) for angle in angles)
        return shared_engine().visibility_beam(
            self._grid, az=az, za=za, **self._geometry, sqrt_power=not self.polarized, check="none", out=out
        )


_REPLACED: dict[str, Any] = {"ZMatrixCalc": MatvisZMatrixCalc, "UVBeamInterpolator": UVBeamInterpolator}


def install() -> None:
    """Hands the classes to matvis' CPU simulator: the product as matprod_method="Headgate", the others in place."""
    _products.Headgate = MatProd
    _simulator.ZMatrixCalc, _simulator.UVBeamInterpolator = ZMatrixCalc, BeamInterpolator


def uninstall() -> None:
    """Puts matvis' own classes back."""
    for name, original in _REPLACED.items():
        setattr(_simulator, name, original)
    if hasattr(_products, "Headgate"):
        del _products.Headgate
