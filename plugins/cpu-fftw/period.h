/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths that FFTW transforms quickly. */
#ifndef HG_FFTW_PERIOD_H
#define HG_FFTW_PERIOD_H

#include <stdint.h>

/* A length of at least n with no prime factor above 7; not much more than the next one, if that is
 * quicker. */
int64_t hg_period(int64_t n);

#endif
