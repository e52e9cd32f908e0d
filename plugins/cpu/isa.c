/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the compiled instruction sets this processor can run. */
#include "plugins/cpu/isa.h"

#include "headgate/plugin_util.h"

#include <string.h>

static const char *const names[HG_ISA_COUNT] = {"baseline", "avx2", "avx512"};

int hg_isa_best(void)
{
#ifdef HG_X86_64
    /* The builtins ask the operating system too, whether it saves the wide registers. */
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return HG_ISA_BASELINE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return HG_ISA_AVX512;
    return HG_ISA_AVX2;
#else
    return HG_ISA_BASELINE;
#endif
}

const char *hg_isa_name(int isa)
{
    return names[isa];
}

/* Number of a word, -1 when there is none. */
static int find(const char *word)
{
    for (int isa = 0; isa < HG_ISA_COUNT; isa++)
        if (strcmp(word, names[isa]) == 0)
            return isa;
    return -1;
}

int hg_isa_choose(const hgate_host *host, hgate_reason *reason, int *isa)
{
    const int best = hg_isa_best();
    const char *word = host->option ? host->option(host, "isa") : NULL;
    const int found = !word || strcmp(word, "auto") == 0 ? best : find(word);
    if (found < 0)
        return hgate_unavailable(
            reason, "option isa: \"%.32s\" is none of auto, avx512, avx2, baseline", word);
    if (found > best)
        return hgate_unavailable(reason,
                                 "option isa: %s was asked for, this processor and build reach %s",
                                 word, names[best]);
    *isa = found;
    return HGATE_OK;
}
