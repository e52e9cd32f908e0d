// SPDX-License-Identifier: BSD-3-Clause
// Descriptors: each way to be wrong is refused with its word and its cause, and a view never holds
// what was not promised.
#include "core/plugin/check.h"

#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A good descriptor with its records, to be spoilt.
typedef struct set {
    hgate_plugin plugin;
    size_t bytes; // what the symbol table would say
    hgate_constant constants[2];
    const hgate_constant *constant_list[2];
    hgate_term terms[2];
    hgate_kernel kernels[3];
    const hgate_kernel *kernel_list[3];
} set;

static int probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    (void)host;
    (void)reason;
    *state = NULL;
    return HGATE_OK;
}

static void release(void *state)
{
    (void)state;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state;
    (void)problem;
    (void)k;
    est->seconds = 1;
    return HGATE_OK;
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *r)
{
    (void)state;
    (void)problem;
    (void)prepared;
    (void)r;
    return HGATE_OK;
}

static int prepare(void *state, const hgate_problem *problem, const hgate_run *r, void **prepared)
{
    (void)state;
    (void)problem;
    (void)r;
    *prepared = NULL;
    return HGATE_OK;
}

static int ws_alloc(void *state, size_t bytes, int device_id, void *stream, void **memory)
{
    (void)state;
    (void)bytes;
    (void)device_id;
    (void)stream;
    *memory = NULL;
    return HGATE_ENOMEM;
}

static int pin(void *state, size_t bytes, int device_id, void **memory)
{
    return ws_alloc(state, bytes, device_id, NULL, memory);
}

static void unpin(void *state, void *memory, int device_id)
{
    (void)state;
    (void)memory;
    (void)device_id;
}

static void make_good(set *s)
{
    memset(s, 0, sizeof *s);
    s->constants[0] = (hgate_constant){sizeof *s->constants, "call", "s", 1e-6, 0, 1, "one call"};
    s->constants[1] = (hgate_constant){sizeof *s->constants, "flop", "s", 1e-9, 1e-12, 1, "work"};
    s->terms[0] = (hgate_term){"flop", 1};
    s->terms[1] = (hgate_term){"calls", 0};
    const hgate_kernel kernel = {
        .struct_size = sizeof kernel,
        .op = HGATE_OP_EMI,
        .name = "warp",
        .dtypes = HGATE_C64,
        .spaces = HGATE_SPACE_HOST,
        .n_terms = 2,
        .terms = s->terms,
        .estimate = estimate,
        .run = run,
    };
    s->kernels[0] = s->kernels[1] = s->kernels[2] = kernel;
    s->kernels[1].name = "plain_1";
    s->kernels[2].op = HGATE_OP_CURVATURE;
    for (int i = 0; i < 2; i++) {
        s->constant_list[i] = &s->constants[i];
    }
    for (int i = 0; i < 3; i++) {
        s->kernel_list[i] = &s->kernels[i];
    }
    s->plugin = (hgate_plugin){
        .magic = HGATE_PLUGIN_MAGIC,
        .abi_major = HGATE_PLUGIN_ABI_MAJOR,
        .struct_size = sizeof(hgate_plugin),
        .name = "some-plugin2",
        .version = "1",
        .license = "BSD-3-Clause",
        .description = "",
        .n_kernels = 3,
        .kernels = s->kernel_list,
        .n_constants = 2,
        .constants = s->constant_list,
        .probe = probe,
        .release = release,
    };
    s->bytes = sizeof(hgate_plugin);
}

// ---- refusals

#define SPOIL(NAME, STATEMENT)                                                                     \
    static void NAME(set *s)                                                                       \
    {                                                                                              \
        STATEMENT;                                                                                 \
    }
