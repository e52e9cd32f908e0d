# SPDX-License-Identifier: BSD-3-Clause
"""Headgate: numerical operations that exist in several implementations, each call routed to the cheapest.

>>> import headgate, numpy
>>> with headgate.Engine() as engine:
...     V = engine.visibility_gram(numpy.ones((2, 3), "complex64"))
...     print(engine.last_trace.route)

Arrays of NumPy, CuPy, PyTorch, numba-cuda and whatever else has __dlpack__ stay where they are.
"""

from ._abi import lib as _lib
from .config import Config
from .curvature import curvature_work_fraction
from .emi import Emi, EmiStatus, Evd
from .engine import Engine, Kernel, Plugin
from .errors import Error, Status
from .exec import Exec
from .groups import Cut, Groups
from .kirchhoff import KirchhoffPlan, PlanInfo, Traveltime
from .shared import shared_engine
from .trace import Trace
from ._operation import Plan
from .visibility import Angles, Chunks, Horizon, visibility_chunks

__version__ = "0.1.0"
library_version: str = _lib.hgate_version().decode()
"""Version of the libheadgate.so in use."""

__all__ = [
    "Angles", "Chunks", "Config", "Cut", "Emi", "EmiStatus", "Engine", "Error", "Evd", "Exec", "Groups", "Horizon",
    "Kernel", "KirchhoffPlan", "Plan", "PlanInfo", "Plugin", "Status", "Trace", "Traveltime", "curvature_work_fraction",
    "library_version", "shared_engine", "visibility_chunks",
]
