# SPDX-License-Identifier: BSD-3-Clause
"""The C functions as ctypes sees them: the one table of the operations' arguments, prototypes, the library itself.

tests/test_abi.py compares all of it with the public headers.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p

from . import _find
from ._structs import (
    DESCRIBE, TENSOR, WRITE, BeamGeometry, ChunkInfo, CurvatureParams, EmiParams, GroupInfo, GroupParams, Hooks,
    KernelInfo, KirchhoffGrid, KirchhoffParams, KirchhoffPlanInfo, KirchhoffShape, KirchhoffTables, Options, PluginInfo, VisibilityInput, VisibilityParams,
    VisibilityShape,
)
from .errors import Error

VERSION = (0, 1)  # major and minor of the headers that this file was written from


# ---- operations ----------------------------------------------------------------------------------

# Which of the four forms of an operation have an argument of a kind.
CALL, PLAN, RUN, EXPLAIN = "call", "plan", "run", "explain"
FORMS_OF_KIND = {
    "fixed": {CALL, PLAN, EXPLAIN},  # settled when a plan is made
    "each": {CALL, PLAN, RUN, EXPLAIN},  # its shape in the plan, its data in each run
    "late": {CALL, RUN, EXPLAIN},  # unknown to the plan
    "result": {CALL, RUN},  # a number that comes back
}
STRUCT_ARGUMENTS = {
    "geometry": BeamGeometry, "in_": VisibilityInput, "tables": KirchhoffTables, "grid": KirchhoffGrid,
}
SCALAR_ARGUMENTS = {
    "v": c_double, "ndim": c_int, "eps": c_double, "dt": c_double, "adjoint": c_int, "wavc": c_int64,
    "alpha": c_double, "beta": c_double, "n_up": POINTER(c_int64),
}
FAMILY_PARAMS = {
    "curvature": CurvatureParams, "emi": EmiParams, "visibility": VisibilityParams, "kirchhoff": KirchhoffParams,
}

# operation: (family, arguments in the order of C). A word is of kind "each"; "fixed:", "late:" and "result:" change
# that for the words after it. "params" of the family, structs and scalars are known by their name, others are arrays;
# of the pair of kirchhoff, whose alpha and beta are numbers of each run, the entry says so.
_ARGUMENTS = {
    "curvature": ("curvature", "fixed: params w iy ix late: indptr rows vals F"),
    "curvature_kernel": ("curvature", "fixed: params each: uv sigma w"),
    "curvature_dirty": ("curvature", "fixed: params each: uv sigma vis y x d"),
    "curvature_data_vector": ("curvature", "fixed: params each: d indptr rows vals D"),
    "emi": ("emi", "fixed: params each: coh phase quality status beta"),
    "evd": ("emi", "fixed: params each: coh phase quality status"),
    "ds_temp_coh": ("emi", "fixed: params each: coh pairs phase t_coh"),
    "visibility": ("visibility", "fixed: params each: in_ V"),
    "visibility_horizon": ("visibility", "fixed: params each: crd flux crd_up flux_up index result: n_up"),
    "visibility_angles": ("visibility", "fixed: params each: crd az za"),
    "visibility_beam": ("visibility", "fixed: params each: grid geometry az za beam"),
    "visibility_tau": ("visibility", "fixed: params each: antpos crd exptau"),
    "visibility_z": ("visibility", "fixed: params each: beam exptau flux beam_idx Z"),
    "visibility_gram": ("visibility", "fixed: params each: Z V"),
    "visibility_product": ("visibility", "fixed: params each: A B C"),
    "visibility_pairs": ("visibility", "fixed: params each: Z pairs Vpairs"),
    "kirchhoff_forward": ("kirchhoff", "fixed: params tables late: alpha model beta data"),
    "kirchhoff_adjoint": ("kirchhoff", "fixed: params tables late: alpha data beta model"),
    "kirchhoff_traveltime": ("kirchhoff", "fixed: grid each: stations fixed: v each: trav dist"),
    "kirchhoff_angles": ("kirchhoff", "fixed: grid each: trav ang"),
    "kirchhoff_spreading": ("kirchhoff", "fixed: ndim eps each: dist amp"),
    "kirchhoff_station_index": ("kirchhoff", "fixed: grid each: stations idx"),
    "kirchhoff_wavelet": ("kirchhoff", "fixed: ndim dt each: wav wav_filtered"),
    "kirchhoff_convolve": ("kirchhoff", "fixed: adjoint each: wav fixed: wavc each: in_ out"),
}
# Words that are structs or scalars elsewhere and arrays here.
_ARRAYS_BY_NAME = {("emi", "beta"), ("visibility_beam", "grid"), ("kirchhoff_convolve", "in_")}


class Argument:
    """One argument of the C functions of an operation."""

    def __init__(self, op: str, family: str, name: str, kind: str):
        self.name = name
        self.forms = FORMS_OF_KIND[kind]
        self.struct = None
        if name == "params":
            self.struct = FAMILY_PARAMS[family]
        elif (op, name) not in _ARRAYS_BY_NAME:
            self.struct = STRUCT_ARGUMENTS.get(name)
        is_scalar = name in SCALAR_ARGUMENTS and (op, name) not in _ARRAYS_BY_NAME
        self.is_array = not self.struct and not is_scalar
        self.ctype = POINTER(self.struct) if self.struct else SCALAR_ARGUMENTS[name] if is_scalar else TENSOR


def _read(op: str, family: str, text: str) -> list[Argument]:
    arguments, kind = [], "each"
    for word in text.split():
        if word.endswith(":"):
            kind = word[:-1]
        else:
            arguments.append(Argument(op, family, word, kind))
    return arguments


OPERATIONS = {op: _read(op, *row) for op, row in _ARGUMENTS.items()}
FAMILIES = {op: family for op, (family, _) in _ARGUMENTS.items()}
PLAN_FUNCTIONS = {"kirchhoff_forward": "hgate_kirchhoff_plan", "kirchhoff_adjoint": "hgate_kirchhoff_plan"}


def function_name(op: str, form: str) -> str:
    """Name of the C function of an operation's form."""
    if form == PLAN and op in PLAN_FUNCTIONS:
        return PLAN_FUNCTIONS[op]
    return f"hgate_{op}" if form == CALL else f"hgate_{op}_{form}"


