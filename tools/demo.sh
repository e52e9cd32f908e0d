#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The demonstration that setup.sh ends with: every family on generated input, the route that was chosen, and why.
#
#   tools/demo.sh BUILD_FOLDER
set -euo pipefail
abs_top_srcdir=$(cd "$(dirname "$0")/.." && pwd)
abs_top_builddir=$(cd "$1" && pwd)
. "$abs_top_srcdir/tests/environment.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

headgate() { command headgate "$@" -s plugins.use_default_path=false; }

# The value of a key in a JSON document that headgate wrote, as far as the demonstration needs it: "key":"text" or "key":number.
json_value() { grep -o "\"$2\":\(\"[^\"]*\"\|[-+.0-9eE]*\)" "$1" | head -n 1 | sed 's/^[^:]*://; s/"//g'; }

# show OP KEY=VALUE...: generates, runs, compares with the reference kernel on the same input.
show() {
    local op=$1 route seconds reason error
    headgate generate "$@" -o "$scratch/in.h5" -q >/dev/null
    headgate run "$op" "$scratch/in.h5" -o "$scratch/out.h5" -q --json >"$scratch/run.json"
    route=$(json_value "$scratch/run.json" plugin)/$(json_value "$scratch/run.json" kernel)
    seconds=$(json_value "$scratch/run.json" seconds)
    reason=$(json_value "$scratch/run.json" reason)
    if [ "$route" = cpu-serial/reference ]; then
        error="error 0: the reference itself"
    else
        headgate bench "$@" --kernels "$route" -q --json >"$scratch/bench.json"
        error=$(LC_ALL=C printf 'error %.1e (%s)' "$(json_value "$scratch/bench.json" max_error)" \
            "$(json_value "$scratch/bench.json" measure)")
    fi
    LC_ALL=C printf '%s\n  %-24s %9.4f s   %s\n  why: %s\n\n' "$*" "$route" "$seconds" "$error" "$reason"
}

echo "Plugins"
headgate info | awk '
    /^[a-z0-9-]+: / { name = $1; sub(":", "", name); status[name] = $2; order[++n] = name }
    $1 == "reason" { $1 = ""; reason[name] = $0 }
    END { for (i = 1; i <= n; i++) printf "  %-12s %s%s\n", order[i], status[order[i]], (order[i] in reason ? ":" reason[order[i]] : "") }'
sed -n 's/^  plugin \([a-z-]*\)  *no  *\(.*\)/  \1 not built: \2/p' "$abs_top_builddir/configure.summary" | while read -r name rest; do
    printf '  %-12s %s\n' "$name" "$rest"
done

cat <<'END'

Each family on generated input: the kernel that was chosen, its time, its error against the plain reference kernel on the
same input, and the reason of the choice. A time depends on the machine; "headgate bench" measures all kernels.

END
show curvature case=bench128
show emi n=40 batch=500
show visibility nant=37 nsrc=6000
show kirchhoff_forward ns=20 nr=30 nx=100 nz=90 nt=500
show kirchhoff_adjoint ns=20 nr=30 nx=100 nz=90 nt=500
cat <<'END'
Next: "make -C build install && ldconfig" as root, or from here

  export HEADGATE_PLUGIN_PATH=$PWD/build/plugins/.libs
  build/headgate explain curvature case=aris8
  build/headgate bench visibility_gram m=350 k=4000
END
if [ -e "$abs_top_builddir/plugins/.libs/headgate-cuda.so" ]; then
    echo "  build/headgate explain emi n=198 batch=1000 dtype=c64 mem=cuda:0 --assume-device a100     (no GPU needed)"
fi
