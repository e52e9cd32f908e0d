// SPDX-License-Identifier: BSD-3-Clause
// Groups of sources: on the host with the kernels of the build, on a device with a fake one whose
// streams are as late as they may be.
#include "core/group/pack.h"
#include "tests/dispatch/opened.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"
#include "tests/kernels/kirchhoff_case.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NS = 7, NR = 5, NT = 90 };

// ---- what the tests ask for ----

typedef struct told {
    int64_t group, ngroups;
    int phase;
    size_t bytes;
} told;

typedef struct listener {
    told all[2048];
    int n, stop_at; // call that stops; -1: none
} listener;

static int listen(void *user, int64_t group, int64_t ngroups, int phase, double seconds,
                  size_t bytes)
{
    listener *l = user;
    require(seconds >= 0 && l->n < 2048);
    l->all[l->n] = (told){group, ngroups, phase, bytes};
    return l->n++ == l->stop_at;
}

// Groups 0, 1, ... and the phases of each, once each.
static void assert_in_order(const listener *l, int64_t ngroups)
{
    ck_assert_int_eq(l->n, 3 * ngroups);
    for (int i = 0; i < l->n; i++) {
        require(l->all[i].group == i / 3 && l->all[i].phase == i % 3);
        require(l->all[i].ngroups == ngroups);
    }
}

static hgate_kirchhoff_tables tables_of(const survey *s)
{
    hgate_kirchhoff_tables t;
    hgate_kirchhoff_tables_init(&t);
    t.trav_src = &s->trav_src->dl;
    t.trav_rec = &s->trav_rec->dl;
    t.amp_src = s->amp_src ? &s->amp_src->dl : NULL;
    t.amp_rec = s->amp_rec ? &s->amp_rec->dl : NULL;
    t.ang_src = s->ang_src ? &s->ang_src->dl : NULL;
    t.ang_rec = s->ang_rec ? &s->ang_rec->dl : NULL;
    t.vel = s->vel ? &s->vel->dl : NULL;
    t.six = s->six ? &s->six->dl : NULL;
    t.rix = s->rix ? &s->rix->dl : NULL;
    t.tap = s->tap ? &s->tap->dl : NULL;
    t.wav = s->wav ? &s->wav->dl : NULL;
    return t;
}

static survey make(int p, int is_dynamic)
{
    survey s = survey_make(p, 0, 13, 11, NS, NR, NT, is_dynamic, 5);
    if (is_dynamic) {
        s.params.aperture[0] = 0.4, s.params.aperture[1] = 3.3;
        s.params.angle[0] = 0.5, s.params.angle[1] = 1.1;
        s.wav = array_1d(survey_type[p], 3);
        for (int q = 0; q < 3; q++)
            array_put(s.wav, q, 1.0 - 0.3 * q);
        s.params.wavc = 1;
    }
    return s;
}

static hgate_group_params group_params(int64_t sources, int64_t receivers)
{
    hgate_group_params g;
    hgate_group_params_init(&g);
    g.sources_per_group = sources;
    g.receivers_per_group = receivers;
    return g;
}

static int forward(hgate_engine *e, const survey *s, array *data, const hgate_group_params *g)
{
    hgate_kirchhoff_tables t = tables_of(s);
    return hgate_kirchhoff_group_forward(e, NULL, &s->params, &t, &s->model->dl, &data->dl, g);
}

static int adjoint(hgate_engine *e, const survey *s, array *model, const hgate_group_params *g)
{
    hgate_kirchhoff_tables t = tables_of(s);
    return hgate_kirchhoff_group_adjoint(e, NULL, &s->params, &t, &s->data->dl, &model->dl, g);
}

#define assert_ok(CALL) ck_assert_msg((CALL) == HGATE_OK, "%s", hgate_last_error())

static void assert_near(const array *got, const double *want, const double *bound)
{
    for (int64_t i = 0; i < got->count; i++)
        require(fabs(array_get(got, i) - want[i]) <= bound[i]);
}

// opened() takes the build's plugins away; without forks that would last.
static hgate_engine *host_engine(const hgate_allocator *allocator)
{
    char path[1024];
    hgate_options options;
    hgate_engine *e;
    snprintf(path, sizeof path, "%s/plugins/.libs", getenv("abs_top_builddir"));
    setenv("HEADGATE_PLUGIN_PATH", path, 1);
    hgate_options_init(&options);
    if (allocator)
        options.allocator = *allocator;
    assert_ok(hgate_open(&options, &e));
    return e;
}

static hgate_engine *device_engine(const char *options)
{
    char text[512];
    snprintf(text, sizeof text, "plugins: {fake-survey: {options: {%s}}}", options);
    return opened("survey", text, NULL, NULL);
}

static void *const streams[] = {(void *)0x10, (void *)0x20, (void *)0x30};

static void on_device(hgate_group_params *g, int nstreams, int nslots)
{
    g->device_id = 0;
    g->streams = streams;
    g->nstreams = nstreams;
    g->nslots = nslots;
}

// ---- sizes of groups ----

