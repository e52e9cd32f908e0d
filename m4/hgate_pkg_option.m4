# SPDX-License-Identifier: BSD-3-Clause
# HGATE_PKG_OPTION(name, PREFIX, modules, default, purpose, [other modules]): an optional part found by pkg-config.
#
# Adds --with-NAME=yes|no|check. "yes" makes a missing part an error, "check" a line in the summary.
# Sets hgate_NAME to yes or no and hgate_NAME_why to what was found, substitutes PREFIX_CFLAGS and PREFIX_LIBS,
# defines HAVE_PREFIX in config.h and the automake conditional of that name.
AC_DEFUN([HGATE_PKG_OPTION], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=yes|no|check], [$5 @<:@$4@:>@])], [], [with_$1=$4])
  AS_CASE([$with_$1], [yes|no|check], [], [AC_MSG_ERROR([--with-$1 takes yes, no or check])])
  hgate_$1=no
  hgate_$1_why="switched off"
  AS_IF([test "$with_$1" != no], [
    PKG_CHECK_MODULES([$2], [$3], [hgate_$1=yes; hgate_$1_modules="$3"], [
      m4_ifnblank([$6], [PKG_CHECK_MODULES([$2], [$6], [hgate_$1=yes; hgate_$1_modules="$6"], [:])], [:])])
    AS_IF([test "$hgate_$1" = yes],
      [hgate_$1_why=`$PKG_CONFIG --modversion $hgate_$1_modules | head -n 1`
       hgate_$1_why="version $hgate_$1_why"],
      [test "$with_$1" = yes],
      [AC_MSG_ERROR([--with-$1 was asked for, but pkg-config does not find $3])],
      [hgate_$1_why="pkg-config does not find $3"])
  ])
  AS_IF([test "$hgate_$1" = yes], [AC_DEFINE([HAVE_$2], [1], [Define to 1 if $2 is used.])])
  AM_CONDITIONAL([HAVE_$2], [test "$hgate_$1" = yes])
])
