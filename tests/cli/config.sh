#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# headgate config: located errors, exit codes, quick refusal of hostile files.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"

# refuses WORDS TEXT: the file $work/bad.yaml is refused in time, with this text.
refuses() {
    expect 78 timeout 30 headgate config check "$work/bad.yaml"
    has "$work/err" HGATE_ECONFIG
    has "$work/err" "$1"
    is "nothing on stdout" ! -s "$work/out"
    expect 78 timeout 30 headgate config check "$work/bad.yaml" --json
    json "$work/out"
    expect 78 timeout 30 headgate info -c "$work/bad.yaml"
}

printf 'version: 1\nroutng: {deterministic: true}\n' >"$work/bad.yaml"
refuses 'bad.yaml:2:1: unknown key "routng"; did you mean "routing"?'
printf 'version: 1\nlog:\n  level: warn\n  level: info\n' >"$work/bad.yaml"
refuses 'bad.yaml:4:3:'
printf 'version: 1\nrouting:\n  tie_margin: wide\n' >"$work/bad.yaml"
refuses 'bad.yaml:3:15:'
printf 'version: 1\nrouting: &x\n  tie_margin: 0.1\n' >"$work/bad.yaml"
refuses 'bad.yaml:2:10:'
{ printf 'version: 1\nlog: '; head -c 40000 /dev/zero | tr '\0' '['; } >"$work/bad.yaml"
refuses 'bad.yaml:2:'
head -c 2097152 /dev/zero | tr '\0' '#' >"$work/bad.yaml"
refuses 'bad.yaml'

expect 66 headgate config check "$work/absent.yaml"
has "$work/err" "absent.yaml"
printf 'version: 1\nrouting:\n  deterministic: true\n' >"$work/good.yaml"
expect 0 headgate config check "$work/good.yaml"
expect 0 headgate config check "$work/good.yaml" --json
json "$work/out"

# standard input
n_checks=$((n_checks + 1))
headgate config check - <"$work/good.yaml" >"$work/out" 2>"$work/err" || fail "config check - of a good file"
n_checks=$((n_checks + 1))
printf 'version: 2\n' | headgate config check - >"$work/out" 2>"$work/err"
[ $? -eq 78 ] || fail "config check - of a bad file"

# show: where from, and readable again to the same settings
expect 0 headgate config show -c "$work/good.yaml" -s threads.max=3
has "$work/out" "deterministic: true  # $work/good.yaml:3:3"
has "$work/out" "max: 3  # api"
cp "$work/out" "$work/shown.yaml"
expect 0 headgate config check "$work/shown.yaml"
expect 0 headgate config show -c "$work/shown.yaml"
is "the same values" "$(sed 's/  *#.*//' "$work/out")" = "$(sed 's/  *#.*//' "$work/shown.yaml")"
expect 0 env HEADGATE_THREADS=2 headgate config show
has "$work/out" "env HEADGATE_THREADS"
expect 0 headgate config show --json
json "$work/out"

# list: every key, also as JSON
expect 0 headgate config list
has "$work/out" "gates.curvature.symmetric_max_work_fraction = 0.7"
is "80 columns" "$(awk 'length > 80 && !/^[a-z]/' "$work/out" | wc -l)" -eq 0
expect 0 headgate config list --json
json "$work/out"

expect 78 headgate info -s no.such.key=1
has "$work/err" "unknown key"
expect 78 headgate info -c "$work/absent.yaml"
finish
