// SPDX-License-Identifier: BSD-3-Clause
// Arrays of more than 2^31 elements and 2^32 bytes on their way to a kernel: a fake kernel records
// what reaches it, and sums worked out apart in 128 bits agree. No memory is needed: the arrays are
// addresses that nobody may touch.
#include "tests/dispatch/opened.h"
#include "tests/harness.h"
#include "tools/problem_arg.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

__extension__ typedef __int128 wide;

static const char *const problems[] = {
    "curvature_kernel k=101 ny=30011 nx=40009",
    "curvature_dirty k=2200000001 ny=3 nx=5",
    "curvature_data_vector n=3000000019 s=5 nnz=11",
    "emi n=2 batch=2000000011",
    "emi n=70001 batch=2",
    "evd n=50021 batch=3 layout=full",
    "ds_temp_coh n=3 batch=2000000011",
    "visibility nant=50021 nfeed=2 nax=1 nsrc=3 nbeam=1",
    "visibility nant=3 nfeed=1 nax=1 nsrc=2300000003 nbeam=1",
    "visibility_horizon nsrc=2300000003",
    "visibility_angles nsrc=3000000019",
    "visibility_beam nbeam=2 nfeed=1 nax=1 nsrc=5 nza=40009 naz=60013",
    "visibility_tau nant=70001 nsrc=70003",
    "visibility_z nant=50021 nsrc=50023 nfeed=2 nax=3 nbeam=4",
    "visibility_gram m=70001 k=70003",
    "visibility_product m=70001 n=3 k=70003",
    "visibility_pairs nant=3 nfeed=1 k=1500000001 npairs=2",
    "kirchhoff_forward ns=2003 nr=2011 nt=1009 nx=7 nz=5",
    "kirchhoff_adjoint ns=2003 nr=2011 nt=1009 nx=7 nz=5",
    "kirchhoff_adjoint ns=3 nr=5 nt=90 nx=30011 nz=40009 dynamic=1",
    "kirchhoff_traveltime n=70001 nx=307 nz=211",
    "kirchhoff_angles n=70001 nx=307 nz=211",
    "kirchhoff_spreading n=70001 nx=307 nz=211",
    "kirchhoff_station_index n=2200000001 nx=7 nz=5",
    "kirchhoff_wavelet nwav=2200000001",
    "kirchhoff_convolve nwav=3 nt=2003 n=2000003",
};

static void make(cli_case *c, const char *problem)
{
    char text[256], *words[16], *rest = NULL;
    int n = 0;
    const hg_option *option;
    snprintf(text, sizeof text, "%s", problem);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        words[n++] = word;
    }
    ck_assert_msg(cli_problem_read(c, n, words) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_msg(cli_problem_shape(c) == HGATE_OK, "%s", hgate_last_error());
    for (int i = 0; (option = cli_op_attribute(c->op, i)); i++) {
        if (strcmp(option->name, "check") == 0) {
            hg_option_put(option, &c->scalars, HGATE_CHECK_NONE);
        }
    }
}

static const size_t share = (size_t)1 << 40; // of each array, in bytes of addresses
static const size_t room = HGATE_MAX_ARGS * ((size_t)1 << 40);

static void *addresses(void)
{
    return mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

START_TEST(whole_extents_reach_the_kernel)
{
    char *base = addresses();
    ck_assert_msg(base != MAP_FAILED, "%zu bytes of addresses", room);
    hgate_engine *engine = opened(
        "good", "plugins: {fake-good: {options: {write: 0}}}\nops: {kirchhoff: {check: none}}",
        NULL, NULL);
    cli_case c;
    cli_call call = {.form = CLI_ONCE, .engine = engine};
    wide elements = 0, end = 0;
    make(&c, problems[_i]);
    for (int i = 0; i < c.row->n_args; i++) {
        wide count = c.arrays[i].is_given;
        for (int k = 0; k < c.arrays[i].dl.ndim; k++) {
            count *= c.arrays[i].shape[k];
        }
        c.arrays[i].dl.data = base + share * (size_t)i;
        elements += count;
        if (count > 0) {
            const wide bytes = count * (c.arrays[i].dl.dtype.bits / 8);
            ck_assert(bytes < (wide)share);
            end = (wide)(uintptr_t)c.arrays[i].dl.data + bytes;
        }
    }
    ck_assert(elements > (wide)1 << 31);
    cli_case_arguments(&c, &call);
    ck_assert_msg(c.op->call(&call) == HGATE_OK, "%s: %s", problems[_i], hgate_last_error());
    ck_assert_int_eq(opened_count(engine, "good", "last_elements"), (long)elements);
    ck_assert_int_eq(opened_count(engine, "good", "last_end"), (long)end);
    for (int i = 0; i < c.row->n_args; i++) {
        c.arrays[i].dl.data = NULL;
    }
    cli_case_free(&c);
    hgate_close(engine);
    munmap(base, room);
}
END_TEST

int main(void)
{
    void *base = addresses();
    if (base == MAP_FAILED) {
        printf("skipped: %zu bytes of addresses cannot be had (valgrind has fewer)\n", room);
        return 77;
    }
    munmap(base, room);
    Suite *suite = suite_create("sizes");
    TCase *tests = tcase_create("sizes");
    tcase_add_loop_test(tests, whole_extents_reach_the_kernel, 0,
                        (int)(sizeof problems / sizeof *problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
