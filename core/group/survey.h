/* SPDX-License-Identifier: BSD-3-Clause */
/* A survey that is served in groups: the checked whole, and the problem of a part of it. */
#ifndef HG_GROUP_SURVEY_H
#define HG_GROUP_SURVEY_H

#include "core/engine/call.h"
#include "core/group/pack.h"
#include "core/ops/forms.h"

#include <headgate/group.h>

/** Some stations in a row. */
typedef struct hg_part {
    int64_t first, n;
} hg_part;

/** The two sides of a pair. */
typedef enum hg_side { HG_SOURCES, HG_RECEIVERS } hg_side;

enum { HG_SIDE_TABLES = 3 }; /* trav, amp, ang */

typedef struct hg_survey {
    hgate_engine *engine;
    hgate_exec *exec;
    hgate_group_params params; /* the caller's, checked */
    hg_draft draft;            /* of the whole; model as if it were on the host */
    const DLTensor *model;     /* the caller's, wherever it is; NULL: sizes only */
    hg_part sources;           /* that this call serves */
    int64_t ns, nr, nt, ni;    /* ns: of the tables */
    size_t real;               /* bytes of a number */
    int n_tables;              /* of a side: 1, dynamic 3 */
    bool is_station_major;     /* tables of the caller */
    bool is_on_device;
    int threads;  /* for packing */
    hg_crew crew; /* of them, from the cut to the end */
    /* the cut */
    int64_t per_group[2]; /* stations of a side in a full group */
    int64_t n_groups[2];
} hg_survey;

/** Checks everything that can be checked before work: params, arrays, values. `args` in the order
 * of the operation; need: HG_NEED_DATA, or HG_NEED_SHAPES for info. */
int hg_survey_take(hg_survey *survey, hgate_engine *engine, hgate_exec *exec, hg_given given,
                   const hgate_group_params *params, hg_need need);

/** Checks the struct; NULL gives the defaults. */
int hg_group_params_take(const hgate_group_params *given, hgate_group_params *out);

static inline const hg_problem *hg_survey_whole(const hg_survey *survey)
{
    return &survey->draft.problem;
}

/** Argument of table t of a side; of its lateral indices. */
int hg_side_table(hg_side side, int t);
int hg_side_index(hg_side side);

/** Group i along a side. */
hg_part hg_survey_part(const hg_survey *survey, hg_side side, int64_t i);

/** The problem of some sources and receivers, without data, for an operation of the pair. On a
 * device all arrays are there and the tables station-major. */
void hg_survey_problem(const hg_survey *survey, int op, hg_part sources, hg_part receivers,
                       hg_problem *out);

/** Bytes of one station in one table, of one trace, of the image. */
static inline size_t hg_station_bytes(const hg_survey *survey)
{
    return (size_t)survey->ni * survey->real;
}
static inline size_t hg_trace_bytes(const hg_survey *survey)
{
    return (size_t)survey->nt * survey->real;
}

/** Copying some stations of a table to `to`, station-major or in the caller's order. */
hg_pack hg_survey_stations(const hg_survey *survey, hg_side side, int t, hg_part part,
                           bool station_major, void *to);
/** Copying the traces of a part between the caller's data and a compact array; out: to the
 * caller's. */
hg_pack hg_survey_traces(const hg_survey *survey, hg_part sources, hg_part receivers, void *compact,
                         bool out);

/** Where element 0 of a part of the tables is in the caller's memory; only for a part that is
 * contiguous there. */
const void *hg_survey_in_place(const hg_survey *survey, hg_side side, int t, hg_part part);
bool hg_survey_is_contiguous(const hg_survey *survey, hg_side side, hg_part part,
                             bool station_major);

/** Tells the callback about a phase. ESTOPPED. */
int hg_survey_tell(const hg_survey *survey, int64_t group, int phase, double seconds, size_t bytes);
/** Puts the number of a group before the message of a failure. */
int hg_survey_failed(const hg_survey *survey, int64_t group, int status);

#endif
