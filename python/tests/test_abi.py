# SPDX-License-Identifier: BSD-3-Clause
"""The ctypes view of the C interface against the public headers: prototypes, structs, words of choices, statuses."""

import ctypes
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import headgate
from headgate import _abi, _draft, _structs
from headgate._abi import OPERATIONS, function_name, lib, operation_prototype

HEADERS = Path(__file__).parents[2] / "include" / "headgate"
FILES = ("version.h.in", "engine.h", "status.h", "ops.h", "curvature.h", "emi.h", "visibility.h", "kirchhoff.h",
         "group.h")
TEXT = re.sub(r"/\*.*?\*/", " ", "\n".join((HEADERS / name).read_text() for name in FILES), flags=re.S)
PROTOTYPES = dict(re.findall(r"HGATE_API\s+[^;(]*?\b(hgate_\w+)\s*\(([^;]*)\)\s*;", TEXT))
# What a C type is in ctypes; every other pointer is opaque.
SCALARS = {
    "int": ctypes.c_int, "int64_t": ctypes.c_int64, "size_t": ctypes.c_size_t, "double": ctypes.c_double,
    "uint32_t": ctypes.c_uint32,
}


def kind_of(declaration):
    """A C declaration as a comparable word: int, double, DLTensor*, struct name*, char*, opaque*."""
    declaration = declaration.replace("const", "").strip()
    if "_fn" in declaration:
        return "function"
    stars = declaration.count("*")
    base = re.match(r"(?:struct\s+)?(\w+)", declaration).group(1)
    if stars == 0:
        return base
    return "opaque**" if stars == 2 and base != "char" else base + "*" * stars


def kind_of_ctype(ctype):
    if ctype is ctypes.c_char_p:
        return "char*"
    if ctype is ctypes.c_void_p:
        return "void*"
    for word, scalar in SCALARS.items():
        if ctype is scalar:
            return word
    target = getattr(ctype, "_type_", None)
    if target is ctypes.c_void_p:
        return "opaque**"
    if target is ctypes.c_char_p:
        return "char**"
    if isinstance(target, type) and issubclass(target, ctypes.Structure):
        return target.__name__ + "*"
    if isinstance(target, type):
        return kind_of_ctype(target) + "*"
    return "function"


def same(c, py):
    if c == py or (py == "void*" and c.endswith("*") and c.count("*") == 1):
        return True
    if py == "int" and c in SCALARS:
        return SCALARS[c] is ctypes.c_int
    struct = re.sub(r"_", "", c.replace("hgate_", "")).rstrip("*")
    renamed = {"visibilitychunkinfo": "chunkinfo"}
    return renamed.get(struct, struct) == py.rstrip("*").lower() and c.count("*") == py.count("*")


def arguments_of(name):
    text = PROTOTYPES[name]
    if text.strip() in ("", "void"):
        return []
    flat = re.sub(r"\(\*\w+\)\([^)]*\)", "_fn", text)  # a pointer to a function
    return [kind_of(piece) for piece in flat.split(",")]


def declared():
    for name, (_, arguments) in _abi.FUNCTIONS.items():
        yield name, arguments
    for op in OPERATIONS:
        for form in ("call", "plan", "run", "explain"):
            yield function_name(op, form), operation_prototype(op, form)


@pytest.mark.parametrize("name,ours", [pytest.param(n, a, id=n) for n, a in declared()])
def test_prototype(name, ours):
    theirs = arguments_of(name)
    assert len(theirs) == len(ours), (theirs, ours)
    for c, py in zip(theirs, (kind_of_ctype(a) for a in ours)):
        assert same(c, py), f"{name}: C has {c}, Python {py}"


def test_every_public_function_is_there():
    left_out = set(PROTOTYPES) - {name for name, _ in declared()}
    assert left_out == set()
    assert len(PROTOTYPES) > 100


def members_of(struct):
    body = re.search(r"typedef struct %s\s*\{(.*?)\}\s*%s;" % (struct, struct), TEXT, flags=re.S).group(1)
    names = []
    for line in body.split(";"):
        words = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", line)  # pointers to functions
        if words.strip():
            first, *more = words.split(",")
            names += [re.search(r"(\w+)(?:\[\d+\])?\s*$", piece).group(1) for piece in (first, *more)]
    return names


