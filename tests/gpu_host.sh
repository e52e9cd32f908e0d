#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and tests on a bare CUDA host: no package mirror, no libtool, no libyaml, no Check.
#
#     tests/gpu_host.sh TARBALL PACKAGES [STEP...]
#
# TARBALL is what `make dist` wrote. PACKAGES is a folder of Debian packages for what the host lacks (libyaml-0-2,
# libyaml-dev, check, libsubunit0, libsubunit-dev, libopenblas0-serial, libopenblas-serial-dev, libgfortran5,
# libquadmath0, libdlpack-dev); they are unpacked into a private folder. Steps: build check sanitize; all
# when none is named. OUT names a folder for logs and results (default: out). A short table comes last.
set -euo pipefail

tarball=$(realpath "$1")
packages=$(realpath "$2")
shift 2
steps=${*:-build check sanitize}
out=$(realpath -m "${OUT:-out}")
here=$(realpath -m "${WORK:-gpu-host}")
arch=${CUDA_ARCH:-90}
jobs=$(nproc)
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
    if "$@" > "$out/$name.log" 2>&1; then
        note "$name" ok "$(($(date +%s) - start)) s"
    else
        note "$name" FAILED "see $name.log"
        tail -n 25 "$out/$name.log"
        return 1
    fi
}

unpack() {
    for package in "$packages"/*.deb; do
        dpkg -x "$package" "$root"
    done
    ln -sf "$lib/openblas-serial/libopenblas.so.0" "$lib/libopenblas.so.0"
    ln -sf "$lib/openblas-serial/libopenblas.so" "$lib/libopenblas.so"
    mkdir -p "$here/source"
    tar -xzf "$tarball" -C "$here/source" --strip-components=1
}

build() {
    [ -d "$here/source" ] || unpack
    mkdir -p "$here/build"
    cd "$here/build"
    CPPFLAGS="-I$root/usr/include -I$root/usr/include/x86_64-linux-gnu -I$lib/openblas-serial/include \
        -I$root/usr/include/x86_64-linux-gnu/openblas-serial" \
    LDFLAGS="-L$lib -L$lib/openblas-serial -Wl,-rpath,$lib -Wl,-rpath,$lib/openblas-serial -Wl,-rpath-link,$lib" \
    CHECK_CFLAGS="-I$root/usr/include" CHECK_LIBS="-L$lib -lcheck_pic -lsubunit -lm -lrt -lpthread" \
    YAML_CFLAGS="-I$root/usr/include" YAML_LIBS="-L$lib -lyaml" \
    OPENBLAS_CFLAGS="-I$root/usr/include/x86_64-linux-gnu/openblas-serial" \
    OPENBLAS_LIBS="-L$lib/openblas-serial -lopenblas" \
        "$here/source/configure" --with-cuda=yes --with-cuda-arch="$arch" --with-hdf5=no --with-fftw=no
    make -j"$jobs"
    make -j"$jobs" check TESTS=
}

# The GPU keeps its state in the process: Check must not fork.
check() {
    cd "$here/build"
    CK_FORK=no make -k -j"$jobs" check TESTS="${CHECKS:-$(printf "%s " tests/cuda/check_cuda tests/cuda/check_double tests/kernels/check_*[a-z])}"
}

# Every kernel of the plugin on small problems, under each tool; racecheck and the others but memcheck are slow.
sanitize() {
    cd "$here/build"
    local tool words result=0
    export abs_top_srcdir=$here/source abs_top_builddir=$here/build
    # shellcheck source=tests/environment.sh
    . "$here/source/tests/environment.sh"
    for tool in memcheck racecheck initcheck synccheck; do
        words=()
        [ "$tool" != memcheck ] || words=(--leak-check full)
        echo "== $tool"
        compute-sanitizer --tool "$tool" "${words[@]}" --error-exitcode 9 ./headgate selftest --quick \
            -s plugins.cpu-openmp.enabled=false || result=1
    done
    return $result
}

export OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-Haswell}
export LD_LIBRARY_PATH=$lib:$lib/openblas-serial${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
n_failed=0
for name in $steps; do
    step "$name" "$name" || n_failed=$((n_failed + 1))
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
printf '%s\n' "${rows[@]}"
[ "$n_failed" -eq 0 ]