static const struct {
    int64_t sources, receivers, n_groups;
} cuts[] = {{1, 0, NS}, {3, 0, 3}, {NS, 0, 1}, {NS + 5, 0, 1}, {0, 0, 1}, {3, 2, 9}, {NS, 4, 2}};
enum { N_CUTS = sizeof cuts / sizeof *cuts };

static void check_cut(hgate_engine *e, const survey *s, const answer *want, const array *whole,
                      const hgate_group_params *given, int64_t n_groups)
{
    listener l = {.stop_at = -1};
    hgate_group_params g = *given;
    g.progress = listen;
    g.user = &l;
    array *data = new_data(s), *model = new_model(s);
    array_poison(data);
    assert_ok(forward(e, s, data, &g));
    ck_assert_msg(array_equal_bits(data, whole), "forward differs from the ungrouped one");
    assert_in_order(&l, n_groups);
    l.n = 0;
    array_poison(model);
    assert_ok(adjoint(e, s, model, &g));
    assert_near(model, want->model, want->model_bound);
    assert_in_order(&l, n_groups);
    array_free(data);
    array_free(model);
}

static void check_layouts(hgate_engine *e, int is_dynamic, int p, int nstreams, int nslots)
{
    survey s = make(p, is_dynamic);
    answer want = survey_solve(&s);
    array *whole = new_data(&s);
    hgate_group_params one = group_params(0, 0);
    if (nslots)
        on_device(&one, nstreams, nslots);
    assert_ok(forward(e, &s, whole, &one));
    assert_near(whole, want.data, want.data_bound);
    for (int turned = 0; turned < 2; turned++) {
        for (int i = 0; i < N_CUTS; i++) {
            hgate_group_params g = group_params(cuts[i].sources, cuts[i].receivers);
            if (nslots)
                on_device(&g, nstreams, nslots);
            check_cut(e, &s, &want, whole, &g, cuts[i].n_groups);
        }
        survey_turn(&s);
    }
    array_free(whole);
    answer_free(&want);
    survey_free(&s);
}

START_TEST(on_the_host)
{
    hgate_engine *e = host_engine(NULL);
    check_layouts(e, _i / 2, _i % 2, 0, 0);
    hgate_close(e);
}
END_TEST

// The same bits as a plain call, with the kernels that it takes.
START_TEST(equals_the_plain_call)
{
    hgate_engine *e = host_engine(NULL);
    for (int p = 0; p < 2; p++) {
        survey s = make(p, 1);
        hgate_kirchhoff_tables t = tables_of(&s);
        array *plain = new_data(&s), *grouped = new_data(&s);
        hgate_group_params g = group_params(3, 2);
        assert_ok(hgate_kirchhoff_forward(e, NULL, &s.params, &t, 1, &s.model->dl, 0, &plain->dl));
        assert_ok(forward(e, &s, grouped, &g));
        ck_assert(array_equal_bits(plain, grouped));
        array_free(plain);
        array_free(grouped);
        survey_free(&s);
    }
    hgate_close(e);
}
END_TEST

START_TEST(on_a_device)
{
    static const int ways[][2] = {{3, 2}, {3, 3}, {3, 1}, {2, 2}, {1, 2}, {0, 2}};
    hgate_engine *e = device_engine("");
    check_layouts(e, _i / 2, _i % 2, ways[0][0], ways[0][1]);
    for (int w = 1; w < 6; w++)
        check_layouts(e, 1, _i % 2, ways[w][0], ways[w][1]);
    ck_assert_int_eq(opened_count(e, "survey", "held"), 0);
    ck_assert_int_eq(opened_count(e, "survey", "waiting"), 0);
    hgate_close(e);
}
END_TEST

// Shares of the sources, as one engine per device takes them.
START_TEST(shares)
{
    hgate_engine *e = host_engine(NULL);
    survey s = make(1, 1);
    answer want = survey_solve(&s);
    array *whole = new_data(&s), *data = new_data(&s), *part = new_model(&s);
    hgate_group_params g = group_params(2, 0);
    assert_ok(forward(e, &s, whole, &g));
    array_poison(data);
    double *sum = calloc((size_t)s.ni, sizeof *sum);
    static const int64_t first[] = {0, 3, 5, 7}, n[] = {3, 2, 2, 0};
    for (int k = 0; k < 4; k++) {
        g.first_source = first[k];
        g.n_sources = n[k];
        assert_ok(forward(e, &s, data, &g));
        assert_ok(adjoint(e, &s, part, &g));
        for (int64_t i = 0; i < s.ni; i++)
            sum[i] += array_get(part, i);
        if (k == 0) // rows of others are not touched
            ck_assert_int_ne(memcmp(data->data, whole->data, whole->bytes), 0);
    }
    ck_assert(array_equal_bits(data, whole));
    for (int64_t i = 0; i < s.ni; i++)
        require(fabs(sum[i] - want.model[i]) <= want.model_bound[i]);
    g.first_source = 6, g.n_sources = 2;
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_EVALUE);
    free(sum);
    array_free(whole);
    array_free(data);
    array_free(part);
    answer_free(&want);
    survey_free(&s);
    hgate_close(e);
}
END_TEST

