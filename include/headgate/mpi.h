/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations divided among the processes of an MPI communicator: libheadgate-mpi.
 *
 * Each process (rank) has an engine of its own and passes its part of the work: sources of a
 * kirchhoff survey, points of a radar stack, frequencies of visibilities. What is not divided every
 * rank passes alike. A rank with nothing to do passes NULL for its part and still calls.
 *
 * All functions that take an hgate_mpi, but those on this rank alone (info, share, error, free
 * after a failure of MPI itself), are collective: every rank calls them, in the same order. They
 * all return the same status on every rank: where one fails, the others stop within a few tenths of
 * a second of work and return its status, hgate_mpi_error() its message. The calling thread must be
 * the one that may call MPI (MPI_THREAD_FUNNELED). The core library does not know this one and does
 * not link MPI. */
#ifndef HEADGATE_MPI_H
#define HEADGATE_MPI_H

#include <headgate/headgate.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hgate_mpi hgate_mpi;

/** How arrays in device memory reach MPI. */
enum hgate_mpi_buffers {
    HGATE_MPI_BUFFERS_ASK = 0,    /**< direct where MPI says that it is CUDA-aware, else staged */
    HGATE_MPI_BUFFERS_STAGED = 1, /**< through pinned memory of the host */
    HGATE_MPI_BUFFERS_DIRECT = 2  /**< the caller knows that MPI takes device pointers */
};

typedef struct hgate_mpi_options {
    size_t struct_size;
    int device_buffers; /**< enum hgate_mpi_buffers (ask) */
    /** Of the host application; each execution context that is passed below has these from then on.
     *  progress is called on rank 0 alone, for the work of all ranks; non-zero stops all. */
    hgate_hooks hooks;
} hgate_mpi_options;

/** Sets struct_size and the defaults. */
HGATE_API int hgate_mpi_options_init(hgate_mpi_options *options);

/** Takes a duplicate of the communicator. options NULL means the defaults. ESTATE where MPI is not
 *  initialized with MPI_THREAD_FUNNELED or more. Collective. */
HGATE_API int hgate_mpi_new(MPI_Comm comm, const hgate_mpi_options *options, hgate_mpi **mpi);
/** Collective. NULL is fine. */
HGATE_API void hgate_mpi_free(hgate_mpi *mpi);

/** Message of the last call that failed, with the rank where it failed; "" before. Belongs to mpi.
 */
HGATE_API const char *hgate_mpi_error(const hgate_mpi *mpi);

typedef struct hgate_mpi_place {
    size_t struct_size;
    int rank, size;
    int local_rank, local_size; /**< among the ranks of this machine; device: local_rank modulo */
    int threads;   /**< cores of this rank's affinity mask, shared where ranks have the same ones */
    int is_direct; /**< device arrays go to MPI as they are */
} hgate_mpi_place;

/** Where this rank is. Set place->struct_size first. Not collective. */
HGATE_API int hgate_mpi_info(const hgate_mpi *mpi, hgate_mpi_place *place);

/** This rank's part of n things: the first n % size ranks have one more. Not collective. */
HGATE_API int hgate_mpi_share(const hgate_mpi *mpi, int64_t n, int64_t *first, int64_t *count);

/** Every rank passes its status and its message; all get OK, or those of the first that failed. */
HGATE_API int hgate_mpi_agree(hgate_mpi *mpi, int status, const char *message);

/** Runs call(user) on every rank that passes one, with exec's progress hook set so that progress is
 *  told and a failure elsewhere stops it (ESTOPPED from the operation). What call returns is agreed
 *  upon; on failure its message is hgate_last_error(). */
HGATE_API int hgate_mpi_call(hgate_mpi *mpi, hgate_exec *exec, int (*call)(void *user), void *user);

/** array = sum over the ranks, added in rank order in float64 and rounded once: the same bits on
 *  every rank and in every run with as many ranks. float32, float64, complex64, complex128; host or
 *  device memory; the same shape everywhere. */
HGATE_API int hgate_mpi_sum(hgate_mpi *mpi, hgate_exec *exec, DLTensor *array);

/** values[i] = the largest over the ranks; for lengths and limits of a whole survey. */
HGATE_API int hgate_mpi_max(hgate_mpi *mpi, int n, double *values);

/** Tables and data of this rank's sources; the model is the same on all ranks. The data are those
 *  of one process, bit for bit, where the same kernel serves all. tables NULL: no source here. */
HGATE_API int hgate_mpi_kirchhoff_forward(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                                          const hgate_kirchhoff_params *params,
                                          const hgate_kirchhoff_tables *tables, double alpha,
                                          const DLTensor *model, double beta, DLTensor *data);
/** The image of all sources, the same bits on all ranks; model must be the same on all ranks where
 *  beta is not 0. Takes memory for one more image. tables NULL: no source here, model is needed. */
HGATE_API int hgate_mpi_kirchhoff_adjoint(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                                          const hgate_kirchhoff_params *params,
                                          const hgate_kirchhoff_tables *tables, double alpha,
                                          const DLTensor *data, double beta, DLTensor *model);
/** This rank's points. coh NULL: no point here. */
HGATE_API int hgate_mpi_emi(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                            const hgate_emi_params *params, const DLTensor *coh, DLTensor *phase,
                            DLTensor *quality, DLTensor *status, DLTensor *beta);
HGATE_API int hgate_mpi_evd(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                            const hgate_emi_params *params, const DLTensor *coh, DLTensor *phase,
                            DLTensor *quality, DLTensor *status);
HGATE_API int hgate_mpi_ds_temp_coh(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                                    const hgate_emi_params *params, const DLTensor *coh,
                                    const DLTensor *pairs, const DLTensor *phase, DLTensor *t_coh);
/** This rank's n frequencies: so many params, inputs and outputs. n 0: none here. */
HGATE_API int hgate_mpi_visibility(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec,
                                   int64_t n, const hgate_visibility_params *params,
                                   const hgate_visibility_input *inputs, DLTensor *const *V);

#ifdef __cplusplus
}
#endif
#endif