SPOIL(no_symbol_size, s->bytes = 0)
SPOIL(short_symbol, s->bytes = 15)
SPOIL(magic_letter, s->plugin.magic[7] = '\n')
SPOIL(other_major, s->plugin.abi_major = 2)
SPOIL(major_zero, s->plugin.abi_major = 0)
SPOIL(size_below, s->plugin.struct_size = offsetof(hgate_plugin, pin) - 1)
SPOIL(size_zero, s->plugin.struct_size = 0)
SPOIL(size_over_symbol, s->plugin.struct_size = (uint32_t)s->bytes + 1)
SPOIL(size_huge, s->plugin.struct_size = UINT32_MAX)
SPOIL(symbol_cut, s->bytes = 40)
SPOIL(name_null, s->plugin.name = NULL)
SPOIL(name_empty, s->plugin.name = "")
SPOIL(name_upper, s->plugin.name = "Cuda")
SPOIL(name_path, s->plugin.name = "../cuda")
SPOIL(name_long, s->plugin.name = "a123456789b123456789c123456789d1")
SPOIL(version_null, s->plugin.version = NULL)
SPOIL(license_null, s->plugin.license = NULL)
SPOIL(description_null, s->plugin.description = NULL)
SPOIL(probe_null, s->plugin.probe = NULL)
SPOIL(release_null, s->plugin.release = NULL)
SPOIL(kernels_null, s->plugin.kernels = NULL)
SPOIL(constants_null, s->plugin.constants = NULL)
SPOIL(alloc_alone, s->plugin.ws_alloc = ws_alloc)
SPOIL(pin_alone, s->plugin.pin = pin)
SPOIL(unpin_alone, s->plugin.unpin = unpin)
SPOIL(many_kernels, s->plugin.n_kernels = 4097)
SPOIL(many_constants, s->plugin.n_constants = UINT32_MAX)
SPOIL(constant_null, s->constant_list[1] = NULL)
SPOIL(constant_size, s->constants[1].struct_size = 8)
SPOIL(constant_name, s->constants[0].name = "two words")
SPOIL(constant_name_null, s->constants[0].name = NULL)
SPOIL(constant_twice, s->constants[1].name = "call")
SPOIL(constant_unit, s->constants[1].unit = NULL)
SPOIL(constant_help, s->constants[1].help = NULL)
SPOIL(constant_nan, s->constants[1].value = (double)NAN)
SPOIL(constant_negative, s->constants[0].lowest = -1)
SPOIL(constant_high, s->constants[1].value = 2)
SPOIL(constant_infinite, s->constants[1].highest = (double)INFINITY)
SPOIL(kernel_null, s->kernel_list[2] = NULL)
SPOIL(kernel_size, s->kernels[1].struct_size = sizeof(hgate_kernel) - 1)
SPOIL(kernel_name_null, s->kernels[1].name = NULL)
SPOIL(kernel_name_dash, s->kernels[1].name = "a-b")
SPOIL(kernel_name_long, s->kernels[1].name = "a123456789b123456789c123456789d1")
SPOIL(kernel_twice, s->kernels[1].name = "warp")
SPOIL(dtypes_none, s->kernels[0].dtypes = 0)
SPOIL(dtypes_unknown, s->kernels[0].dtypes = 1u << 20)
SPOIL(spaces_unknown, s->kernels[0].spaces = 1u << 20)
SPOIL(estimate_null, s->kernels[0].estimate = NULL)
SPOIL(run_null, s->kernels[0].run = NULL)
SPOIL(prepare_alone, s->kernels[0].prepare = prepare)
SPOIL(plain_itself, s->kernels[0].plain = "warp")
SPOIL(plain_absent, s->kernels[0].plain = "pivoted")
SPOIL(plain_of_other_op, s->kernels[2].plain = "plain_1")
SPOIL(terms_negative, s->kernels[0].n_terms = -1)
SPOIL(terms_many, s->kernels[0].n_terms = HGATE_MAX_TERMS + 1)
SPOIL(terms_null, s->kernels[0].terms = NULL)
SPOIL(term_constant, s->terms[1].constant = 2)
SPOIL(term_constant_negative, s->terms[1].constant = -1)
SPOIL(term_name, s->terms[0].name = NULL)
SPOIL(linear_without, (s->kernels[0].flags = HGATE_KERNEL_LINEAR_COST, s->kernels[0].n_terms = 0))

