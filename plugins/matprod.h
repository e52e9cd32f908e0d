/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice `matprod` of the caller against the product that a kernel makes. */
#ifndef HG_MATPROD_H
#define HG_MATPROD_H

#include "headgate/plugin_util.h"

#include <math.h>

static inline const char *hg_matprod_word(int matprod)
{
    static const char *const words[] = {"auto",  "herk",   "gemm",   "gemm3m", "herk3",
                                        "zherk", "fp16x3", "tf32x3", "dot"};
    return matprod >= 0 && (size_t)matprod < HGATE_LENGTH_OF(words) ? words[matprod] : "unknown";
}

/* A kernel that makes product `own` (auto: the plain loops of the reference) serves a call that
 * asks for `asked`: any kernel serves auto, else only the one of that name does. */
static inline int hg_matprod_admits(int asked, int own, hgate_reason *reason)
{
    if (asked == HGATE_MATPROD_AUTO || asked == own)
        return HGATE_OK;
    return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN, "matprod asks for %s",
                        hg_matprod_word(asked));
}

#endif
