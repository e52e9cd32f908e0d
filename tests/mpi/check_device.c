/* SPDX-License-Identifier: BSD-3-Clause */
/* Device arrays without a device: the plugin fake-device fills outputs, a driver of the tests
 * (fake_driver.c, found as libcuda.so.1) takes memory of the host for that of a device and counts
 * copies. Without either of them nothing is checked. */
#include "tests/mpi/check_mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

static int is_aware; /* what MPI says of itself, here in its place */

#ifdef MPIX_CUDA_AWARE_SUPPORT
__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void)
{
    return is_aware;
}
enum { CAN_ASK = 1 };
#else
enum { CAN_ASK = 0 };
#endif

enum { NS = 3, NR = 2, NI = 77, NT = 20, FILL = 3 };

static int open_fake(hgate_engine **engine, hgate_exec **exec)
{
    const char *file = getenv("CHECK_MPI_FAKE_DEVICE");
    hgate_config *config = NULL;
    hgate_options options;
    char list[4096];
    if (!file) {
        return HGATE_EUNAVAILABLE;
    }
    snprintf(list, sizeof list, "[%s]", file);
    int status = hgate_config_new(&config);
    status = status ? status : hgate_config_set(config, "plugins.files", list);
    status = status ? status : hgate_config_set(config, "plugins.fake-device.options.fill", "3");
    hgate_options_init(&options);
    options.config = config;
    status = status ? status : hgate_open(&options, engine);
    hgate_config_free(config);
    return status ? status : hgate_exec_new(*engine, exec);
}

static DLTensor on_device(float *data, int ndim, int64_t *shape)
{
    DLTensor tensor = tensor_of(data, F32, ndim, shape);
    tensor.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    return tensor;
}

/* The driver of the tests. */
typedef struct driver {
    long (*count)(void);
    void (*fail)(long after);
} driver;

/* A copy of one rank fails, whichever it is: every rank is told, none waits for pieces. */
static void fail_copies(hgate_mpi *mpi, hgate_mpi_place place, hgate_exec *exec, driver fake)
{
    static float numbers[NI];
    int64_t shape[] = {NI};
    DLTensor array = on_device(numbers, 1, shape);
    for (int k = 0; k < 2; k++) { /* out of the device, into it */
        fake.fail(place.rank == place.size - 1 ? k : -1);
        check(hgate_mpi_sum(mpi, exec, &array) == HGATE_EDEVICE);
        check(strstr(hgate_mpi_error(mpi), k ? "cuMemcpyHtoD" : "cuMemcpyDtoH") != NULL);
        fake.fail(-1);
        check(hgate_mpi_sum(mpi, exec, &array) == HGATE_OK);
    }
}

static void run(hgate_mpi *mpi, hgate_mpi_place place, hgate_engine *engine, hgate_exec *exec,
                long (*count)(void), int is_direct)
{
    static float src[NS * NI], rec[NR * NI], data[NS * NR * NT], model[NI];
    int64_t shape_src[] = {NI, NS}, shape_rec[] = {NI, NR}, shape_data[] = {NS, NR, NT};
    int64_t shape_model[] = {NI};
    DLTensor t_src = on_device(src, 2, shape_src), t_rec = on_device(rec, 2, shape_rec);
    DLTensor t_data = on_device(data, 3, shape_data), t_model = on_device(model, 1, shape_model);
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    hgate_kirchhoff_params_init(&params);
    hgate_kirchhoff_tables_init(&tables);
    params.dt = 0.1;
    params.nt = NT;
    params.nz = NI;
    params.nx = 1;
    tables.trav_src = &t_src;
    tables.trav_rec = &t_rec;
    for (int i = 0; i < NI; i++) {
        model[i] = (float)i;
    }
    /* rank 1 has no source: its image is one of zeros */
    const hgate_kirchhoff_tables *own = place.rank == 1 ? NULL : &tables;
    const long before = count();
    check(hgate_mpi_kirchhoff_adjoint(mpi, engine, exec, &params, own, 1, &t_data, 2, &t_model) ==
          HGATE_OK);
    const int n_with = place.size > 1 ? place.size - 1 : 1;
    int n_wrong = 0;
    for (int i = 0; i < NI; i++) {
        n_wrong += model[i] != (float)(FILL * n_with + 2 * i);
    }
    check(n_wrong == 0);
    /* zeros in and what was there out; staged: the image out and the sum in, too */
    check(count() - before == (is_direct ? 2 : 4));
}

/* Each way of asking, with an MPI that takes device memory and one that does not. */
static void run_all(hgate_mpi_place place, hgate_engine *engine, hgate_exec *exec, driver fake)
{
    static const int ways[] = {HGATE_MPI_BUFFERS_ASK, HGATE_MPI_BUFFERS_STAGED,
                               HGATE_MPI_BUFFERS_DIRECT};
    for (int k = 0; k < 6; k++) {
        hgate_mpi *mpi = NULL;
        hgate_mpi_options options;
        hgate_mpi_place there = {.struct_size = sizeof there};
        hgate_mpi_options_init(&options);
        options.device_buffers = ways[k / 2];
        is_aware = k % 2;
        const int is_direct =
            options.device_buffers == HGATE_MPI_BUFFERS_DIRECT ||
            (options.device_buffers == HGATE_MPI_BUFFERS_ASK && CAN_ASK && is_aware);
        check(hgate_mpi_new(MPI_COMM_WORLD, &options, &mpi) == HGATE_OK);
        check(hgate_mpi_info(mpi, &there) == HGATE_OK && there.is_direct == is_direct);
        run(mpi, place, engine, exec, fake.count, is_direct);
        if (!is_direct) {
            fail_copies(mpi, place, exec, fake);
        }
        hgate_mpi_free(mpi);
    }
}

void test_device(hgate_mpi_place place)
{
    hgate_engine *engine = NULL;
    hgate_exec *exec = NULL;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    driver fake = {NULL, NULL};
    if (library) {
        *(void **)&fake.count = dlsym(library, "fake_driver_copies");
        *(void **)&fake.fail = dlsym(library, "fake_driver_fail");
    }
    if (!fake.count) {
        if (place.rank == 0) {
            printf("no driver of the tests: device arrays are not checked\n");
        }
        return;
    }
    check(open_fake(&engine, &exec) == HGATE_OK);
    run_all(place, engine, exec, fake);
    hgate_exec_free(exec);
    hgate_close(engine);
}
