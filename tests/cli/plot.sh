#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pictures of what bench and tune wrote: every kind in both formats, wrong input, a machine without gnuplot.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"
cd "$work" || exit 1

cat >points.json <<'EOF'
{"schema":1,"machine":{"cpu":"x"},"points":[
{"op":"visibility_gram","problem":{"m":"16","k":"50","dtype":"c64"},"chosen":"a/herk","best":"a/herk","regret":1,
 "chosen_before":"a/gemm","regret_before":1.3,
 "kernels":[{"plugin":"a","kernel":"herk","seconds":1e-5,"predicted":2e-5},{"plugin":"a","kernel":"gemm","seconds":1.3e-5,"predicted":3e-5}]},
{"op":"visibility_gram","problem":{"m":"64","k":"900","dtype":"c64"},"chosen":"a/herk","best":"b/gemm","regret":1.17,
 "chosen_before":"a/herk","regret_before":1.17,
 "kernels":[{"plugin":"a","kernel":"herk","seconds":1.17e-3,"predicted":1e-3},{"plugin":"b","kernel":"gemm","seconds":1e-3,"predicted":2e-3}]},
{"op":"emi","problem":{"n":"5`touch hacked`\");system(\"touch hacked","batch":"7"},"chosen":null,"best":null,"regret":null,"kernels":[]},
{"op":"visibility_gram","problem":{"m":"8","k":"9","dtype":"c64"},"chosen":"a/herk","best":"b/gemm","regret":1e300,"kernels":[]}
]}
EOF
expect 0 headgate bench visibility_gram m=20 k=300 --json
cp out one.json

# what needs no gnuplot
expect 64 headgate plot
expect 64 headgate plot points.json
has err "-o OUT.svg"
expect 64 headgate plot points.json -o out.pdf
has err ".svg or .png"
expect 64 headgate plot points.json -o out.svg --kind cake
expect 66 headgate plot missing.json -o out.svg
has err "missing.json"
echo '{"schema":1,"op":"emi"}' >other.json
expect 65 headgate plot other.json -o out.svg
has err "other.json"
echo '{"schema":1,"points":[' >cut.json
expect 65 headgate plot cut.json -o out.svg
has err "cut.json:2:1"
expect 65 headgate plot points.json -o out.svg --kind kernels
expect 65 headgate plot one.json -o out.svg --kind map
expect 64 headgate plot points.json -o out.svg --kind map
has err "--op"
expect 64 headgate plot points.json -o out.svg --kind sizes
has err "--kind sizes"
expect 65 headgate plot points.json -o out.svg --kind map --op emi
expect 65 headgate plot one.json -o out.svg --kind sizes
mkdir empty
tool=$(command -v headgate)
PATH=$work/empty expect 69 "$tool" plot points.json -o out.svg
has err "gnuplot"
is "no picture after a failure" ! -e out.svg
is "nothing is left beside it" -z "$(find . -name '.*.svg*' -o -name '*.tmp')"

if ! command -v gnuplot >/dev/null; then
    echo "gnuplot is not there: no pictures"
    finish
fi
for kind in overview predicted regret "map --op visibility_gram" "map --op visibility_gram --x k --y m" \
    "sizes --op visibility_gram --x m"; do
    # shellcheck disable=SC2086 # several words
    expect 0 headgate plot points.json -o out.svg --kind $kind
    is "$kind is an SVG" "$(grep -c '</svg>' out.svg)" -eq 1
    is "$kind: nothing on stderr" ! -s err
    # shellcheck disable=SC2086
    expect 0 headgate plot points.json -o out.png --kind $kind
    is "$kind is a PNG" "$(head -c 4 out.png | tail -c 3)" = PNG
done
expect 0 headgate plot points.json -o out.svg
has out.svg "measured time / s"
has out.svg "predicted time / s"
has out.svg "share of the points / %"
has out.svg "before"
expect 0 headgate plot points.json -o out.svg --kind map --op visibility_gram
has out.svg "a/herk"
has out.svg "b/gemm"
has out.svg "another was chosen"
has out.svg "dtype=c64"
expect 0 headgate plot points.json -o out.svg --kind sizes --op visibility_gram --x k
has out.svg "a/gemm"
has out.svg "time of a call / us"
has out.svg "k (a number)"
has out.svg "chosen"
expect 0 headgate plot one.json -o out.svg
has out.svg "cpu-serial/herk"
has out.svg "time of a call"
# any number of plugins and winners
awk 'BEGIN {
    printf "{\"schema\":1,\"points\":["
    for (i = 1; i <= 40; i++)
        printf "%s{\"op\":\"emi\",\"problem\":{\"n\":%d,\"batch\":%d},\"chosen\":\"p%d/k\",\"best\":\"p%d/k\",\"regret\":1," \
            "\"kernels\":[{\"plugin\":\"p%d\",\"kernel\":\"k\",\"seconds\":%d,\"predicted\":1}]}", \
            (i > 1) ? "," : "", i, 7 * i, i, i, i, i
    print "]}"
}' >many.json
expect 0 headgate plot many.json -o out.svg --kind map
has out.svg "p40/k"
expect 0 headgate plot many.json -o out.svg --kind predicted
has out.svg "p40"
expect 0 headgate plot many.json -o out.svg --kind sizes --x n
is "points that differ in another key are not one line" "$(grep -c 'p2/k' out.svg)" -eq 0
# one problem each, several documents
expect 0 headgate plot one.json points.json -o out.svg --kind map --op visibility_gram --x m --y k
expect 0 headgate plot points.json -o out.svg --kind regret --op visibility_gram
is "words of a document are no commands" ! -e hacked

finish
