/* SPDX-License-Identifier: BSD-3-Clause */
/* The floating-point mode of a thread: rounding, traps, and how denormal numbers are treated. It
 * belongs to the host application; code linked with -ffast-math changes it when it is loaded. */
#ifndef HG_BASE_FP_MODE_H
#define HG_BASE_FP_MODE_H

#include <fenv.h>
#include <stdbool.h>
#include <string.h>

typedef struct hg_fp_mode {
    femode_t mode;
} hg_fp_mode;

static inline void hg_fp_mode_keep(hg_fp_mode *kept)
{
    memset(kept, 0, sizeof *kept); /* with what lies between the members: it is compared */
    (void)fegetmode(&kept->mode);
#if defined(__x86_64__) && defined(__GLIBC__)
    kept->mode.__mxcsr &= ~0x3fU; /* what has happened so far: no part of the mode */
#endif
}

/* Was it another one? */
static inline bool hg_fp_mode_put_back(const hg_fp_mode *kept)
{
    hg_fp_mode now;
    hg_fp_mode_keep(&now);
    if (memcmp(&now, kept, sizeof now) == 0) {
        return false;
    }
    (void)fesetmode(&kept->mode);
    return true;
}

#endif
