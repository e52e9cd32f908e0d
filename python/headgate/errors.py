# SPDX-License-Identifier: BSD-3-Clause
"""Status codes of the library as exceptions."""

from __future__ import annotations

import enum


class Status(enum.IntEnum):
    """What a call of the library returned; the words are those of the C API without the prefix ``HGATE_``."""

    OK = 0
    EINVAL = -1
    ESHAPE = -2
    EDTYPE = -3
    EDEVICE = -4
    ESTRIDE = -5
    EOVERLAP = -6
    EVALUE = -7
    ENOMEM = -8
    ENOKERNEL = -9
    EUNAVAILABLE = -10
    EDEVICE_BUSY = -11
    EDEVICE_LOST = -12
    ECONFIG = -13
    EPLUGIN = -14
    EABI = -15
    EFORK = -16
    ESTATE = -17
    EDISABLED = -18
    ESTOPPED = -19
    EINTERNAL = -20


class Error(RuntimeError):
    """A refused or failed call. ``code`` is a :class:`Status`; the text names argument, found and expected."""

    def __init__(self, code: int, message: str):
        self.code: int = Status(code) if code in Status._value2member_map_ else code
        self.message = message
        name = f"HGATE_{self.code.name}" if isinstance(self.code, Status) else str(code)
        super().__init__(f"{name}: {message}")

    def __reduce__(self):  # a worker process hands its errors to the parent
        return type(self), (int(self.code), self.message)
