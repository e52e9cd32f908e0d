/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets a locale whose decimal separator is a comma: one of the system's, or one made on the spot.
 */
#ifndef HG_TESTS_COMMA_LOCALE_H
#define HG_TESTS_COMMA_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool has_comma(void)
{
    return strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Makes a locale with localedef, when that and its character maps are installed. */
static inline bool make_comma_locale(void)
{
    char folder[200];
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/headgate-locale-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        return false;
    }
    char command[800];
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\n"
             "grouping -1\\nEND LC_NUMERIC\\n' >source && "
             "localedef --quiet -c -i source -f ANSI_X3.4-1968 ./comma >/dev/null 2>&1; "
             "test -e comma/LC_NUMERIC",
             folder);
    bool is_set = false;
    if (system(command) == 0) {
        setenv("LOCPATH", folder, 1);
        is_set = setlocale(LC_NUMERIC, "comma") && has_comma();
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && is_set;
}

static inline bool set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",
                                        "fr_FR.UTF-8", "es_ES.UTF-8", "it_IT.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i]) && has_comma()) {
            return true;
        }
    }
    return make_comma_locale();
}

#endif
