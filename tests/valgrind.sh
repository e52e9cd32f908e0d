#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from make
# Programs of the build under valgrind's memcheck, and the command in a few of its uses, JOBS at a time; then a table.
#
#     valgrind.sh PROGRAM...
#
# What valgrind wrote, one file per process, stays in checks/valgrind below the build tree.
set -u

# shellcheck source=tests/environment.sh
. "$abs_top_srcdir/tests/environment.sh"
out=$abs_top_builddir/checks/valgrind

# Tests run without forks, which is quicker by far, but for programs that need a process for each. Fewer repeats where they
# are for chance, not for coverage. Programs with a malloc of their own keep it, which valgrind's would replace.
settings_of() {
    case $1 in
    */check_fit | */check_forms | */check_op_kirchhoff_setup | */check_plugin_guards | */check_plugin_registry | */check_guest)
        echo CK_FORK=yes ;;
    */check_config_memory | */check_curvature_routes | */check_each_malloc | */check_steady)
        echo VALGRIND_OPTS=--soname-synonyms=somalloc=nouserintercepts ;;
    */check_determinism) echo REPEATS=2 ;;
    */check_emi_points) echo EMI_POINTS=200 CK_EXCLUDE_TAGS=long ;;
    */check_visibility_products) echo CK_EXCLUDE_TAGS=long ;;
    */check_argument_lists) echo FUZZ_RUNS=50 ;;
    */check_hdf5_edits | */fuzz_hdf5)
        echo FUZZ_RUNS=60 "VALGRIND_OPTS=--suppressions=$abs_top_srcdir/tests/valgrind_hdf5.supp" ;;
    */fuzz_*) echo FUZZ_RUNS=200 ;;
    */check_plugin_process) echo CK_FORK=yes OPENS=300 ;;
    */check_threads | */check_engines) echo OPENS=300 ;;
    */check_soak) echo SOAK_SECONDS=20 ;;
    esac
}

# The command as a user has it. Its kernels must see that valgrind's processor has no AVX-512.
command_runs() {
    command=$abs_top_builddir/headgate
    work=$(mktemp -d) && cd "$work" && trap 'rm -rf "$work"' EXIT
    for op in emi visibility kirchhoff_adjoint curvature; do
        grind "$command" generate "$op" -o in.h5 -q && grind "$command" run "$op" in.h5 -o out.h5 -q &&
            grind "$command" explain "$op" --json >explained || return
    done
    grind "$command" info >told && grep '  isa  ' told && ! grep -q '  isa  *avx512' told
}

# glibc's own clean-up at exit would unmap what plugins link, and the global memory of FFTW would look lost.
grind() {
    "$abs_top_builddir/libtool" --mode=execute valgrind --leak-check=full --run-libc-freeres=no --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite --num-callers=24 --error-exitcode=99 --log-file="$reports/%p" \
        --suppressions="$abs_top_srcdir/tests/valgrind.supp" "$@"
}

# A row of the table: name, exit code (77: skipped), processes, errors and bytes lost in all of them, seconds of the clock and of the
# processor, settings.
if [ "$1" = --one ]; then
    reports=$out/$2
    start=$(date +%s)
    rm -rf "$reports"
    mkdir -p "$reports"
    if [ "$2" = headgate ]; then
        command_runs >"$reports/output" 2>&1
    else
        CK_TIMEOUT_MULTIPLIER=50
        CK_FORK=no
        export CK_TIMEOUT_MULTIPLIER CK_FORK
        for word in $(settings_of "$2"); do export "${word?}"; done
        grind "$abs_top_builddir/$2" >"$reports/output" 2>&1
    fi
    code=$?
    times >"$reports/times"
    cpu=$(awk 'NR == 2 { split($1 $2, t, /[ms]/); printf "%d", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$reports/times")
    find "$reports" -name '[0-9]*' -exec cat {} + | awk -v name="$2" -v code=$code -v settings="$(settings_of "$2")" \
        -v seconds=$(($(date +%s) - start)) -v cpu="$cpu" '
        { gsub(",", "") }
        /ERROR SUMMARY:/ { n++; errors += $4 }
        /definitely lost:/ { lost += $4 }
        END { printf "%-42s %4d %9d %6d %5d %7d %5d %s\n", name, code, n, errors, lost, seconds, cpu, settings
              exit (code != 0 && code != 77) || n == 0 || errors + lost > 0 }'
    exit
fi

head='%-42s %4s %9s %6s %5s %7s %5s %s\n'
mkdir -p "$out"
# shellcheck disable=SC2059
printf "$head" program exit processes errors lost seconds cpu settings
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 1 "$0" --one
