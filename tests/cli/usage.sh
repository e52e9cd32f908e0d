#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Help, versions, wrong command lines: texts, streams, exit codes.
# shellcheck source-path=SCRIPTDIR disable=SC2154
. "$abs_top_srcdir/tests/cli/lib.sh"

expect 0 headgate --help
has "$work/out" "Usage: headgate COMMAND"
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p' "$work/out")
is "seven commands or more" "$(echo "$commands" | wc -w)" -ge 7
expect 0 headgate -h
expect 0 headgate --version
has "$work/out" "BSD-3-Clause"
expect 0 headgate -V

man=$abs_top_srcdir/doc/man/headgate.1
for command in $commands; do
    expect 0 headgate "$command" --help
    is "$command --help: nothing on stderr" ! -s "$work/err"
    has "$work/out" "Usage: headgate $command"
    expect 0 headgate "$command" --version
    expect 64 headgate "$command" --no-such-option
    has "$work/err" "Try 'headgate $command --help'"
    is "$command: nothing on stdout after a usage error" ! -s "$work/out"
    expect 64 headgate "$command" --color=sometimes
    # every long option is in the manual page
    headgate "$command" --help >"$work/help"
    # shellcheck disable=SC2013 # a word a line
    for option in $(sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' "$work/help"); do
        name=$(echo "$option" | sed 's/-/\\\\\\?-/g')
        is "--$option is in headgate.1" "$(grep -c -e "\\\\-\\\\-$name" "$man")" -gt 0
    done
    is "$command --help fits 100 columns" "$(awk 'length > 100' "$work/help" | wc -l)" -eq 0
done

expect 64 headgate
has "$work/err" "no command given"
expect 64 headgate frobnicate
has "$work/err" "unknown command 'frobnicate'"
expect 64 headgate info more
expect 64 headgate info -s novalue
expect 64 headgate info -c
has "$work/err" "needs an argument"
expect 64 headgate selftest more
expect 64 headgate selftest emi --quick
expect 64 headgate selftest emi n=3 k=4
expect 64 headgate config
expect 64 headgate config show more
expect 64 headgate config frob
expect 64 headgate run
expect 64 headgate run emi in.h5
has "$work/err" "-o"
expect 64 headgate run no_such_op in.h5 -o out.h5
expect 64 headgate explain
expect 64 headgate explain no_such_op
has "$work/err" "visibility_gram"
expect 64 headgate bench no_such_op
expect 64 headgate generate emi
has "$work/err" "no output file"
expect 64 headgate generate emi --js -o "$work/x.h5" m=3
has "$work/err" "emi has no key 'm'"
json "$work/out"
for words in n=0 n=-1 n=x n= n=1.5 n=99999999999999999999 =3 n n=2\ n=3 layout=round dtype=f16 \
    mem=disk mem=cuda:x mem=cuda:-1 threads=-2 seed=x rule=some; do
    # shellcheck disable=SC2086 # two words in one row
    expect 64 headgate explain emi $words
done
# options after words, prefixes, the end of options
expect 0 headgate explain emi n=3 batch=2 --js
json "$work/out"
expect 64 headgate explain -- emi --json

# operations: each has its keys and its datasets
for op in $(headgate explain --help | sed -n 's/^  \([a-z_]*\)$/\1/p'); do
    expect 0 headgate generate "$op" --help
    has "$work/out" "dtype"
    has "$work/out" "default"
    expect 0 headgate run "$op" --help
    has "$work/out" "input"
    has "$work/out" "output"
done

if [ -w /dev/full ]; then
    n_checks=$((n_checks + 1))
    headgate --help >/dev/full 2>"$work/err"
    [ $? -eq 73 ] || fail "a full stdout is exit code 73"
fi
finish
