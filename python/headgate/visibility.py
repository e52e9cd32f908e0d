# SPDX-License-Identifier: BSD-3-Clause
"""The visibility family: per-antenna visibilities of a radio interferometer at one time and one frequency."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import NamedTuple

from ._abi import check, lib
from ._structs import ChunkInfo, VisibilityParams, VisibilityShape
from ._draft import COMPLEX_OF, Array, Draft
from ._operation import operation


class Horizon(NamedTuple):
    """Sources above the horizon: crd_up (3, n_up) R, flux_up (n_up,) R, index (n_up,) int64."""

    crd_up: Array
    flux_up: Array
    index: Array


class Angles(NamedTuple):
    """Azimuth from East to North in [0, 2 pi) and zenith angle, (nsrc,) R, radians."""

    az: Array
    za: Array


class Chunks(NamedTuple):
    """How a fused call splits its sources: chunks, sources per chunk, bytes that stay, per source, and in all."""

    n_chunks: int
    chunk: int
    fixed: int
    per_source: int
    bytes: int


class VisibilityOperations:
    """nant antennas, nfeed feeds, nax field axes, nsrc sources, nbeam beams on grids of nza x naz angles.

    R is float32 or float64, C complex64 or complex128 of the same precision, I int32 or int64. Positions in metres and
    unit vectors in one East North Up frame, frequency in Hz.
    """

    @operation
    def visibility(
        draft: Draft, antpos: Array, crd: Array, flux: Array, grid: Array, daz: Array, dza: Array, *, freq_hz: float,
        az0: Array | None = None, za0: Array | None = None, beam_idx: Array | None = None, pairs: Array | None = None,
        n_up: int = -1, alpha: float | None = None, beta: float | None = None, convention: str | None = None,
        az_mode: str | None = None, tau_mode: str | None = None, phase_sign: int | None = None,
        flux_scale: float | None = None, flux_is_amp: bool | None = None, signed_flux: bool | None = None,
        sqrt_power: bool | None = None, matprod: str | None = None, min_chunks: int | None = None,
        mem_limit: int | None = None, memory_buffer: float | None = None, check: str | None = None,
    ) -> Array:
        """All steps fused: V (nant nfeed, nant nfeed) C; with pairs (npairs, nfeed, nfeed) C.

        antpos: (nant, 3) R, metres. crd: (3, nsrc) R, unit vectors. flux: (nsrc,) R.
        grid: (nbeam, nax, nfeed, nza, naz) R (power) or C (electric field). daz, dza, az0, za0: (nbeam,) or (1,) R,
        radians. beam_idx: (nant,) I, needed unless nbeam is 1 or nant. pairs: (npairs, 2) I. freq_hz: Hz.
        n_up: sources above the horizon if known. V = alpha Z Z^H + beta V.
        """
        views = draft.struct(
            "in_",
            {"antpos": antpos, "crd": crd, "flux": flux, "grid": grid, "daz": daz, "dza": dza, "az0": az0,
             "za0": za0, "beam_idx": beam_idx, "pairs": pairs},
            n_up=n_up,
        )
        draft.params(
            freq_hz=freq_hz, alpha=alpha, beta=beta, convention=convention, az_mode=az_mode, tau_mode=tau_mode,
            phase_sign=phase_sign, flux_scale=flux_scale, flux_is_amp=flux_is_amp, signed_flux=signed_flux,
            sqrt_power=sqrt_power, matprod=matprod, min_chunks=min_chunks, mem_limit=mem_limit,
            memory_buffer=memory_buffer, check=check,
        )
        feeds, rows = views["grid"].dim(2), views["antpos"].dim(0) * views["grid"].dim(2)
        shape = (rows, rows) if pairs is None else (views["pairs"].dim(0), feeds, feeds)
        draft.output("V", shape, COMPLEX_OF.get(views["antpos"].dtype, "c128"), beta=beta)

    @operation
    def visibility_horizon(draft: Draft, crd: Array, flux: Array, *, check: str | None = None) -> Horizon:
        """Sources with Up > 0, order kept. crd: (3, nsrc) R; flux: (nsrc,) R.

        out: (crd_up, flux_up, index) with nsrc columns; the result shows the first n_up of them.
        crd_up is then a view with gaps between its rows: copy it (np.ascontiguousarray) before you pass it on.
        """
        seen = draft.array("crd", crd)
        n, dtype = seen.dim(1), seen.dtype
        draft.array("flux", flux)
        draft.params(check=check)
        n_up = ctypes.c_int64()
        draft.scalars(n_up=byref(n_up))
        draft.output("crd_up", (3, n), dtype)
        draft.output("flux_up", (n,), dtype)
        draft.output("index", (n,), "i64", optional=True)

        def cut(d: Draft) -> Horizon:
            crd_up, flux_up, index = d.results
            end = n_up.value
            return Horizon(crd_up[:, :end], flux_up[:end], None if index is None else index[:end])

        return cut

    @operation
    def visibility_angles(draft: Draft, crd: Array, *, check: str | None = None) -> Angles:
        """az, za (nsrc,) R in radians from crd (3, nsrc) R: az = atan2(north, east), za from the zenith."""
        seen = draft.array("crd", crd)
        draft.params(check=check)
        draft.output("az", (seen.dim(1),), seen.dtype)
        draft.output("za", (seen.dim(1),), seen.dtype)
        return lambda d: Angles(*d.results)

    @operation
    def visibility_beam(
        draft: Draft, grid: Array, daz: Array, dza: Array, az: Array, za: Array, *, az0: Array | None = None,
        za0: Array | None = None, az_mode: str | None = None, sqrt_power: bool | None = None,
        out_dtype: str | None = None, check: str | None = None,
    ) -> Array:
        """Bilinear interpolation: beam (nbeam, nfeed, nax, nsrc), feed before axis.

        grid: (nbeam, nax, nfeed, nza, naz) R or C. daz, dza, az0, za0: (nbeam,) or (1,) R, radians.
        az, za: (nsrc,) R, radians. az_mode: "clamp" or "periodic". sqrt_power: root of a real power beam afterwards.
        out_dtype: "f32", "f64", "c64", "c128"; None = that of grid.
        """
        seen = draft.array("grid", grid)
        draft.struct("geometry", {"daz": daz, "dza": dza, "az0": az0, "za0": za0})
        sources = draft.array("az", az).dim(0)
        draft.array("za", za)
        draft.params(az_mode=az_mode, sqrt_power=sqrt_power, check=check)
        draft.output("beam", (seen.dim(0), seen.dim(2), seen.dim(1), sources), out_dtype or seen.dtype)

    @operation
    def visibility_tau(
        draft: Draft, antpos: Array, crd: Array, *, freq_hz: float, phase_sign: int | None = None,
        tau_mode: str | None = None, out_dtype: str | None = None, check: str | None = None,
    ) -> Array:
        """exptau (nant, nsrc) C = exp(phase_sign 2 pi i freq_hz / c antpos . crd).

        antpos: (nant, 3) R, metres. crd: (3, nsrc) R. freq_hz: Hz. tau_mode: "auto", "direct", "reduced", "wide".
        out_dtype: "c64" or "c128"; None = the precision of the inputs.
        """
        seen = draft.array("antpos", antpos)
        sources = draft.array("crd", crd).dim(1)
        draft.params(freq_hz=freq_hz, phase_sign=phase_sign, tau_mode=tau_mode, check=check)
        draft.output("exptau", (seen.dim(0), sources), out_dtype or COMPLEX_OF.get(seen.dtype, "c128"))

    @operation
    def visibility_z(
        draft: Draft, beam: Array, exptau: Array, flux: Array, *, beam_idx: Array | None = None,
        flux_scale: float | None = None, flux_is_amp: bool | None = None, check: str | None = None,
    ) -> Array:
        """Z (nant nfeed, nax nsrc) C from its factors; amplitude = sqrt(flux_scale flux), or flux itself.

        beam: (nbeam, nfeed, nax, nsrc) C. exptau: (nant, nsrc) C. flux: (nsrc,) R. beam_idx: (nant,) I.
        """
        factors, phases = draft.array("beam", beam), draft.array("exptau", exptau)
        draft.array("flux", flux), draft.array("beam_idx", beam_idx)
        draft.params(flux_scale=flux_scale, flux_is_amp=flux_is_amp, check=check)
        rows, columns = phases.dim(0) * factors.dim(1), factors.dim(2) * phases.dim(1)
        draft.output("Z", (rows, columns), factors.dtype)

    @operation
    def visibility_gram(
        draft: Draft, Z: Array, *, alpha: float | None = None, beta: float | None = None,
        convention: str | None = None, matprod: str | None = None, check: str | None = None,
    ) -> Array:
        """V (M, M) C = alpha Z Z^H + beta V, Hermitian in bits. Z: (M, K) C. convention "conj": its transpose."""
        seen = draft.array("Z", Z)
        draft.params(alpha=alpha, beta=beta, convention=convention, matprod=matprod, check=check)
        draft.output("V", (seen.dim(0),) * 2, seen.dtype, beta=beta)

    @operation
    def visibility_product(
        draft: Draft, A: Array, B: Array, *, alpha_re: float | None = None, alpha_im: float | None = None,
        beta_re: float | None = None, beta_im: float | None = None, matprod: str | None = None,
        check: str | None = None,
    ) -> Array:
        """C (m, n) complex = alpha A B^H + beta C with complex alpha and beta. A: (m, k), B: (n, k) complex."""
        left, right = draft.array("A", A), draft.array("B", B)
        draft.params(
            alpha_re=alpha_re, alpha_im=alpha_im, beta_re=beta_re, beta_im=beta_im, matprod=matprod, check=check
        )
        draft.output("C", (left.dim(0), right.dim(0)), left.dtype, beta=beta_re or beta_im)

    @operation
    def visibility_pairs(
        draft: Draft, Z: Array, pairs: Array, *, nfeed: int, alpha: float | None = None, beta: float | None = None,
        convention: str | None = None, matprod: str | None = None, check: str | None = None,
    ) -> Array:
        """Vpairs (npairs, nfeed, nfeed) C: blocks of Z Z^H for pairs of antennas.

        Z: (nant nfeed, K) C. pairs: (npairs, 2) I, any order, repeats allowed. convention: "zzh" (rows are feeds of
        the first antenna), "conj", or "pairs_matvis": sum_k Z[(j,a),k] conj(Z[(i,b),k]).
        """
        seen = draft.array("Z", Z)
        count = draft.array("pairs", pairs).dim(0)
        draft.params(alpha=alpha, beta=beta, convention=convention, matprod=matprod, check=check)
        draft.output("Vpairs", (count, nfeed, nfeed), seen.dtype, beta=beta)


def visibility_chunks(
    *, nant: int, nfeed: int, nax: int, nsrc: int, nbeam: int, nbeampix: int, mem_limit: int, is_f64: bool = False,
    is_complex_grid: bool = True, is_fused: bool = False, min_chunks: int = 1, memory_buffer: float = 0.9,
) -> Chunks:
    """Plans the source chunks of a fused call for mem_limit bytes. nbeampix: nza naz summed over the beams."""
    shape, params, info = VisibilityShape(), VisibilityParams(), ChunkInfo()
    check(lib.hgate_visibility_params_init(byref(params)))
    params.min_chunks, params.memory_buffer = min_chunks, memory_buffer
    sizes = {"nant": nant, "nfeed": nfeed, "nax": nax, "nsrc": nsrc, "nbeam": nbeam, "nbeampix": nbeampix}
    flags = {"is_f64": is_f64, "is_complex_grid": is_complex_grid, "is_fused": is_fused}
    for name, value in {**sizes, **flags}.items():
        setattr(shape, name, int(value))
    check(lib.hgate_visibility_chunks(byref(shape), mem_limit, byref(params), byref(info)))
    return Chunks(info.n_chunks, info.chunk, info.fixed, info.per_source, info.bytes)
