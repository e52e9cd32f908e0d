/* SPDX-License-Identifier: BSD-3-Clause */
/* How a survey is cut: which kernel serves, what a group needs, how many stations make one. */
#ifndef HG_GROUP_CUT_H
#define HG_GROUP_CUT_H

#include "core/group/survey.h"

/** Bytes of a group of some size. */
typedef struct hg_need_bytes {
    size_t tables[2]; /* of each side, all tables */
    size_t traces;
    size_t image;  /* one model */
    size_t shared; /* vel, tap, wav, six, rix */
    size_t prepared, workspace;
    size_t held;   /* at once where the kernels run */
    size_t piece;  /* of page-locked staging */
    size_t staged; /* page-locked, at most */
} hg_need_bytes;

/** Decides for groups of `n` stations of each side. ENOKERNEL and what deciding may return. The
 * kernel of `like` (NULL: none) is put first where it may serve: all groups have one kernel. */
int hg_cut_decide(const hg_survey *survey, const hg_problem *problem, const hgate_trace *like,
                  hg_call *call, hgate_trace *trace);

/** Chooses per_group and n_groups of the survey by its params and budgets, for both directions.
 * `needed` tells what a full group takes; traces[0] of forward, [1] of adjoint keep the decisions
 * (n_usable 0 where no kernel serves). `op` is the one that must be served, -1 either. ENOMEM with
 * the bytes needed and given, ENOKERNEL. */
int hg_cut_make(hg_survey *survey, int op, hgate_trace *const traces[2], hg_need_bytes *needed);

/** Rounds up to what device allocators align to. */
size_t hg_cut_round(size_t bytes);

#endif
