# SPDX-License-Identifier: BSD-3-Clause
"""Adapters that put Headgate's operations into other packages with a change of two lines; one module per package."""
