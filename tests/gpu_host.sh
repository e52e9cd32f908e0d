#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and tests on a bare CUDA host: no package mirror, no libtool, no libyaml, no Check.
#
#     tests/gpu_host.sh TARBALL PACKAGES [STEP...]
#
# TARBALL is what `make dist` wrote. PACKAGES is a folder of Debian packages for what the host lacks (libyaml-0-2,
# libyaml-dev, check, libsubunit0, libsubunit-dev, libopenblas0-serial, libopenblas-serial-dev, libgfortran5,
# libquadmath0, libdlpack-dev); they are unpacked into a private folder. Steps: build check sanitize; all
# when none is named. OUT names a folder for logs and results (default: out), WORK one for the build (gpu-host).
# A short table comes last.
#
# Each step ends after LIMIT seconds (540). Steps that are started again go on where they ended: build with what make has
# not made, sanitize with the runs that are not in OUT/sanitize/passed.
set -euo pipefail

tarball=$(realpath "$1")
packages=$(realpath "$2")
shift 2
steps=${*:-build check sanitize}
out=$(realpath -m "${OUT:-out}")
here=$(realpath -m "${WORK:-gpu-host}")
arch=${CUDA_ARCH:-90}
jobs=$(nproc)
limit=${LIMIT:-540}
processes=${PROCESSES:-8} # of compute-sanitizer at a time
tools=${TOOLS:-memcheck racecheck synccheck initcheck}
mkdir -p "$out" "$here"
root=$here/root
lib=$root/usr/lib/x86_64-linux-gnu
rows=()

note() { rows+=("$(printf '%-10s %-8s %s' "$1" "$2" "${3:-}")"); }

# A step by its name; its output goes to a log, its end into the table.
step() {
    local name=$1 start
    shift
    start=$(date +%s)
    if "$@" >"$out/$name.log" 2>&1; then
        note "$name" ok "$(($(date +%s) - start)) s"
    else
        note "$name" FAILED "see $name.log"
        [ "$name" = sanitize ] || tail -n 25 "$out/$name.log"
        return 1
    fi
}

