#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154 # the two folders come from the environment
# The table of kernels in README.md is what the plugins of this build have; columns of plugins that are not usable here are
# not looked at.

headgate info -s plugins.use_default_path=false | awk -v readme="$abs_top_srcdir/README.md" '
    # The columns of the table are plugins; a cell is the list of kernels in the order of "headgate info".
    function read_table(    cell, n, i) {
        while ((getline < readme) > 0) {
            if (!/^\|/) { is_table = 0; continue }
            n = split($0, cell, / *\| */)
            if (cell[2] == "operation") {
                is_table = 1
                for (i = 3; i < n; i++) column[cell[i]] = i
                split("", plugin_at)
                for (i in column) plugin_at[column[i]] = i
            } else if (is_table && cell[2] ~ /^`/) {
                gsub("`", "")
                split($0, cell, / *\| */)
                for (i = 3; i < n; i++) told[plugin_at[i], cell[2]] = cell[i]
            }
        }
    }
    BEGIN { read_table() }
    /^[a-z0-9-]+: / { plugin = ($2 == "usable") ? substr($1, 1, length($1) - 1) : ""; next }
    plugin != "" && /^  [a-z_]+ / { op = $1; $1 = ""; sub(/^ /, ""); has[plugin, op] = $0; usable[plugin] = 1 }
    END {
        for (key in told) {
            split(key, part, SUBSEP)
            if (!(part[1] in usable)) continue
            n_rows++
            if (told[key] != has[key]) {
                printf "%s of %s: README.md has \"%s\", the plugin \"%s\"\n", part[2], part[1], told[key], has[key]
                n_wrong++
            }
        }
        for (plugin in usable) if (!(plugin in column)) { print "README.md has no column of " plugin; n_wrong++ }
        print n_rows + 0 " cells compared, " n_wrong + 0 " wrong"
        exit !(n_rows > 0 && n_wrong == 0)
    }'
