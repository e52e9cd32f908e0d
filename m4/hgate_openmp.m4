# SPDX-License-Identifier: BSD-3-Clause
# HGATE_OPENMP: flags of OpenMP, used by the plugins cpu-openmp and cpu-fftw alone.
#
# Substitutes OPENMP_CFLAGS, sets hgate_openmp and hgate_openmp_why, and the automake conditional HAVE_OPENMP.
AC_DEFUN([HGATE_OPENMP], [
  AC_OPENMP
  AS_IF([test "$enable_openmp" = no], [hgate_openmp=no; hgate_openmp_why="switched off"; OPENMP_CFLAGS=],
        [test -n "$OPENMP_CFLAGS"], [
    # The flag alone is no proof: clang takes it without having the runtime.
    hgate_save_CFLAGS=$CFLAGS; CFLAGS="$CFLAGS $OPENMP_CFLAGS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <omp.h>]], [[return omp_get_max_threads() < 1;]])],
      [hgate_openmp=yes; hgate_openmp_why="flag $OPENMP_CFLAGS"],
      [hgate_openmp=no; hgate_openmp_why="$CC has no OpenMP runtime"; OPENMP_CFLAGS=])
    CFLAGS=$hgate_save_CFLAGS], [hgate_openmp=no; hgate_openmp_why="$CC knows no OpenMP"])
  AS_IF([test "$hgate_openmp$enable_openmp" = noyes], [AC_MSG_ERROR([--enable-openmp was asked for, but $hgate_openmp_why])])
  AM_CONDITIONAL([HAVE_OPENMP], [test "$hgate_openmp" = yes])
])
