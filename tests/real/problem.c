// SPDX-License-Identifier: BSD-3-Clause
// Problems for the real plugins.
#include "tests/real/problem.h"

#include "tests/number_mode.h"
#include "tools/problem_arg.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const real_problems[] = {
    "curvature ny=11 nx=13 s=7 nnz=31",
    "curvature_kernel k=29 ny=5 nx=7",
    "curvature_dirty k=29 ny=5 nx=7",
    "curvature_data_vector n=101 s=17 nnz=53",
    "emi n=13 batch=37 looks=40",
    "emi n=7 batch=11 looks=40 rule=fixed",
    "evd n=9 batch=18 looks=30 layout=full",
    "ds_temp_coh n=13 batch=37 looks=40",
    "visibility nant=5 nfeed=2 nax=3 nsrc=61 nbeam=2 nchunk=3",
    "visibility nant=7 nfeed=1 nax=2 nsrc=41 nbeam=2 npairs=9",
    "visibility_horizon nsrc=109",
    "visibility_angles nsrc=109",
    "visibility_beam nbeam=3 nfeed=2 nax=1 nsrc=101 nza=7 naz=11",
    "visibility_tau nant=5 nsrc=61",
    "visibility_z nant=5 nsrc=41 nfeed=2 nax=3 nbeam=4",
    "visibility_gram m=17 k=101",
    "visibility_product m=17 n=11 k=101",
    "visibility_pairs nant=7 nfeed=2 k=101 npairs=13",
    "kirchhoff_forward ns=3 nr=5 nt=90 nx=7 nz=5 dynamic=1",
    "kirchhoff_adjoint ns=3 nr=5 nt=90 nx=7 nz=5",
    "kirchhoff_traveltime n=5 nx=7 nz=5",
    "kirchhoff_angles n=3 nx=7 nz=5 ny=4",
    "kirchhoff_spreading n=5 nx=7 nz=5",
    "kirchhoff_station_index n=5 nx=7 nz=5",
    "kirchhoff_wavelet nwav=41",
    "kirchhoff_convolve nwav=11 nt=101 n=7",
    NULL,
};

const char *const real_ranges[] = {
    "curvature ny:3:15 nx:3:17 s:1:9 nnz:20:60",
    "curvature_kernel k:0:60 ny:1:9 nx:1:11",
    "curvature_dirty k:0:60 ny:1:9 nx:1:11",
    "curvature_data_vector n:1:100 s:1:20 nnz:1:60",
    "emi n:1:30 batch:0:40 looks:60:90",
    "emi n:2:20 batch:0:40 looks:60:90 layout=full rule=fixed",
    "emi n:2:12 batch:0:20 looks:80:90 rule=none",
    "evd n:1:24 batch:0:30 looks:60:90",
    "ds_temp_coh n:2:30 batch:0:40 looks:20:60",
    "visibility nant:1:9 nfeed:1:2 nax:1:3 nsrc:0:90 nbeam:1:3 nchunk:1:4",
    "visibility nant:2:9 nfeed:1:2 nax:1:2 nsrc:1:90 nbeam:1:2 npairs:1:20",
    "visibility_horizon nsrc:0:200",
    "visibility_angles nsrc:0:300",
    "visibility_beam nbeam:1:3 nfeed:1:2 nax:1:2 nsrc:0:90 nza:3:9 naz:3:12",
    "visibility_tau nant:1:12 nsrc:0:150",
    "visibility_z nant:1:9 nsrc:1:60 nfeed:1:2 nax:1:3 nbeam:1:4",
    "visibility_gram m:1:40 k:0:200",
    "visibility_product m:1:30 n:1:30 k:0:200",
    "visibility_pairs nant:1:9 nfeed:1:2 k:1:120 npairs:0:30",
    "kirchhoff_forward ns:1:5 nr:1:7 nt:2:120 nx:1:12 nz:1:9 dynamic:0:1",
    "kirchhoff_adjoint ns:1:5 nr:1:7 nt:2:120 nx:1:12 nz:1:9 dynamic:0:1",
    "kirchhoff_traveltime n:1:6 nx:1:12 nz:1:9",
    "kirchhoff_angles n:1:6 nx:2:12 nz:2:9",
    "kirchhoff_spreading n:1:6 nx:1:12 nz:1:9",
    "kirchhoff_station_index n:1:6 nx:2:12 nz:2:9",
    "kirchhoff_wavelet nwav:1:60",
    "kirchhoff_convolve nwav:1:31 nt:1:150 n:1:9",
    NULL,
};

int real_count(const char *const *list)
{
    int n = 0;
    while (list[n]) {
        n++;
    }
    return n;
}

