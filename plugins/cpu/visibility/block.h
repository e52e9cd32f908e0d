/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything about one block of sources that the fused call needs to make its part of Z. */
#ifndef HG_CPU_VISIBILITY_BLOCK_H
#define HG_CPU_VISIBILITY_BLOCK_H

#include "plugins/cpu/visibility/herk3.h"
#include "plugins/cpu/visibility/inputs.h"
#include "plugins/cpu/visibility/sources.h"

/* What all blocks of a call share; pieces of the workspace. A slot is a beam that some antenna
 * has: others are not interpolated. */
typedef struct hg_field {
    const hg_visibility_inputs *in;
    const hg_visibility_lanes *lanes;
    int tau_mode;
    int is_apart;          /* phases of all antennas come before Z, which is made by rows only */
    int64_t n_slots, room; /* slots that there is room for */
    int64_t *slot_of;      /* (nbeam): slot of a beam or -1 */
    int64_t *beam_of;      /* (room) */
    hg_antenna_turns *antennas;
} hg_field;

void hg_field_lay_out(hgate_scratch *scratch, hg_field *field);
void hg_field_fill(hg_field *field);

/* Memory for the block of one thread. */
typedef struct hg_block {
    int64_t stride;  /* sources that a plane has room for */
    hg_chunk chunk;  /* what is loaded */
    double *wide;    /* (3, stride): directions */
    void *unit;      /* (3, stride) R */
    double *az, *za; /* (stride) */
    void *amp;       /* (stride) R */
    int64_t *node;   /* (4, stride) */
    void *weight;    /* (4, stride) R */
    char *values;    /* (slots, nfeed, nax, 2, stride) R */
    char *phases;    /* (places, 2, stride) R: lanes and one of zeros, or antennas */
} hg_block;

void hg_block_lay_out(hgate_scratch *scratch, const hg_field *field, int64_t chunk,
                      hg_block *block);
/* Directions, amplitudes, beam values of a chunk. */
void hg_block_load(const hg_field *field, const hg_sources *sources, hg_chunk chunk,
                   hg_block *block);
/* Rows of Z (nant nfeed, nax n) in pairs. */
void hg_block_rows(const hg_field *field, hg_block *block, void *Z);
/* The same in panels. */
void hg_block_panels(const hg_field *field, hg_block *block, const hg_panels *panels);

/* Where an interpolated power is below 0; source is its place in the caller's list. */
typedef struct hg_negative {
    int is_found;
    int64_t b, axis, feed, source;
} hg_negative;

/* Looks through a chunk; its values are then in the block without roots and amplitudes. */
hg_negative hg_block_negative(const hg_field *field, const hg_sources *sources, hg_chunk chunk,
                              hg_block *block);

#endif