// ---- overlap ----

START_TEST(copies_go_beside_work)
{
    survey s = make(0, 0);
    survey_turn(&s);
    array *data = new_data(&s);
    for (int nslots = 1; nslots <= 3; nslots++) {
        hgate_engine *e = device_engine("");
        hgate_group_params g = group_params(1, 0);
        on_device(&g, 3, nslots);
        assert_ok(forward(e, &s, data, &g));
        ck_assert_int_eq(opened_count(e, "survey", "beside"), nslots > 1 ? NS - 1 : 0);
        ck_assert_int_eq(opened_count(e, "survey", "runs"), NS);
        // receivers' tables and model once, sources' tables once
        ck_assert_int_eq(opened_count(e, "survey", "bytes_in"), 4 * (long)s.ni * (NS + NR + 1));
        hgate_close(e);
    }
    array_free(data);
    survey_free(&s);
}
END_TEST

// ---- model on the device ----

START_TEST(model_on_the_device)
{
    survey s = make(0, 0);
    answer want = survey_solve(&s);
    hgate_engine *e = device_engine("");
    array *data = new_data(&s), *whole = new_data(&s), *model = new_model(&s);
    hgate_group_params g = group_params(2, 0);
    on_device(&g, 3, 2);
    assert_ok(forward(e, &s, whole, &g));
    s.model->dl.device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA, 0};
    model->dl.device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA, 0};
    assert_ok(forward(e, &s, data, &g));
    ck_assert(array_equal_bits(data, whole));
    assert_ok(adjoint(e, &s, model, &g));
    assert_near(model, want.model, want.model_bound);
    g.device_id = 1;
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_EDEVICE);
    ck_assert_str_eq(hgate_last_error(), "model: is on cuda:0, the groups are for cuda:1");
    hgate_close(e);
    array_free(data);
    array_free(whole);
    array_free(model);
    answer_free(&want);
    survey_free(&s);
}
END_TEST

// Page-locked arrays are copied from where they are: no staging.
START_TEST(page_locked_arrays)
{
    survey s = make(0, 1);
    survey_turn(&s);
    answer want = survey_solve(&s);
    hgate_engine *e = device_engine("");
    array *data = new_data(&s), *whole = new_data(&s), *model = new_model(&s);
    hgate_group_params g = group_params(2, 0);
    on_device(&g, 3, 2);
    assert_ok(forward(e, &s, whole, &g));
    const long before = opened_count(e, "survey", "pinned_peak");
    ck_assert_int_gt(before, 0);
    hgate_close(e);
    e = device_engine("");
    array *const locked[] = {s.trav_src, s.trav_rec, s.amp_src, s.amp_rec,
                             s.ang_src,  s.ang_rec,  data,      s.data};
    for (int i = 0; i < 8; i++)
        locked[i]->dl.device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA_HOST, 0};
    assert_ok(forward(e, &s, data, &g));
    assert_ok(adjoint(e, &s, model, &g));
    ck_assert(array_equal_bits(data, whole));
    assert_near(model, want.model, want.model_bound);
    ck_assert_int_eq(opened_count(e, "survey", "pinned_peak"), 0);
    hgate_close(e);
    array_free(data);
    array_free(whole);
    array_free(model);
    answer_free(&want);
    survey_free(&s);
}
END_TEST

// ---- budgets ----

static hgate_kirchhoff_shape shape_of(const survey *s)
{
    hgate_kirchhoff_shape shape;
    hgate_kirchhoff_shape_init(&shape);
    shape.ns = s->ns, shape.nr = s->nr, shape.ni = s->ni;
    shape.nwav = s->wav ? s->wav->count : 0;
    shape.n_vel = s->vel ? s->vel->count : 1;
    shape.dtype = s->trav_src->dl.dtype;
    return shape;
}

START_TEST(budgets_are_kept)
{
    survey s = survey_make(0, 0, 61, 59, 41, 13, 60, 1, 9);
    if (_i)
        survey_turn(&s);
    answer want = survey_solve(&s);
    hgate_kirchhoff_shape shape = shape_of(&s);
    array *data = new_data(&s), *model = new_model(&s);
    hgate_group_info all = {.struct_size = sizeof all};
    hgate_engine *e = device_engine("");
    hgate_group_params g = group_params(0, 0);
    on_device(&g, 3, 2);
    g.device_budget = (size_t)1 << 40;
    assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &all));
    ck_assert_int_eq(all.n_groups, 1);
    hgate_close(e);
    int64_t cut_receivers = 0;
    for (int part = 2; part <= 16; part++) {
        e = device_engine("");
        hgate_group_info info = {.struct_size = sizeof info};
        g.device_budget = all.device_bytes / (size_t)part;
        g.pinned_budget = 32768 + 8192 * (size_t)part; // most arrays go in several pieces
        assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info));
        ck_assert_str_eq(info.forward_kernel, "scatter");
        ck_assert_str_eq(info.adjoint_kernel, "gather");
        ck_assert_uint_le(info.device_bytes, g.device_budget);
        ck_assert_uint_le(info.pinned_bytes, g.pinned_budget);
        ck_assert_int_gt(info.n_groups, 1);
        cut_receivers += info.receivers_per_group < s.nr;
        listener l = {.stop_at = -1};
        g.progress = listen, g.user = &l;
        assert_ok(forward(e, &s, data, &g));
        assert_near(data, want.data, want.data_bound);
        ck_assert_int_eq(l.n, 3 * info.n_groups);
        l.n = 0;
        assert_ok(adjoint(e, &s, model, &g));
        assert_near(model, want.model, want.model_bound);
        ck_assert_int_le(opened_count(e, "survey", "peak"), (long)info.device_bytes);
        ck_assert_int_le(opened_count(e, "survey", "pinned_peak"), (long)info.pinned_bytes);
        ck_assert_int_eq(opened_count(e, "survey", "held"), 0);
        hgate_close(e);
    }
    ck_assert_int_gt(cut_receivers, 0);
    array_free(data);
    array_free(model);
    answer_free(&want);
    survey_free(&s);
}
END_TEST

