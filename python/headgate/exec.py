# SPDX-License-Identifier: BSD-3-Clause
"""The execution context: threads, stream and progress of the calls of one thread."""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Callable

from ._abi import check, lib, new
from ._structs import PROGRESS, Hooks
from .trace import Trace

if TYPE_CHECKING:
    from .engine import Engine

Progress = Callable[[int, int], bool]


class Exec:
    """One per thread. Calls without one use a context of the engine, an own one for each thread.

    threads: at most so many, 0 = automatic. stream: address of a cudaStream_t that calls with device arrays work on
    in place of their framework's current one; None = that one. progress(done, total): called during long work, True
    stops the call with Error ESTOPPED; what it raises is raised by the call.
    """

    def __init__(
        self, engine: Engine, *, threads: int = 0, stream: int | None = None, progress: Progress | None = None
    ):
        self._engine = engine
        self._handle = new(lib.hgate_exec_new, engine._open_handle())
        engine._children.add(self)
        self.stream = stream
        self._raised: BaseException | None = None
        self._hooks = None
        if threads:
            check(lib.hgate_exec_set_threads(self._handle, threads))
        if progress is not None:
            self._hooks = Hooks()
            self._hooks.progress = PROGRESS(self._guarded(progress))
            check(lib.hgate_exec_set_hooks(self._handle, byref(self._hooks)))

    def _guarded(self, progress: Progress):
        def call(_user: int, done: int, total: int) -> int:
            try:
                return 1 if progress(done, total) else 0
            except BaseException as error:  # ctypes would print and lose it; KeyboardInterrupt too
                self._raised = error
                return 1

        return call

    def _use_stream(self, device_id: int, stream: int) -> None:
        check(lib.hgate_exec_set_stream(self._handle, device_id, c_void_p(stream)))

    def _raise_what_was_raised(self) -> None:
        error, self._raised = self._raised, None
        if error is not None:
            raise error

    @property
    def last_trace(self) -> Trace:
        """Decision and run of the last call with this context."""
        return Trace(new(lib.hgate_exec_last_trace, self._handle))

    def sync(self) -> None:
        """Waits for the stream; raises an error that a device call could only report later."""
        check(lib.hgate_exec_sync(self._handle))

    def close(self) -> None:
        """Frees the context; Engine.close() does it for those that are left."""
        handle, self._handle = self._handle, None
        lib.hgate_exec_free(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()
