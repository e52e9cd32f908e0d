/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks kernels what a problem would cost, and distrusts the answers. */
#include "core/route/decide.h"

#include "core/base/mathx.h"
#include "core/tensor/op_table.h"

#include <math.h>
#include <string.h>

enum { mute_after = 3 }; /* decisions with a bad estimate */

/* Seconds beyond which an estimate is no estimate: a hundred years. */
static const double longest = 3.2e9;

/* The factor that pull request 636 of PyAutoArray fitted between work and time of the
 * row-restricted kernel; used while nothing was measured here. */
static const double default_kappa = 1.32;

static bool has_undeclared_terms(const hgate_kernel *kernel, const hgate_estimate *cost)
{
    for (int i = kernel->n_terms; i < HGATE_MAX_TERMS; i++) {
        if (cost->terms[i] != 0) {
            return true;
        }
    }
    return false;
}

static bool has_bad_terms(const hgate_kernel *kernel, const hgate_estimate *cost)
{
    for (int i = 0; i < kernel->n_terms; i++) {
        if (!(cost->terms[i] >= 0)) {
            return true;
        }
    }
    return has_undeclared_terms(kernel, cost);
}

static double sum_of_terms(const hg_candidate *candidate, const hgate_estimate *cost)
{
    double seconds = 0;
    for (int i = 0; i < candidate->kernel->n_terms; i++) {
        seconds +=
            candidate->backend->constants[candidate->kernel->terms[i].constant] * cost->terms[i];
    }
    return seconds;
}

static hg_fault judge(const hgate_kernel *kernel, const hgate_estimate *cost, bool has_work)
{
    return isnan(cost->seconds)             ? HG_FAULT_NAN
           : cost->seconds < 0              ? HG_FAULT_NEGATIVE
           : cost->seconds > longest        ? HG_FAULT_INFINITE
           : has_bad_terms(kernel, cost)    ? HG_FAULT_TERMS
           : cost->seconds == 0 && has_work ? HG_FAULT_ZERO
                                            : HG_FAULT_NONE;
}

/* One estimate at the problem's thread count. */
static hg_fault ask(const hg_case *the_case, const hg_candidate *candidate,
                    const hgate_problem *problem, hgate_estimate *cost)
{
    const hgate_kernel *kernel = candidate->kernel;
    memset(cost, 0, sizeof *cost);
    cost->struct_size = sizeof *cost;
    if (!kernel->estimate || kernel->estimate(candidate->backend->plugin->state, problem,
                                              candidate->backend->constants, cost) != HGATE_OK) {
        return HG_FAULT_STATUS;
    }
    if (kernel->flags & HGATE_KERNEL_LINEAR_COST) {
        cost->seconds = sum_of_terms(candidate, cost);
    }
    return judge(kernel, cost, the_case->has_work);
}

/* gates.curvature.symmetric_kappa: the symmetric kernel costs t_full min(1, kappa f). A number that
 * is set rules; by itself it does as long as this machine's own constants of the symmetric kernel
 * are not known. */
static void apply_kappa(const hg_case *the_case, const hg_candidate *candidate,
                        const hgate_problem *problem, hgate_estimate *cost)
{
    const hgate_curvature_facts *facts = &the_case->trace->facts;
    if (candidate->whole < 0 || !facts->is_known) {
        return;
    }
    const double f = facts->work_fraction;
    hgate_estimate whole;
    if (ask(the_case, &the_case->list.items[candidate->whole], problem, &whole) != HG_FAULT_NONE) {
        return;
    }
    double *shown = &the_case->trace->verdicts[HG_GATE_KAPPA].value;
    if (the_case->rules->kappa == 0 && candidate->backend->is_calibrated) {
        *shown = f > 0 ? cost->seconds / (whole.seconds * f) : NAN;
        return;
    }
    const double kappa = the_case->rules->kappa > 0 ? the_case->rules->kappa : default_kappa;
    *shown = kappa;
    cost->seconds = whole.seconds * fmin(1, kappa * f);
}

static double copy_seconds(const hg_case *the_case, const hg_candidate *candidate,
                           hg_record *record)
{
    if (!record->is_staged) {
        return 0;
    }
    record->staged = the_case->staged.run_copies;
    if (!the_case->request->is_planned &&
        !hg_size_add(record->staged, the_case->staged.kept_copies, &record->staged)) {
        record->staged = SIZE_MAX;
    }
    return (double)record->staged * candidate->backend->stage_per_byte;
}

/* Best of 1, 2, 4 ... and all allowed threads; fewer where more gain nothing. */
static hg_fault best_threads(hg_case *the_case, const hg_candidate *candidate,
                             hgate_problem *problem, hg_record *record)
{
    const bool is_threaded = (candidate->kernel->flags & HGATE_KERNEL_THREADED) != 0;
    const int most = is_threaded ? the_case->trace->threads : 1;
    for (int threads = 1;;) {
        hgate_estimate cost;
        problem->threads = threads;
        const hg_fault fault = ask(the_case, candidate, problem, &cost);
        if (fault != HG_FAULT_NONE) {
            record->seconds = cost.seconds;
            return fault;
        }
        apply_kappa(the_case, candidate, problem, &cost);
        if (record->threads == 0 || cost.seconds < record->cost.seconds) {
            record->cost = cost;
            record->threads = threads;
        }
        if (threads == most) {
            return HG_FAULT_NONE;
        }
        threads = threads > most / 2 ? most : 2 * threads;
    }
}

void hg_cost_estimate(hg_case *the_case, const hg_candidate *candidate, hg_record *record)
{
    atomic_uint *bad = &candidate->health->bad_estimates;
    if (atomic_load_explicit(bad, memory_order_relaxed) >= mute_after) {
        record->fault = HG_FAULT_MUTED;
        return;
    }
    record->fault = best_threads(the_case, candidate, hg_case_problem(the_case, record), record);
    if (record->fault != HG_FAULT_NONE) {
        if (atomic_fetch_add_explicit(bad, 1, memory_order_relaxed) == mute_after - 1) {
            hg_log_line(the_case->request->log, HGATE_LOG_WARN, "route",
                        "%s/%s is muted: %d of its estimates for %s could not be used",
                        candidate->backend->plugin->name, candidate->kernel->name, mute_after,
                        hg_op_row(candidate->kernel->op)->word);
        }
        return;
    }
    record->seconds = record->cost.seconds + copy_seconds(the_case, candidate, record);
}
