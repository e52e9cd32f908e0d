#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The documentation in doc/ against the code: see docs.py.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
python3 -B "$abs_top_srcdir/tests/docs.py" "$abs_top_srcdir" "$abs_top_builddir/headgate"
