// SPDX-License-Identifier: BSD-3-Clause
// The loop over chunks of the fused visibility call on a device: it waits for nothing and takes no
// memory, and with n_up given neither does the rest of a planned run. Counted by a double that
// every CUDA call goes through, so no device is needed.
#include "tests/cuda/double.h"
#include "tests/harness.h"
#include "tests/real/problem.h"
#include "tests/tensors.h"

#include <headgate/headgate.h>
#include <stdio.h>
#include <string.h>

// Types of `bits` bits.
#define REALS HGATE_DL_FLOAT, bits
#define COMPLEXES HGATE_DL_COMPLEX, 2 * bits

enum { NANT = 5, NFEED = 2, NAX = 3, NBEAM = 2, NZA = 4, NAZ = 7, NSRC = 120, N_UP = 90 };
enum { M = NANT * NFEED, NPAIRS = 6 };

static cuda_double shared;
static double memory[8][2 * NBEAM * NFEED * NAX * NZA * NAZ]; // zeros: the double computes nothing

static void setup(void)
{
    char address[32];
    memset(&shared, 0, sizeof shared);
    snprintf(address, sizeof address, "%p", (void *)&shared);
    setenv("CUDA_DOUBLE", address, 1);
    unsetenv("HEADGATE_PLUGIN_PATH");
}

static hgate_engine *open_double(const char *kernel)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "plugins: {use_default_path: false, files: ['%s/tests/cuda/.libs/"
             "headgate-cuda-double.so']}\nrouting: {fallback: never}\n",
             getenv("abs_top_builddir") ? getenv("abs_top_builddir") : ".");
    return real_open("visibility", kernel, yaml, NULL);
}

static DLTensor on_device(DLTensor tensor)
{
    tensor.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    return tensor;
}

// Launches of one planned run in so many chunks, which must wait for nothing and take nothing.
static long launches(const char *kernel, int with_pairs, int bits, int64_t min_chunks)
{
    const DLTensor antpos = on_device(TENSOR(memory[0], REALS, NANT, 3));
    const DLTensor crd = on_device(TENSOR(memory[1], REALS, 3, NSRC));
    const DLTensor flux = on_device(TENSOR(memory[2], REALS, NSRC));
    const DLTensor grid = on_device(TENSOR(memory[3], COMPLEXES, NBEAM, NAX, NFEED, NZA, NAZ));
    const DLTensor step = on_device(TENSOR(memory[4], REALS, 1));
    const DLTensor beam_idx = on_device(TENSOR(memory[5], I32, NANT));
    const DLTensor pairs = on_device(TENSOR(memory[6], I32, NPAIRS, 2));
    const DLTensor blocks = TENSOR(memory[7], COMPLEXES, NPAIRS, NFEED, NFEED);
    const DLTensor whole = TENSOR(memory[7], COMPLEXES, M, M);
    DLTensor V = on_device(with_pairs ? blocks : whole);
    hgate_visibility_params params;
    hgate_visibility_input in;
    hgate_plan *plan = NULL;
    hgate_engine *engine = open_double(kernel);
    hgate_visibility_params_init(&params);
    hgate_visibility_input_init(&in);
    params.freq_hz = 1.4e8;
    params.min_chunks = min_chunks;
    in.antpos = &antpos, in.crd = &crd, in.flux = &flux, in.grid = &grid;
    in.daz = in.dza = &step;
    in.beam_idx = &beam_idx;
    in.pairs = with_pairs ? &pairs : NULL;
    in.n_up = N_UP;
    long count = -1;
    if (hgate_visibility_plan(engine, NULL, &params, &in, &V, &plan) == HGATE_OK) {
        ck_assert_msg(hgate_visibility_run(plan, NULL, &in, &V) == HGATE_OK, "%s",
                      hgate_last_error());
        shared.waits = shared.takes = shared.launches = 0;
        ck_assert_int_eq(hgate_visibility_run(plan, NULL, &in, &V), HGATE_OK);
        ck_assert_msg(shared.waits == 0 && shared.takes == 0, "%s: %ld waits, %ld pieces of memory",
                      kernel, shared.waits, shared.takes);
        count = shared.launches;
        hgate_plan_free(plan);
    }
    hgate_close(engine);
    return count;
}

START_TEST(nothing_waits)
{
    int runs = 0;
    hgate_engine *all = open_double(NULL);
    for (int k = 0; k < hgate_kernel_count(all, HGATE_OP_VISIBILITY); k++) {
        hgate_kernel_info info = {.struct_size = sizeof info};
        char name[128];
        ck_assert_int_eq(hgate_kernel_get(all, HGATE_OP_VISIBILITY, k, &info), HGATE_OK);
        snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
        for (int bits = 32; bits <= 64; bits *= 2)
            for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
                const long one = launches(name, with_pairs, bits, 1);
                const long two = launches(name, with_pairs, bits, 2);
                const long nine = launches(name, with_pairs, bits, 9);
                if (one < 0)
                    continue;
                runs++;
                ck_assert_msg(two > one && nine - one == 8 * (two - one),
                              "%s: %ld, %ld and %ld launches for 1, 2 and 9 chunks", name, one, two,
                              nine);
            }
    }
    hgate_close(all);
    ck_assert_int_ge(runs, 12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda_loop");
    TCase *tcase = tcase_create("cuda_loop");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, nothing_waits);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