START_TEST(what_the_device_has_is_the_budget)
{
    survey s = survey_make(0, 0, 31, 29, 41, 13, 60, 0, 9);
    hgate_kirchhoff_shape shape = shape_of(&s);
    hgate_engine *e = device_engine("device_memory: 300000");
    hgate_group_params g = group_params(0, 0);
    on_device(&g, 3, 2);
    hgate_group_info info = {.struct_size = sizeof info};
    assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info));
    ck_assert_uint_le(info.device_bytes, 270000);
    ck_assert_int_gt(info.n_groups, 1);
    array *data = new_data(&s);
    assert_ok(forward(e, &s, data, &g));
    hgate_close(e);
    array_free(data);
    survey_free(&s);
}
END_TEST

START_TEST(too_small_a_budget)
{
    survey s = make(0, 0);
    hgate_engine *e = device_engine("");
    array *data = new_data(&s);
    array_poison(data);
    hgate_group_params g = group_params(0, 0);
    on_device(&g, 3, 2);
    g.device_budget = 100;
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_ENOMEM);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "device_budget: a group of 1 sources"));
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "100 are given"));
    g.sources_per_group = 3; // what the caller chose is kept, and refused
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_ENOMEM);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "of 3 sources"));
    g.device_budget = 0;
    g.pinned_budget = 100;
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_ENOMEM);
    ck_assert_str_eq(hgate_last_error(), "pinned_budget: staging needs 32768 bytes, 100 are given");
    ck_assert(array_is_poisoned(data));
    hgate_close(e);
    array_free(data);
    survey_free(&s);
}
END_TEST

// A plain call that finds no memory names the call that needs less.
START_TEST(plain_calls_tell_of_groups)
{
    survey s = make(0, 0);
    hgate_kirchhoff_tables t = tables_of(&s);
    array *data = new_data(&s);
    hgate_engine *e = device_engine("device_memory: 2000");
    ck_assert_int_eq(hgate_kirchhoff_forward(e, NULL, &s.params, &t, 1, &s.model->dl, 0, &data->dl),
                     HGATE_ENOMEM);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "hgate_kirchhoff_group_forward() takes"));
    hgate_close(e);
    e = opened("survey", "memory: {device_workspace_limit: 1KiB}", NULL, NULL);
    ck_assert_int_eq(
        hgate_kirchhoff_adjoint(e, NULL, &s.params, &t, 1, &s.data->dl, 0, &s.model->dl),
        HGATE_ENOKERNEL);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "hgate_kirchhoff_group_adjoint() takes"));
    hgate_close(e);
    array_free(data);
    survey_free(&s);
}
END_TEST

// ---- stop and failure ----

static void check_stop(hgate_engine *e, const survey *s, const array *whole, int at, int device)
{
    array *data = new_data(s), *model = new_model(s);
    listener l = {.stop_at = at};
    hgate_group_params g = group_params(2, 0);
    if (device)
        on_device(&g, 3, 2);
    g.progress = listen, g.user = &l;
    array_poison(data);
    array *poisoned = array_copy(data);
    ck_assert_int_eq(forward(e, s, data, &g), HGATE_ESTOPPED);
    ck_assert_int_eq(l.n, at + 1);
    // groups whose copy out was told are complete, the rest is untouched
    size_t done = (size_t)((at + 1 + !device) / 3) * 2; // on the host: whose work was told
    done = (done < NS ? done : NS) * NR * NT * s->model->element;
    ck_assert_int_eq(memcmp(data->data, whole->data, done), 0);
    ck_assert_int_eq(
        memcmp((char *)data->data + done, (char *)poisoned->data + done, data->bytes - done), 0);
    l.n = 0;
    array_poison(model);
    ck_assert_int_eq(adjoint(e, s, model, &g), HGATE_ESTOPPED);
    ck_assert(array_is_poisoned(model));
    array_free(poisoned);
    array_free(data);
    array_free(model);
}