STRUCTS = {
    "hgate_hooks": _structs.Hooks, "hgate_plugin_info": _structs.PluginInfo, "hgate_kernel_info": _structs.KernelInfo,
    "hgate_curvature_params": _structs.CurvatureParams, "hgate_emi_params": _structs.EmiParams,
    "hgate_visibility_params": _structs.VisibilityParams, "hgate_beam_geometry": _structs.BeamGeometry,
    "hgate_visibility_input": _structs.VisibilityInput, "hgate_visibility_shape": _structs.VisibilityShape,
    "hgate_visibility_chunk_info": _structs.ChunkInfo, "hgate_kirchhoff_params": _structs.KirchhoffParams,
    "hgate_kirchhoff_tables": _structs.KirchhoffTables, "hgate_kirchhoff_grid": _structs.KirchhoffGrid,
    "hgate_kirchhoff_plan_info": _structs.KirchhoffPlanInfo, "hgate_group_params": _structs.GroupParams,
    "hgate_group_info": _structs.GroupInfo,
}


@pytest.mark.parametrize("struct", STRUCTS)
def test_members_of_structs(struct):
    assert [name for name, *_ in STRUCTS[struct]._fields_] == members_of(struct)


@pytest.mark.parametrize("function", [n for n in _abi.FUNCTIONS if n.endswith("_init")])
def test_sizes_of_structs(function):
    struct = _abi.FUNCTIONS[function][1][0]._type_
    made = struct()
    made.struct_size = 77
    assert getattr(lib, function)(ctypes.byref(made)) == 0
    assert made.struct_size == ctypes.sizeof(struct)


def test_statuses():
    numbers = dict((n, int(v)) for n, v in re.findall(r"HGATE_(\w+) = (-?\d+)", (HEADERS / "status.h").read_text()))
    assert numbers == {status.name: status.value for status in headgate.Status}
    for status in headgate.Status:
        assert lib.hgate_status_name(status).decode() == f"HGATE_{status.name}"


@pytest.mark.parametrize("choice,enum", [
    ("rule", "hgate_emi_beta_rule"), ("fallback", "hgate_emi_fallback"), ("check", "hgate_check"),
    ("convention", "hgate_visibility_convention"), ("az_mode", "hgate_az_mode"), ("tau_mode", "hgate_tau_mode"),
    ("matprod", "hgate_matprod"), ("offset_taper", "hgate_offset_taper"),
])
def test_words_of_choices(choice, enum):
    body = re.search(r"enum %s\s*\{(.*?)\}" % enum, TEXT, flags=re.S).group(1)
    in_header = re.findall(r"HGATE_(\w+)\s*=\s*(\d+)", body)
    words = _draft.CHOICES[choice].split()
    assert [int(number) for _, number in in_header] == list(range(len(words)))
    for (name, _), word in zip(in_header, words):
        assert name.lower().endswith(word)


def test_emi_codes():
    body = re.search(r"enum hgate_emi_status\s*\{(.*?)\}", TEXT, flags=re.S).group(1)
    assert dict((n, int(v)) for n, v in re.findall(r"HGATE_EMI_(\w+) = (\d+)", body)) == {
        code.name: code.value for code in headgate.EmiStatus
    }


def test_every_operation_is_a_method():
    words = [lib.hgate_op_name(i).decode() for i in range(len(OPERATIONS))]
    assert sorted(words) == sorted(OPERATIONS)
    assert lib.hgate_op_name(len(OPERATIONS)) is None
    for word in words:
        operation = getattr(headgate.Engine, word)
        assert operation.__doc__ and all(
            p.annotation is not inspect.Parameter.empty for p in operation.signature.parameters.values()
        )


def test_another_version_is_refused(tmp_path):
    code = "int hgate_version_number(void) { return 907; }"
    source = tmp_path / "other.c"
    source.write_text(code)
    library = tmp_path / "libother.so"
    if os.system(f"cc -shared -fPIC -o {library} {source} 2>/dev/null") != 0:
        pytest.skip("no C compiler")
    told = subprocess.run(
        [sys.executable, "-c", "import headgate"], env={**os.environ, "HEADGATE_LIBRARY": str(library)},
        capture_output=True, text=True,
    )
    assert told.returncode == 1
    assert "is Headgate 0.9, this package needs 0.1" in told.stderr
