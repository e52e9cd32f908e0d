/* SPDX-License-Identifier: BSD-3-Clause */
/* The fused call cut in parts: each takes a range of chunks, with memory and sums of its own.
 *
 * Part i of n takes chunks [i c / n, (i + 1) c / n) of c, whatever thread does it, and the sums are
 * added in the order of the parts: the bits depend on the number of threads, not on their pace. */
#include "plugins/cpu/visibility/fused_parts.h"

#include "plugins/cpu/blas.h"
#include "plugins/cpu/visibility/sort.h"

#include <string.h>

enum { PORTIONS = 32 }; /* between two reports of progress */

static size_t complex_bytes(const hg_fused *f)
{
    return f->in.is_64 ? 16 : 8;
}

static int64_t elements_of_v(const hg_fused *f)
{
    return f->gram.M * f->gram.M;
}

/* ---- sizes ---- */

/* Sources of a chunk: as the plan says, at most what the inner loops take at once. */
static int64_t chunk_of(const hg_fused *f, int64_t planned)
{
    int64_t most = HG_BLOCK, lanes = f->field.lanes->lanes;
    if (f->matprod == HGATE_MATPROD_HERK3) {
        int64_t fit = hg_herk3_depth(f->in.is_64) / f->in.nax;
        fit -= fit > lanes ? fit % lanes : 0;
        most = fit < 1 ? 1 : fit < most ? fit : most;
    }
    return planned < 1 ? 1 : planned < most ? planned : most;
}

/* As many as there are threads and chunks, unless their copies of V pass the caller's limit. */
static int parts_of(const hg_fused *f, const hgate_problem *problem,
                    const hgate_visibility_chunk_info *plan)
{
    int parts = hg_cpu_threads(f->cpu, problem->threads);
    int64_t chunks = (f->in.nsrc + f->sources.chunk - 1) / f->sources.chunk;
    if (parts > chunks)
        parts = chunks < 1 ? 1 : (int)chunks;
    double room = (double)f->in.params->mem_limit * f->in.params->memory_buffer;
    double V = (double)elements_of_v(f) * (double)complex_bytes(f);
    double Z = (double)f->sources.chunk * (double)plan->per_source;
    while (room > 0.0 && parts > 1 && (double)plan->fixed + (parts - 1) * V + parts * Z > room)
        parts--;
    return parts;
}

hg_fused hg_fused_of(const hg_cpu *cpu, const hgate_problem *problem, int matprod,
                     const hgate_visibility_chunk_info *plan)
{
    hg_fused f = {.cpu = cpu, .matprod = matprod, .in = hg_visibility_inputs_of(problem)};
    const hg_visibility_lanes *lanes = hg_visibility_lanes_of(cpu->isa, f.in.is_64);
    f.field =
        (hg_field){.lanes = lanes, .tau_mode = f.in.params->tau_mode, .is_apart = cpu->steps_apart};
    f.gram = (hg_gram){
        .matprod = matprod, .is_64 = f.in.is_64, .M = f.in.nant * f.in.nfeed, .V = f.in.V.data};
    /* Blocks are cut out of Z Z^H; the copy minds the convention. */
    f.gram.is_conj = f.in.npairs < 0 && f.in.params->convention == HGATE_VISIBILITY_CONJ;
    f.sums = (hg_pair_sums){.pairs = f.in.pairs,
                            .nant = f.in.nant,
                            .nfeed = f.in.nfeed,
                            .npairs = f.in.npairs,
                            .convention = f.in.params->convention};
    f.sources.chunk = chunk_of(&f, plan->chunk);
    f.parts = parts_of(&f, problem, plan);
    f.herk3 = (hg_herk3){.lanes = lanes,
                         .is_64 = f.in.is_64,
                         .parts = f.parts,
                         .M = f.gram.M,
                         .depth = f.in.nax * f.sources.chunk};
    /* Grids that stay in the cache anyway need no order. */
    double grid = (double)f.in.nbeam * (double)f.in.nax * (double)f.in.nfeed *
                  (double)f.in.beam.nza * (double)f.in.beam.naz * (double)complex_bytes(&f);
    f.sorts = cpu->sort_sources < 0 ? grid > (double)cpu->cache_bytes : cpu->sort_sources;
    return f;
}

/* ---- memory ---- */

/* What one part has for itself. */
typedef struct part {
    hg_block block;
    void *Z; /* (nant nfeed, nax chunk), unless the product takes panels as they are made */
    void *V; /* of the products through BLAS, but for the first part of a call for all of V */
    hg_pair_sums sums;
} part;

static int has_own_v(const hg_fused *f, int64_t i)
{
    return i > 0 && f->matprod != HGATE_MATPROD_DOT && f->matprod != HGATE_MATPROD_HERK3;
}