START_TEST(the_callback_may_stop)
{
    survey s = make(0, 0);
    for (int device = 0; device < 2; device++) {
        hgate_engine *e = device ? device_engine("") : host_engine(NULL);
        array *whole = new_data(&s);
        hgate_group_params g = group_params(0, 0);
        if (device)
            on_device(&g, 3, 2);
        assert_ok(forward(e, &s, whole, &g));
        for (int at = 0; at < 12; at++)
            check_stop(e, &s, whole, at, device);
        if (device) {
            ck_assert_int_eq(opened_count(e, "survey", "held"), 0);
            ck_assert_int_eq(opened_count(e, "survey", "waiting"), 0);
        }
        array_free(whole);
        hgate_close(e);
    }
    survey_free(&s);
}
END_TEST

START_TEST(a_group_that_fails)
{
    survey s = make(1, 1);
    array *data = new_data(&s), *model = new_model(&s);
    for (int k = 0; k < 4; k++) {
        char options[64], expected[64];
        snprintf(options, sizeof options, "fail_run: %d", k);
        snprintf(expected, sizeof expected, "group %d of 4: this run fails", k);
        hgate_engine *e = device_engine(options);
        hgate_group_params g = group_params(2, 0);
        on_device(&g, 3, 2);
        array_poison(model);
        ck_assert_int_eq(adjoint(e, &s, model, &g), HGATE_EINTERNAL);
        ck_assert_str_eq(hgate_last_error(), expected);
        ck_assert(array_is_poisoned(model));
        ck_assert_int_eq(opened_count(e, "survey", "held"), 0);
        ck_assert_int_eq(opened_count(e, "survey", "waiting"), 0);
        assert_ok(forward(e, &s, data, &g)); // the engine goes on
        hgate_close(e);
    }
    // copies: six arrays that all share, three tables of receivers, then those of groups
    for (int k = 0; k < 20; k++) {
        char options[64];
        snprintf(options, sizeof options, "fail_copy: %d", k);
        hgate_engine *e = device_engine(options);
        hgate_group_params g = group_params(2, 0);
        on_device(&g, 3, 2);
        array_poison(model);
        ck_assert_int_eq(adjoint(e, &s, model, &g), HGATE_EINTERNAL);
        ck_assert_ptr_nonnull(strstr(hgate_last_error(), "this copy fails"));
        ck_assert(array_is_poisoned(model));
        ck_assert_int_eq(opened_count(e, "survey", "held"), 0);
        hgate_close(e);
    }
    array_free(data);
    array_free(model);
    survey_free(&s);
}
END_TEST

// Another kernel may serve where the first one finds no memory; what is left over must be nothing.
START_TEST(each_allocation_may_fail)
{
    failing_alloc state = {0};
    const hgate_allocator allocator = failing_allocator(&state);
    survey s = make(0, 1);
    hgate_engine *e = _i ? opened("survey", "", NULL, &allocator) : host_engine(&allocator);
    hgate_group_params g = group_params(3, 2);
    if (_i)
        on_device(&g, 3, 2);
    array *data = new_data(&s), *model = new_model(&s);
    const long live = state.live;
    for (int is_forward = 0; is_forward < 2; is_forward++) {
        int n_failed = 0;
        for (long n = 1; n == 1 || state.calls >= n - 1; n++) { // until no call was the n-th
            array_poison(model);
            state.calls = 0;
            state.fail_only = n;
            const int status = is_forward ? forward(e, &s, data, &g) : adjoint(e, &s, model, &g);
            state.fail_only = 0;
            require(status == HGATE_OK || status == HGATE_ENOMEM);
            require(status == HGATE_OK || array_is_poisoned(model));
            require(state.live == live);
            n_failed += status != HGATE_OK;
        }
        ck_assert_int_gt(n_failed, 5);
    }
    if (_i)
        ck_assert_int_eq(opened_count(e, "survey", "held"), 0);
    hgate_close(e);
    ck_assert_int_eq(state.live, 0);
    array_free(data);
    array_free(model);
    survey_free(&s);
}
END_TEST

// ---- sizes alone ----

START_TEST(how_a_survey_would_be_cut)
{
    survey s = make(1, 1);
    hgate_engine *e = device_engine("");
    hgate_kirchhoff_shape shape = shape_of(&s);
    hgate_group_info info = {.struct_size = sizeof info};
    ck_assert_int_eq(hgate_kirchhoff_group_info(e, &s.params, &shape, NULL, &info),
                     HGATE_ENOKERNEL); // the default is the host
    hgate_group_params g = group_params(2, 0);
    on_device(&g, 3, 2);
    assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info));
    ck_assert_int_eq(info.n_groups, 4);
    shape.nwav = 0;
    hgate_group_info less = info;
    assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &less));
    ck_assert_uint_lt(less.device_bytes, info.device_bytes); // by the wavelet
    shape.ns = 0;
    assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info));
    ck_assert(info.n_groups == 0 && info.device_bytes == 0 && !info.forward_plugin);
    ck_assert_int_eq(hgate_kirchhoff_group_info(NULL, &s.params, &shape, &g, &info), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_group_info(e, NULL, &shape, &g, &info), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_group_info(e, &s.params, NULL, &g, &info), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, NULL), HGATE_EINVAL);
    g.nslots = 9;
    ck_assert_int_eq(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info), HGATE_EVALUE);
    hgate_close(e);
    survey_free(&s);
}
END_TEST

