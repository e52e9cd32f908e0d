/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of gates and what each one looks at. */
#include "core/route/gates.h"

#include "headgate/emi.h"

#include <math.h>
#include <string.h>

typedef struct gate_question {
    const hg_rules *rules;
    const hgate_problem *problem;
    hg_has_kernel has_kernel;
    const void *user;
} gate_question;

typedef struct gate_row {
    const char *name;
    const char *key;
    uint32_t ops;        /* bits of enum hgate_op */
    const char *kernels; /* that it names; "" = all */
    const char *spared;  /* kernels that it neither names nor refuses as others */
    void (*evaluate)(const gate_question *question, hg_verdict *verdict);
} gate_row;

static void refuse_if(hg_verdict *verdict, bool is_refused)
{
    verdict->ruling = is_refused ? HG_RULING_NAMED : HG_RULING_PASS;
}

/* ---- curvature ---------------------------------------------------------- */

static const hgate_curvature_facts *facts_of(const hgate_problem *problem)
{
    const hgate_curvature_facts *facts = problem->op == HGATE_OP_CURVATURE ? problem->facts : NULL;
    return facts && facts->is_known ? facts : NULL;
}

bool hg_vals_are_bad(const hgate_problem *problem)
{
    const hgate_curvature_facts *facts = facts_of(problem);
    return facts && !facts->vals_finite;
}

/* Row-restricted work pays up to a share f of the full work. Equality passes; a limit of 0 means
 * never. */
static void work_fraction(const gate_question *q, hg_verdict *verdict)
{
    const hgate_curvature_facts *facts = facts_of(q->problem);
    verdict->limit = q->rules->max_work_fraction;
    verdict->value = facts ? facts->work_fraction : NAN;
    if (verdict->limit > 0 && !facts) {
        verdict->ruling = HG_RULING_LATER;
    } else {
        refuse_if(verdict, !(verdict->limit > 0 && verdict->value <= verdict->limit));
    }
}

/* A NaN must reach only its own row and column of F: kernels that mirror or transform would spread
 * it. */
static void finite_vals(const gate_question *q, hg_verdict *verdict)
{
    const hgate_curvature_facts *facts = facts_of(q->problem);
    verdict->limit = 1;
    verdict->value = facts ? facts->vals_finite != 0 : NAN;
    if (!facts) {
        verdict->ruling = HG_RULING_LATER;
    } else {
        refuse_if(verdict, !facts->vals_finite);
    }
}

static void kappa(const gate_question *q, hg_verdict *verdict)
{
    verdict->ruling = HG_RULING_PASS;
    verdict->value = q->rules->kappa > 0 ? q->rules->kappa : NAN; /* NaN: auto, see cost.c */
}

static void exact_triangle(const gate_question *q, hg_verdict *verdict)
{
    verdict->value = q->rules->exact_triangle;
    refuse_if(verdict, q->rules->exact_triangle);
}

/* off and force speak of finite data only: what is not finite takes `full` in any case. */
static void route_word(const gate_question *q, hg_route_word word, hg_verdict *verdict)
{
    verdict->ruling = HG_RULING_PASS;
    if (!hg_vals_are_bad(q->problem)) {
        verdict->ruling = word == HG_ROUTE_OFF     ? HG_RULING_NAMED
                          : word == HG_ROUTE_FORCE ? HG_RULING_OTHERS
                                                   : HG_RULING_PASS;
    }
}

static void fft(const gate_question *q, hg_verdict *verdict)
{
    route_word(q, q->rules->fft, verdict);
}

static void direct(const gate_question *q, hg_verdict *verdict)
{
    route_word(q, q->rules->direct, verdict);
}

/* ---- emi ---------------------------------------------------------------- */

static void cap_images(const gate_question *q, int64_t limit, int64_t never, hg_verdict *verdict)
{
    verdict->value = (double)q->problem->dims[HGATE_DIM_EMI_N];
    verdict->limit = (double)limit;
    refuse_if(verdict, limit == never || (limit > 0 && verdict->value > verdict->limit));
}

static void warp(const gate_question *q, hg_verdict *verdict)
{
    cap_images(q, q->rules->warp_max_images, 0, verdict);
}

