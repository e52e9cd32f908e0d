/* SPDX-License-Identifier: BSD-3-Clause */
/* The divided operations: each rank's own call, and the sum of the images of a migration. */
#include "tools/mpi/mpi_int.h"

#include <stdlib.h>
#include <string.h>

/* ---- kirchhoff --------------------------------------------------------------------------- */

typedef struct kirchhoff {
    hgate_engine *engine;
    hgate_exec *exec;
    const hgate_kirchhoff_params *params;
    const hgate_kirchhoff_tables *tables;
    double alpha, beta;
    const DLTensor *in;
    DLTensor *out;
} kirchhoff;

static int run_forward(void *user)
{
    const kirchhoff *k = user;
    return hgate_kirchhoff_forward(k->engine, k->exec, k->params, k->tables, k->alpha, k->in,
                                   k->beta, k->out);
}

static int run_adjoint(void *user)
{
    const kirchhoff *k = user;
    return hgate_kirchhoff_adjoint(k->engine, k->exec, k->params, k->tables, k->alpha, k->in, 0.0,
                                   k->out);
}

int hgate_mpi_kirchhoff_forward(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                                const hgate_kirchhoff_params *params,
                                const hgate_kirchhoff_tables *tables, double alpha,
                                const DLTensor *model, double beta, DLTensor *data)
{
    kirchhoff k = {engine, exec, params, tables, alpha, beta, model, data};
    return hgate_mpi_call(mpi, exec, tables ? run_forward : NULL, &k);
}

/* This rank's image before the sum: model stays as it is until all ranks have succeeded. */
typedef struct image {
    DLTensor own;
    int device, real_bytes;
    int64_t n;
    size_t bytes;
} image;

static int make_image(hgate_mpi *mpi, const DLTensor *model, image *to)
{
    int status = hg_mpi_measure(mpi, "model", model, false, &to->real_bytes, &to->n);
    if (status != HGATE_OK) {
        return status;
    }
    to->own = *model;
    to->own.byte_offset = 0;
    to->device = hg_mpi_device_of(model);
    to->bytes = (size_t)to->n * (size_t)to->real_bytes;
    void *zeros = calloc(1, to->bytes ? to->bytes : 1);
    if (!zeros) {
        return hg_mpi_fail(mpi, HGATE_ENOMEM, "model: no memory for an image of %zu bytes",
                           to->bytes);
    }
    if (to->device == HG_MPI_HOST) {
        to->own.data = zeros;
        return HGATE_OK;
    }
    to->own.data = NULL;
    status = hg_mpi_gpu_alloc(mpi, to->device, to->bytes, &to->own.data);
    if (status == HGATE_OK) {
        status = hg_mpi_gpu_put(mpi, to->device, to->own.data, zeros, to->bytes);
    }
    free(zeros);
    return status;
}

static void free_image(hgate_mpi *mpi, image *which)
{
    if (which->device == HG_MPI_HOST) {
        free(which->own.data);
    } else {
        hg_mpi_gpu_free(mpi, which->device, which->own.data);
    }
}

int hgate_mpi_kirchhoff_adjoint(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                                const hgate_kirchhoff_params *params,
                                const hgate_kirchhoff_tables *tables, double alpha,
                                const DLTensor *data, double beta, DLTensor *model)
{
    image own = {.device = HG_MPI_HOST};
    if (!mpi) {
        return HGATE_EINVAL;
    }
    int status = make_image(mpi, model, &own);
    status = hgate_mpi_agree(mpi, status, mpi->text);
    if (status == HGATE_OK) {
        kirchhoff k = {engine, exec, params, tables, alpha, 0.0, data, &own.own};
        status = hgate_mpi_call(mpi, exec, tables ? run_adjoint : NULL, &k);
    }
    if (status == HGATE_OK) {
        status = hg_mpi_check_alike(mpi, own.real_bytes, own.n);
    }
    if (status == HGATE_OK) {
        status = hg_mpi_sum_reals(mpi, own.real_bytes, own.n, own.own.data, beta,
                                  hg_mpi_data(model), own.device);
    }
    free_image(mpi, &own);
    return status;
}

