// SPDX-License-Identifier: BSD-3-Clause
// Stored cases of the family visibility, and calls made from them.
#include "tests/kernels/visibility_case.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { N_ARRAYS = sizeof(visibility_case) / sizeof(array *) };

const char *const visibility_cases[N_VISIBILITY_CASES] = {"tiny",     "odd",  "feeds3", "power",
                                                          "periodic", "long", "wide"};
const char *const real_word[2] = {"f32", "f64"}, *const complex_word[2] = {"c64", "c128"};
const uint32_t real_mask[2] = {HGATE_F32, HGATE_F64}, complex_mask[2] = {HGATE_C64, HGATE_C128};

void retype(array **a, const char *type)
{
    array *b = array_as(*a, type);
    array_free(*a);
    *a = b;
}

int is_f64(const array *a)
{
    return a->element == (a->dl.dtype.code == HGATE_DL_COMPLEX ? 16 : 8);
}

visibility_case case_load(const char *name, int p, const char *index_type)
{
    visibility_case c;
    char path[64];
    snprintf(path, sizeof path, "visibility/%s.npy", name);
    FILE *file = stored_open(path);
    for (int i = 0; i < N_ARRAYS; i++)
        ((array **)&c)[i] = stored_next(file);
    fclose(file);
    array **reals[] = {&c.antpos, &c.crd, &c.flux, &c.daz, &c.dza, &c.az0, &c.za0};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        retype(reals[i], real_word[p]);
    retype(&c.grid, c.grid->dl.dtype.code == HGATE_DL_COMPLEX ? complex_word[p] : real_word[p]);
    retype(&c.beam_idx, index_type);
    retype(&c.pairs, index_type);
    return c;
}

void case_free(visibility_case *c)
{
    for (int i = 0; i < N_ARRAYS; i++)
        array_free(((array **)c)[i]);
}

hgate_visibility_params params_default(void)
{
    return (hgate_visibility_params){.struct_size = sizeof(hgate_visibility_params),
                                     .freq_hz = 1e8,
                                     .alpha = 1.0,
                                     .alpha_re = 1.0,
                                     .phase_sign = 1,
                                     .flux_scale = 0.5,
                                     .min_chunks = 1,
                                     .memory_buffer = 0.9,
                                     .check = HGATE_CHECK_VALUES};
}

hgate_visibility_params params_of(const visibility_case *c)
{
    hgate_visibility_params params = params_default();
    params.freq_hz = array_get(c->options, 0);
    params.az_mode = array_get(c->options, 1) != 0.0 ? HGATE_AZ_PERIODIC : HGATE_AZ_CLAMP;
    params.sqrt_power = array_get(c->options, 2) != 0.0;
    return params;
}

double case_turns(const visibility_case *c)
{
    double most = 0.0;
    for (int64_t a = 0; a < c->antpos->shape[0]; a++) {
        double sum = 0.0;
        for (int d = 0; d < 3; d++)
            sum += fabs(array_get(c->antpos, 3 * a + d));
        most = fmax(most, sum);
    }
    return most * array_get(c->options, 0) / 299792458.0;
}

conf_call call_beam(array *grid, array *daz, array *dza, array *az0, array *za0, array *az,
                    array *za, array *beam, const hgate_visibility_params *params)
{
    uint32_t dtype = grid->dl.dtype.code == HGATE_DL_COMPLEX ? complex_mask[is_f64(grid)]
                                                             : real_mask[is_f64(grid)];
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_BEAM, dtype, params);
    conf_in(&call, HGATE_VISIBILITY_BEAM_GRID, grid);
    conf_in(&call, HGATE_VISIBILITY_BEAM_DAZ, daz);
    conf_in(&call, HGATE_VISIBILITY_BEAM_DZA, dza);
    conf_in(&call, HGATE_VISIBILITY_BEAM_AZ0, az0);
    conf_in(&call, HGATE_VISIBILITY_BEAM_ZA0, za0);
    conf_in(&call, HGATE_VISIBILITY_BEAM_AZ, az);
    conf_in(&call, HGATE_VISIBILITY_BEAM_ZA, za);
    conf_out(&call, HGATE_VISIBILITY_BEAM_BEAM, beam);
    conf_dim(&call, HGATE_DIM_VISIBILITY_BEAM_NBEAM, grid->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_BEAM_NFEED, grid->shape[2]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_BEAM_NAX, grid->shape[1]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_BEAM_NSRC, az->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_BEAM_NZA, grid->shape[3]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_BEAM_NAZ, grid->shape[4]);
    return call;
}

conf_call call_tau(array *antpos, array *crd, array *exptau, const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_TAU, complex_mask[is_f64(exptau)], params);
    conf_in(&call, HGATE_VISIBILITY_TAU_ANTPOS, antpos);
    conf_in(&call, HGATE_VISIBILITY_TAU_CRD, crd);
    conf_out(&call, HGATE_VISIBILITY_TAU_EXPTAU, exptau);
    conf_dim(&call, HGATE_DIM_VISIBILITY_TAU_NANT, antpos->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_TAU_NSRC, crd->shape[1]);
    return call;
}

conf_call call_z(array *beam, array *exptau, array *flux, array *beam_idx, array *Z,
                 const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_Z, complex_mask[is_f64(Z)], params);
    conf_in(&call, HGATE_VISIBILITY_Z_BEAM, beam);
    conf_in(&call, HGATE_VISIBILITY_Z_EXPTAU, exptau);
    conf_in(&call, HGATE_VISIBILITY_Z_FLUX, flux);
    conf_in(&call, HGATE_VISIBILITY_Z_BEAM_IDX, beam_idx);
    conf_out(&call, HGATE_VISIBILITY_Z_Z, Z);
    conf_dim(&call, HGATE_DIM_VISIBILITY_Z_NANT, exptau->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_Z_NFEED, beam->shape[1]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_Z_NAX, beam->shape[2]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_Z_NBEAM, beam->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_Z_NSRC, flux->shape[0]);
    return call;
}