uint64_t real_random(uint64_t *state)
{
    *state ^= *state << 13; // xorshift64 of Marsaglia
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void real_draw(char *words, size_t size, const char *range, uint64_t *random)
{
    size_t used = 0;
    for (const char *at = range; *at; at += *at == ' ') {
        char key[32];
        int lowest, highest, length;
        if (sscanf(at, "%31[a-z]:%d:%d%n", key, &lowest, &highest, &length) == 3) {
            const int value =
                lowest + (int)(real_random(random) % (uint64_t)(highest - lowest + 1));
            used += (size_t)snprintf(words + used, size - used, "%s=%d ", key, value);
        } else {
            length = (int)strcspn(at, " ");
            used += (size_t)snprintf(words + used, size - used, "%.*s ", length, at);
        }
        at += length;
    }
    snprintf(words + used, size - used, "seed=%d", (int)(real_random(random) % 10000));
}

bool real_try(cli_case *c, const char *words)
{
    enum { MAX_WORDS = 16 };
    static const cli_options no_options;
    char text[256], *list[MAX_WORDS], *rest = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%s", words);
    for (char *word = strtok_r(text, " ", &rest); word && n < MAX_WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        list[n++] = word;
    }
    int status = cli_problem_read(c, n, list);
    if (status == HGATE_OK) {
        status = cli_problem_shape(c);
    }
    if (status == HGATE_OK) {
        status = cli_problem_fill(c, &no_options);
    }
    if (status == HGATE_OK) {
        status = cli_case_allocate(c);
    }
    return status == HGATE_OK;
}

void real_make(cli_case *c, const char *words)
{
    ck_assert_msg(real_try(c, words), "%s: %s", words, hgate_last_error());
}

hgate_engine *real_open(const char *op, const char *kernel, const char *yaml,
                        const hgate_allocator *allocator)
{
    char text[4200];
    hgate_config *config;
    hgate_options options;
    hgate_engine *engine = NULL;
    int n = snprintf(text, sizeof text, "version: 1\n%s\n", yaml ? yaml : "");
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    ck_assert_msg(hgate_config_load_text(config, text, (size_t)n, "test") == HGATE_OK, "%s",
                  hgate_last_error());
    if (kernel) {
        snprintf(text, sizeof text, "routing.force.%s", op);
        ck_assert_msg(hgate_config_set(config, text, kernel) == HGATE_OK, "%s", hgate_last_error());
    }
    hgate_options_init(&options);
    options.config = config;
    if (allocator) {
        options.allocator = *allocator;
    }
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(config);
    return engine;
}

static bool is_output(const cli_case *c, int arg)
{
    return c->row->args[arg].role != HG_IN && c->arrays[arg].is_given;
}

void real_outputs_make(real_outputs *outputs, const cli_case *c)
{
    outputs->mine = *c;
    for (int i = 0; i < c->row->n_args; i++) {
        cli_array *array = &outputs->mine.arrays[i];
        array->dl.shape = array->shape;
        if (is_output(c, i)) {
            array->dl.data = NULL;
            ck_assert_int_eq(cli_array_allocate(array, c->row->args[i].name), HGATE_OK);
        }
    }
}

void real_outputs_free(real_outputs *outputs)
{
    for (int i = 0; i < outputs->mine.row->n_args; i++) {
        if (is_output(&outputs->mine, i)) {
            cli_array_free(&outputs->mine.arrays[i]);
        }
    }
}

// visibility_horizon writes n_up columns of each row and leaves the rest.
bool real_outputs_equal(const real_outputs *a, const real_outputs *b)
{
    for (int i = 0; i < a->mine.row->n_args; i++) {
        const cli_array *x = &a->mine.arrays[i], *y = &b->mine.arrays[i];
        if (is_output(&a->mine, i) && memcmp(x->dl.data, y->dl.data, x->bytes) != 0) {
            return false;
        }
    }
    return a->mine.scalars.n_up == b->mine.scalars.n_up;
}

int real_call(real_outputs *outputs, hgate_engine *engine, hgate_exec *exec)
{
    cli_call call = {.form = CLI_ONCE, .engine = engine, .exec = exec};
    cli_outputs_poison(&outputs->mine);
    cli_case_arguments(&outputs->mine, &call);
    const unsigned mode = number_mode();
    const int status = outputs->mine.op->call(&call);
    if (number_mode() != mode)
        ck_abort_msg("%s left another rounding or denormal mode", outputs->mine.row->word);
    return status;
}

bool real_is_untouched(const real_outputs *outputs)
{
    real_outputs fresh;
    real_outputs_make(&fresh, &outputs->mine);
    cli_outputs_poison(&fresh.mine);
    const bool is_same = real_outputs_equal(outputs, &fresh);
    real_outputs_free(&fresh);
    return is_same;
}