/* 0 leaves the limit to the device: the kernel's own supports() knows its shared memory. */
static void rows(const gate_question *q, hg_verdict *verdict)
{
    cap_images(q, q->rules->rows_max_images, -1, verdict);
}

static void block(const gate_question *q, hg_verdict *verdict)
{
    cap_images(q, q->rules->block_max_images, -1, verdict);
}

/* Elimination without pivoting is safe only for a matrix that shrinking has made positive definite.
 */
static void regularized(const gate_question *q, hg_verdict *verdict)
{
    const hgate_emi_params *params = q->problem->params;
    const bool is_regularized = params->rule != HGATE_EMI_BETA_NONE;
    verdict->value = is_regularized;
    verdict->limit = 1;
    refuse_if(verdict, !is_regularized);
}

/* ---- visibility --------------------------------------------------------- */

/* A gram knows rows, not antennas: there the rows count. */
static double antennas(const hgate_problem *problem)
{
    switch (problem->op) {
    case HGATE_OP_VISIBILITY:
        return (double)problem->dims[HGATE_DIM_VISIBILITY_NANT];
    case HGATE_OP_VISIBILITY_PAIRS:
        return (double)problem->dims[HGATE_DIM_VISIBILITY_PAIRS_NANT];
    default:
        return (double)problem->dims[HGATE_DIM_VISIBILITY_GRAM_M];
    }
}

static void herk(const gate_question *q, hg_verdict *verdict)
{
    verdict->value = antennas(q->problem);
    verdict->limit = (double)q->rules->herk_min_antennas;
    refuse_if(verdict, verdict->limit < 0 || verdict->value < verdict->limit);
}

static void gemm3m(const gate_question *q, hg_verdict *verdict)
{
    refuse_if(verdict, q->rules->gemm3m_is_off);
}

/* The caller's choice wins over the configuration's; where no plugin has such a kernel nothing is
 * narrowed. */
static void matprod(const gate_question *q, hg_verdict *verdict)
{
    const hgate_visibility_params *params = q->problem->params;
    const int choice = params->matprod != HGATE_MATPROD_AUTO ? params->matprod : q->rules->matprod;
    verdict->ruling = HG_RULING_PASS;
    verdict->only = hg_matprod_word(choice);
    if (verdict->only && q->has_kernel(q->user, verdict->only)) {
        verdict->ruling = HG_RULING_OTHERS;
    }
}

/* ---- kirchhoff ---------------------------------------------------------- */

/* Each kernel is asked apart, when its estimate has told what it would prepare. */
static void table_bytes(const gate_question *q, hg_verdict *verdict)
{
    verdict->limit = (double)q->rules->max_table_bytes;
    verdict->ruling = q->rules->max_table_bytes ? HG_RULING_LATER : HG_RULING_PASS;
}

static void min_pairs(const gate_question *q, hg_verdict *verdict)
{
    const int64_t *dims = q->problem->dims;
    verdict->value = (double)dims[HGATE_DIM_KIRCHHOFF_NS] * (double)dims[HGATE_DIM_KIRCHHOFF_NR] *
                     (double)dims[HGATE_DIM_KIRCHHOFF_NI];
    verdict->limit = (double)q->rules->cuda_min_pairs;
    verdict->ruling = verdict->value < verdict->limit ? HG_RULING_STAGED : HG_RULING_PASS;
}

/* ---- the table ---------------------------------------------------------- */

#define OP(NUMBER) ((uint32_t)1 << HGATE_OP_##NUMBER)
#define PRODUCTS (OP(VISIBILITY) | OP(VISIBILITY_GRAM) | OP(VISIBILITY_PAIRS))
#define ALL_PRODUCTS (PRODUCTS | OP(VISIBILITY_PRODUCT))
#define MIGRATION (OP(KIRCHHOFF_FORWARD) | OP(KIRCHHOFF_ADJOINT))