/* The layout of any part but the first, which then leaves some of it. */
static void lay_out_part(hgate_scratch *scratch, const hg_fused *f, part *p)
{
    *p = (part){.sums = f->sums};
    hg_block_lay_out(scratch, &f->field, f->sources.chunk, &p->block);
    if (f->matprod == HGATE_MATPROD_DOT)
        hg_pair_sums_lay_out_sum(scratch, &p->sums);
    if (f->matprod != HGATE_MATPROD_HERK3 || f->field.is_apart)
        p->Z =
            hgate_scratch_take(scratch, f->gram.M * f->in.nax * f->sources.chunk, complex_bytes(f));
    if (f->parts > 1 && has_own_v(f, 1))
        p->V = hgate_scratch_take(scratch, elements_of_v(f), complex_bytes(f));
}

static part part_at(const hg_fused *f, int64_t i)
{
    part p;
    hgate_scratch scratch = {f->memory + (size_t)i * f->part_bytes, f->part_bytes, 0, 0};
    lay_out_part(&scratch, f, &p);
    return p;
}

void hg_fused_lay_out(hgate_scratch *scratch, hg_fused *f)
{
    f->field.in = &f->in;
    f->sources.up = hgate_scratch_take(scratch, f->in.nsrc, sizeof(int64_t));
    if (f->sorts)
        hg_sort_lay_out(scratch, &f->in, &f->sources);
    hg_field_lay_out(scratch, &f->field);
    f->negative = hgate_scratch_take(scratch, f->parts, sizeof *f->negative);
    if (f->matprod == HGATE_MATPROD_DOT)
        hg_pair_sums_lay_out(scratch, &f->sums);
    else if (f->in.npairs >= 0)
        f->gram.V = hgate_scratch_take(scratch, elements_of_v(f), complex_bytes(f));
    if (f->matprod == HGATE_MATPROD_HERK3)
        hg_herk3_lay_out(scratch, &f->herk3);
    part p;
    hgate_scratch one = hgate_scratch_count();
    lay_out_part(&one, f, &p);
    f->part_bytes = one.bytes;
    f->memory = hgate_scratch_take(scratch, f->parts, one.bytes);
}

/* ---- run ---- */

void hg_fused_prepare(hg_fused *f, int threads)
{
    hg_sources_find(&f->sources, f->in.crd, f->in.flux, f->in.nsrc, f->in.is_signed);
    hg_sources_split(&f->sources, f->in.params->min_chunks);
    if (f->sorts)
        hg_sort_sources(f->cpu, threads, &f->in, f->field.lanes, &f->sources);
    hg_field_fill(&f->field);
    if (f->matprod == HGATE_MATPROD_DOT)
        hg_pair_sums_group(&f->sums);
}

/* One round of a run: of each part's chunks those of one portion. */
typedef struct round {
    hg_fused *f;
    int parts;
    int64_t portion, portions;
    double alpha, beta;
} round_of;

/* Chunks [from, to) of part i in this round; begin is where the part begins. */
typedef struct range {
    int64_t begin, from, to;
} range;

static range range_of(const round_of *r, int64_t i)
{
    int64_t chunks = hg_chunk_count(&r->f->sources);
    int64_t begin = chunks * i / r->parts, n = chunks * (i + 1) / r->parts - begin;
    return (range){begin, begin + n * r->portion / r->portions,
                   begin + n * (r->portion + 1) / r->portions};
}

static void add_herk3(const hg_fused *f, int64_t i, part *p, double sign)
{
    int64_t K = f->in.nax * p->block.chunk.n;
    if (f->field.is_apart) {
        hg_block_rows(&f->field, &p->block, p->Z);
        hg_herk3_pack(&f->herk3, (int)i, p->Z, K, K);
    } else {
        hg_panels panels = hg_herk3_panels(&f->herk3, (int)i);
        hg_block_panels(&f->field, &p->block, &panels);
    }
    hg_herk3_add(&f->herk3, (int)i, K, sign);
}

static void add_blas(const round_of *r, int64_t i, part *p, double beta)
{
    const hg_fused *f = r->f;
    hg_gram gram = f->gram;
    int64_t K = f->in.nax * p->block.chunk.n;
    if (has_own_v(f, i))
        gram.V = p->V;
    hg_gram_add(&gram, K, p->Z, K, r->alpha * p->block.chunk.sign, beta);
}

static void clear_part(const hg_fused *f, int64_t i, part *p)
{
    if (f->matprod == HGATE_MATPROD_HERK3)
        hg_herk3_clear(&f->herk3, (int)i);
    if (f->matprod == HGATE_MATPROD_DOT)
        hg_pair_sums_clear(&p->sums);
    if (has_own_v(f, i))
        memset(p->V, 0, (size_t)elements_of_v(f) * complex_bytes(f));
}

