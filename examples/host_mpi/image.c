/* SPDX-License-Identifier: BSD-3-Clause */
/* A migration by sources on the ranks of a communicator: every rank computes the tables of its own
 * sources, migrates its data, and gets the image of all of them. */
#include <headgate/mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NS = 5, NR = 3, NT = 64, NX = 9, NZ = 4, NI = NX * NZ };

/* Seconds from a station at (x, 0) to a point of the grid, steps of 10 m, 2000 m/s. */
static float seconds(float x, int point)
{
    const float dx = 10.0f * (float)(point / NZ) - x, dz = 10.0f * (float)(point % NZ + 1);
    return sqrtf(dx * dx + dz * dz) / 2000.0f;
}

static DLTensor tensor(float *data, int ndim, int64_t *shape)
{
    return (DLTensor){.data = data,
                      .device = {kDLCPU, 0},
                      .ndim = ndim,
                      .dtype = {kDLFloat, 32, 1},
                      .shape = shape};
}

static int migrate(hgate_mpi *mpi, hgate_engine *engine, hgate_exec *exec, float *image)
{
    static float src[NS * NI], rec[NR * NI], data[NS * NR * NT];
    int64_t first, count;
    hgate_mpi_share(mpi, NS, &first, &count);
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < NI; i++) {
            src[s * NI + i] = seconds(20.0f * (float)(first + s), i);
        }
    }
    for (int k = 0; k < NR * NI; k++) {
        rec[k] = seconds(30.0f * (float)(k / NI), k % NI);
    }
    for (int k = 0; k < count * NR * NT; k++) {
        data[k] = 1.0f;
    }
    int64_t shape_src[] = {count, NI}, shape_rec[] = {NR, NI}, shape_data[] = {count, NR, NT};
    int64_t shape_image[] = {NX, NZ};
    DLTensor t_src = tensor(src, 2, shape_src), t_rec = tensor(rec, 2, shape_rec);
    DLTensor t_data = tensor(data, 3, shape_data), t_image = tensor(image, 2, shape_image);
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    hgate_kirchhoff_params_init(&params);
    hgate_kirchhoff_tables_init(&tables);
    params.dt = 0.004;
    params.nt = NT;
    params.nx = NX;
    params.nz = NZ;
    params.flags = HGATE_KIRCHHOFF_STATION_MAJOR;
    tables.trav_src = &t_src;
    tables.trav_rec = &t_rec;
    return hgate_mpi_kirchhoff_adjoint(mpi, engine, exec, &params, count > 0 ? &tables : NULL, 1.0,
                                       &t_data, 0.0, &t_image);
}

int main(int argc, char **argv)
{
    static float image[NI];
    int level, rank;
    hgate_mpi *mpi = NULL;
    hgate_engine *engine = NULL;
    hgate_exec *exec = NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = hgate_mpi_new(MPI_COMM_WORLD, NULL, &mpi);
    if (status != HGATE_OK) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    status = hgate_open(NULL, &engine);
    status = status == HGATE_OK ? hgate_exec_new(engine, &exec) : status;
    status = hgate_mpi_agree(mpi, status, hgate_last_error());
    status = status == HGATE_OK ? migrate(mpi, engine, exec, image) : status;
    if (rank == 0 && status == HGATE_OK) {
        printf("every point sees %g pairs\n", (double)image[NI / 2]);
    } else if (rank == 0) {
        fprintf(stderr, "%s\n", hgate_mpi_error(mpi));
    }
    hgate_mpi_free(mpi);
    hgate_exec_free(exec);
    hgate_close(engine);
    MPI_Finalize();
    return status != HGATE_OK;
}
