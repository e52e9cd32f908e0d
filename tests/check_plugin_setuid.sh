#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the folders come from the environment
# A set-user-ID program loads nothing that the user who runs it has named or left lying about.

skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can make such a program and be somebody else"
command -v setpriv >/dev/null || skip "there is no setpriv"
unset HEADGATE_PLUGIN_PATH
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
as_other() { (cd "$scratch/home" && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"); }

mkdir "$scratch/home" && cp "$abs_top_builddir/tests/list_plugins" "$scratch/plain" &&
    cp "$abs_top_builddir/tests/fake/.libs/headgate-fake-good.so" "$scratch/home/" || exit 1
cp "$scratch/plain" "$scratch/raised" && chmod 755 "$scratch" "$scratch/plain" && chmod 4755 "$scratch/raised" || exit 1
cat >"$scratch/home/hostile.yaml" <<END
version: 1
plugins: {path: [$scratch/home]}
END
chown -R 65534:65534 "$scratch/home"
as_other true || skip "nobody cannot enter $scratch"
as_other sh -c "$scratch/raised >/dev/null; test -u $scratch/raised" || skip "the program does not run there"

n_failed=0
tell() { # words, exit code
    [ "$2" -eq 0 ] && echo "ok: $1" && return
    echo "FAILED: $1"
    n_failed=$((n_failed + 1))
}
finds() { as_other env "$@" | grep -q "^usable $scratch/home/headgate-fake-good.so$"; }

finds "HEADGATE_PLUGIN_PATH=$scratch/home" "$scratch/plain"
tell "the plain program takes the folder of HEADGATE_PLUGIN_PATH" $?
finds "HEADGATE_CONFIG=$scratch/home/hostile.yaml" "$scratch/plain"
tell "the plain program takes the folder of HEADGATE_CONFIG" $?
for variable in "HEADGATE_PLUGIN_PATH=$scratch/home" "HEADGATE_CONFIG=$scratch/home/hostile.yaml" \
    "HEADGATE_SET=plugins.files=[$scratch/home/headgate-fake-good.so]" "LD_LIBRARY_PATH=$scratch/home" \
    "HEADGATE_SET=plugins.path=[$scratch/home]" "XDG_CONFIG_HOME=$scratch/home" "HOME=$scratch/home"; do
    as_other env "$variable" "$scratch/raised" >"$scratch/out" 2>&1
    tell "the raised program runs with ${variable%%=*}" $?
    ! grep "$scratch/home" "$scratch/out"
    tell "the raised program ignores ${variable%%=*}" $?
done

# what else raises a program: its group, and capabilities of the file
cp "$scratch/plain" "$scratch/group" && chgrp 0 "$scratch/group" && chmod 2755 "$scratch/group" || exit 1
raised_by=group
if nm -D "$scratch/plain" | grep -q __asan_init; then
    echo "left out: the search for leaks traces the process, and nobody may trace one that its group raises"
    raised_by=
fi
if command -v setcap >/dev/null && cp "$scratch/plain" "$scratch/capable" && chmod 755 "$scratch/capable" &&
    setcap cap_net_raw+ep "$scratch/capable" 2>/dev/null; then
    raised_by="$raised_by capable"
else
    echo "left out: no file can be given capabilities here"
fi
for program in $raised_by; do
    for variable in "HEADGATE_PLUGIN_PATH=$scratch/home" "HEADGATE_CONFIG=$scratch/home/hostile.yaml" \
        "HEADGATE_SET=plugins.path=[$scratch/home]"; do
        as_other env "$variable" "$scratch/$program" >"$scratch/out" 2>&1
        tell "the program raised by $program runs with ${variable%%=*}" $?
        ! grep "$scratch/home" "$scratch/out"
        tell "the program raised by $program ignores ${variable%%=*}" $?
    done
done

# the command itself, with a plugin of the same name in the folder it is started in
if [ -x "$abs_top_builddir/headgate" ]; then
    cp "$abs_top_builddir/headgate" "$scratch/command" && chmod 4755 "$scratch/command" &&
        cp "$scratch/home/headgate-fake-good.so" "$scratch/home/headgate-cpu-serial.so" || exit 1
    for variable in "HEADGATE_PLUGIN_PATH=$scratch/home" "HEADGATE_PLUGIN_PATH=." "HEADGATE_CONFIG=$scratch/home/hostile.yaml" \
        "HEADGATE_SET=plugins.path=[$scratch/home]" "HEADGATE_CALIBRATION=$scratch/home/absent.yaml" \
        "XDG_CONFIG_HOME=$scratch/home" "XDG_CACHE_HOME=$scratch/home" "LD_LIBRARY_PATH=$scratch/home"; do
        as_other env "$variable" "$scratch/command" info --json >"$scratch/out" 2>&1
        tell "the raised command runs with $variable" $?
        ! grep -e "$scratch/home" -e fake-good "$scratch/out"
        tell "the raised command ignores $variable" $?
    done
fi
[ "$n_failed" -eq 0 ]
