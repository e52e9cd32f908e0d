/* SPDX-License-Identifier: BSD-3-Clause */
/* The decision: every kernel of an operation filtered, estimated and put in order. Runs nothing,
 * allocates nothing, takes no lock. */
#ifndef HG_ROUTE_DECIDE_H
#define HG_ROUTE_DECIDE_H

#include "core/route/staged.h"
#include "core/route/trace.h"

/** A question. */
typedef struct hg_request {
    const hg_catalog *catalog;
    const hg_problem *problem;
    const hgate_curvature_facts *facts; /* derived from device data; NULL: those of the problem */
    hg_log *log;
    int threads;       /* that a run may use */
    int stream_device; /* of the stream given, -1: none */
    bool is_planned;   /* many runs: what a plan keeps is copied only once */
    bool is_forked;    /* this process is a child of the one that opened the engine */
} hg_request;

/** Answers into the trace; it must have room for the operation's candidates. Number of usable
 * kernels. */
int hg_decide(const hg_request *request, hgate_trace *trace);

/** Is the trace already the answer to this question? Only for questions with known facts; the state
 *  of devices may have changed since. */
bool hg_decision_holds(const hg_request *request, const hgate_trace *trace);

/** May candidate i serve as the plain kernel, gates and forced choices aside? Then its estimate is
 * filled in and its record else stays as it was; if not, `why` says so. */
bool hg_decide_plain(const hg_request *request, hgate_trace *trace, int i, hg_text *why);

/** Bit for each argument that does not start at a multiple of 64 bytes. */
uint32_t hg_unaligned_args(const hgate_problem *problem);

/** The error of a decision without a usable kernel: ENOKERNEL with each refusal, or what fits
 * device input better (EFORK, EDEVICE_LOST). */
int hg_decide_error(const hgate_trace *trace);

/* ---- for the steps of a decision: filters.c, cost.c --------------------- */

typedef struct hg_case {
    const hg_request *request;
    const hg_rules *rules;
    hg_candidates list;
    hgate_trace *trace;
    hgate_problem problem; /* the caller's, with the thread count of the moment */
    bool has_work;         /* an output has elements */
    uint32_t refusing;     /* bits of the gates that refuse kernels; none for a plain kernel */
    int stand_in; /* kernel that takes the place of a forced one for bad values; -1: none */
    int staging_device;
    bool is_laid_out; /* staged is filled, and its sizes are possible */
    hg_staged staged;
} hg_case;

/** The problem as a candidate would see it: staged or not. */
hgate_problem *hg_case_problem(hg_case *the_case, const hg_record *record);

/** Does the candidate pass every filter? Else the record says which not. Fills the estimate. */
bool hg_filter(hg_case *the_case, int i, hg_record *record);

/** Estimates a candidate at its best thread count; record->fault says when the answer is not to be
 * trusted. */
void hg_cost_estimate(hg_case *the_case, const hg_candidate *candidate, hg_record *record);

/** Puts the usable candidates in order and gives every one its reason. */
void hg_choose(const hg_rules *rules, bool is_stand_in, hgate_trace *trace);

#endif
