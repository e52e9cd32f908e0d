# SPDX-License-Identifier: BSD-3-Clause
# HGATE_OPENBLAS: finds OpenBLAS with its C interface and LAPACK, for the CPU plugins.
#
# Debian's three builds (serial, pthread, openmp) share one soname and one pkg-config name, and which of them a process
# gets is decided when it starts; so nothing here depends on the flavour.
# --with-private-blas links an archive into the plugins with its symbols hidden, for hosts that bring a BLAS of their own.
# Substitutes OPENBLAS_CFLAGS, OPENBLAS_LIBS and OPENBLAS_LDFLAGS, sets OPENBLAS_VERSION and hgate_openblas_how.
AC_DEFUN([HGATE_OPENBLAS], [
  AC_ARG_WITH([openblas],
    [AS_HELP_STRING([--with-openblas=DIR], [folder with include/ and lib/ of OpenBLAS @<:@pkg-config@:>@])],
    [], [with_openblas=yes])
  AC_ARG_WITH([private-blas],
    [AS_HELP_STRING([--with-private-blas@<:@=ARCHIVE@:>@], [link a static OpenBLAS into the CPU plugins, hidden from the host])],
    [], [with_private_blas=no])

  AS_CASE([$with_openblas],
    [no], [AC_MSG_ERROR([OpenBLAS is required; --without-openblas is not possible])],
    [yes|check], [
      PKG_CHECK_MODULES([OPENBLAS], [openblas], [:], [AC_MSG_ERROR([OpenBLAS is required (Debian: libopenblas-dev)])])
      OPENBLAS_VERSION=`$PKG_CONFIG --modversion openblas`
      hgate_openblas_dir=`$PKG_CONFIG --variable=libdir openblas`],
    [OPENBLAS_CFLAGS="-I$with_openblas/include"
     OPENBLAS_LIBS="-L$with_openblas/lib -lopenblas"
     OPENBLAS_VERSION="in $with_openblas"
     hgate_openblas_dir="$with_openblas/lib"])
  hgate_openblas_how=shared
  OPENBLAS_LDFLAGS=

  AS_IF([test "$with_private_blas" != no], [
    AS_IF([test "$with_private_blas" = yes], [
      for hgate_dir in "$hgate_openblas_dir/../openblas-serial" "$hgate_openblas_dir"; do
        AS_IF([test -f "$hgate_dir/libopenblas.a"],
              [with_private_blas=`cd "$hgate_dir" && pwd`/libopenblas.a; break])
      done])
    AS_IF([test ! -f "$with_private_blas"],
          [AC_MSG_ERROR([--with-private-blas: no libopenblas.a found (Debian: libopenblas-serial-dev)])])
    # Through -Wl, because libtool would warn about, and reorder, a plain archive.
    OPENBLAS_LIBS="-Wl,$with_private_blas -lgfortran -lm -lpthread"
    OPENBLAS_LDFLAGS="-Wl,--exclude-libs,ALL"
    hgate_openblas_how="private copy of $with_private_blas"])
  AC_SUBST([OPENBLAS_LDFLAGS])

  hgate_save_CPPFLAGS=$CPPFLAGS; CPPFLAGS="$CPPFLAGS $OPENBLAS_CFLAGS"
  hgate_save_LIBS=$LIBS; LIBS="$OPENBLAS_LIBS $LIBS"
  AC_CHECK_HEADER([cblas.h], [], [AC_MSG_ERROR([OpenBLAS has no cblas.h])])
  AC_CHECK_FUNC([cblas_zherk], [], [AC_MSG_ERROR([OpenBLAS lacks the C interface (cblas_zherk)])])
  AC_CHECK_FUNC([openblas_get_parallel], [], [AC_MSG_ERROR([the BLAS found is not OpenBLAS (openblas_get_parallel)])])
  AC_CHECK_FUNC([zheevr_], [], [AC_MSG_ERROR([OpenBLAS was built without LAPACK (zheevr)])])
  CPPFLAGS=$hgate_save_CPPFLAGS
  LIBS=$hgate_save_LIBS
])
