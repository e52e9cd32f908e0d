# SPDX-License-Identifier: BSD-3-Clause
# Compiler and linker flags: warnings, sanitizers, hardening, floating-point rules, instruction sets.

# HGATE_ADD_CFLAGS(variable, flags...): appends those flags that the C compiler knows.
AC_DEFUN([HGATE_ADD_CFLAGS], [
  for hgate_flag in $2; do
    AC_MSG_CHECKING([whether $CC accepts $hgate_flag])
    hgate_save_CFLAGS=$CFLAGS
    # Together with those before it, since one flag may need another.
    # clang only warns about an unknown warning flag, and gcc says nothing about an unknown -Wno-.
    CFLAGS="$CFLAGS $$1 -Werror `echo "$hgate_flag" | $SED 's/^-Wno-/-W/'`"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [$1="$$1 $hgate_flag"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
    CFLAGS=$hgate_save_CFLAGS
  done
])

# HGATE_WARNINGS: WARN_CFLAGS, with --enable-werror as errors.
AC_DEFUN([HGATE_WARNINGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make compiler warnings errors])], [], [enable_werror=no])
  WARN_CFLAGS=
  HGATE_ADD_CFLAGS([WARN_CFLAGS], [-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion dnl
    -Wno-implicit-int-float-conversion -Wformat=2 dnl
    -Wundef -Wvla -Wwrite-strings -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Werror=format-security])
  AS_IF([test "$enable_werror" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
])

# HGATE_INSTRUMENTATION: INSTRUMENT_CFLAGS, one set for compiling and linking everything.
AC_DEFUN([HGATE_INSTRUMENTATION], [
  m4_foreach([hgate_kind], [[asan], [ubsan], [tsan], [coverage], [fuzz]], [
    AC_ARG_ENABLE(hgate_kind, [AS_HELP_STRING([--enable-]hgate_kind, m4_case(hgate_kind,
        [asan], [[address sanitizer]], [ubsan], [[undefined behaviour sanitizer, every report is fatal]],
        [tsan], [[thread sanitizer]], [coverage], [[count executed lines (gcov)]],
        [fuzz], [[build the fuzz programs (clang)]]))],
      [], [enable_[]hgate_kind=no])])
  INSTRUMENT_CFLAGS=
  hgate_instrumentation=
  AS_IF([test "$enable_tsan" = yes && test "$enable_asan" = yes],
        [AC_MSG_ERROR([--enable-asan and --enable-tsan exclude each other])])
  AS_IF([test "$enable_asan" = yes], [INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -fsanitize=address"
    hgate_instrumentation="$hgate_instrumentation asan"])
  AS_IF([test "$enable_ubsan" = yes], [
    INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -fsanitize=undefined -fno-sanitize-recover=all"
    hgate_instrumentation="$hgate_instrumentation ubsan"])
  AS_IF([test "$enable_tsan" = yes], [INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -fsanitize=thread"
    hgate_instrumentation="$hgate_instrumentation tsan"])
  # Reports of every comparison would take half of the time; the dictionary makes up for them.
  AS_IF([test "$enable_fuzz" = yes], [
    INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp"
    hgate_instrumentation="$hgate_instrumentation fuzz"
    AC_DEFINE([HG_WITH_LIBFUZZER], [1], [Define to 1 where the fuzz programs are linked with libFuzzer.])])
  AS_IF([test "$enable_coverage" = yes], [INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS --coverage -O0"
    hgate_instrumentation="$hgate_instrumentation coverage"])
  AS_IF([test -n "$INSTRUMENT_CFLAGS"], [
    INSTRUMENT_CFLAGS="$INSTRUMENT_CFLAGS -fno-omit-frame-pointer"
    hgate_save_CFLAGS=$CFLAGS; CFLAGS="$CFLAGS $INSTRUMENT_CFLAGS"
    AC_MSG_CHECKING([whether $CC links with$INSTRUMENT_CFLAGS])
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no]); AC_MSG_ERROR([the compiler cannot do what was asked for:$hgate_instrumentation])])
    CFLAGS=$hgate_save_CFLAGS])
  AC_SUBST([INSTRUMENT_CFLAGS])
  AM_CONDITIONAL([SANITIZED], [test "$enable_asan$enable_tsan$enable_ubsan" != nonono])
  AM_CONDITIONAL([ENABLE_FUZZ], [test "$enable_fuzz" = yes])
])

