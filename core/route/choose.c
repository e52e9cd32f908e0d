/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the kernels that may serve: total, and the same each time. */
#include "core/route/decide.h"

static bool is_reference(const hg_candidate *candidate)
{
    return (candidate->kernel->flags & HGATE_KERNEL_REFERENCE) != 0;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static double workspace(const hg_record *record)
{
    return (double)record->cost.ws_host + (double)record->cost.ws_device;
}

/* What decides between equals: the user's list, memory, names. */
static int compare_equals(const hgate_trace *trace, const hg_candidates list, int a, int b)
{
    const hg_candidate *left = &list.items[a], *right = &list.items[b];
    int order = left->backend->preference - right->backend->preference;
    if (order == 0) {
        order = compare(workspace(&trace->records[a]), workspace(&trace->records[b]));
    }
    return order ? order : left->turn - right->turn;
}

static int compare_costs(const hg_rules *rules, const hgate_trace *trace, const hg_candidates list,
                         int a, int b)
{
    const hg_candidate *left = &list.items[a], *right = &list.items[b];
    int order = is_reference(left) - is_reference(right);
    if (order == 0 && rules->orders_by_preference) {
        order = left->backend->preference - right->backend->preference;
    }
    if (order == 0) {
        order = compare(trace->records[a].seconds, trace->records[b].seconds);
    }
    return order ? order : compare_equals(trace, list, a, b);
}

/* Insertion: lists are short, and nothing is allocated. */
static void sort(const hg_rules *rules, hgate_trace *trace, const hg_candidates list)
{
    for (int k = 1; k < trace->n_usable; k++) {
        const int moving = trace->order[k];
        int at = k;
        while (at > 0 && compare_costs(rules, trace, list, moving, trace->order[at - 1]) < 0) {
            trace->order[at] = trace->order[at - 1];
            at--;
        }
        trace->order[at] = moving;
    }
}

/* How many at the front cost the same as the first, by the margin. */
static int count_ties(const hg_rules *rules, const hgate_trace *trace, const hg_candidates list)
{
    const int first = trace->order[0];
    const double limit = trace->records[first].seconds * (1 + rules->tie_margin);
    int n = 1;
    while (n < trace->n_usable && trace->records[trace->order[n]].seconds <= limit &&
           is_reference(&list.items[trace->order[n]]) == is_reference(&list.items[first])) {
        n++;
    }
    return n;
}

static void sort_ties(hgate_trace *trace, const hg_candidates list, int n)
{
    for (int k = 1; k < n; k++) {
        const int moving = trace->order[k];
        int at = k;
        while (at > 0 && compare_equals(trace, list, moving, trace->order[at - 1]) < 0) {
            trace->order[at] = trace->order[at - 1];
            at--;
        }
        trace->order[at] = moving;
    }
}

static hg_reason why_not(const hg_rules *rules, const hg_candidates list, int chosen, int other,
                         bool is_tied)
{
    if (is_reference(&list.items[other]) && !is_reference(&list.items[chosen])) {
        return HG_REASON_REFERENCE;
    }
    if (rules->orders_by_preference &&
        list.items[other].backend->preference != list.items[chosen].backend->preference) {
        return HG_REASON_PREFERENCE;
    }
    return is_tied ? HG_REASON_TIE : HG_REASON_COST;
}

static hg_reason why(const hg_rules *rules, bool is_stand_in, const hgate_trace *trace, int n_ties)
{
    if (is_stand_in) {
        return HG_REASON_STAND_IN;
    }
    if (rules->force[trace->op].plugin) {
        return HG_REASON_FORCED;
    }
    if (trace->n_usable == 1) {
        return HG_REASON_ONLY;
    }
    if (rules->orders_by_preference) {
        return HG_REASON_PREFERENCE;
    }
    return n_ties > 1 ? HG_REASON_TIE : HG_REASON_QUICKEST;
}

void hg_choose(const hg_rules *rules, bool is_stand_in, hgate_trace *trace)
{
    trace->chosen = -1;
    trace->why = HG_REASON_NONE;
    if (trace->n_usable == 0) {
        return;
    }
    const hg_candidates list = hg_trace_candidates(trace);
    sort(rules, trace, list);
    int n_ties = 1;
    if (!rules->orders_by_preference) {
        n_ties = count_ties(rules, trace, list);
        sort_ties(trace, list, n_ties);
    }
    trace->chosen = trace->order[0];
    trace->why = why(rules, is_stand_in, trace, n_ties);
    for (int k = 1; k < trace->n_usable; k++) {
        hg_record *record = &trace->records[trace->order[k]];
        record->reason = why_not(rules, list, trace->chosen, trace->order[k], k < n_ties);
    }
    hg_record *record = &trace->records[trace->chosen];
    record->state = HG_STATE_CHOSEN;
    record->reason = trace->why;
}