// More bytes than there are numbers for: refused, never a small sum.
START_TEST(sums_that_overflow)
{
    hgate_engine *e = device_engine("");
    hgate_kirchhoff_params params;
    hgate_kirchhoff_shape shape;
    hgate_kirchhoff_params_init(&params);
    hgate_kirchhoff_shape_init(&shape);
    params.dt = 1, params.nz = 1, params.nx = shape.ni = (int64_t)1 << 40;
    params.flags = HGATE_KIRCHHOFF_DYNAMIC;
    for (int shift = 1; shift < 23; shift++) {
        hgate_group_params g = group_params(0, 0);
        hgate_group_info info = {.struct_size = sizeof info};
        shape.ns = shape.nr = params.nt = (int64_t)1 << shift;
        on_device(&g, 3, 3);
        g.device_budget = (size_t)1 << 40;
        const int status = hgate_kirchhoff_group_info(e, &params, &shape, &g, &info);
        ck_assert_msg(status == HGATE_ENOMEM || status == HGATE_ESHAPE, "2^%d: %d: %s", shift,
                      status, hgate_last_error());
    }
    hgate_close(e);
}
END_TEST

START_TEST(each_allocation_of_info_may_fail)
{
    failing_alloc state = {0};
    const hgate_allocator allocator = failing_allocator(&state);
    survey s = make(0, 1);
    hgate_engine *e = opened("survey", "", NULL, &allocator);
    hgate_kirchhoff_shape shape = shape_of(&s);
    hgate_group_params g = group_params(0, 0);
    on_device(&g, 3, 2);
    const long live = state.live;
    int n_failed = 0;
    for (long n = 1; n == 1 || state.calls >= n - 1; n++) { // until no call was the n-th
        hgate_group_info info = {.struct_size = sizeof info, .n_groups = -77};
        state.calls = 0;
        state.fail_only = n;
        const int status = hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info);
        require(status == HGATE_OK || (status == HGATE_ENOMEM && info.n_groups == -77));
        require(state.live == live);
        n_failed += status != HGATE_OK;
    }
    ck_assert_int_ge(n_failed, 4);
    hgate_close(e);
    survey_free(&s);
}
END_TEST

// ---- refusals ----

static int refused(hgate_engine *e, const survey *s, const hgate_group_params *g, const char *text)
{
    array *data = new_data(s);
    array_poison(data);
    const int status = forward(e, s, data, g);
    ck_assert_msg(strstr(hgate_last_error(), text), "%s", hgate_last_error());
    ck_assert(array_is_poisoned(data));
    array_free(data);
    return status;
}

START_TEST(places_of_arrays)
{
    const DLDevice device = {(DLDeviceType)HGATE_DL_CUDA, 0};
    const DLDevice managed = {(DLDeviceType)HGATE_DL_CUDA_MANAGED, 0};
    survey s = make(0, 0);
    hgate_engine *e = device_engine("");
    hgate_group_params host = group_params(2, 0), g = group_params(2, 0);
    on_device(&g, 3, 2);
    s.model->dl.device = device;
    ck_assert_int_eq(refused(e, &s, &host, "are for the host, device_id -1"), HGATE_EDEVICE);
    s.trav_src->dl.device = s.trav_rec->dl.device = device;
    ck_assert_int_eq(refused(e, &s, &g, ": "), HGATE_EDEVICE);
    array *data = new_data(&s);
    array_poison(data);
    data->dl.device = s.model->dl.device = managed;
    s.trav_src->dl.device = s.trav_rec->dl.device = managed;
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_EDEVICE);
    ck_assert_str_eq(hgate_last_error(),
                     "trav_src: is on a device, groups are cut from host arrays");
    ck_assert(array_is_poisoned(data));
    array_free(data);
    survey_free(&s);
    s = survey_make(0, 0, 5, 3, 0, 4, 20, 0,
                    3); // no source: there is no kernel that writes the image
    array *model = new_model(&s);
    model->dl.device = device;
    ck_assert_int_eq(adjoint(e, &s, model, &g), HGATE_EDEVICE);
    ck_assert_str_eq(hgate_last_error(), "model: is on cuda:0, and there is no source to compute");
    array_free(model);
    hgate_close(e);
    survey_free(&s);
}
END_TEST

START_TEST(no_kernel_for_groups)
{
    survey s = make(0, 0);
    hgate_group_params g = group_params(2, 0), host = group_params(2, 0);
    on_device(&g, 3, 2);
    hgate_engine *e = device_engine("");
    ck_assert_int_eq(refused(e, &s, &host, "no kernel for host memory may serve the groups"),
                     HGATE_ENOKERNEL);
    g.nstreams = 1, g.device_id = -1;
    ck_assert_int_eq(refused(e, &s, &g, "device_id: is -1, but streams"), HGATE_EINVAL);
    hgate_close(e);
    on_device(&g, 3, 2);
    e = opened("survey", "kernels: {kirchhoff_forward: {fake-survey: {scatter: {enabled: false}}}}",
               NULL, NULL);
    ck_assert_int_eq(refused(e, &s, &g, "no kernel may serve kirchhoff_forward"), HGATE_ENOKERNEL);
    hgate_kirchhoff_shape shape = shape_of(&s);
    hgate_group_info info = {.struct_size = sizeof info};
    assert_ok(hgate_kirchhoff_group_info(e, &s.params, &shape, &g, &info));
    ck_assert(!info.forward_kernel && !info.forward_plugin);
    ck_assert_str_eq(info.adjoint_kernel, "gather");
    hgate_close(e);
    survey_free(&s);
}
END_TEST

