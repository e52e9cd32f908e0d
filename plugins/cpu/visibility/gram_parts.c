/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hermitian product of a given Z: columns shared out over threads, one pass that adds.
 *
 * Part i of n takes columns [i K / n, (i + 1) K / n) whatever thread does it, and the parts are
 * added in their order. */
#include "plugins/cpu/visibility/gram_parts.h"

#include "plugins/cpu/blas.h"

/* A part of fewer columns costs more for its V than it saves. Not tuned. */
enum { LEAST_COLUMNS = 64 };

static size_t complex_bytes(const hg_gram *gram)
{
    return gram->is_64 ? 16 : 8;
}

hg_gram_parts hg_gram_parts_of(const hg_cpu *cpu, int threads, const hg_gram *gram, int64_t K,
                               const void *Z)
{
    hg_gram_parts p = {.cpu = cpu, .gram = *gram, .K = K, .Z = Z};
    p.parts = hg_cpu_threads(cpu, threads);
    if (p.parts > K / LEAST_COLUMNS)
        p.parts = K < 2 * LEAST_COLUMNS ? 1 : (int)(K / LEAST_COLUMNS);
    p.herk3 = (hg_herk3){.lanes = hg_visibility_lanes_of(cpu->isa, gram->is_64),
                         .is_64 = gram->is_64,
                         .parts = p.parts,
                         .M = gram->M,
                         .depth = hg_herk3_depth(gram->is_64)};
    return p;
}

void hg_gram_parts_lay_out(hgate_scratch *scratch, hg_gram_parts *p)
{
    if (p->gram.matprod == HGATE_MATPROD_HERK3)
        hg_herk3_lay_out(scratch, &p->herk3);
    else
        p->own = hgate_scratch_take(scratch, (p->parts - 1) * p->gram.M * p->gram.M,
                                    complex_bytes(&p->gram));
}

/* What the parts of a run share. */
typedef struct work {
    const hg_gram_parts *p;
    int n;
    double alpha, beta;
} work;

static hg_gram gram_of(const hg_gram_parts *p, int64_t i)
{
    hg_gram gram = p->gram;
    if (i > 0)
        gram.V = p->own + (size_t)((i - 1) * gram.M * gram.M) * complex_bytes(&gram);
    return gram;
}

static void add_part(void *context, int64_t i, int worker)
{
    (void)worker;
    const work *w = context;
    const hg_gram_parts *p = w->p;
    int64_t from = p->K * i / w->n, K = p->K * (i + 1) / w->n - from;
    hg_gram gram = gram_of(p, i);
    if (i > 0)
        hg_gram_begin(&gram, 0.0);
    hg_gram_add(&gram, K, (const char *)p->Z + (size_t)from * complex_bytes(&gram), p->K, w->alpha,
                i == 0 ? w->beta : 1.0);
}

static void join_row(void *context, int64_t row, int worker)
{
    (void)worker;
    const work *w = context;
    for (int i = 1; i < w->n; i++)
        hg_gram_add_part(&w->p->gram, gram_of(w->p, i).V, row, row + 1);
}

static void add_part_herk3(void *context, int64_t i, int worker)
{
    (void)worker;
    const work *w = context;
    const hg_gram_parts *p = w->p;
    int64_t end = p->K * (i + 1) / w->n, depth = p->herk3.depth;
    hg_herk3_clear(&p->herk3, (int)i);
    for (int64_t k = p->K * i / w->n; k < end; k += depth) {
        int64_t K = end - k < depth ? end - k : depth;
        hg_herk3_pack(&p->herk3, (int)i, (const char *)p->Z + (size_t)k * complex_bytes(&p->gram),
                      p->K, K);
        hg_herk3_add(&p->herk3, (int)i, K, 1.0);
    }
}

void hg_gram_parts_run(hg_gram_parts *p, const hgate_run *run, double alpha, double beta)
{
    int threads = hg_cpu_threads(p->cpu, run->threads);
    work w = {p, threads < p->parts ? threads : p->parts, alpha, beta};
    if (p->gram.matprod == HGATE_MATPROD_HERK3) {
        p->cpu->spread(threads, w.n, add_part_herk3, &w);
        hg_herk3_finish(&p->herk3, w.n, p->cpu, threads, alpha, beta, p->gram.is_conj, p->gram.V);
        return;
    }
    hg_gram_begin(&p->gram, beta);
    p->cpu->spread(hg_blas_enter(run->host, threads), w.n, add_part, &w);
    hg_blas_leave(run->host);
    if (w.n > 1)
        p->cpu->spread(threads, p->gram.M, join_row, &w);
    hg_gram_end(&p->gram);
}