// An output that is read when beta is not 0.
static void set_output(conf_call *call, int index, array *output, double alpha, double beta)
{
    call->problem.alpha_re = alpha;
    call->problem.beta_re = beta;
    if (beta != 0.0)
        conf_inout(call, index, output);
    else
        conf_out(call, index, output);
}

conf_call call_gram(array *Z, array *V, double alpha, double beta,
                    const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_GRAM, complex_mask[is_f64(Z)], params);
    conf_in(&call, HGATE_VISIBILITY_GRAM_Z, Z);
    set_output(&call, HGATE_VISIBILITY_GRAM_V, V, alpha, beta);
    conf_dim(&call, HGATE_DIM_VISIBILITY_GRAM_M, Z->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_GRAM_K, Z->shape[1]);
    return call;
}

conf_call call_pairs(array *Z, array *pairs, int64_t nant, array *Vpairs, double alpha, double beta,
                     const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_PAIRS, complex_mask[is_f64(Z)], params);
    conf_in(&call, HGATE_VISIBILITY_PAIRS_Z, Z);
    conf_in(&call, HGATE_VISIBILITY_PAIRS_PAIRS, pairs);
    set_output(&call, HGATE_VISIBILITY_PAIRS_VPAIRS, Vpairs, alpha, beta);
    conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_NANT, nant);
    conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_NFEED, Vpairs->shape[2]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_K, Z->shape[1]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_PAIRS_NPAIRS, pairs->shape[0]);
    return call;
}

conf_call call_fused(const visibility_case *c, array *pairs, array *V, double alpha, double beta,
                     const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY, complex_mask[is_f64(V)], params);
    conf_in(&call, HGATE_VISIBILITY_ANTPOS, c->antpos);
    conf_in(&call, HGATE_VISIBILITY_CRD, c->crd);
    conf_in(&call, HGATE_VISIBILITY_FLUX, c->flux);
    conf_in(&call, HGATE_VISIBILITY_GRID, c->grid);
    conf_in(&call, HGATE_VISIBILITY_DAZ, c->daz);
    conf_in(&call, HGATE_VISIBILITY_DZA, c->dza);
    conf_in(&call, HGATE_VISIBILITY_AZ0, c->az0);
    conf_in(&call, HGATE_VISIBILITY_ZA0, c->za0);
    conf_in(&call, HGATE_VISIBILITY_BEAM_IDX, c->beam_idx);
    conf_in(&call, HGATE_VISIBILITY_PAIRS, pairs);
    set_output(&call, HGATE_VISIBILITY_V, V, alpha, beta);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NANT, c->antpos->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NFEED, c->grid->shape[2]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NAX, c->grid->shape[1]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NSRC, c->crd->shape[1]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NBEAM, c->grid->shape[0]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NZA, c->grid->shape[3]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NAZ, c->grid->shape[4]);
    conf_dim(&call, HGATE_DIM_VISIBILITY_NPAIRS, pairs ? pairs->shape[0] : -1);
    conf_dim(&call, HGATE_DIM_VISIBILITY_N_UP, -1);
    return call;
}

array *random_array(const char *type, int ndim, const int64_t *shape, uint64_t seed)
{
    array *a = array_new(type, ndim, shape);
    for (int64_t i = 0; i < array_numbers(a); i++)
        array_put(a, i, random_normal(&seed));
    return a;
}

int is_hermitian(const array *V)
{
    int64_t M = V->shape[0];
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j <= i; j++) {
            double re = array_get(V, 2 * (i * M + j)), im = array_get(V, 2 * (i * M + j) + 1);
            double other_re = array_get(V, 2 * (j * M + i));
            double other_im = array_get(V, 2 * (j * M + i) + 1);
            if (i == j ? im != 0.0 || signbit(im) : re != other_re || im != -other_im)
                return 0;
        }
    return 1;
}

// ---- levels ----

static int threads = 1;

int visibility_threads(void)
{
    return threads;
}

// Instruction sets mean nothing to a device: its kernels run once for each way of sorting.
static void open_level(const char *isa, const char *sort, int n)
{
    threads = n;
    if (n == 2)
        conf_host_only();
    conf_set("plugins.cpu-serial.options.isa", isa);
    conf_set("plugins.cpu-openmp.options.isa", isa);
    conf_set("ops.visibility.sort_sources", sort);
    conf_open();
}

static void open_alone(void)
{
    open_level("auto", "auto", 1);
}

static void open_team(void)
{
    open_level("auto", "on", 2);
}

static void open_avx2(void)
{
    open_level("avx2", "off", 3);
}

static void open_baseline(void)
{
    open_level("baseline", "on", 2);
}

void visibility_add_levels(Suite *suite, const char *tag, void (*add)(TCase *tcase))
{
    static const struct {
        const char *name;
        void (*open)(void);
    } levels[] = {{"best instruction set, one thread", open_alone},
                  {"best instruction set, two threads", open_team},
                  {"avx2, three threads", open_avx2},
                  {"baseline, two threads", open_baseline}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (levels[i].open == open_avx2 && !conf_has_avx2())
            continue;
        TCase *tcase = tcase_create(levels[i].name);
        tcase_set_tags(tcase, tag);
        tcase_add_checked_fixture(tcase, levels[i].open, conf_close);
        tcase_set_timeout(tcase, 120);
        add(tcase);
        suite_add_tcase(suite, tcase);
    }
}
