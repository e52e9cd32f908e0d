#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the folders come from make
# Configures a build of its own below the build tree, checks/NAME, so that the user's stays as it is.
#
#     variant.sh NAME CONFIGURE-WORD...
set -eu

folder=$abs_top_builddir/checks/$1
shift
mkdir -p "$folder"
cd "$folder"
[ -e config.status ] || "$abs_top_srcdir/configure" -q --with-cuda=no "$@"
