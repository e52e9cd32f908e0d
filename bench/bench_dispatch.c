/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call costs beside its work: planned, one-shot and explained calls whose kernels do next to
 * nothing. Arguments are plugin files; without any, the fake plugins that `make check` builds. */
#include <headgate/headgate.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { n_images = 5, n_points = 3, n_sources = 4, repeats = 30, calls = 2000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void demand(int status)
{
    if (status != HGATE_OK) {
        fprintf(stderr, "%s: %s\n", hgate_status_name(status), hgate_last_error());
        exit(1);
    }
}

/* ---- arrays ------------------------------------------------------------------ */

typedef struct array {
    DLTensor tensor;
    int64_t shape[2];
    _Alignas(64) double data[64];
} array;

static void set_up(array *a, DLDataTypeCode code, int bits, int64_t rows, int64_t columns)
{
    memset(a, 0, sizeof *a);
    a->shape[0] = rows;
    a->shape[1] = columns;
    a->tensor = (DLTensor){
        .data = a->data,
        .device = {kDLCPU, 0},
        .ndim = columns ? 2 : 1,
        .dtype = {(uint8_t)code, (uint8_t)bits, 1},
        .shape = a->shape,
    };
}

typedef struct scene {
    hgate_engine *engine;
    hgate_exec *exec;
    array coh, phase;                       /* emi */
    array crd, az, za;                      /* visibility_angles */
    array w, iy, ix, indptr, rows, vals, F; /* curvature: one pixel, one column */
    hgate_plan *emi, *angles, *curvature;
} scene;

static void make_arrays(scene *s)
{
    set_up(&s->coh, kDLComplex, 64, n_points, n_images * (n_images - 1) / 2);
    set_up(&s->phase, kDLComplex, 64, n_points, n_images);
    set_up(&s->crd, kDLFloat, 64, 3, n_sources);
    set_up(&s->az, kDLFloat, 64, n_sources, 0);
    set_up(&s->za, kDLFloat, 64, n_sources, 0);
    for (int i = 0; i < n_sources; i++) {
        s->crd.data[2 * n_sources + i] = 1;
    }
    set_up(&s->w, kDLFloat, 64, 2, 2);
    set_up(&s->iy, kDLInt, 64, 1, 0);
    set_up(&s->ix, kDLInt, 64, 1, 0);
    set_up(&s->indptr, kDLInt, 64, 2, 0);
    set_up(&s->rows, kDLInt, 64, 1, 0);
    set_up(&s->vals, kDLFloat, 64, 1, 0);
    set_up(&s->F, kDLFloat, 64, 1, 1);
    s->w.data[0] = 1;
    s->vals.data[0] = 1;
    ((int64_t *)s->indptr.data)[1] = 1;
}

/* ---- calls -------------------------------------------------------------------- */

static int emi_planned(scene *s)
{
    return hgate_emi_run(s->emi, s->exec, &s->coh.tensor, &s->phase.tensor, NULL, NULL, NULL);
}

static int emi_one_shot(scene *s)
{
    return hgate_emi(s->engine, s->exec, NULL, &s->coh.tensor, &s->phase.tensor, NULL, NULL, NULL);
}

static int emi_without_context(scene *s)
{
    return hgate_emi(s->engine, NULL, NULL, &s->coh.tensor, &s->phase.tensor, NULL, NULL, NULL);
}

static int angles_planned(scene *s)
{
    return hgate_visibility_angles_run(s->angles, s->exec, &s->crd.tensor, &s->az.tensor,
                                       &s->za.tensor);
}

static int angles_one_shot(scene *s)
{
    return hgate_visibility_angles(s->engine, s->exec, NULL, &s->crd.tensor, &s->az.tensor,
                                   &s->za.tensor);
}

static int curvature_planned(scene *s)
{
    return hgate_curvature_run(s->curvature, s->exec, &s->indptr.tensor, &s->rows.tensor,
                               &s->vals.tensor, &s->F.tensor);
}

