/* SPDX-License-Identifier: BSD-3-Clause */
/* Realistic input of the fused `visibility` and of the steps of its chain: a compact hexagonal
 * array, an isotropic sky, dishes with crossed dipoles. */
#include "tools/generate/generate.h"

#include "tools/generate/sky.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925

static void fill_indices(cli_array *array, int64_t below, cli_random *random)
{
    for (int64_t i = 0; array->is_given && i < array->count; i++) {
        cli_array_put_index(array, i, cli_random_below(random, below));
    }
}

int cli_visibility_fill(cli_case *c, cli_random *random)
{
    cli_array *a = c->arrays;
    const int64_t nant = a[HGATE_VISIBILITY_ANTPOS].shape[0];
    const int64_t nbeam = a[HGATE_VISIBILITY_GRID].shape[0];
    const double frequency = c->scalars.params.visibility.freq_hz;
    const int status = cli_hex_array(&a[HGATE_VISIBILITY_ANTPOS], random);
    cli_sky(&a[HGATE_VISIBILITY_CRD], &a[HGATE_VISIBILITY_FLUX], random);
    cli_beam_grid(&a[HGATE_VISIBILITY_GRID], &a[HGATE_VISIBILITY_DAZ], &a[HGATE_VISIBILITY_DZA],
                  frequency, random, c->progress);
    fill_indices(&a[HGATE_VISIBILITY_BEAM_IDX], nbeam, random);
    fill_indices(&a[HGATE_VISIBILITY_PAIRS], nant, random);
    return status;
}

static void fill_angles(cli_array *az, cli_array *za, cli_random *random)
{
    for (int64_t i = 0; i < az->count; i++) {
        cli_array_put(az, i, cli_random_uniform(random, 0.0, TWO_PI));
        cli_array_put(za, i, acos(cli_random_uniform(random, 0.0, 1.0)));
    }
}

static void fill_turns(cli_array *array, cli_random *random)
{
    for (int64_t i = 0; i < array->count; i++) {
        const double phase = cli_random_uniform(random, 0.0, TWO_PI);
        cli_array_put_complex(array, i, cos(phase), sin(phase));
    }
}

static void fill_normal(cli_array *array, cli_random *random)
{
    for (int64_t i = 0; i < array->count; i++) {
        const double re = cli_random_normal(random);
        cli_array_put_complex(array, i, re, cli_random_normal(random));
    }
}

int cli_visibility_step_fill(cli_case *c, cli_random *random)
{
    cli_array *a = c->arrays;
    switch (c->op->op) {
    case HGATE_OP_VISIBILITY_HORIZON:
        cli_sky(&a[HGATE_VISIBILITY_HORIZON_CRD], &a[HGATE_VISIBILITY_HORIZON_FLUX], random);
        return HGATE_OK;
    case HGATE_OP_VISIBILITY_ANGLES:
        cli_sky(&a[HGATE_VISIBILITY_ANGLES_CRD], NULL, random);
        return HGATE_OK;
    case HGATE_OP_VISIBILITY_BEAM:
        cli_beam_grid(&a[HGATE_VISIBILITY_BEAM_GRID], &a[HGATE_VISIBILITY_BEAM_DAZ],
                      &a[HGATE_VISIBILITY_BEAM_DZA], CLI_FREQUENCY, random, c->progress);
        fill_angles(&a[HGATE_VISIBILITY_BEAM_AZ], &a[HGATE_VISIBILITY_BEAM_ZA], random);
        return HGATE_OK;
    case HGATE_OP_VISIBILITY_TAU:
        cli_sky(&a[HGATE_VISIBILITY_TAU_CRD], NULL, random);
        return cli_hex_array(&a[HGATE_VISIBILITY_TAU_ANTPOS], random);
    default:
        fill_normal(&a[HGATE_VISIBILITY_Z_BEAM], random);
        fill_turns(&a[HGATE_VISIBILITY_Z_EXPTAU], random);
        cli_sky(NULL, &a[HGATE_VISIBILITY_Z_FLUX], random);
        fill_indices(&a[HGATE_VISIBILITY_Z_BEAM_IDX], a[HGATE_VISIBILITY_Z_BEAM].shape[0], random);
        return HGATE_OK;
    }
}

/* Rows of unlike strength, as antennas have unlike gains. */
static void fill_rows(cli_array *array, cli_random *random)
{
    const int64_t width = array->shape[1];
    for (int64_t r = 0; r < array->shape[0]; r++) {
        const double gain = exp(0.5 * cli_random_normal(random));
        for (int64_t i = r * width; i < (r + 1) * width; i++) {
            const double re = gain * cli_random_normal(random);
            cli_array_put_complex(array, i, re, gain * cli_random_normal(random));
        }
    }
}

int cli_visibility_product_fill(cli_case *c, cli_random *random)
{
    cli_array *a = c->arrays;
    fill_rows(&a[0], random);
    if (c->op->op == HGATE_OP_VISIBILITY_PRODUCT) {
        fill_rows(&a[HGATE_VISIBILITY_PRODUCT_B], random);
    }
    if (c->op->op == HGATE_OP_VISIBILITY_PAIRS) {
        fill_indices(&a[HGATE_VISIBILITY_PAIRS_PAIRS], c->scalars.nant, random);
    }
    return HGATE_OK;
}
