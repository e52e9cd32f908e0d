/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the machine, from the system. */
#include "tools/machine_info.h"

#include "core/base/text.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The processor's own words for itself; the architecture where it has none. */
static void put_cpu(hg_text *text)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && text->length == 0 && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            const char *name = colon + 1 + strspn(colon + 1, " \t");
            hg_text_put_n(text, name, strcspn(name, "\n"));
        }
    }
    if (file) {
        fclose(file);
    }
    if (text->length == 0) {
        hg_text_put(text, "unknown");
    }
}

static void put_cores(hg_text *text)
{
    cpu_set_t set;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int usable = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)online;
    hg_text_printf(text, "%d", usable);
    if (usable != online) {
        hg_text_printf(text, " usable of %ld", online);
    }
}

void cli_machine_each(void (*row)(void *user, const char *key, const char *value), void *user)
{
    char buffer[512];
    struct utsname system;
    hg_text text = hg_text_over(buffer, sizeof buffer);
    put_cpu(&text);
    row(user, "cpu", buffer);
    hg_text_clear(&text);
    put_cores(&text);
    row(user, "cores", buffer);
    hg_text_clear(&text);
    hg_text_printf(&text, "%.1f GiB",
                   (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 0x1p30);
    row(user, "memory", buffer);
    if (uname(&system) == 0) {
        hg_text_clear(&text);
        hg_text_printf(&text, "%s %s %s", system.sysname, system.release, system.machine);
        row(user, "system", buffer);
    }
}

static void put_member(void *json, const char *key, const char *value)
{
    hg_json_key_string(json, key, value);
}

void cli_machine_put(hg_json *json)
{
    hg_json_key(json, "machine");
    hg_json_object_begin(json);
    cli_machine_each(put_member, json);
    hg_json_object_end(json);
}
