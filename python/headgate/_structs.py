# SPDX-License-Identifier: BSD-3-Clause
"""Structs and callbacks of the C interface for ctypes; tests/test_abi.py compares them with the public headers."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32,
    c_uint64, c_void_p, sizeof,
)


class DLTensor(Structure):
    """DLPack's view of an array, without its owner."""

    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


TENSOR = POINTER(DLTensor)
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
LOG = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
DESCRIBE = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
RANGE_PUSH = CFUNCTYPE(None, c_void_p, c_char_p)
RANGE_POP = CFUNCTYPE(None, c_void_p)
EVENT = CFUNCTYPE(None, c_void_p, c_void_p)
PROGRESS = CFUNCTYPE(c_int, c_void_p, c_int64, c_int64)
GROUP_PROGRESS = CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_int, c_double, c_size_t)


def _struct(name: str, *fields: tuple[object, str]) -> type[Structure]:
    """A struct that starts with its size; each field group is (type, "names")."""
    members = [("struct_size", c_size_t)]
    members += [(word, kind) for kind, words in fields for word in words.split()]
    made = type(name, (Structure,), {"_fields_": members})
    made.__init__ = lambda self: Structure.__init__(self, struct_size=sizeof(made))
    return made


Options = _struct(
    "Options", (c_void_p, "config"), (LOG, "log"), (c_void_p, "log_user allocator_alloc allocator_free allocator_user")
)
Hooks = _struct(
    "Hooks", (c_void_p, "user"), (RANGE_PUSH, "range_push"), (RANGE_POP, "range_pop"), (EVENT, "event"),
    (PROGRESS, "progress"),
)
PluginInfo = _struct(
    "PluginInfo", (c_char_p, "name path version license description"), (c_int, "status"),
    (c_char_p, "status_name reason"), (c_int, "n_kernels"),
)
KernelInfo = _struct("KernelInfo", (c_char_p, "plugin name"), (c_uint32, "dtypes spaces flags"))
CurvatureParams = _struct("CurvatureParams", (c_double, "pix"), (c_int, "w_general check"))
EmiParams = _struct(
    "EmiParams", (c_int, "n_images ref rule"), (c_double, "beta kappa"), (c_int, "fallback check")
)
VisibilityParams = _struct(
    "VisibilityParams", (c_double, "freq_hz alpha beta alpha_re alpha_im beta_re beta_im"),
    (c_int, "convention az_mode tau_mode phase_sign"), (c_double, "flux_scale"),
    (c_int, "flux_is_amp signed_flux sqrt_power matprod"), (c_int64, "min_chunks"), (c_size_t, "mem_limit"),
    (c_double, "memory_buffer"), (c_int, "check"),
)
BeamGeometry = _struct("BeamGeometry", (TENSOR, "daz dza az0 za0"))
VisibilityInput = _struct(
    "VisibilityInput", (TENSOR, "antpos crd flux grid daz dza az0 za0 beam_idx pairs"), (c_int64, "n_up")
)
VisibilityShape = _struct(
    "VisibilityShape", (c_int64, "nant nfeed nax nsrc nbeam nbeampix"), (c_int, "is_f64 is_complex_grid is_fused")
)
ChunkInfo = _struct("ChunkInfo", (c_int64, "n_chunks chunk"), (c_size_t, "fixed per_source bytes"))
KirchhoffParams = _struct(
    "KirchhoffParams", (c_double, "dt t0"), (c_int64, "nt ny nx nz"), (c_int, "flags offset_taper"),
    (c_double * 2, "aperture angle"), (c_int64, "wavc"), (c_int, "check"),
)
KirchhoffTables = _struct(
    "KirchhoffTables", (TENSOR, "trav_src trav_rec amp_src amp_rec ang_src ang_rec vel six rix tap wav")
)
KirchhoffGrid = _struct("KirchhoffGrid", (c_int64, "ny nx nz"), (c_double, "dy dx dz y0 x0 z0"))
KirchhoffPlanInfo = _struct(
    "KirchhoffPlanInfo", (c_size_t, "bytes_referenced"), (c_int, "tables_referenced"),
    (c_size_t, "bytes_prepared ws_host ws_device"),
    (c_char_p, "forward_plugin forward_kernel adjoint_plugin adjoint_kernel"), (c_int64, "pairs pairs_dropped"),
)
GroupParams = _struct(
    "GroupParams", (c_int64, "first_source n_sources sources_per_group receivers_per_group"),
    (c_size_t, "device_budget pinned_budget"), (c_int, "nslots"), (c_void_p, "streams"), (c_int, "nstreams device_id"),
    (GROUP_PROGRESS, "progress"), (c_void_p, "user"),
)
GroupInfo = _struct(
    "GroupInfo", (c_int64, "sources_per_group receivers_per_group n_groups"),
    (c_size_t, "device_bytes pinned_bytes bytes_in_group"),
    (c_char_p, "forward_plugin forward_kernel adjoint_plugin adjoint_kernel"),
)
KirchhoffShape = _struct(
    "KirchhoffShape", (c_int64, "ns nr ni nwav n_vel"), (c_uint8, "dtype_code dtype_bits"), (c_uint16, "dtype_lanes"),
)
