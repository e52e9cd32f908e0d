#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the blocks of a page in the current folder, in their order: ```sh is a piece of one shell session that ends at the
# first failure, ```LANGUAGE FILE is that file. ```console blocks are for readers alone (tests/docs.py looks at them).
#     run_blocks.sh PAGE
awk '
    /^```/ && !inside {
        inside = 1
        language = substr($1, 4)
        if ($2 != "") printf "cat >%s <<\"END_OF_BLOCK\"\n", $2
        else if (language != "sh" && language != "console") { print "echo " FILENAME ": block " language " has no file name; exit 1" }
        named = $2 != ""
        next
    }
    /^```/ {
        inside = 0
        if (named) print "END_OF_BLOCK"
        n++
        next
    }
    inside && (named || language == "sh")
    END { if (!n) print "echo no block was found; exit 1" }' "$1" >blocks.sh || exit 1
exec sh -e -x blocks.sh
