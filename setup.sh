#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh clone to a running build on Debian 12: packages, configure, make in build/, then the demo or the tests.
#
#   ./setup.sh                    the demo: all four families on generated input
#   ./setup.sh check [OPTION...]  make check; options of configure: --with-mpi
# Safe to repeat: a step whose result is there already is quick. Each step's output goes to build/log/.
set -euo pipefail
cd "$(dirname "$0")"

packages=(
    autoconf
    automake
    build-essential
    check
    libdlpack-dev
    libfftw3-dev
    libhdf5-dev
    libopenblas-dev
    libtool
    libyaml-dev
    pkgconf
)
log_dir=build/log

# step NAME WORDS COMMAND...: runs a command with its output in a log; on failure shows the log's end and its name.
step() {
    local log=$log_dir/$1.log words=$2 start=$SECONDS
    shift 2
    printf '%-58s' "$words ..."
    if "$@" >"$log" 2>&1 </dev/null; then
        printf ' done (%d s)\n' $((SECONDS - start))
    else
        printf ' FAILED\n'
        tail -n 25 "$log" >&2
        printf '\n%s: failed; the whole output is in %s\n' "$words" "$log" >&2
        exit 1
    fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update || true # one unreachable list is no reason to give up; the next line decides
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

get_packages() {
    local missing=() name
    if ! command -v apt-get >/dev/null; then
        echo "packages: no apt-get here; needed are what Debian calls ${packages[*]}"
        return
    fi
    for name in "${packages[@]}"; do
        is_installed "$name" || missing+=("$name")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "packages: all ${#packages[@]} are there"
    elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "packages: run as root or install sudo; missing: ${missing[*]}" >&2
        exit 1
    elif [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null && ! sudo -v; then
        echo "packages: sudo refused; missing: ${missing[*]}" >&2
        exit 1
    else
        step packages "packages: ${#missing[@]} by apt" install_packages "${missing[@]}"
    fi
}

# The plugin cuda for the devices of this machine; for one architecture where there is none, which is enough to test it.
cuda_arch() {
    local found
    found=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | sort -u | tr '\n' ' ') || true
    echo "${found:-90}"
}

configure_tree() { (cd build && ../configure --with-cuda-arch="$(cuda_arch)" "${options[@]}"); }

is_configured() {
    local option
    [ -e build/config.status ] || return
    for option in "${options[@]}"; do
        [[ $(build/config.status --config) == *"$option"* ]] || return
    done
}

build() {
    [ -x configure ] || step autoreconf "autoreconf" autoreconf -fi
    is_configured || step configure "configure" configure_tree
    step make "make" make -C build -j"$(nproc)"
    sed -n '/^  part /,$p' build/configure.summary
}

mkdir -p "$log_dir"
options=("${@:2}")
case "${1-}" in
"")
    get_packages
    build
    tools/demo.sh build
    ;;
check)
    get_packages
    build
    if make -C build check -j"$(nproc)" </dev/null 2>&1 | tee "$log_dir/check.log" |
        grep -E '^(PASS|FAIL|SKIP|XPASS|ERROR|# (TOTAL|PASS|SKIP|FAIL|ERROR)):'; then
        echo "all tests passed; their output is in build/tests/*.log"
    else
        tail -n 25 "$log_dir/check.log" >&2
        echo "make check: failed; the whole output is in $log_dir/check.log" >&2
        exit 1
    fi
    ;;
-h | --help)
    sed -n '3,7s/^# \{0,1\}//p' "$0"
    ;;
*)
    echo "setup.sh: unknown word \"$1\"; usage: ./setup.sh [check]" >&2
    exit 64
    ;;
esac
