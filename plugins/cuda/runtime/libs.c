/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds cuBLAS, cuSOLVER and cuFFT at first use. Bare names are right here: the loader finds the
 * copy that the host application has mapped already, so that one process has one cuBLAS. */
#include "plugins/cuda/runtime/libs.h"
#include "plugins/cuda/runtime/state.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TEXT_(X) #X
#define TEXT(X) TEXT_(X)

static const char *const sonames[HG_CUDA_N_LIBRARIES] = {
    [HG_CUDA_CUBLAS] = "libcublas.so." TEXT(CUBLAS_VER_MAJOR),
    [HG_CUDA_CUSOLVER] = "libcusolver.so." TEXT(CUSOLVER_VER_MAJOR),
    [HG_CUDA_CUFFT] = "libcufft.so." TEXT(CUFFT_VER_MAJOR),
};

static const struct {
    enum hg_cuda_library library;
    const char *symbol;
    size_t offset;
} calls[] = {
#define ROW(LIBRARY, SYMBOL) {HG_CUDA_##LIBRARY, #SYMBOL, offsetof(hg_cuda_calls, SYMBOL)},
    HG_CUDA_CALLS(ROW)
#undef ROW
};

enum binding { UNTRIED, BOUND, FAILED };

struct hg_cuda_libs {
    const hgate_host *host;
    pthread_mutex_t lock;
    enum binding binding[HG_CUDA_N_LIBRARIES]; /* written under the lock, read with acquire */
    char failure[HG_CUDA_N_LIBRARIES][256];
    char path[HG_CUDA_N_LIBRARIES][256];
    hg_cuda_calls calls;
};

int hg_cuda_libs_new(const hgate_host *host, hg_cuda_libs **libs)
{
    hg_cuda_libs *l = host->alloc(host, sizeof *l, 64);
    if (!l)
        return HGATE_ENOMEM;
    memset(l, 0, sizeof *l);
    l->host = host;
    pthread_mutex_init(&l->lock, NULL);
    *libs = l;
    return HGATE_OK;
}

/* The libraries stay mapped, like every plugin. */
void hg_cuda_libs_free(hg_cuda_libs *libs)
{
    if (!libs)
        return;
    pthread_mutex_destroy(&libs->lock);
    libs->host->free(libs->host, libs);
}

static enum binding bind_symbols(hg_cuda_libs *l, enum hg_cuda_library which, void *handle)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].library != which)
            continue;
        void *symbol = dlsym(handle, calls[i].symbol);
        if (!symbol) {
            snprintf(l->failure[which], sizeof l->failure[which], "%s has no %s", sonames[which],
                     calls[i].symbol);
            return FAILED;
        }
        memcpy((char *)&l->calls + calls[i].offset, &symbol, sizeof symbol);
        Dl_info info;
        if (dladdr(symbol, &info) && info.dli_fname)
            snprintf(l->path[which], sizeof l->path[which], "%s", info.dli_fname);
    }
    return BOUND;
}

static enum binding bind(hg_cuda_libs *l, enum hg_cuda_library which)
{
    void *handle = dlopen(sonames[which], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle)
        return bind_symbols(l, which, handle);
    const char *text = dlerror();
    snprintf(l->failure[which], sizeof l->failure[which], "%s", text ? text : sonames[which]);
    return FAILED;
}

static enum binding bind_once(hg_cuda_libs *libs, enum hg_cuda_library which)
{
    enum binding b = __atomic_load_n(&libs->binding[which], __ATOMIC_ACQUIRE);
    if (b != UNTRIED)
        return b;
    pthread_mutex_lock(&libs->lock);
    b = libs->binding[which];
    if (b == UNTRIED) {
        b = bind(libs, which);
        __atomic_store_n(&libs->binding[which], b, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&libs->lock);
    return b;
}

int hg_cuda_libs_need(hg_cuda_libs *libs, enum hg_cuda_library library)
{
    if (bind_once(libs, library) == BOUND)
        return HGATE_OK;
    return libs->host->error(libs->host, HGATE_EUNAVAILABLE, libs->failure[library]);
}

const hg_cuda_calls *hg_cuda_libs_calls(const hg_cuda_libs *libs)
{
    return &libs->calls;
}

int hg_cuda_libs_can(hg_cuda_libs *libs, enum hg_cuda_library library, hgate_reason *reason)
{
    if (__atomic_load_n(&libs->binding[library], __ATOMIC_ACQUIRE) != FAILED)
        return HGATE_OK;
    return hgate_refuse(reason, HGATE_REFUSE_FEATURE, 0, 0, "%.150s", libs->failure[library]);
}

void hg_cuda_libs_describe(const hg_cuda_libs *libs,
                           void (*row)(void *user, const char *key, const char *value), void *user)
{
    for (int i = 0; i < HG_CUDA_N_LIBRARIES; i++) {
        const enum binding b = __atomic_load_n(&libs->binding[i], __ATOMIC_ACQUIRE);
        row(user, sonames[i],
            b == BOUND    ? libs->path[i]
            : b == FAILED ? libs->failure[i]
                          : "bound at first use");
    }
}
