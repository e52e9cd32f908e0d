# SPDX-License-Identifier: BSD-3-Clause
# HGATE_CUDA: finds nvcc, the headers and the static runtime for the plugin cuda.
#
# cuBLAS, cuSOLVER and cuFFT are needed as headers only: the plugin opens the libraries at first use, so a host without a
# GPU maps none of them.
#
# Hopper's own matrix instructions (wgmma) exist in machine code for sm_90a only, which no other device runs and no PTX
# gives. So where 90 or 90a is among the architectures, the files around them are compiled for sm_90a and nothing else
# (NVCC_GENCODE_WGMMA); where it is not, these files are compiled as all others are and say that they have none. At run
# time devices of compute capability 9.0 take that code if it is there, all others what was compiled for them.
#
# Substitutes NVCC, NVCCFLAGS, NVCC_GENCODE, NVCC_GENCODE_WGMMA, CUDA_CPPFLAGS and CUDA_LIBS; sets hgate_cuda and
# hgate_cuda_why, and the automake conditional HAVE_CUDA.
AC_DEFUN([HGATE_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=DIR|yes|no|check], [the plugin cuda, with the toolkit in DIR @<:@check@:>@])],
    [], [with_cuda=check])
  AC_ARG_WITH([cuda-arch],
    [AS_HELP_STRING([--with-cuda-arch=LIST], [compute capabilities, the last one as PTX too @<:@80 86 89 90@:>@])],
    [], [with_cuda_arch="80 86 89 90"])
  AC_ARG_VAR([NVCC], [CUDA compiler])
  AC_ARG_VAR([NVCCFLAGS], [flags of the CUDA compiler])
  : ${NVCCFLAGS="-O3 -lineinfo"}

  hgate_cuda=no
  hgate_cuda_why="switched off"
  AS_IF([test "$with_cuda" != no], [
    AS_CASE([$with_cuda], [yes|check], [hgate_cuda_path=$PATH:/usr/local/cuda/bin], [hgate_cuda_path=$with_cuda/bin])
    AC_PATH_PROG([NVCC], [nvcc], [], [$hgate_cuda_path])
    AS_IF([test -z "$NVCC"], [hgate_cuda_why="nvcc not found"], [HGATE_CUDA_TRY])
    AS_IF([test "$hgate_cuda$with_cuda" = nocheck], [:],
          [test "$hgate_cuda" = no], [AC_MSG_ERROR([--with-cuda=$with_cuda was asked for, but $hgate_cuda_why])])
  ])
  AM_CONDITIONAL([HAVE_CUDA], [test "$hgate_cuda" = yes])
])

# HGATE_CUDA_TRY: with nvcc known, looks for the rest of the toolkit beside it and tries it out.
AC_DEFUN([HGATE_CUDA_TRY], [
  NVCC_GENCODE=
  NVCC_GENCODE_WGMMA=
  for hgate_arch in `echo "$with_cuda_arch" | tr ',' ' '`; do
    AS_CASE([$hgate_arch], [*[[!0-9a-z]]*], [AC_MSG_ERROR([--with-cuda-arch: "$hgate_arch" is no compute capability])],
      [90|90a], [NVCC_GENCODE_WGMMA="-gencode arch=compute_90a,code=sm_90a -DHG_HAVE_WGMMA"])
    NVCC_GENCODE="$NVCC_GENCODE -gencode arch=compute_$hgate_arch,code=sm_$hgate_arch"
  done
  NVCC_GENCODE="$NVCC_GENCODE -gencode arch=compute_$hgate_arch,code=compute_$hgate_arch"
  : ${NVCC_GENCODE_WGMMA:=$NVCC_GENCODE}

  # nvcc may be reached through a link outside the toolkit: its own idea of TOP is the folder we want.
  hgate_cuda_top=`$NVCC -dryrun -c conftest.cu 2>&1 | $SED -n 's/^#\$ TOP=//p'`
  AS_IF([test -d "$hgate_cuda_top"], [], [hgate_cuda_top=`dirname "$NVCC"`/..])
  hgate_cuda_top=`cd "$hgate_cuda_top" && pwd`
  CUDA_CPPFLAGS="-isystem $hgate_cuda_top/include"
  hgate_cuda_lib=
  for hgate_dir in lib64 lib targets/$host_cpu-linux/lib; do
    AS_IF([test -f "$hgate_cuda_top/$hgate_dir/libcudart_static.a"],
          [hgate_cuda_lib=$hgate_cuda_top/$hgate_dir; break])
  done
  CUDA_LIBS="-L$hgate_cuda_lib -lcudart_static -ldl -lrt -lpthread"
  AC_SUBST([NVCC_GENCODE])
  AC_SUBST([NVCC_GENCODE_WGMMA])
  AC_SUBST([CUDA_CPPFLAGS])
  AC_SUBST([CUDA_LIBS])

  hgate_save_CPPFLAGS=$CPPFLAGS; CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"
  hgate_save_LIBS=$LIBS; LIBS="$CUDA_LIBS $LIBS"
  hgate_cuda=yes
  AC_CHECK_HEADERS([cuda_runtime.h cublas_v2.h cusolverDn.h cufft.h], [],
                   [hgate_cuda=no; hgate_cuda_why="header $ac_header not found under $hgate_cuda_top"; break])
  AS_IF([test "$hgate_cuda" = yes && test -z "$hgate_cuda_lib"],
        [hgate_cuda=no; hgate_cuda_why="libcudart_static.a not found under $hgate_cuda_top"])
  AS_IF([test "$hgate_cuda" = yes],
        [AC_CHECK_FUNC([cudaGetDeviceCount], [], [hgate_cuda=no; hgate_cuda_why="the static CUDA runtime does not link"])])
  CPPFLAGS=$hgate_save_CPPFLAGS
  LIBS=$hgate_save_LIBS

  AS_IF([test "$hgate_cuda" = yes], [
    AC_MSG_CHECKING([whether nvcc compiles for $with_cuda_arch])
    echo '__global__ void kernel(float *x) { x[[threadIdx.x]] *= 2.0f; }' > conftest.cu
    AS_IF([$NVCC $NVCCFLAGS $NVCC_GENCODE -c -o conftest.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
      [hgate_cuda_why="nvcc `$NVCC --version | $SED -n 's/.*release \([[0-9.]]*\).*/\1/p'` for $with_cuda_arch"
       AC_MSG_RESULT([yes])],
      [hgate_cuda=no; hgate_cuda_why="$NVCC does not compile (config.log has its words)"; AC_MSG_RESULT([no])])
    rm -f conftest.cu conftest.o])
])
