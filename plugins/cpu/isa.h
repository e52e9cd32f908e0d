/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the compiled instruction sets this processor can run. */
#ifndef HG_CPU_ISA_H
#define HG_CPU_ISA_H

#include "plugins/cpu/cpu.h"

/* The best set of this processor that was compiled in. */
int hg_isa_best(void);
/* "baseline", "avx2", "avx512". */
const char *hg_isa_name(int isa);
/* What a plugin's option `isa` asks for: auto, or one of the sets that can run here. EUNAVAILABLE
 * with a reason for any other word. */
int hg_isa_choose(const hgate_host *host, hgate_reason *reason, int *isa);

#endif