static const struct refusal {
    void (*spoil)(set *s);
    int status;
    const char *cause; // part of the text
} refusals[] = {
    {no_symbol_size, HGATE_PLUGIN_BAD_SIZE, "symbol has 0 bytes"},
    {short_symbol, HGATE_PLUGIN_BAD_SIZE, "symbol has 15 bytes"},
    {magic_letter, HGATE_PLUGIN_BAD_MAGIC, "\"HGATEPL\\x0a\""},
    {other_major, HGATE_PLUGIN_BAD_ABI, "built for plugin ABI 2, this library has 1;"},
    {major_zero, HGATE_PLUGIN_BAD_ABI, "built for plugin ABI 0"},
    {size_below, HGATE_PLUGIN_BAD_SIZE, "ABI 1.0 has"},
    {size_zero, HGATE_PLUGIN_BAD_SIZE, "says 0 bytes"},
    {size_over_symbol, HGATE_PLUGIN_BAD_SIZE, "its symbol has"},
    {size_huge, HGATE_PLUGIN_BAD_SIZE, "says 4294967295 bytes"},
    {symbol_cut, HGATE_PLUGIN_BAD_SIZE, "its symbol has 40"},
    {name_null, HGATE_PLUGIN_MALFORMED, "no name"},
    {name_empty, HGATE_PLUGIN_MALFORMED, "name \"\" is not"},
    {name_upper, HGATE_PLUGIN_MALFORMED, "name \"Cuda\" is not"},
    {name_path, HGATE_PLUGIN_MALFORMED, "name \"../cuda\" is not"},
    {name_long, HGATE_PLUGIN_MALFORMED, "c123456789d...\" is not 1 to 31"},
    {version_null, HGATE_PLUGIN_MALFORMED, "no version"},
    {license_null, HGATE_PLUGIN_MALFORMED, "no license"},
    {description_null, HGATE_PLUGIN_MALFORMED, "no description"},
    {probe_null, HGATE_PLUGIN_MALFORMED, "no probe"},
    {release_null, HGATE_PLUGIN_MALFORMED, "no release"},
    {kernels_null, HGATE_PLUGIN_MALFORMED, "no kernels"},
    {constants_null, HGATE_PLUGIN_MALFORMED, "no constants"},
    {alloc_alone, HGATE_PLUGIN_MALFORMED, "no ws_free"},
    {pin_alone, HGATE_PLUGIN_MALFORMED, "no unpin"},
    {unpin_alone, HGATE_PLUGIN_MALFORMED, "no pin"},
    {many_kernels, HGATE_PLUGIN_MALFORMED, "4097 kernels"},
    {many_constants, HGATE_PLUGIN_MALFORMED, "4294967295 constants"},
    {constant_null, HGATE_PLUGIN_MALFORMED, "constant 1: is NULL"},
    {constant_size, HGATE_PLUGIN_MALFORMED, "constant 1: struct_size"},
    {constant_name, HGATE_PLUGIN_MALFORMED, "constant 0: name"},
    {constant_name_null, HGATE_PLUGIN_MALFORMED, "constant 0: name"},
    {constant_twice, HGATE_PLUGIN_MALFORMED, "constant 1 (call): another"},
    {constant_unit, HGATE_PLUGIN_MALFORMED, "constant 1 (flop): unit"},
    {constant_help, HGATE_PLUGIN_MALFORMED, "constant 1 (flop): unit or help"},
    {constant_nan, HGATE_PLUGIN_MALFORMED, "constant 1 (flop): 0 <= lowest"},
    {constant_negative, HGATE_PLUGIN_MALFORMED, "constant 0 (call): 0 <= lowest"},
    {constant_high, HGATE_PLUGIN_MALFORMED, "constant 1 (flop): 0 <= lowest"},
    {constant_infinite, HGATE_PLUGIN_MALFORMED, "constant 1 (flop): 0 <= lowest"},
    {kernel_null, HGATE_PLUGIN_MALFORMED, "kernel 2: is NULL"},
    {kernel_size, HGATE_PLUGIN_MALFORMED, "kernel 1: struct_size"},
    {kernel_name_null, HGATE_PLUGIN_MALFORMED, "kernel 1: name"},
    {kernel_name_dash, HGATE_PLUGIN_MALFORMED, "kernel 1: name"},
    {kernel_name_long, HGATE_PLUGIN_MALFORMED, "kernel 1: name"},
    {kernel_twice, HGATE_PLUGIN_MALFORMED, "are called warp"},
    {dtypes_none, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): dtypes"},
    {dtypes_unknown, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): dtypes"},
    {spaces_unknown, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): spaces"},
    {estimate_null, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): estimate"},
    {run_null, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): run"},
    {prepare_alone, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): prepare"},
    {plain_itself, HGATE_PLUGIN_MALFORMED, "kernel warp of operation 4: its plain"},
    {plain_absent, HGATE_PLUGIN_MALFORMED, "kernel warp of operation 4: its plain"},
    {plain_of_other_op, HGATE_PLUGIN_MALFORMED, "kernel warp of operation 0: its plain"},
    {terms_negative, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): n_terms"},
    {terms_many, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): n_terms"},
    {terms_null, HGATE_PLUGIN_MALFORMED, "kernel 0 (warp): terms is NULL"},
    {term_constant, HGATE_PLUGIN_MALFORMED, "a term refers"},
    {term_constant_negative, HGATE_PLUGIN_MALFORMED, "a term refers"},
    {term_name, HGATE_PLUGIN_MALFORMED, "the name of a term"},
    {linear_without, HGATE_PLUGIN_MALFORMED, "LINEAR_COST without terms"},
};
enum { n_refusals = sizeof refusals / sizeof *refusals };

