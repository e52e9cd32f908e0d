/* SPDX-License-Identifier: BSD-3-Clause */
/* One-dimensional transforms by FFTW, of either precision. The only file that knows FFTW. */
#ifndef HG_FFTW_TRANSFORMS_H
#define HG_FFTW_TRANSFORMS_H

#include <stdint.h>

/* Every array begins at 64 bytes. Nothing is scaled. */
typedef struct hg_transforms {
    int64_t n_row, n_line;
    void *forward_row, *backward_row, *forward_line, *backward_line; /* plans; NULL: not made */
    const struct hg_transform_calls *calls;
} hg_transforms;

typedef struct hg_transform_calls {
    void (*forward_row)(const hg_transforms *t, void *reals, void *bins);  /* n_row/2 + 1 bins */
    void (*backward_row)(const hg_transforms *t, void *bins, void *reals); /* bins are lost */
    /* Not in place: there FFTW would ask for memory in each call. The input keeps its numbers. */
    void (*forward_line)(const hg_transforms *t, void *line, void *to);
    void (*backward_line)(const hg_transforms *t, void *line, void *to);
} hg_transform_calls;

/* Makes the plans, under a lock: FFTW's planner is one for the process. They are not measured, so
 * the same lengths give the same bits. 0 where a plan could not be made; free them all the same. */
int hg_transforms_make(hg_transforms *t, int is_f64, int64_t n_row, int64_t n_line);
void hg_transforms_free(hg_transforms *t, int is_f64);

/* Once per process, before the first plan: a fork leaves the child a planner that nobody holds. */
void hg_transforms_survive_fork(void);

const char *hg_transforms_version(void);

#endif
