// SPDX-License-Identifier: BSD-3-Clause
// How this thread computes: rounding, traps and the ways of denormals, without the flags of what
// has happened.
#ifndef HG_TESTS_NUMBER_MODE_H
#define HG_TESTS_NUMBER_MODE_H

#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static inline unsigned number_mode(void)
{
#if defined(__x86_64__)
    return (_mm_getcsr() & ~0x3fU) << 16 | (unsigned)fegetround();
#else
    return (unsigned)fegetround();
#endif
}

#endif