/* ---- emi --------------------------------------------------------------------------------- */

typedef struct linking {
    hgate_engine *engine;
    hgate_exec *exec;
    const hgate_emi_params *params;
    const DLTensor *coh, *pairs;
    const DLTensor *phase_in;
    DLTensor *phase, *quality, *status, *beta, *t_coh;
} linking;

static int run_emi(void *user)
{
    const linking *l = user;
    return hgate_emi(l->engine, l->exec, l->params, l->coh, l->phase, l->quality, l->status,
                     l->beta);
}

static int run_evd(void *user)
{
    const linking *l = user;
    return hgate_evd(l->engine, l->exec, l->params, l->coh, l->phase, l->quality, l->status);
}

static int run_ds_temp_coh(void *user)
{
    const linking *l = user;
    return hgate_ds_temp_coh(l->engine, l->exec, l->params, l->coh, l->pairs, l->phase_in,
                             l->t_coh);
}

int hgate_mpi_emi(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                  const hgate_emi_params *params, const DLTensor *coh, DLTensor *phase,
                  DLTensor *quality, DLTensor *status, DLTensor *beta)
{
    linking l = {.engine = engine,
                 .exec = exec,
                 .params = params,
                 .coh = coh,
                 .phase = phase,
                 .quality = quality,
                 .status = status,
                 .beta = beta};
    return hgate_mpi_call(mpi, exec, coh ? run_emi : NULL, &l);
}

int hgate_mpi_evd(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                  const hgate_emi_params *params, const DLTensor *coh, DLTensor *phase,
                  DLTensor *quality, DLTensor *status)
{
    linking l = {.engine = engine,
                 .exec = exec,
                 .params = params,
                 .coh = coh,
                 .phase = phase,
                 .quality = quality,
                 .status = status};
    return hgate_mpi_call(mpi, exec, coh ? run_evd : NULL, &l);
}

int hgate_mpi_ds_temp_coh(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                          const hgate_emi_params *params, const DLTensor *coh,
                          const DLTensor *pairs, const DLTensor *phase, DLTensor *t_coh)
{
    linking l = {.engine = engine,
                 .exec = exec,
                 .params = params,
                 .coh = coh,
                 .pairs = pairs,
                 .phase_in = phase,
                 .t_coh = t_coh};
    return hgate_mpi_call(mpi, exec, coh ? run_ds_temp_coh : NULL, &l);
}

/* ---- visibility -------------------------------------------------------------------------- */

typedef struct channels {
    hgate_mpi *mpi;
    hgate_engine *engine;
    hgate_exec *exec;
    int64_t n;
    const hgate_visibility_params *params;
    const hgate_visibility_input *inputs;
    DLTensor *const *V;
} channels;

static int run_visibility(void *user)
{
    const channels *c = user;
    int status = HGATE_OK;
    for (int64_t i = 0; status == HGATE_OK && i < c->n; i++) {
        if (hg_mpi_at_step(c->mpi, i, c->n)) {
            return HGATE_ESTOPPED;
        }
        status = hgate_visibility(c->engine, c->exec, &c->params[i], &c->inputs[i], c->V[i]);
    }
    return status;
}

int hgate_mpi_visibility(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec, int64_t n,
                         const hgate_visibility_params *params,
                         const hgate_visibility_input *inputs, DLTensor *const *V)
{
    channels c = {mpi, engine, exec, n, params, inputs, V};
    if (mpi && n > 0 && (!params || !inputs || !V)) {
        return hgate_mpi_agree(mpi, HGATE_EINVAL, "params, inputs or V: is NULL");
    }
    return hgate_mpi_call(mpi, exec, n > 0 ? run_visibility : NULL, &c);
}
