/* SPDX-License-Identifier: BSD-3-Clause */
/* The records that a descriptor points to: constants and kernels. */
#include "core/plugin/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    most_records = 4096, /* more is garbage, not a plugin */
    longest_constant = 47,
    longest_kernel = 31,
    known_dtypes = HGATE_F32 | HGATE_F64 | HGATE_C64 | HGATE_C128,
    known_spaces =
        HGATE_SPACE_HOST | HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_HOST | HGATE_SPACE_CUDA_MANAGED,
    known_flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_THREADED | HGATE_KERNEL_ASYNC |
                  HGATE_KERNEL_FORK_SAFE | HGATE_KERNEL_REFERENCE | HGATE_KERNEL_LINEAR_COST
};

/* "kernel 3 (warp): run is NULL"; the name only where it is fit to be printed. */
static int malformed(hg_text *why, const char *kind, uint32_t index, const char *name,
                     const char *fault)
{
    hg_text_printf(why, "%s %u", kind, index);
    if (name) {
        hg_text_printf(why, " (%s)", name);
    }
    hg_text_printf(why, ": %s", fault);
    return HGATE_PLUGIN_MALFORMED;
}

/* Every record begins with its size. */
static int copy_record(void *to, size_t size, const void *from, size_t least)
{
    size_t has;
    if (!from) {
        return HGATE_PLUGIN_MALFORMED;
    }
    memcpy(&has, from, sizeof has);
    if (has < least) {
        return HGATE_PLUGIN_BAD_SIZE;
    }
    hg_copy_cut(to, size, from, has);
    return HGATE_PLUGIN_USABLE;
}

static const char *fault_of_copy(int status)
{
    return status == HGATE_PLUGIN_MALFORMED  ? "is NULL"
           : status == HGATE_PLUGIN_BAD_SIZE ? "struct_size is below that of ABI 1.0"
                                             : NULL;
}

/* ---- constants ------------------------------------------------------------------------------- */

static const char *fault_of_constant(const hgate_constant *constant)
{
    if (!constant->unit || !constant->help) {
        return "unit or help is NULL";
    }
    if (!isfinite(constant->highest) || !(constant->lowest >= 0) ||
        !(constant->lowest <= constant->value) || !(constant->value <= constant->highest)) {
        return "0 <= lowest <= value <= highest does not hold";
    }
    return NULL;
}