# ---- prototypes ----------------------------------------------------------------------------------

_INT = c_int
_OUT = POINTER(c_void_p)
# name: (result, arguments) of everything that is no operation; opaque pointers are void pointers.
FUNCTIONS = {
    "hgate_version": (c_char_p, []),
    "hgate_version_number": (_INT, []),
    "hgate_status_name": (c_char_p, [c_int]),
    "hgate_status_text": (c_char_p, [c_int]),
    "hgate_last_error": (c_char_p, []),
    "hgate_op_name": (c_char_p, [c_int]),
    "hgate_op_find": (_INT, [c_char_p]),
    "hgate_config_new": (_INT, [_OUT]),
    "hgate_config_free": (None, [c_void_p]),
    "hgate_config_load": (_INT, [c_void_p, c_char_p]),
    "hgate_config_load_text": (_INT, [c_void_p, c_char_p, c_size_t, c_char_p]),
    "hgate_config_set": (_INT, [c_void_p, c_char_p, c_char_p]),
    "hgate_config_dump": (_INT, [c_void_p, WRITE, c_void_p]),
    "hgate_options_init": (_INT, [POINTER(Options)]),
    "hgate_open": (_INT, [POINTER(Options), _OUT]),
    "hgate_close": (None, [c_void_p]),
    "hgate_exec_new": (_INT, [c_void_p, _OUT]),
    "hgate_exec_free": (None, [c_void_p]),
    "hgate_exec_set_stream": (_INT, [c_void_p, c_int, c_void_p]),
    "hgate_exec_set_threads": (_INT, [c_void_p, c_int]),
    "hgate_exec_set_hooks": (_INT, [c_void_p, POINTER(Hooks)]),
    "hgate_exec_last_trace": (_INT, [c_void_p, _OUT]),
    "hgate_exec_sync": (_INT, [c_void_p]),
    "hgate_plan_workspace": (_INT, [c_void_p, POINTER(c_size_t), POINTER(c_size_t)]),
    "hgate_plan_trace": (_INT, [c_void_p, _OUT]),
    "hgate_plan_free": (None, [c_void_p]),
    "hgate_trace_free": (None, [c_void_p]),
    "hgate_trace_json": (_INT, [c_void_p, WRITE, c_void_p]),
    "hgate_trace_text": (_INT, [c_void_p, WRITE, c_void_p]),
    "hgate_trace_choice": (_INT, [c_void_p, POINTER(c_char_p), POINTER(c_char_p), POINTER(c_char_p)]),
    "hgate_trace_seconds": (_INT, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    "hgate_plugin_count": (_INT, [c_void_p]),
    "hgate_plugin_get": (_INT, [c_void_p, c_int, POINTER(PluginInfo)]),
    "hgate_plugin_describe": (_INT, [c_void_p, c_int, DESCRIBE, c_void_p]),
    "hgate_kernel_count": (_INT, [c_void_p, c_int]),
    "hgate_kernel_get": (_INT, [c_void_p, c_int, c_int, POINTER(KernelInfo)]),
    "hgate_curvature_params_init": (_INT, [POINTER(CurvatureParams)]),
    "hgate_emi_params_init": (_INT, [POINTER(EmiParams)]),
    "hgate_visibility_params_init": (_INT, [POINTER(VisibilityParams)]),
    "hgate_kirchhoff_params_init": (_INT, [POINTER(KirchhoffParams)]),
    "hgate_kirchhoff_grid_init": (_INT, [POINTER(KirchhoffGrid)]),
    "hgate_kirchhoff_tables_init": (_INT, [POINTER(KirchhoffTables)]),
    "hgate_visibility_input_init": (_INT, [POINTER(VisibilityInput)]),
    "hgate_beam_geometry_init": (_INT, [POINTER(BeamGeometry)]),
    "hgate_curvature_work_fraction": (
        _INT, [TENSOR, TENSOR, c_int64, c_int64, TENSOR, TENSOR, POINTER(c_double)],
    ),
    "hgate_visibility_chunks": (
        _INT, [POINTER(VisibilityShape), c_size_t, POINTER(VisibilityParams), POINTER(ChunkInfo)],
    ),
    "hgate_kirchhoff_info": (_INT, [c_void_p, POINTER(KirchhoffPlanInfo)]),
    "hgate_group_params_init": (_INT, [POINTER(GroupParams)]),
    "hgate_kirchhoff_shape_init": (_INT, [POINTER(KirchhoffShape)]),
    "hgate_kirchhoff_group_info": (
        _INT, [c_void_p, POINTER(KirchhoffParams), POINTER(KirchhoffShape), POINTER(GroupParams), POINTER(GroupInfo)],
    ),
    "hgate_kirchhoff_group_forward": (_INT, [
        c_void_p, c_void_p, POINTER(KirchhoffParams), POINTER(KirchhoffTables), TENSOR, TENSOR, POINTER(GroupParams),
    ]),
    "hgate_kirchhoff_group_adjoint": (_INT, [
        c_void_p, c_void_p, POINTER(KirchhoffParams), POINTER(KirchhoffTables), TENSOR, TENSOR, POINTER(GroupParams),
    ]),
}


def operation_prototype(op: str, form: str) -> list[object]:
    """Argument types of the C function of an operation's form."""
    arguments = [a.ctype for a in OPERATIONS[op] if form in a.forms]
    return [c_void_p, c_void_p, *arguments, *([_OUT] if form in (PLAN, EXPLAIN) else [])]


def _declare(library: ctypes.CDLL) -> None:
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    for op in OPERATIONS:
        for form in (CALL, PLAN, RUN, EXPLAIN):
            function = getattr(library, function_name(op, form))
            function.restype, function.argtypes = c_int, operation_prototype(op, form)


def _open_library() -> ctypes.CDLL:
    library = _find.load()
    library.hgate_version_number.restype = c_int
    found = divmod(library.hgate_version_number() // 100, 100)
    if found != VERSION:
        raise ImportError(
            f"{library._name} is Headgate {found[0]}.{found[1]}, this package needs {VERSION[0]}.{VERSION[1]}; "
            "set HEADGATE_LIBRARY to a library of that version"
        )
    _declare(library)
    return library


lib = _open_library()


# ---- use -----------------------------------------------------------------------------------------


def check(status: int) -> None:
    """Raises Error with the library's message unless the status is 0."""
    if status:
        raise Error(status, lib.hgate_last_error().decode(errors="replace"))


def new(function, *arguments) -> c_void_p:
    """What a function with a last argument `**out` makes."""
    made = c_void_p()
    check(function(*arguments, byref(made)))
    return made


def written(function, handle) -> str:
    """The text that a function with a write callback produces."""
    pieces: list[bytes] = []

    def write(_user, text, n):
        pieces.append(ctypes.string_at(text, n))
        return 0

    check(function(handle, WRITE(write), None))
    return b"".join(pieces).decode(errors="replace")


def decoded(text: bytes | None) -> str | None:
    """Text of the library as str; None stays None."""
    return None if text is None else text.decode(errors="replace")