// A plugin without page-locked memory, streams of copies and a word about what is free.
START_TEST(a_plain_device)
{
    survey s = make(0, 1);
    array *data = new_data(&s);
    hgate_exec *exec;
    hgate_kirchhoff_tables t = tables_of(&s);
    hgate_group_params g = group_params(3, 0);
    on_device(&g, 0, 2);
    hgate_engine *e =
        opened("device", "plugins: {fake-device: {options: {ws_device_bytes: 40}}}", NULL, NULL);
    assert_ok(hgate_exec_new(e, &exec));
    assert_ok(hgate_exec_set_stream(exec, 0, streams[0]));
    array_poison(data);
    assert_ok(hgate_kirchhoff_group_forward(e, exec, &s.params, &t, &s.model->dl, &data->dl, &g));
    ck_assert(!array_is_poisoned(data));
    ck_assert_int_eq(opened_count(e, "device", "run"), 3);
    hgate_exec_free(exec);
    hgate_close(e);
    e = opened("device", "plugins: {fake-device: {options: {fail_status: -20}}}", NULL, NULL);
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_EINTERNAL);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "group 0 of 3: "));
    hgate_close(e);
    array_free(data);
    survey_free(&s);
}
END_TEST

START_TEST(refusals)
{
    survey s = make(0, 0);
    hgate_engine *e = host_engine(NULL);
    array *data = new_data(&s);
    array_poison(data);
    static const struct {
        int64_t first, sources;
        int nslots, device, nstreams, status;
    } rows[] = {{-1, 0, 2, -1, 0, HGATE_EVALUE},  {0, -2, 2, -1, 0, HGATE_EVALUE},
                {8, 0, 2, -1, 0, HGATE_EVALUE},   {0, 0, 0, -1, 0, HGATE_EVALUE},
                {0, 0, 4, -1, 0, HGATE_EVALUE},   {0, 0, 2, -2, 0, HGATE_EVALUE},
                {0, 0, 2, -1, 1, HGATE_EINVAL},   {0, 0, 2, 0, 1, HGATE_EINVAL},
                {0, 0, 2, 63, 0, HGATE_ENOKERNEL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hgate_group_params g = group_params(rows[i].sources, 0);
        g.first_source = rows[i].first;
        g.nslots = rows[i].nslots;
        g.device_id = rows[i].device;
        g.nstreams = rows[i].nstreams;
        ck_assert_msg(forward(e, &s, data, &g) == rows[i].status, "row %zu: %s", i,
                      hgate_last_error());
    }
    hgate_group_params g = group_params(1, 0);
    s.params.check = HGATE_CHECK_VALUES;
    array_put(s.trav_src, 0, -1.0); // in the tables: found before the first group
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_EVALUE);
    g.struct_size = 3;
    ck_assert_int_eq(forward(e, &s, data, &g), HGATE_EABI);
    ck_assert_int_eq(hgate_kirchhoff_group_forward(NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                     HGATE_EINVAL);
    ck_assert_int_eq(hgate_group_params_init(NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_kirchhoff_shape_init(NULL), HGATE_EINVAL);
    ck_assert(array_is_poisoned(data));
    hgate_close(e);
    array_free(data);
    survey_free(&s);
}
END_TEST

START_TEST(empty_surveys)
{
    static const int64_t sizes[][3] = {{0, 5, 6}, {4, 0, 6}, {4, 5, 0}}; // ns, nr, nx
    for (int device = 0; device < 2; device++) {
        hgate_engine *e = device ? device_engine("") : host_engine(NULL);
        for (int k = 0; k < 3; k++) {
            survey s = survey_make(0, 0, sizes[k][2], 3, sizes[k][0], sizes[k][1], 20, 0, 3);
            s.params.nx = 0;
            array *data = new_data(&s), *model = new_model(&s);
            hgate_group_params g = group_params(0, 0);
            if (device)
                on_device(&g, 3, 2);
            array_poison(data);
            array_poison(model);
            assert_ok(forward(e, &s, data, &g));
            assert_ok(adjoint(e, &s, model, &g));
            ck_assert_double_eq(array_peak(data), 0);
            ck_assert_double_eq(array_peak(model), 0);
            array_free(data);
            array_free(model);
            survey_free(&s);
        }
        hgate_close(e);
    }
}
END_TEST

// ---- threads ----

typedef struct caller {
    pthread_t thread;
    hgate_engine *engine;
    const survey *survey;
    array *data, *model;
    int n_calls, n_wrong;
} caller;

static void *call_groups(void *user)
{
    caller *c = user;
    const hgate_group_params g = group_params(2, 3);
    for (int i = 0; i < c->n_calls; i++) {
        c->n_wrong += forward(c->engine, c->survey, c->data, &g) != HGATE_OK;
        c->n_wrong += adjoint(c->engine, c->survey, c->model, &g) != HGATE_OK;
    }
    return NULL;
}

START_TEST(several_threads)
{
    enum { N = 4 };
    survey s = make(1, 1);
    hgate_engine *e = host_engine(NULL);
    caller callers[N];
    for (int i = 0; i < N; i++)
        callers[i] = (caller){.engine = e,
                              .survey = &s,
                              .data = new_data(&s),
                              .model = new_model(&s),
                              .n_calls = 1 + 5 * (i > 0)};
    call_groups(&callers[0]); // alone: what the others must get
    for (int i = 1; i < N; i++)
        ck_assert_int_eq(pthread_create(&callers[i].thread, NULL, call_groups, &callers[i]), 0);
    for (int i = 1; i < N; i++)
        pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(callers[i].n_wrong, 0);
        ck_assert(array_equal_bits(callers[i].data, callers[0].data));
        ck_assert(array_equal_bits(callers[i].model, callers[0].model));
    }
    for (int i = 0; i < N; i++) {
        array_free(callers[i].data);
        array_free(callers[i].model);
    }
    hgate_close(e);
    survey_free(&s);
}
END_TEST

static void count_part(void *context, int64_t part)
{
    ((int *)context)[part]++;
}

/* Each part is done once and before the call is over, whoever comes late. */
START_TEST(a_crew_does_every_part_once)
{
    enum { MOST = 41, ROUNDS = 2000 };
    for (int threads = 1; threads <= 5; threads += 2) {
        hg_crew crew;
        hg_crew_open(&crew, threads);
        for (int round = 0; round < ROUNDS; round++) {
            int done[MOST] = {0};
            const int n = round % MOST;
            hg_crew_run(&crew, n, count_part, done);
            for (int i = 0; i < MOST; i++) {
                if (done[i] != (i < n)) {
                    ck_abort_msg("threads %d, round %d: part %d of %d was done %d times", threads,
                                 round, i, n, done[i]);
                }
            }
        }
        hg_crew_close(&crew);
    }
}
END_TEST

/* Rows and columns, of more bytes than one thread copies, and not of whole blocks. */
START_TEST(packing_by_several)
{
    enum { N_A = 211, N_B = 1733 };
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        const size_t n = (size_t)N_A * N_B;
        uint32_t *from = malloc(n * sizeof *from), *to = calloc(n, sizeof *to);
        hg_crew crew;
        ck_assert(from && to);
        for (size_t i = 0; i < n; i++) {
            from[i] = (uint32_t)(i + 1);
        }
        const hg_pack pack = {.from = from,
                              .to = to,
                              .element = sizeof *from,
                              .n_a = N_A,
                              .n_b = N_B,
                              .from_a = is_turned ? 1 : N_B,
                              .from_b = is_turned ? N_A : 1,
                              .to_a = N_B,
                              .to_b = 1};
        hg_crew_open(&crew, 4);
        hg_pack_run(&pack, &crew);
        hg_crew_close(&crew);
        for (int64_t a = 0; a < N_A; a++) {
            for (int64_t b = 0; b < N_B; b++) {
                if (to[a * N_B + b] != from[a * pack.from_a + b * pack.from_b]) {
                    ck_abort_msg("turned %d: element %d, %d", is_turned, (int)a, (int)b);
                }
            }
        }
        free(from);
        free(to);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kirchhoff groups");
    TCase *tests = tcase_create("groups");
    tcase_add_loop_test(tests, on_the_host, 0, 4);
    tcase_add_test(tests, equals_the_plain_call);
    tcase_add_loop_test(tests, on_a_device, 0, 4);
    tcase_add_test(tests, shares);
    tcase_add_test(tests, copies_go_beside_work);
    tcase_add_test(tests, model_on_the_device);
    tcase_add_test(tests, page_locked_arrays);
    tcase_add_loop_test(tests, budgets_are_kept, 0, 2);
    tcase_add_test(tests, what_the_device_has_is_the_budget);
    tcase_add_test(tests, too_small_a_budget);
    tcase_add_test(tests, plain_calls_tell_of_groups);
    tcase_add_test(tests, the_callback_may_stop);
    tcase_add_test(tests, a_group_that_fails);
    tcase_add_loop_test(tests, each_allocation_may_fail, 0, 2);
    tcase_add_test(tests, how_a_survey_would_be_cut);
    tcase_add_test(tests, sums_that_overflow);
    tcase_add_test(tests, each_allocation_of_info_may_fail);
    tcase_add_test(tests, places_of_arrays);
    tcase_add_test(tests, no_kernel_for_groups);
    tcase_add_test(tests, a_plain_device);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, empty_surveys);
    tcase_add_test(tests, several_threads);
    tcase_add_test(tests, a_crew_does_every_part_once);
    tcase_add_test(tests, packing_by_several);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