static const gate_row gates[HG_GATE_COUNT] = {
    [HG_GATE_WORK_FRACTION] = {"curvature.symmetric_max_work_fraction",
                               "gates.curvature.symmetric_max_work_fraction", OP(CURVATURE),
                               "symmetric pair", "", work_fraction},
    [HG_GATE_FINITE_VALS] = {"curvature.finite_vals", NULL, OP(CURVATURE), "symmetric pair fft", "",
                             finite_vals},
    [HG_GATE_KAPPA] = {"curvature.symmetric_kappa", "gates.curvature.symmetric_kappa",
                       OP(CURVATURE), "symmetric", "", kappa},
    [HG_GATE_EXACT_TRIANGLE] = {"ops.curvature.exact_triangle", "ops.curvature.exact_triangle",
                                OP(CURVATURE), "pair", "", exact_triangle},
    [HG_GATE_FFT] = {"ops.curvature.fft", "ops.curvature.fft", OP(CURVATURE), "fft", "", fft},
    [HG_GATE_DIRECT] = {"ops.curvature.direct", "ops.curvature.direct", OP(CURVATURE),
                        "full symmetric pair", "reference", direct},
    [HG_GATE_WARP] = {"emi.warp_max_images", "gates.emi.warp_max_images", OP(EMI) | OP(EVD), "warp",
                      "", warp},
    [HG_GATE_ROWS] = {"emi.rows_max_images", "gates.emi.rows_max_images", OP(EMI) | OP(EVD), "rows",
                      "", rows},
    [HG_GATE_BLOCK] = {"emi.block_max_images", "gates.emi.block_max_images", OP(EMI) | OP(EVD),
                       "block", "", block},
    [HG_GATE_REGULARIZED] = {"emi.require_regularized", "gates.emi.require_regularized", OP(EMI),
                             "warp rows block interleaved single", "", regularized},
    [HG_GATE_HERK] = {"visibility.herk_min_antennas", "gates.visibility.herk_min_antennas",
                      PRODUCTS, "herk", "", herk},
    [HG_GATE_GEMM3M] = {"visibility.gemm3m", "gates.visibility.gemm3m", ALL_PRODUCTS, "gemm3m", "",
                        gemm3m},
    [HG_GATE_MATPROD] = {"ops.visibility.matprod", "ops.visibility.matprod", ALL_PRODUCTS, "", "",
                         matprod},
    [HG_GATE_TABLE_BYTES] = {"kirchhoff.max_table_bytes", "gates.kirchhoff.max_table_bytes",
                             MIGRATION, "", "", table_bytes},
    [HG_GATE_MIN_PAIRS] = {"kirchhoff.cuda_min_pairs", "gates.kirchhoff.cuda_min_pairs", MIGRATION,
                           "", "", min_pairs},
};

static bool names(const char *words, const char *kernel)
{
    const size_t length = strlen(kernel);
    for (const char *at = words; (at = strstr(at, kernel)) != NULL; at += length) {
        const bool begins = at == words || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

uint32_t hg_gates_naming(int op, const char *kernel)
{
    uint32_t bits = 0;
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        if ((gates[g].ops >> op & 1) && names(gates[g].kernels, kernel)) {
            bits |= HG_GATE_BIT(g);
        }
    }
    return bits;
}

uint32_t hg_gates_not_naming(int op, const char *kernel)
{
    uint32_t bits = 0;
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        if ((gates[g].ops >> op & 1) && !names(gates[g].kernels, kernel) &&
            !names(gates[g].spared, kernel)) {
            bits |= HG_GATE_BIT(g);
        }
    }
    return bits;
}

void hg_gates_evaluate(const hg_rules *rules, const hgate_problem *problem,
                       hg_has_kernel has_kernel, const void *user,
                       hg_verdict verdicts[HG_GATE_COUNT])
{
    const gate_question question = {rules, problem, has_kernel, user};
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        verdicts[g] = (hg_verdict){.ruling = HG_RULING_NONE, .value = NAN, .limit = NAN};
        if (gates[g].ops >> problem->op & 1) {
            gates[g].evaluate(&question, &verdicts[g]);
        }
    }
}

const char *hg_gate_name(hg_gate gate)
{
    return gates[gate].name;
}

const char *hg_gate_key(hg_gate gate)
{
    return gates[gate].key;
}

const char *hg_gate_kernels(hg_gate gate)
{
    return gates[gate].kernels;
}

const char *hg_ruling_word(hg_ruling ruling)
{
    return ruling == HG_RULING_PASS ? "pass" : ruling == HG_RULING_LATER ? "later" : "refuse";
}
