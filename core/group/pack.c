/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided copies and transpositions. */
#include "core/group/pack.h"

#include <string.h>

/* A block of 64 x 64 elements of either side stays in the first-level cache. */
enum { BLOCK = 64, THREAD_BYTES = 1 << 18 };

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}

/* Parts along b, of whole blocks. */
typedef struct job {
    const hg_pack *pack;
    int64_t step; /* of b */
} job;

#define COPY_BLOCK(TYPE)                                                                           \
    static void copy_##TYPE(const hg_pack *p, int64_t a0, int64_t a1, int64_t b0, int64_t b1)      \
    {                                                                                              \
        const TYPE *from = p->from;                                                                \
        TYPE *to = p->to;                                                                          \
        for (int64_t a = a0; a < a1; a++) {                                                        \
            for (int64_t b = b0; b < b1; b++) {                                                    \
                to[a * p->to_a + b * p->to_b] = from[a * p->from_a + b * p->from_b];               \
            }                                                                                      \
        }                                                                                          \
    }
COPY_BLOCK(uint32_t)
COPY_BLOCK(uint64_t)
#undef COPY_BLOCK

static void copy_runs(const hg_pack *p, int64_t b0, int64_t b1)
{
    for (int64_t a = 0; a < p->n_a; a++) {
        memcpy((char *)p->to + (size_t)(a * p->to_a + b0) * p->element,
               (const char *)p->from + (size_t)(a * p->from_a + b0) * p->element,
               (size_t)(b1 - b0) * p->element);
    }
}

static void copy_part(void *context, int64_t part)
{
    const job *j = context;
    const hg_pack *p = j->pack;
    const int64_t first = part * j->step, last = at_most(first + j->step, p->n_b);
    if (p->from_b == 1 && p->to_b == 1) {
        copy_runs(p, first, last);
        return;
    }
    for (int64_t b = first; b < last; b += BLOCK) {
        for (int64_t a = 0; a < p->n_a; a += BLOCK) {
            const int64_t b1 = at_most(b + BLOCK, last), a1 = at_most(a + BLOCK, p->n_a);
            if (p->element == sizeof(uint32_t)) {
                copy_uint32_t(p, a, a1, b, b1);
            } else {
                copy_uint64_t(p, a, a1, b, b1);
            }
        }
    }
}

void hg_pack_run(const hg_pack *pack, hg_crew *crew)
{
    if (pack->n_a <= 0 || pack->n_b <= 0) {
        return;
    }
    const double bytes = (double)pack->n_a * (double)pack->n_b * (double)pack->element;
    const int64_t worth = at_most((int64_t)(bytes / THREAD_BYTES) + 1, crew->threads);
    int64_t step = (pack->n_b + worth - 1) / worth;
    step = (step + BLOCK - 1) / BLOCK * BLOCK;
    job j = {pack, step};
    hg_crew_run(crew, (pack->n_b + step - 1) / step, copy_part, &j);
}