START_TEST(what_is_wrong_is_refused_with_its_cause)
{
    const struct refusal *row = &refusals[_i];
    set s;
    make_good(&s);
    row->spoil(&s);
    hg_view view;
    memset(&view, 0xa5, sizeof view);
    const hg_view untouched = view;
    hg_text why = hg_text_growing(NULL);
    int status = hg_view_make(&s.plugin, s.bytes, NULL, &view, &why);
    ck_assert_msg(status == row->status, "row %d: status %d, text %s", _i, status, why.data);
    ck_assert_msg(strstr(why.data, row->cause), "row %d: \"%s\" has no \"%s\"", _i, why.data,
                  row->cause);
    ck_assert_msg(memcmp(&view, &untouched, sizeof view) == 0, "row %d: output was written", _i);
    hg_text_release(&why);
}
END_TEST

// ---- views

static hg_view view_of(set *s)
{
    hg_view view;
    hg_text why = hg_text_growing(NULL);
    int status = hg_view_make(&s->plugin, s->bytes, NULL, &view, &why);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%d: %s", status, why.data);
    ck_assert_str_eq(why.data, "");
    hg_text_release(&why);
    return view;
}

START_TEST(a_good_one_is_copied_and_sorted)
{
    set s;
    make_good(&s);
    hg_view view = view_of(&s);
    ck_assert_str_eq(view.plugin.name, "some-plugin2");
    ck_assert_uint_eq(view.plugin.n_kernels, 3);
    ck_assert_int_eq(view.plugin.kernels[0]->op, HGATE_OP_CURVATURE);
    ck_assert_str_eq(view.plugin.kernels[1]->name, "plain_1");
    ck_assert_str_eq(view.plugin.kernels[2]->name, "warp");
    ck_assert_ptr_ne(view.plugin.kernels[2], &s.kernels[0]);
    ck_assert_uint_eq(view.plugin.n_constants, 2);
    ck_assert_str_eq(view.plugin.constants[0]->name, "call"); // order stays: terms count on it
    ck_assert_str_eq(view.plugin.constants[1]->name, "flop");
    ck_assert_str_eq(view.note.data, "");
    hg_view_release(&view);
}
END_TEST

START_TEST(a_plain_partner_and_device_memory_are_fine)
{
    set s;
    make_good(&s);
    s.kernels[0].plain = "plain_1";
    s.kernels[0].prepare = prepare;
    s.kernels[0].discard = (void (*)(void *, void *))(void (*)(void))release;
    s.plugin.ws_alloc = ws_alloc;
    s.plugin.ws_free = (void (*)(void *, void *, int, void *))(void (*)(void))release;
    hg_view view = view_of(&s);
    ck_assert_str_eq(view.plugin.kernels[2]->plain, "plain_1");
    hg_view_release(&view);
}
END_TEST

START_TEST(a_plugin_without_kernels_is_fine)
{
    set s;
    make_good(&s);
    s.plugin.n_kernels = s.plugin.n_constants = 0;
    s.plugin.kernels = NULL;
    s.plugin.constants = NULL;
    hg_view view = view_of(&s);
    ck_assert_uint_eq(view.plugin.n_kernels, 0);
    hg_view_release(&view);
}
END_TEST