static void do_part(void *context, int64_t i, int worker)
{
    (void)worker;
    const round_of *r = context;
    const hg_fused *f = r->f;
    part p = part_at(f, i);
    range todo = range_of(r, i);
    if (r->portion == 0)
        clear_part(f, i, &p);
    double beta = todo.from == todo.begin && i == 0 ? r->beta : 1.0;
    for (int64_t c = todo.from; c < todo.to; c++, beta = 1.0) {
        hg_chunk chunk = hg_chunk_nth(&f->sources, c);
        hg_block_load(&f->field, &f->sources, chunk, &p.block);
        if (f->matprod == HGATE_MATPROD_HERK3) {
            add_herk3(f, i, &p, chunk.sign);
            continue;
        }
        hg_block_rows(&f->field, &p.block, p.Z);
        if (f->matprod == HGATE_MATPROD_DOT)
            hg_pair_sums_add(&p.sums, f->field.lanes, p.Z, f->in.is_64, f->in.nax * chunk.n,
                             chunk.sign, 0, f->in.npairs);
        else
            add_blas(r, i, &p, beta);
    }
}

static void join_rows(void *context, int64_t i, int worker)
{
    (void)worker;
    const round_of *r = context;
    for (int part_no = 1; part_no < r->parts; part_no++)
        hg_gram_add_part(&r->f->gram, part_at(r->f, part_no).V, i, i + 1);
}

/* Sums of all parts into those of the first, in their order. */
static void join(const round_of *r, int threads)
{
    hg_fused *f = r->f;
    if (f->matprod == HGATE_MATPROD_DOT) {
        f->sums.sum = part_at(f, 0).sums.sum;
        for (int i = 1; i < r->parts; i++)
            hg_pair_sums_join(&f->sums, part_at(f, i).sums.sum);
    } else if (f->matprod != HGATE_MATPROD_HERK3) {
        if (r->parts > 1)
            f->cpu->spread(threads, f->gram.M, join_rows, (void *)(uintptr_t)r);
    }
}

/* All chunks in a few rounds, with the caller told in between. */
static int do_rounds(round_of *r, hgate_run *run, int threads)
{
    const hg_sources *sources = &r->f->sources;
    for (; r->portion < r->portions; r->portion++) {
        r->f->cpu->spread(threads, r->parts, do_part, r);
        int64_t done = sources->n_up * (r->portion + 1) / r->portions;
        int status = hgate_progress(run, done, sources->n_up);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

int hg_fused_run(hg_fused *f, hgate_run *run, double alpha, double beta)
{
    int threads = hg_cpu_threads(f->cpu, run->threads);
    int is_blas = f->matprod != HGATE_MATPROD_DOT && f->matprod != HGATE_MATPROD_HERK3;
    int64_t chunks = hg_chunk_count(&f->sources);
    round_of r = {.f = f, .portions = 1, .alpha = alpha, .beta = beta};
    r.parts = threads < f->parts ? threads : f->parts;
    if (r.parts > chunks)
        r.parts = chunks < 1 ? 1 : (int)chunks;
    f->herk3.parts = r.parts;
    int64_t longest = (chunks + r.parts - 1) / r.parts;
    if (run->progress && longest > 1)
        r.portions = longest < PORTIONS ? longest : PORTIONS;

    int callers = is_blas ? hg_blas_enter(run->host, threads) : threads;
    if (is_blas && chunks == 0) /* no chunk takes care of beta */
        hg_gram_add(&f->gram, 0, f->memory, 1, alpha, beta);
    int status = do_rounds(&r, run, callers);
    if (is_blas)
        hg_blas_leave(run->host);
    if (status == HGATE_OK)
        join(&r, threads);
    return status;
}

/* ---- power ---- */

static int has_negative_node(const hg_visibility_inputs *in)
{
    int64_t n = in->nbeam * in->nax * in->nfeed * in->beam.nza * in->beam.naz;
    for (int64_t i = 0; i < n; i++)
        if (hg_real(in->beam.grid, i) < 0.0)
            return 1;
    return 0;
}

static void look_for_negative(void *context, int64_t i, int worker)
{
    (void)worker;
    const round_of *r = context;
    hg_fused *f = r->f;
    part p = part_at(f, i);
    range todo = range_of(r, i);
    f->negative[i].is_found = 0;
    for (int64_t c = todo.from; c < todo.to && !f->negative[i].is_found; c++)
        f->negative[i] =
            hg_block_negative(&f->field, &f->sources, hg_chunk_nth(&f->sources, c), &p.block);
}

int hg_fused_check_power(const hgate_host *host, hg_fused *f, int threads)
{
    if (!f->in.params->sqrt_power || f->in.params->check < HGATE_CHECK_VALUES ||
        !has_negative_node(&f->in))
        return HGATE_OK;
    round_of r = {.f = f, .parts = f->parts, .portions = 1};
    f->cpu->spread(threads, r.parts, look_for_negative, &r);
    for (int i = 0; i < r.parts; i++)
        if (f->negative[i].is_found)
            return hg_beam_negative(host, f->negative[i].b, f->negative[i].axis,
                                    f->negative[i].feed, f->negative[i].source);
    return HGATE_OK;
}
