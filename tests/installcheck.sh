#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154 # the folders come from make installcheck
# Looks at an installed Headgate as its users do: through pkg-config, from folders outside the source tree.
# Hosts in C and C++ run, a plugin built out of tree serves a call, a plugin that others can write is refused.

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$abs_top_srcdir/tests/environment.sh"
unset HEADGATE_PLUGIN_PATH
PATH=$bindir:$PATH
PKG_CONFIG_PATH=$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH PKG_CONFIG_PATH LD_LIBRARY_PATH CC CXX

n_failed=0
check() { # words, exit code of the thing checked
    if [ "$2" -eq 0 ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1"
        n_failed=$((n_failed + 1))
    fi
}
logged() { # command...: shows its output only when it fails
    "$@" >"$scratch/log" 2>&1 && return
    cat "$scratch/log"
    return 1
}
build_example() { # folder: a copy of it, made as its reader would make it
    cp -R "$abs_top_srcdir/examples/$1" "$scratch/" && chmod -R u+w "$scratch/$1" && logged make -C "$scratch/$1"
}
says() { # text, command...: the command succeeds and its output has a line with that text
    text=$1
    shift
    logged "$@" || return
    grep -q -e "$text" "$scratch/log" && return
    cat "$scratch/log"
    return 1
}

plugindir=$(pkg-config --variable=plugindir headgate)
check "pkg-config knows the plugin folder" $?
for plugin in $plugin_modules; do
    test -f "$plugindir/$(basename "$plugin" .la).so"
    check "$(basename "$plugin" .la) is in the plugin folder" $?
done
abi=$(sed -n 's/^#define HGATE_PLUGIN_ABI_MAJOR //p' "$(pkg-config --variable=includedir headgate)/headgate/plugin.h")
test "$abi" = "$(pkg-config --variable=plugin_abi headgate-plugin)"
check "plugin_abi is that of plugin.h" $?

# shellcheck disable=SC2046 # flags are words
"$abs_top_srcdir/tests/check_headers.sh" $(pkg-config --cflags headgate) -I"$(pkg-config --variable=includedir headgate)"
check "installed headers compile alone" $?

build_example host_c
check "the C host builds" $?
says '^(14, 0)  (3, 2)$' "$scratch/host_c/gram"
check "the C host runs" $?
[ "$("$scratch/host_c/gram" 2>&1 | wc -l)" -eq 3 ]
check "the library itself writes nothing to the terminal" $?
if [ -f "$libdir/libheadgate.a" ]; then
    # shellcheck disable=SC2046 # flags are words
    $CC -o "$scratch/gram_static" "$scratch/host_c/gram.c" $(pkg-config --cflags headgate) "$libdir/libheadgate.a" \
        $(pkg-config --static --libs headgate | tr ' ' '\n' | grep -v -x -e -lheadgate)
    check "the C host links with the archive" $?
    says '^(14, 0)  (3, 2)$' "$scratch/gram_static"
    check "the C host runs with the archive and loads the same plugins" $?
fi

# shellcheck disable=SC2016 # backquotes of the README
sed -n '/^```c example.c$/,/^```$/{/^```/d;p}' "$abs_top_srcdir/README.md" >"$scratch/readme.c"
# shellcheck disable=SC2016
promised=$(sed -n 's/^prints `\(V.*\)`\. .*/\1/p' "$abs_top_srcdir/README.md")
# shellcheck disable=SC2046,SC2086 # flags are words
logged $CC -Wall -Wextra -Werror -o "$scratch/readme" "$scratch/readme.c" $(pkg-config --cflags --libs headgate) &&
    [ -n "$promised" ] && [ "$("$scratch/readme")" = "$promised" ]
check "the example of the README builds and prints what it says" $?

# The host finds a library that the loader does not know by the path that pkg-config tells.
# shellcheck disable=SC2046,SC2086 # flags are words
logged $CC -o "$scratch/gram_rpath" "$scratch/host_c/gram.c" $(pkg-config --cflags --libs headgate) \
    -Wl,-rpath,"$(pkg-config --variable=libdir headgate)"
check "the C host links with a run path" $?
(unset LD_LIBRARY_PATH && says '^(14, 0)  (3, 2)$' "$scratch/gram_rpath")
check "the C host runs from a tree that is not in the loader's path" $?

build_example host_cxx
check "the C++ host builds" $?
says '^-0.250000$' "$scratch/host_cxx/phases"
check "the C++ host runs" $?

if pkg-config --exists headgate-mpi; then
    build_example host_mpi
    check "the MPI host builds" $?
    if [ "$(id -u)" -eq 0 ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    fi
    says '^every point sees 15 pairs$' mpirun --oversubscribe -n 3 "$scratch/host_mpi/image"
    check "the MPI host runs" $?
fi

build_example custom_plugin
check "the example plugin builds" $?
chmod 755 "$scratch" "$scratch/custom_plugin"
HEADGATE_PLUGIN_PATH=$scratch/custom_plugin HEADGATE_FORCE=visibility_gram=example \
    says '^computed by example/dots$' "$scratch/host_c/gram"
check "the example plugin serves the C host" $?
chmod 777 "$scratch/custom_plugin"
HEADGATE_PLUGIN_PATH=$scratch/custom_plugin says 'computed by cpu-' "$scratch/host_c/gram"
check "the C host runs beside a plugin in a world-writable folder" $?
HEADGATE_PLUGIN_PATH=$scratch/custom_plugin says 'permission' headgate info
check "a plugin in a world-writable folder is refused" $?

# Every block of these pages, as their reader would type it. Python is the one that has NumPy.
mkdir "$scratch/bin"
for python in python3 /usr/bin/python3; do
    if command -v $python >/dev/null && "$python" -c 'import numpy' 2>/dev/null; then
        ln -sf "$(command -v $python)" "$scratch/bin/python3"
        break
    fi
done
[ -e "$scratch/bin/python3" ] || { echo "echo no NumPy, not run: \"\$@\"" >"$scratch/bin/python3"; chmod +x "$scratch/bin/python3"; }
# A machine is measured in minutes; here it is enough that the commands work.
cat >"$scratch/bin/headgate" <<END
#!/bin/sh
case \$1:\$2 in
tune:*) set -- "\$@" --time-limit 5s ;;
selftest:) set -- selftest --quick ;;
bench:--regret) set -- "\$@" --op visibility_gram ;;
esac
exec '$(command -v headgate)' "\$@"
END
chmod +x "$scratch/bin/headgate"
run_page() { # page: its blocks, in a folder of their own
    mkdir "$scratch/$(basename "$1" .md)" && cd "$scratch/$(basename "$1" .md)" || return
    PATH=$scratch/bin:$PATH EXAMPLES=$abs_top_srcdir/examples PYTHONPATH=$abs_top_srcdir/python \
        PYTHONDONTWRITEBYTECODE=1 logged sh "$abs_top_srcdir/tests/run_blocks.sh" "$abs_top_srcdir/$1"
}
headgate generate visibility_gram m=2 k=3 -o "$scratch/probe.h5" >/dev/null 2>&1
if [ $? -eq 69 ]; then
    echo "skipped: the blocks of the pages need a command with HDF5"
else
    for page in README.md doc/tutorial.md doc/plugin.md; do
        (run_page $page)
        check "the blocks of $page run" $?
    done
    if command -v cmake >/dev/null; then
        logged cmake -S "$scratch/tutorial" -B "$scratch/cmake" && logged cmake --build "$scratch/cmake"
        check "the CMake project of the tutorial finds and links the library" $?
    fi
fi

echo "$n_failed failed"
[ "$n_failed" -eq 0 ]
