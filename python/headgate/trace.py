# SPDX-License-Identifier: BSD-3-Clause
"""Why an operation ran, or would run, where it does."""

from __future__ import annotations

import json
from ctypes import byref, c_char_p, c_double
from typing import Any

from ._abi import check, decoded, lib, written


class Trace:
    """A decision, read out of the library at once, so that it outlives engine, plan and context."""

    def __init__(self, handle: Any):
        plugin, kernel, reason = c_char_p(), c_char_p(), c_char_p()
        predicted, measured = c_double(), c_double()
        check(lib.hgate_trace_choice(handle, byref(plugin), byref(kernel), byref(reason)))
        check(lib.hgate_trace_seconds(handle, byref(predicted), byref(measured)))
        self.plugin: str = decoded(plugin.value)
        """Plugin of the chosen kernel, "" where none was chosen."""
        self.kernel: str = decoded(kernel.value)
        self.reason: str = decoded(reason.value)
        """Why this one, in words."""
        self.predicted: float = predicted.value
        """Seconds that the cost model expects."""
        self.measured: float = measured.value
        """Seconds of the run, NaN unless trace.timing is on."""
        self.text: str = written(lib.hgate_trace_text, handle)
        """The answer to "why did it run there?" and the table of all candidates."""
        self.document: dict[str, Any] = json.loads(written(lib.hgate_trace_json, handle))
        """The same as headgate-explain(7) describes it, "schema": 1."""

    @property
    def route(self) -> str:
        """ "cpu-openmp/herk"."""
        return f"{self.plugin}/{self.kernel}"

    def __repr__(self) -> str:
        return f"<Trace {self.route}: {self.reason}>"

    def __str__(self) -> str:
        return self.text