# HGATE_HARDENING: HARDEN_CFLAGS, HARDEN_LDFLAGS, and NO_UNDEFINED_LDFLAGS for what is loaded at run time.
AC_DEFUN([HGATE_HARDENING], [
  HARDEN_CFLAGS=
  HARDEN_LDFLAGS=
  HGATE_ADD_CFLAGS([HARDEN_CFLAGS], [-fstack-protector-strong -fstack-clash-protection])
  # Fortified string functions hide calls from the sanitizers, and without optimisation they only warn.
  AS_CASE([" $CFLAGS$INSTRUMENT_CFLAGS "], [*\ -O0\ *|*-fsanitize=*], [],
    [*\ -O*], [HARDEN_CFLAGS="$HARDEN_CFLAGS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"])
  for hgate_flag in -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed; do
    AC_MSG_CHECKING([whether the linker accepts $hgate_flag])
    hgate_save_LDFLAGS=$LDFLAGS; LDFLAGS="$LDFLAGS $hgate_flag"
    AC_LINK_IFELSE([AC_LANG_PROGRAM()], [HARDEN_LDFLAGS="$HARDEN_LDFLAGS $hgate_flag"; AC_MSG_RESULT([yes])],
                   [AC_MSG_RESULT([no])])
    LDFLAGS=$hgate_save_LDFLAGS
  done
  # clang leaves the sanitizer's own symbols to the program, so a sanitized library always has undefined ones.
  NO_UNDEFINED_LDFLAGS="-no-undefined -Wl,--no-undefined"
  AS_CASE([$INSTRUMENT_CFLAGS], [*-fsanitize=*], [NO_UNDEFINED_LDFLAGS=-no-undefined])
  AC_SUBST([HARDEN_CFLAGS])
  AC_SUBST([HARDEN_LDFLAGS])
  AC_SUBST([NO_UNDEFINED_LDFLAGS])
])

# HGATE_NUMERICS: NUMERIC_CFLAGS for all code, KERNEL_CFLAGS beside it for the CPU kernels.
# A product and a sum are never fused behind our back: kernels ask for it where they want it, so that the same source gives
# the same bits wherever it runs. Not -ffast-math: it drops NaN rules, and linking with it flips the host's denormal mode.
AC_DEFUN([HGATE_NUMERICS], [
  NUMERIC_CFLAGS=
  HGATE_ADD_CFLAGS([NUMERIC_CFLAGS], [-fvisibility=hidden -ffp-contract=off])
  KERNEL_CFLAGS=
  HGATE_ADD_CFLAGS([KERNEL_CFLAGS], [-fno-math-errno -fno-trapping-math])
  AC_SUBST([NUMERIC_CFLAGS])
  AC_SUBST([KERNEL_CFLAGS])
])

# HGATE_ISA: ISA_AVX2_CFLAGS and ISA_AVX512_CFLAGS; the conditional X86_64 is true where both are known.
AC_DEFUN([HGATE_ISA], [
  hgate_x86_64=no
  ISA_AVX2_CFLAGS="-mavx2 -mfma"
  ISA_AVX512_CFLAGS="-mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512"
  AS_CASE([$host_cpu], [x86_64|amd64], [
    AC_MSG_CHECKING([whether $CC compiles for AVX2 and AVX-512])
    hgate_save_CFLAGS=$CFLAGS; CFLAGS="$CFLAGS $ISA_AVX2_CFLAGS $ISA_AVX512_CFLAGS"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [hgate_x86_64=yes])
    CFLAGS=$hgate_save_CFLAGS
    AC_MSG_RESULT([$hgate_x86_64])])
  AC_SUBST([ISA_AVX2_CFLAGS])
  AC_SUBST([ISA_AVX512_CFLAGS])
  AS_IF([test "$hgate_x86_64" = yes],
        [AC_DEFINE([HG_X86_64], [1], [Define to 1 if the CPU kernels are compiled for AVX2 and AVX-512 too.])])
  AM_CONDITIONAL([X86_64], [test "$hgate_x86_64" = yes])
])
