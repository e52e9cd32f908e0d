/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of the offset aperture: rows over depth for the offsets that occur. */
#ifndef HG_CPU_OFFSETS_H
#define HG_CPU_OFFSETS_H

#include "plugins/cpu/kirchhoff/survey.h"
#include "plugins/cpu/kirchhoff/tables.h"

/* Bytes that hg_offsets_make() will take, at most; 0 when the aperture is off. */
size_t hg_offsets_bytes(const hg_survey *s, const hg_bricks *bricks, int is_64);
/* Sets offset_row and offset_factor of the tables. ENOMEM without a message. */
int hg_offsets_make(const hgate_host *host, const hg_survey *s, hg_tables *t);

#endif