unpack() {
    for package in "$packages"/*.deb; do
        dpkg -x "$package" "$root" || return
    done
    ln -sf "$lib/openblas-serial/libopenblas.so.0" "$lib/libopenblas.so.0"
    ln -sf "$lib/openblas-serial/libopenblas.so" "$lib/libopenblas.so"
    mkdir -p "$here/source"
    tar -xzf "$tarball" -C "$here/source" --strip-components=1
}

build() {
    [ -d "$here/source" ] || unpack || return
    mkdir -p "$here/build"
    cd "$here/build" || return
    [ -e config.status ] || set_up || return
    timeout "$limit" make -j"$jobs" all || return # two goals at once would build the libraries twice
    timeout "$limit" make -j"$jobs" check TESTS=
}

set_up() {
    CPPFLAGS="-I$root/usr/include -I$root/usr/include/x86_64-linux-gnu -I$lib/openblas-serial/include \
        -I$root/usr/include/x86_64-linux-gnu/openblas-serial" \
    LDFLAGS="-L$lib -L$lib/openblas-serial -Wl,-rpath,$lib -Wl,-rpath,$lib/openblas-serial -Wl,-rpath-link,$lib" \
    CHECK_CFLAGS="-I$root/usr/include" CHECK_LIBS="-L$lib -lcheck_pic -lsubunit -lm -lrt -lpthread" \
    YAML_CFLAGS="-I$root/usr/include" YAML_LIBS="-L$lib -lyaml" \
    OPENBLAS_CFLAGS="-I$root/usr/include/x86_64-linux-gnu/openblas-serial" \
    OPENBLAS_LIBS="-L$lib/openblas-serial -lopenblas" \
        "$here/source/configure" --with-cuda=yes --with-cuda-arch="$arch" --with-hdf5=no --with-fftw=no
}

# The GPU keeps its state in the process: Check must not fork.
check() {
    cd "$here/build" || return
    local programs=(tests/cuda/check_{capture,cuda,devices,double}) program
    for program in "$here"/source/tests/kernels/check_*.c; do
        programs+=("tests/kernels/$(basename "$program" .c)")
    done
    CK_FORK=no timeout "$limit" make -k -j"$jobs" check TESTS="${CHECKS:-${programs[*]}}"
}

families=(curvature curvature_parts emi evd ds_temp_coh visibility visibility_steps visibility_products
    kirchhoff_forward kirchhoff_adjoint kirchhoff_setup kirchhoff_convolve)

# Problems of a family, one a line: odd and small, and for emi the sizes at which another kernel or another form of it
# takes over. Each kernel that takes a problem runs it, in float32 and in float64.
problems() { # tool, family
    local sizes=(3 31 32 33 101 102 198 235) n
    case $2 in
    curvature) printf 'curvature %s\n' "ny=23 nx=19 s=13 nnz=301" "ny=29 nx=31 s=67 nnz=701" case=offset case=rect-lens \
        case=row case=one case=empty "ny=7 nx=5 s=3 nnz=0" ;;
    curvature_parts) printf '%s\n' "curvature_kernel k=97 ny=13 nx=11" "curvature_kernel k=1 ny=1 nx=3" \
        "curvature_dirty k=61 ny=13 nx=11" "curvature_data_vector n=211 s=29 nnz=503" ;;
    emi)
        [ "$1" != initcheck ] || sizes=(3 33)
        for n in "${sizes[@]}"; do
            echo "emi n=$n batch=3 looks=$((2 * n))"
        done | sort -r -t = -k 2 -n # the long ones first
        echo "emi n=2 batch=5"
        # left by warp, rows and block to again
        for n in 9 30 33 92 198; do
            [ "$1:$n" = initcheck:198 ] || echo "emi n=$n batch=3 coherence=smooth"
        done
        printf 'emi %s\n' "n=30 batch=17 looks=20 layout=full" "n=10 batch=9 looks=20 rule=fixed" \
            "n=33 batch=5 looks=66 rule=fixed" ;;
    evd) printf 'evd %s\n' "n=13 batch=37 looks=40" "n=33 batch=3 looks=40 layout=full" "n=101 batch=2 looks=202" ;;
    ds_temp_coh) printf 'ds_temp_coh %s\n' "n=13 batch=37 looks=40" "n=9 batch=18 looks=30 layout=full" ;;
    visibility) printf 'visibility %s\n' "nant=5 nfeed=2 nax=3 nsrc=211 nbeam=4 nchunk=3" \
        "nant=7 nfeed=1 nax=2 nsrc=101 nbeam=2 npairs=9" "nant=3 nfeed=2 nax=1 nsrc=0 nbeam=1" ;;
    visibility_steps) printf 'visibility_%s\n' "horizon nsrc=1009" "angles nsrc=1009" \
        "beam nbeam=3 nfeed=2 nax=1 nsrc=101 nza=7 naz=11" "tau nant=5 nsrc=211" "z nant=5 nsrc=101 nfeed=2 nax=3 nbeam=4" ;;
    visibility_products) printf 'visibility_%s\n' "gram m=17 k=301" "gram m=131 k=67" "gram m=1 k=7" "gram m=6 k=0" \
        "product m=17 n=11 k=301" "pairs nant=7 nfeed=2 k=301 npairs=13" ;;
    kirchhoff_forward | kirchhoff_adjoint) printf "$2 %s\n" "ns=3 nr=5 nt=200 nx=17 nz=13" \
        "ns=3 nr=5 nt=200 nx=17 nz=13 dynamic=1" "ns=2 nr=3 nt=150 nx=7 nz=11 ny=3 dynamic=1" "ns=1 nr=37 nt=101 nx=1 nz=5" ;;
    kirchhoff_setup) printf 'kirchhoff_%s\n' "traveltime n=5 nx=17 nz=13" "traveltime n=3 nx=7 nz=11 ny=4" \
        "angles n=5 nx=17 nz=13" "spreading n=5 nx=17 nz=13" "station_index n=5 nx=17 nz=13" ;;
    kirchhoff_convolve) printf 'kirchhoff_%s\n' "wavelet nwav=41" "convolve nwav=11 nt=101 n=7" "convolve nwav=31 nt=17 n=3" ;;
    esac
}

# One problem under one tool: its words go to the list of what passed, or its output stays as a log.
sanitize_one() { # tool, family, number, end (time of day), problem
    local tool=$1 name=$1-$2-$3 left=$(($4 - $(date +%s))) problem=$5 words=() without=() result=0
    words=(--tool "$tool" --error-exitcode 9)
    [ "$tool" != memcheck ] || words+=(--leak-check full)
    # cuSOLVER takes minutes under racecheck and is not ours: only memcheck meets it at every size.
    [[ $tool = memcheck || ! $problem =~ (emi|evd)\ n=[0-9]{3} ]] ||
        without=(-s "kernels.${BASH_REMATCH[1]}.cuda.library.enabled=false")
    [ "$left" -gt 0 ] || return 0
    # shellcheck disable=SC2086 # the problem is words
    timeout "$left" compute-sanitizer "${words[@]}" ./headgate selftest $problem --plugin "$plugin" \
        "${without[@]}" </dev/null >"$out/sanitize/$name.log" 2>&1 || result=$?
    # where every kernel is refused, as on a device that another process has, nothing was looked at
    [ "$result" -ne 0 ] || grep -q '^[1-9][0-9]* passed, 0 failed' "$out/sanitize/$name.log" || result=8
    case $result in
    0) echo "$tool $problem" >>"$passed" && rm "$out/sanitize/$name.log" ;;
    124) mv "$out/sanitize/$name.log" "$out/sanitize/$name.unfinished.log" ;;
    *) echo "$tool: $problem: $name.log" ;;
    esac
}

# Every kernel of the plugin under each tool, several processes at a time; a line for each family. A problem that passed is
# not run again.
sanitize() {
    cd "$here/build" || return
    local tool family problem result=0 end=$(($(date +%s) + limit)) n n_passed n_failed
    plugin=${PLUGIN:-$here/build/plugins/.libs/headgate-cuda.so} passed=$out/sanitize/passed
    export abs_top_srcdir=$here/source abs_top_builddir=$here/build out plugin passed
    # shellcheck source=tests/environment.sh
    . "$here/source/tests/environment.sh"
    export -f sanitize_one
    rm -f "$out"/sanitize/*.log
    mkdir -p "$out/sanitize" && touch "$passed"
    for tool in $tools; do
        for family in "${families[@]}"; do
            n=0
            while read -r problem; do
                n=$((n + 1))
                grep -q -x -F "$tool $problem" "$passed" || printf '%s\0' "$tool" "$family" "$n" "$end" "$problem"
            done < <(problems "$tool" "$family")
        done
    done | xargs -0 -r -n 5 -P "$processes" bash -c 'sanitize_one "$@"' sanitize
    for tool in $tools; do
        for family in "${families[@]}"; do
            n=$(problems "$tool" "$family" | wc -l)
            n_passed=$(problems "$tool" "$family" | sed "s/^/$tool /" | grep -c -x -F -f "$passed" || true)
            n_failed=$(find "$out/sanitize" -name "$tool-$family-[0-9]*.log" ! -name '*.unfinished.log' | wc -l)
            printf '%-10s %-20s %d passed, %d failed, %d not run\n' "$tool" "$family" "$n_passed" "$n_failed" \
                $((n - n_passed - n_failed))
            [ "$n_passed" -eq "$n" ] || result=1
        done
    done
    return $result
}

PATH=$PATH:/usr/local/cuda/bin
export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}
export LD_LIBRARY_PATH=$lib:$lib/openblas-serial${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
n_failed=0
for name in $steps; do
    step "$name" "$name" || n_failed=$((n_failed + 1))
    [ "$name" != sanitize ] || cat "$out/sanitize.log"
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "no device"
printf '%s\n' "${rows[@]}"
[ "$n_failed" -eq 0 ]