static bool is_constant_known(const hgate_constant *const *constants, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(constants[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

int hg_view_constants(hg_view *view, hg_text *why)
{
    uint32_t n = view->plugin.n_constants;
    if (n > most_records) {
        hg_text_printf(why, "%u constants, at most %d", n, most_records);
        return HGATE_PLUGIN_MALFORMED;
    }
    const hgate_constant **list = hg_arena_array(&view->arena, n, sizeof *list);
    hgate_constant *copies = hg_arena_array(&view->arena, n, sizeof *copies);
    if (!list || !copies) {
        return HGATE_ENOMEM;
    }
    for (uint32_t i = 0; i < n; i++) {
        hgate_constant *constant = &copies[i];
        int status = copy_record(constant, sizeof *constant, view->plugin.constants[i],
                                 HG_END_OF(hgate_constant, help));
        if (status != HGATE_PLUGIN_USABLE) {
            return malformed(why, "constant", i, NULL, fault_of_copy(status));
        }
        if (!constant->name || !hg_is_name(constant->name, longest_constant, '_')) {
            return malformed(why, "constant", i, NULL, "name is not 1 to 47 of a-z, 0-9 and _");
        }
        const char *fault = is_constant_known(list, i, constant->name)
                                ? "another constant has this name"
                                : fault_of_constant(constant);
        if (fault) {
            return malformed(why, "constant", i, constant->name, fault);
        }
        list[i] = constant;
    }
    view->plugin.constants = list;
    return HGATE_PLUGIN_USABLE;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char *fault_of_terms(const hgate_kernel *kernel, uint32_t n_constants)
{
    if (kernel->n_terms < 0 || kernel->n_terms > HGATE_MAX_TERMS) {
        return "n_terms is out of range";
    }
    if (kernel->n_terms > 0 && !kernel->terms) {
        return "terms is NULL";
    }
    if (kernel->n_terms == 0 && (kernel->flags & HGATE_KERNEL_LINEAR_COST)) {
        return "LINEAR_COST without terms";
    }
    for (int i = 0; i < kernel->n_terms; i++) {
        const hgate_term *term = &kernel->terms[i];
        if (!term->name || !hg_is_name(term->name, longest_constant, '_')) {
            return "the name of a term is not 1 to 47 of a-z, 0-9 and _";
        }
        if (term->constant < 0 || (uint32_t)term->constant >= n_constants) {
            return "a term refers to a constant that is not there";
        }
    }
    return NULL;
}

static const char *fault_of_kernel(const hgate_kernel *kernel, uint32_t n_constants)
{
    if (!(kernel->dtypes & known_dtypes)) {
        return "dtypes has no known bit";
    }
    if (!(kernel->spaces & known_spaces)) {
        return "spaces has no known bit";
    }
    if (!kernel->estimate) {
        return "estimate is NULL";
    }
    if (!kernel->run) {
        return "run is NULL";
    }
    if (!kernel->prepare != !kernel->discard) {
        return "prepare and discard do not come together";
    }
    return fault_of_terms(kernel, n_constants);
}

/* Copies what is known; *n_kept kernels. */
static int keep_kernels(hg_view *view, hgate_kernel *copies, const hgate_kernel **list,
                        uint32_t *n_kept, hg_text *why)
{
    for (uint32_t i = 0; i < view->plugin.n_kernels; i++) {
        hgate_kernel *kernel = &copies[*n_kept];
        int status = copy_record(kernel, sizeof *kernel, view->plugin.kernels[i],
                                 HG_END_OF(hgate_kernel, run));
        if (status != HGATE_PLUGIN_USABLE) {
            return malformed(why, "kernel", i, NULL, fault_of_copy(status));
        }
        if (!kernel->name || !hg_is_name(kernel->name, longest_kernel, '_')) {
            return malformed(why, "kernel", i, NULL, "name is not 1 to 31 of a-z, 0-9 and _");
        }
        if (kernel->op < 0 || kernel->op >= HGATE_OP_COUNT) {
            hg_text_printf(&view->note, "%skernel %u (%s) is left out: operation %d is unknown",
                           view->note.length ? "; " : "", i, kernel->name, kernel->op);
            continue;
        }
        const char *fault = fault_of_kernel(kernel, view->plugin.n_constants);
        if (fault) {
            return malformed(why, "kernel", i, kernel->name, fault);
        }
        kernel->dtypes &= known_dtypes;
        kernel->spaces &= known_spaces;
        kernel->flags &= known_flags;
        list[(*n_kept)++] = kernel;
    }
    return HGATE_PLUGIN_USABLE;
}

static int compare_kernels(const void *left, const void *right)
{
    const hgate_kernel *a = *(const hgate_kernel *const *)left;
    const hgate_kernel *b = *(const hgate_kernel *const *)right;
    return a->op != b->op ? (a->op > b->op) - (a->op < b->op) : strcmp(a->name, b->name);
}

/* Names are unique in an operation, and the plain partner of a kernel is another one of them. */
static int check_names(const hgate_kernel **list, uint32_t n, hg_text *why)
{
    for (uint32_t i = 0; i < n; i++) {
        const hgate_kernel *kernel = list[i];
        if (i > 0 && compare_kernels(&list[i - 1], &list[i]) == 0) {
            hg_text_printf(why, "two kernels of operation %d are called %s", kernel->op,
                           kernel->name);
            return HGATE_PLUGIN_MALFORMED;
        }
        if (!kernel->plain) {
            continue;
        }
        const hgate_kernel key = {.op = kernel->op, .name = kernel->plain};
        const hgate_kernel *wanted = &key;
        if (strcmp(kernel->plain, kernel->name) == 0 ||
            !bsearch(&wanted, list, n, sizeof *list, compare_kernels)) {
            hg_text_printf(why, "kernel %s of operation %d: its plain partner is no other kernel",
                           kernel->name, kernel->op);
            return HGATE_PLUGIN_MALFORMED;
        }
    }
    return HGATE_PLUGIN_USABLE;
}

int hg_view_kernels(hg_view *view, hg_text *why)
{
    uint32_t n = view->plugin.n_kernels;
    uint32_t n_kept = 0;
    if (n > most_records) {
        hg_text_printf(why, "%u kernels, at most %d", n, most_records);
        return HGATE_PLUGIN_MALFORMED;
    }
    const hgate_kernel **list = hg_arena_array(&view->arena, n, sizeof *list);
    hgate_kernel *copies = hg_arena_array(&view->arena, n, sizeof *copies);
    if (!list || !copies) {
        return HGATE_ENOMEM;
    }
    int status = keep_kernels(view, copies, list, &n_kept, why);
    if (status != HGATE_PLUGIN_USABLE) {
        return status;
    }
    qsort(list, n_kept, sizeof *list, compare_kernels);
    view->plugin.kernels = list;
    view->plugin.n_kernels = n_kept;
    return check_names(list, n_kept, why);
}
