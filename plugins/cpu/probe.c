/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the state of a CPU plugin, and what `headgate info` tells about it. */
#include "plugins/cpu/probe.h"

#include "plugins/cpu/blas.h"
#include "plugins/cpu/isa.h"
#include "plugins/cpu/settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

static size_t cache_bytes(void)
{
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes
                     : 1024 * 1024; /* a usual size where the system does not tell */
}

int hg_cpu_open(const hgate_host *host, hgate_reason *reason, hg_cpu *cpu)
{
    int isa;
    const int status = hg_isa_choose(host, reason, &isa);
    if (status != HGATE_OK)
        return status;
    cpu->host = host;
    cpu->isa = isa;
    cpu->cache_bytes = cache_bytes();
    const char *sort = "ops.visibility.sort_sources";
    cpu->sort_sources = hg_setting_is(host, sort, "on")    ? 1
                        : hg_setting_is(host, sort, "off") ? 0
                                                           : -1;
    cpu->steps_apart = hg_setting_is(host, "ops.visibility.fused_z", "off");
    return HGATE_OK;
}

/* The processor's own name, without the padding that some carry in front; "" where it has none. */
static void cpu_model(char text[49])
{
    text[0] = '\0';
#if defined(__x86_64__) && defined(__GNUC__)
    unsigned words[12];
    if ((unsigned)__get_cpuid_max(0x80000000u, NULL) < 0x80000004u)
        return;
    for (unsigned i = 0; i < 3; i++)
        __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                    &words[4 * i + 3]);
    char raw[sizeof words + 1] = {0};
    memcpy(raw, words, sizeof words);
    strcpy(text, raw + strspn(raw, " "));
#endif
}

void hg_cpu_describe(const hg_cpu *cpu, void (*row)(void *user, const char *key, const char *value),
                     void *user)
{
    char model[49], threads[16];
    cpu_model(model);
    snprintf(threads, sizeof threads, "%d", hg_blas_threads());
    row(user, "cpu", model[0] ? model : "unknown");
    row(user, "isa", hg_isa_name(cpu->isa));
    row(user, "blas", hg_blas_config());
    row(user, "blas_flavour", hg_blas_flavour());
    row(user, "blas_core", hg_blas_core());
    row(user, "blas_threads", threads);
    if (hg_blas_warning())
        row(user, "blas_warning", hg_blas_warning());
}
