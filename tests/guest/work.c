// SPDX-License-Identifier: BSD-3-Clause
// Problems with answers that need no second implementation: constant rows, closing phases, one
// visibility, constant data.
#include "tests/guest/work.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum {
    ROWS = 21,
    TERMS = 170,
    POINTS = 400,
    IMAGES = 9,
    PAIRS = IMAGES * (IMAGES - 1) / 2,
    NY = 13,
    NX = 9,
    SOURCES = 3,
    RECEIVERS = 5,
    SAMPLES = 64,
    CELLS = 77
};

typedef struct arrays {
    float complex Z[ROWS][TERMS], V[ROWS][ROWS];
    float complex coh[POINTS][PAIRS], phase[POINTS][IMAGES];
    double uv[1][2], sigma[1], w[2 * NY][2 * NX];
    double trav_src[CELLS][SOURCES], trav_rec[CELLS][RECEIVERS];
    double data[SOURCES][RECEIVERS][SAMPLES], model[CELLS];
} arrays;

// A tensor with its shape; code and bits of DLPack.
typedef struct tensor {
    int64_t shape[3];
    DLTensor dl;
} tensor;

static DLTensor *view(tensor *t, void *data, int code, int bits, int64_t a, int64_t b, int64_t c)
{
    *t = (tensor){.shape = {a, b, c}};
    t->dl.data = data;
    t->dl.device.device_type = kDLCPU;
    t->dl.ndim = c ? 3 : b ? 2 : 1;
    t->dl.dtype.code = (uint8_t)code;
    t->dl.dtype.bits = (uint8_t)bits;
    t->dl.dtype.lanes = 1;
    t->dl.shape = t->shape;
    return &t->dl;
}

#define REAL(T, ARRAY, A, B, C) view(T, ARRAY, kDLFloat, 64, A, B, C)
#define COMPLEX(T, ARRAY, A, B) view(T, ARRAY, kDLComplex, 64, A, B, 0)

// Z[i][k] = i + 1: V[i][j] = TERMS (i + 1) (j + 1).
static const char *gram(const guest_library *lib, hgate_engine *engine, hgate_exec *exec, arrays *a)
{
    tensor Z, V;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < TERMS; k++)
            a->Z[i][k] = (float)(i + 1);
    if (lib->visibility_gram(engine, exec, NULL, COMPLEX(&Z, a->Z, ROWS, TERMS),
                             COMPLEX(&V, a->V, ROWS, ROWS)))
        return lib->last_error();
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            if (cabsf(a->V[i][j] - (float)(TERMS * (i + 1) * (j + 1))) > 0.1F)
                return "visibility_gram: a wrong number";
    return NULL;
}

// coh_ij = exp(0.1 i (i - j)): the phase of image i is exp(0.1 i).
static const char *link_phases(const guest_library *lib, hgate_engine *engine, hgate_exec *exec,
                               arrays *a)
{
    tensor coh, phase;
    for (int p = 0; p < POINTS; p++)
        for (int i = 0, k = 0; i < IMAGES; i++)
            for (int j = i + 1; j < IMAGES; j++, k++)
                a->coh[p][k] = (0.9F - 0.05F * (float)(j - i)) * cexpf(0.1F * I * (float)(i - j));
    if (lib->emi(engine, exec, NULL, COMPLEX(&coh, a->coh, POINTS, PAIRS),
                 COMPLEX(&phase, a->phase, POINTS, IMAGES), NULL, NULL, NULL))
        return lib->last_error();
    for (int p = 0; p < POINTS; p++)
        for (int i = 0; i < IMAGES; i++)
            if (cabsf(a->phase[p][i] - cexpf(0.1F * I * (float)i)) > 1e-4F)
                return "emi: a wrong number";
    return NULL;
}

// One visibility at (0, 0): w is sigma^-2 everywhere but in the unused row and column.
static const char *kernel(const guest_library *lib, hgate_engine *engine, hgate_exec *exec,
                          arrays *a)
{
    tensor uv, sigma, w;
    hgate_curvature_params params;
    lib->curvature_params_init(&params);
    params.pix = 1e-6;
    a->uv[0][0] = a->uv[0][1] = 0;
    a->sigma[0] = 0.5;
    if (lib->curvature_kernel(engine, exec, &params, REAL(&uv, a->uv, 1, 2, 0),
                              REAL(&sigma, a->sigma, 1, 0, 0), REAL(&w, a->w, 2 * NY, 2 * NX, 0)))
        return lib->last_error();
    for (int y = 0; y < 2 * NY; y++)
        for (int x = 0; x < 2 * NX; x++)
            if (y != NY && x != NX && fabs(a->w[y][x] - 4) > 1e-12)
                return "curvature_kernel: a wrong number";
    return NULL;
}

// Data of ones: every pair whose time is inside the record adds 1.
static const char *migrate(const guest_library *lib, hgate_engine *engine, hgate_exec *exec,
                           arrays *a)
{
    tensor src, rec, data, model;
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    lib->kirchhoff_params_init(&params);
    lib->kirchhoff_tables_init(&tables);
    params.dt = 0.01;
    params.nt = SAMPLES;
    params.nz = 7;
    for (int i = 0; i < CELLS; i++) {
        for (int s = 0; s < SOURCES; s++)
            a->trav_src[i][s] = 0.001 * (i + 3 * s);
        for (int r = 0; r < RECEIVERS; r++)
            a->trav_rec[i][r] = 0.002 * (i + r);
    }
    for (int i = 0; i < SOURCES * RECEIVERS * SAMPLES; i++)
        (&a->data[0][0][0])[i] = 1;
    tables.trav_src = REAL(&src, a->trav_src, CELLS, SOURCES, 0);
    tables.trav_rec = REAL(&rec, a->trav_rec, CELLS, RECEIVERS, 0);
    if (lib->kirchhoff_adjoint(engine, exec, &params, &tables, 1,
                               REAL(&data, a->data, SOURCES, RECEIVERS, SAMPLES), 0,
                               REAL(&model, a->model, CELLS, 0, 0)))
        return lib->last_error();
    for (int i = 0; i < CELLS; i++)
        if (fabs(a->model[i] - SOURCES * RECEIVERS) > 1e-9)
            return "kirchhoff_adjoint: a wrong number";
    return NULL;
}

const char *guest_work(const guest_library *lib, hgate_engine *engine, int threads)
{
    hgate_exec *exec = NULL;
    arrays *a = malloc(sizeof *a);
    const char *wrong = a ? NULL : "no memory";
    if (!wrong && (lib->exec_new(engine, &exec) || lib->exec_set_threads(exec, threads)))
        wrong = lib->last_error();
    if (!wrong)
        wrong = gram(lib, engine, exec, a);
    if (!wrong)
        wrong = link_phases(lib, engine, exec, a);
    if (!wrong)
        wrong = kernel(lib, engine, exec, a);
    if (!wrong)
        wrong = migrate(lib, engine, exec, a);
    lib->exec_free(exec);
    free(a);
    return wrong;
}