START_TEST(kernels_of_unknown_operations_are_left_out)
{
    static const int ops[] = {HGATE_OP_COUNT, -1, 1 << 30};
    set s;
    make_good(&s);
    s.kernels[1].op = ops[_i];
    hg_view view = view_of(&s);
    ck_assert_uint_eq(view.plugin.n_kernels, 2);
    ck_assert_str_eq(view.plugin.kernels[0]->name, "warp");
    ck_assert_str_eq(view.plugin.kernels[1]->name, "warp");
    char expected[100];
    snprintf(expected, sizeof expected, "kernel 1 (plain_1) is left out: operation %d is unknown",
             ops[_i]);
    ck_assert_str_eq(view.note.data, expected);
    hg_view_release(&view);
}
END_TEST

// A later minor: longer records, more bits. Nothing of that may reach the host.
START_TEST(newer_records_are_cut)
{
    struct {
        hgate_plugin known;
        unsigned char more[32];
    } later;
    struct {
        hgate_kernel known;
        unsigned char more[16];
    } kernel;
    set s;
    make_good(&s);
    memset(&later, 0xee, sizeof later);
    memset(&kernel, 0xee, sizeof kernel);
    kernel.known = s.kernels[0];
    kernel.known.struct_size = sizeof kernel;
    kernel.known.dtypes |= 1u << 31;
    kernel.known.spaces |= 1u << 31;
    kernel.known.flags |= 1u << 31 | HGATE_KERNEL_THREADED;
    s.kernel_list[0] = &kernel.known;
    later.known = s.plugin;
    later.known.abi_minor = HGATE_PLUGIN_ABI_MINOR + 1;
    later.known.struct_size = sizeof later;
    hg_view view;
    hg_text why = hg_text_growing(NULL);
    ck_assert_int_eq(hg_view_make(&later, sizeof later, NULL, &view, &why), HGATE_PLUGIN_USABLE);
    const hgate_kernel *copy = view.plugin.kernels[2];
    ck_assert_uint_eq(copy->dtypes, HGATE_C64);
    ck_assert_uint_eq(copy->spaces, HGATE_SPACE_HOST);
    ck_assert_uint_eq(copy->flags, HGATE_KERNEL_THREADED);
    ck_assert_int_eq(view.plugin.abi_minor, HGATE_PLUGIN_ABI_MINOR + 1);
    hg_view_release(&view);
    hg_text_release(&why);
}
END_TEST

START_TEST(shorter_records_are_filled_with_zero)
{
    unsigned char from[8], to[8];
    memset(from, 7, sizeof from);
    memset(to, 9, sizeof to);
    hg_copy_cut(to, 6, from, 3);
    const unsigned char expected[8] = {7, 7, 7, 0, 0, 0, 9, 9};
    ck_assert_mem_eq(to, expected, sizeof to);
    hg_copy_cut(to, 6, from, 8);
    const unsigned char full[8] = {7, 7, 7, 7, 7, 7, 9, 9};
    ck_assert_mem_eq(to, full, sizeof to);
}
END_TEST

START_TEST(each_allocation_may_fail)
{
    set s;
    make_good(&s);
    s.kernels[1].op = 1000; // a note needs memory too
    int status = HGATE_ENOMEM;
    for (long n = 1; status != HGATE_PLUGIN_USABLE; n++) {
        failing_alloc state = {.fail_from = n};
        hg_allocator allocator = failing_allocator(&state);
        hg_view view;
        hg_text why = hg_text_growing(NULL);
        status = hg_view_make(&s.plugin, s.bytes, &allocator, &view, &why);
        ck_assert_int_lt(n, 100);
        ck_assert(status == HGATE_PLUGIN_USABLE || status == HGATE_ENOMEM);
        if (status == HGATE_PLUGIN_USABLE) {
            ck_assert_int_gt(n, 1);
            hg_view_release(&view);
        }
        ck_assert_int_eq(state.live, 0);
        hg_text_release(&why);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_check");
    TCase *tests = tcase_create("check");
    tcase_add_loop_test(tests, what_is_wrong_is_refused_with_its_cause, 0, n_refusals);
    tcase_add_test(tests, a_good_one_is_copied_and_sorted);
    tcase_add_test(tests, a_plain_partner_and_device_memory_are_fine);
    tcase_add_test(tests, a_plugin_without_kernels_is_fine);
    tcase_add_loop_test(tests, kernels_of_unknown_operations_are_left_out, 0, 3);
    tcase_add_test(tests, newer_records_are_cut);
    tcase_add_test(tests, shorter_records_are_filled_with_zero);
    tcase_add_test(tests, each_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
