// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, cuSOLVER and cuFFT as doubles, and the loader that finds them: dlopen and dlsym of this
// plugin are these.
#include "plugins/cuda/runtime/libs.h"
#include "tests/cuda/double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Hidden, so that they stand in front of the C library's in this plugin and nowhere else.
void *dlopen(const char *name, int flags);
void *dlsym(void *handle, const char *symbol);
char *dlerror(void);

static char handles[] = "a library";

static char text[128]; // of dlerror()

void *dlopen(const char *name, int flags)
{
    (void)flags;
    const int is_there = !cuda_double_call("dlopen") && !cuda_double_shared()->has_no_libs;
    snprintf(text, sizeof text, "%s: cannot open shared object file: No such file or directory",
             name);
    return is_there ? handles : NULL;
}

char *dlerror(void)
{
    return text;
}

// Every function of the libraries: it answers with a status, and its last arguments are left.
static int answer(void)
{
    cuda_double_shared()->launches++;
    return cuda_double_call("a library function") ? 1 : 0;
}

static int create(void **handle)
{
    if (cuda_double_call("a create function")) {
        return 1;
    }
    *handle = malloc(1);
    cuda_double_shared()->live++;
    return 0;
}

static int destroy(void *handle)
{
    free(handle);
    cuda_double_shared()->live--;
    return answer();
}

// cuFFT's handles are numbers.
static cufftResult create_plan(cufftHandle *plan)
{
    if (cuda_double_call("cufftCreate")) {
        return CUFFT_INTERNAL_ERROR;
    }
    *plan = 1;
    cuda_double_shared()->live++;
    return CUFFT_SUCCESS;
}

static cufftResult destroy_plan(cufftHandle plan)
{
    (void)plan;
    cuda_double_shared()->live--;
    return answer() ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
}

static cufftResult make_plan(cufftHandle plan, int rank, long long *n, long long *inembed,
                             long long istride, long long idist, long long *onembed,
                             long long ostride, long long odist, cufftType type, long long batch,
                             size_t *bytes)
{
    (void)plan, (void)rank, (void)n, (void)inembed, (void)istride, (void)idist, (void)onembed;
    (void)ostride, (void)odist, (void)type, (void)batch;
    *bytes = 256;
    cuda_double_shared()->launches++;
    return cuda_double_call("cufftMakePlanMany64") ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
}

static cusolverStatus_t buffer_size(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                    cudaDataType type_a, const void *a, int64_t lda,
                                    cudaDataType type_w, const void *w, cudaDataType compute,
                                    size_t *device, size_t *host, int64_t batch)
{
    (void)handle, (void)params, (void)jobz, (void)uplo, (void)n, (void)type_a, (void)a, (void)lda;
    (void)type_w, (void)w, (void)compute, (void)batch;
    *device = *host = 256;
    return answer() ? CUSOLVER_STATUS_INTERNAL_ERROR : CUSOLVER_STATUS_SUCCESS;
}

typedef void (*function)(void);

static const struct {
    const char *name;
    function call;
} special[] = {
    {"cublasCreate_v2", (function)create},
    {"cublasDestroy_v2", (function)destroy},
    {"cusolverDnCreate", (function)create},
    {"cusolverDnDestroy", (function)destroy},
    {"cusolverDnCreateParams", (function)create},
    {"cusolverDnDestroyParams", (function)destroy},
    {"cusolverDnXsyevBatched_bufferSize", (function)buffer_size},
    {"cufftCreate", (function)create_plan},
    {"cufftDestroy", (function)destroy_plan},
    {"cufftMakePlanMany64", (function)make_plan},
};

void *dlsym(void *handle, const char *symbol)
{
    function found = (function)answer;
    void *address;
    (void)handle;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (strcmp(special[i].name, symbol) == 0) {
            found = special[i].call;
        }
    }
    memcpy(&address, &found, sizeof address);
    return cuda_double_call("dlsym") ? NULL : address;
}