static int curvature_one_shot(scene *s)
{
    return hgate_curvature(s->engine, s->exec, NULL, &s->w.tensor, &s->iy.tensor, &s->ix.tensor,
                           &s->indptr.tensor, &s->rows.tensor, &s->vals.tensor, &s->F.tensor);
}

static int emi_explained(scene *s)
{
    hgate_trace *trace;
    const int status = hgate_emi_explain(s->engine, s->exec, NULL, &s->coh.tensor, &s->phase.tensor,
                                         NULL, NULL, NULL, &trace);
    if (status == HGATE_OK) {
        hgate_trace_free(trace);
    }
    return status;
}

static const struct {
    const char *name;
    int (*call)(scene *s);
} rows[] = {
    {"emi, planned", emi_planned},
    {"emi, one-shot", emi_one_shot},
    {"emi, one-shot without a context", emi_without_context},
    {"emi, explained", emi_explained},
    {"visibility_angles, planned", angles_planned},
    {"visibility_angles, one-shot", angles_one_shot},
    {"curvature, planned (same sizes again)", curvature_planned},
    {"curvature, one-shot", curvature_one_shot},
};

/* Least seconds of a call over repeats. */
static double time_call(scene *s, int (*call)(scene *s))
{
    double least = INFINITY;
    for (int r = 0; r < repeats; r++) {
        const double begin = now();
        for (int i = 0; i < calls; i++) {
            demand(call(s));
        }
        least = fmin(least, (now() - begin) / calls);
    }
    return least;
}

/* ---- engine -------------------------------------------------------------------- */

static hgate_engine *open_engine(int n, char **files)
{
    static const char *const fakes[] = {"good", "other", "gated"};
    static char list[4 * PATH_MAX] = "[", folder[PATH_MAX];
    hgate_config *config;
    hgate_options options;
    hgate_engine *engine;
    if (n == 0 && !realpath("tests/fake/.libs", folder)) {
        fprintf(stderr,
                "no tests/fake/.libs here: give plugin files, or run it in the build folder\n");
        exit(1);
    }
    for (int i = 0; i < (n ? n : 3); i++) {
        const size_t used = strlen(list);
        if (n) {
            snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", files[i]);
        } else {
            snprintf(list + used, sizeof list - used, "%s%s/headgate-fake-%s.so", i ? ", " : "",
                     folder, fakes[i]);
        }
    }
    strncat(list, "]", sizeof list - strlen(list) - 1);
    demand(hgate_config_new(&config));
    demand(hgate_config_load_text(config, "version: 1\n", 11, "bench"));
    demand(hgate_config_set(config, "plugins.use_default_path", "false"));
    demand(hgate_config_set(config, "plugins.files", list));
    demand(hgate_options_init(&options));
    options.config = config;
    demand(hgate_open(&options, &engine));
    hgate_config_free(config);
    return engine;
}

int main(int argc, char **argv)
{
    unsetenv("HEADGATE_PLUGIN_PATH");
    static scene s;
    s.engine = open_engine(argc - 1, argv + 1);
    demand(hgate_exec_new(s.engine, &s.exec));
    make_arrays(&s);
    demand(hgate_emi_plan(s.engine, s.exec, NULL, &s.coh.tensor, &s.phase.tensor, NULL, NULL, NULL,
                          &s.emi));
    demand(hgate_visibility_angles_plan(s.engine, s.exec, NULL, &s.crd.tensor, &s.az.tensor,
                                        &s.za.tensor, &s.angles));
    demand(hgate_curvature_plan(s.engine, s.exec, NULL, &s.w.tensor, &s.iy.tensor, &s.ix.tensor,
                                &s.curvature));
    printf("%d plugins; least of %d times %d calls\n", hgate_plugin_count(s.engine), repeats,
           calls);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("  %-40s %7.0f ns\n", rows[i].name, 1e9 * time_call(&s, rows[i].call));
    }
    hgate_plan_free(s.emi);
    hgate_plan_free(s.angles);
    hgate_plan_free(s.curvature);
    hgate_exec_free(s.exec);
    hgate_close(s.engine);
    return 0;
}
