/* SPDX-License-Identifier: BSD-3-Clause */
/* Named gates: rules with a number from the configuration that refuse kernels, shown in every trace
 * with value, limit and verdict. Options that refuse kernels by name are gates here too. */
#ifndef HG_ROUTE_GATES_H
#define HG_ROUTE_GATES_H

#include "core/base/text.h"
#include "core/route/rules.h"
#include "core/tensor/problem.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum hg_gate {
    HG_GATE_WORK_FRACTION,
    HG_GATE_FINITE_VALS,
    HG_GATE_KAPPA,
    HG_GATE_EXACT_TRIANGLE,
    HG_GATE_FFT,
    HG_GATE_DIRECT,
    HG_GATE_WARP,
    HG_GATE_ROWS,
    HG_GATE_BLOCK,
    HG_GATE_REGULARIZED,
    HG_GATE_HERK,
    HG_GATE_GEMM3M,
    HG_GATE_MATPROD,
    HG_GATE_TABLE_BYTES,
    HG_GATE_MIN_PAIRS,
    HG_GATE_COUNT
} hg_gate;

#define HG_GATE_BIT(GATE) ((uint32_t)1 << (GATE))

/** What a gate says about a problem. */
typedef enum hg_ruling {
    HG_RULING_NONE, /* the operation is not its business */
    HG_RULING_PASS,
    HG_RULING_LATER,  /* passes for now: the data are not at hand, or each kernel is asked apart */
    HG_RULING_NAMED,  /* refuses the kernels it names */
    HG_RULING_OTHERS, /* refuses all others */
    HG_RULING_STAGED  /* refuses kernels that would need a copy to a device */
} hg_ruling;

typedef struct hg_verdict {
    hg_ruling ruling;
    double value, limit; /* NaN: none */
    const char *only;    /* HG_RULING_OTHERS by one kernel's name; else NULL */
} hg_verdict;

/** Gates that name a kernel of an operation, and those of the operation that do not, as bits. */
uint32_t hg_gates_naming(int op, const char *kernel);
uint32_t hg_gates_not_naming(int op, const char *kernel);

/** Does any kernel of the operation have this name? For rules that hold only where it is so. */
typedef bool (*hg_has_kernel)(const void *user, const char *kernel);

/** Asks every gate about a problem. */
void hg_gates_evaluate(const hg_rules *rules, const hgate_problem *problem,
                       hg_has_kernel has_kernel, const void *user,
                       hg_verdict verdicts[HG_GATE_COUNT]);

/** "curvature.symmetric_max_work_fraction", "ops.curvature.fft": as in the trace. */
const char *hg_gate_name(hg_gate gate);
/** Its configuration key; NULL for rules that no setting changes. */
const char *hg_gate_key(hg_gate gate);
/** Kernels that it names, separated by spaces; "" for all. */
const char *hg_gate_kernels(hg_gate gate);
/** "pass", "refuse", "later". */
const char *hg_ruling_word(hg_ruling ruling);
/** Its limit: a number, "off", "the device's", "-". */
void hg_gate_put_limit(hg_gate gate, double limit, hg_text *out);
/** Why a gate refused, in words with its numbers. */
void hg_gate_put_refusal(hg_gate gate, const hg_rules *rules, double value, double limit,
                         hg_text *out);

/** Do the rules know that the values of a curvature problem are not all finite? */
bool hg_vals_are_bad(const hgate_problem *problem);

#endif
