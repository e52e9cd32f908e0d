/* SPDX-License-Identifier: BSD-3-Clause */
/* The gather of an instruction set. */
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/gather.h"

const hg_gather *hg_gather_of(int isa, int is_f64)
{
    static const hg_gather *const by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_gather,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_gather,
        [HG_ISA_AVX512] = hg_avx512_gather,
#endif
    };
    return &by_isa[isa][is_f64];
}
