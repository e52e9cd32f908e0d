# SPDX-License-Identifier: BSD-3-Clause
"""One Python function per operation, three forms of it: call, plan, explain.

The function drafts a call: it names the arrays, fills the params struct and says which outputs there are. What is done
with the draft is the business of the form.
"""

from __future__ import annotations

import ctypes
import inspect
from ctypes import byref
from typing import TYPE_CHECKING, Any, Callable

from ._abi import CALL, EXPLAIN, OPERATIONS, PLAN, RUN, check, lib, new
from ._draft import Array, Draft
from .trace import Trace

if TYPE_CHECKING:
    from .engine import Engine
    from .exec import Exec

class Plan:
    """One choice, made once, with its memory. Call it with the arrays of a run, in the order of the operation.

    One thread at a time. The arrays that the plan keeps stay referenced until it is closed.
    """

    def __init__(self, bound: Bound, args: tuple, keywords: dict[str, Any], draft: Draft):
        self._bound = bound
        self._signature = inspect.signature(bound)
        self._fixed = self._signature.bind(*args, **keywords).arguments
        self._draft = draft  # keeps the arrays of the plan
        self._handle = draft.send(bound.engine._open_handle())
        bound.engine._children.add(self)

    def _arrays_of_a_run(self) -> list[str]:
        """Positional arguments of a run: those of the operation that a plan does not keep."""
        words = [p.name for p in self._signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
        kept = {a.name for a in OPERATIONS[self._bound.op] if RUN not in a.forms}
        return [word for word in words if word not in kept]

    def __call__(self, *arrays: Array, out: Any = None, exec: Exec | None = None, **named: Array) -> Any:
        """Runs the operation on new arrays; what is not given is that of the plan."""
        keywords = dict(self._fixed)
        keywords.update(zip(self._arrays_of_a_run(), arrays))
        keywords.update(named)
        draft, result = self._bound._draft(RUN, (), {**keywords, "out": out, "exec": exec})
        draft.send(self._handle)
        return result(draft)

    @property
    def trace(self) -> Trace:
        """The decision, and the last run."""
        return Trace(new(lib.hgate_plan_trace, self._handle))

    @property
    def workspace(self) -> tuple[int, int]:
        """Bytes that a run needs on the host and on the device."""
        host, device = ctypes.c_size_t(), ctypes.c_size_t()
        check(lib.hgate_plan_workspace(self._handle, byref(host), byref(device)))
        return host.value, device.value

    def close(self) -> None:
        """Frees the plan; Engine.close() does it for those that are left."""
        handle, self._handle, self._draft, self._fixed = self._handle, None, None, {}
        lib.hgate_plan_free(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()


class Bound:
    """An operation of an engine: ``engine.emi(...)``, ``engine.emi.plan(...)``, ``engine.emi.explain(...)``."""

    def __init__(self, engine: Engine, operation: operation):
        self.engine, self.op = engine, operation.op
        self._function = operation.function
        self.__doc__, self.__name__, self.__signature__ = operation.__doc__, operation.op, operation.signature

    def _draft(self, form: str, args: tuple, keywords: dict[str, Any]) -> tuple[Draft, Callable[[Draft], Any]]:
        draft = Draft(self.engine, self.op, form, keywords.pop("exec", None), keywords.pop("out", None))
        finish = self._function(draft, *args, **keywords)
        return draft, finish or (lambda d: d.results[0])

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        draft, result = self._draft(CALL, args, keywords)
        draft.send(self.engine._open_handle())
        return result(draft)

    def plan(self, *args: Any, **keywords: Any) -> Plan:
        """Chooses once and keeps the memory for many runs of the same shapes."""
        draft, _ = self._draft(PLAN, args, dict(keywords))
        return Plan(self, args, {k: v for k, v in keywords.items() if k not in ("out", "exec")}, draft)

    def explain(self, *args: Any, **keywords: Any) -> Trace:
        """What a call would do and why; runs nothing."""
        draft, _ = self._draft(EXPLAIN, args, keywords)
        handle = draft.send(self.engine._open_handle())
        try:
            return Trace(handle)
        finally:
            lib.hgate_trace_free(handle)


class operation:
    """Makes an operation of a function that drafts its call: ``function(draft, arrays..., *, options...)``.

    The function returns how the results look, or None where there is one output. Callers get ``out`` and ``exec`` too.
    """

    def __init__(self, function: Callable[..., Any]):
        self.op = function.__name__
        self.function = function
        self.__doc__ = function.__doc__
        given = inspect.signature(function)
        common = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for name, kind in (("out", "Array | tuple | None"), ("exec", "Exec | None"))
        ]
        self.signature = given.replace(parameters=[*list(given.parameters.values())[1:], *common])

    def __get__(self, engine: Engine | None, owner: type | None = None) -> Any:
        return self if engine is None else Bound(engine, self)
