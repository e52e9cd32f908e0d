/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace: one question to the route room, its answer with a reason for each kernel, and what
 * became of it. Numbers only, in memory sized once; words are made when somebody reads them. */
#ifndef HG_ROUTE_TRACE_H
#define HG_ROUTE_TRACE_H

#include "core/route/candidates.h"
#include "core/route/gates.h"

/** Reasons, as the words of the trace. */
typedef enum hg_reason {
    HG_REASON_NONE,
    /* refusals, in the order of the filters */
    HG_REASON_KILLED,
    HG_REASON_NOT_FORCED,
    HG_REASON_DTYPE,
    HG_REASON_SPACE,
    HG_REASON_DEVICE,
    HG_REASON_DETERMINISM,
    HG_REASON_FORKED,
    HG_REASON_GATE,
    HG_REASON_NOT_FINITE,
    HG_REASON_SHAPE, /* this and the next three: only kernels say so themselves */
    HG_REASON_LIMIT,
    HG_REASON_FEATURE,
    HG_REASON_OTHER,
    HG_REASON_MEMORY,
    HG_REASON_BAD_ESTIMATE,
    /* why a kernel that could have served was not the one */
    HG_REASON_COST,
    HG_REASON_TIE,
    HG_REASON_PREFERENCE,
    HG_REASON_REFERENCE,
    /* why the chosen one was chosen */
    HG_REASON_ONLY,
    HG_REASON_QUICKEST,
    HG_REASON_FORCED,
    HG_REASON_FALLBACK, /* those before it could not be prepared */
    HG_REASON_STAND_IN  /* for a forced kernel that must not meet these data */
} hg_reason;

typedef enum hg_state { HG_STATE_REFUSED, HG_STATE_COSTLIER, HG_STATE_CHOSEN } hg_state;

/** What was wrong with an estimate. */
typedef enum hg_fault {
    HG_FAULT_NONE,
    HG_FAULT_STATUS, /* estimate() failed */
    HG_FAULT_NAN,
    HG_FAULT_NEGATIVE,
    HG_FAULT_INFINITE, /* or more than a human life */
    HG_FAULT_ZERO,     /* though there is work */
    HG_FAULT_TERMS,    /* terms that were not declared, or a negative one */
    HG_FAULT_MUTED     /* it had been wrong too often */
} hg_fault;

/** One kernel in one decision. */
typedef struct hg_record {
    hg_state state;
    hg_reason reason;
    bool is_own_refusal; /* supports() said so: text holds its words */
    bool is_staged;      /* host arrays would be copied to its device */
    hg_gate gate;        /* of HG_REASON_GATE, HG_REASON_NOT_FINITE; else HG_GATE_COUNT */
    hg_cause setting;    /* of HG_REASON_KILLED, HG_REASON_MEMORY */
    hg_fault fault;
    double value, limit;          /* the numbers of the refusal; NaN: none */
    int threads;                  /* 0: not estimated */
    double seconds;               /* copies included; NaN: not estimated */
    size_t staged;                /* bytes copied */
    hgate_estimate cost;          /* at that thread count */
    char text[HGATE_REASON_SIZE]; /* of a kernel that serves: how, or empty */
} hg_record;

/** One execution, or one try. */
typedef struct hg_attempt {
    int candidate;
    int status;
    bool is_committed;
    bool is_plain;   /* took over data that the kernel before it must not meet */
    double measured; /* seconds; NaN */
} hg_attempt;

struct hgate_trace {
    const hg_allocator *allocator;
    const hg_catalog *catalog;
    hgate_engine *owner; /* of a trace that the application frees: keeps its engine alive */
    const hg_plugin_list
        *plugins; /* those that are not usable are part of the answer; NULL: nobody asks */
    int capacity;

    /* the question */
    uint64_t id; /* of this decision in its engine; 0: none yet */
    int op;
    uint32_t dtype, space;
    int device_id;
    int n_dims;
    int64_t dims[HGATE_MAX_DIMS];
    uint64_t problem_hash;
    uint32_t unaligned;  /* bit for each argument that does not start at a multiple of 64 bytes */
    int threads;         /* allowed */
    bool threads_capped; /* ops.emi.cpu.threads_min_points took them to 1 */
    bool is_forked;
    bool is_planned;
    int stream_device; /* of the stream given, -1: none */
    hgate_curvature_facts facts;
    hg_verdict verdicts[HG_GATE_COUNT];

    /* the answer */
    int n; /* candidates; records are in their order */
    int n_usable;
    int chosen;    /* -1: none */
    hg_reason why; /* it was chosen */
    int *order;    /* usable candidates, best first */
    hg_record *records;

    /* what happened */
    int n_attempts;
    hg_attempt *attempts;
    char *words; /* space for the sentence of hgate_trace_choice */
};

enum { HG_TRACE_WORDS = 512, HG_ALIGNMENT = 64 };

/** Room for decisions of up to `capacity` candidates. */
int hg_trace_new(const hg_allocator *allocator, const hg_catalog *catalog, int capacity,
                 hgate_trace **out);
void hg_trace_delete(hgate_trace *trace);

/** Copies question and answer; `to` must have the room. What happened is left empty. */
void hg_trace_copy(hgate_trace *to, const hgate_trace *from);

/** Notes an execution; the last entry is overwritten when there is no room. */
hg_attempt *hg_trace_attempt(hgate_trace *trace, int candidate);

hg_candidates hg_trace_candidates(const hgate_trace *trace);
/** The kernel that served, else the chosen one; -1: none. */
int hg_trace_served(const hgate_trace *trace);

/** Are the arrays on a device for which no plugin is there? */
bool hg_trace_lacks_device(const hgate_trace *trace);
/** "not usable: NAME (reason); ..."; false: there is none to tell of. */
bool hg_trace_put_unusable(const hgate_trace *trace, hg_text *out);

/** "killed"; "refused", "costlier", "chosen". */
const char *hg_reason_word(hg_reason reason);
const char *hg_state_word(hg_state state);
/** The problem in one line: "emi n=92 batch=1000 full=0, c64 in host memory". */
void hg_trace_put_problem(const hgate_trace *trace, hg_text *out);
/** "host", "cuda:1". */
void hg_put_space(uint32_t space, int device_id, hg_text *out);
/** "1.2 ms"; "1.5 MiB". */
void hg_put_seconds(double seconds, hg_text *out);
void hg_put_bytes(size_t bytes, hg_text *out);
/** Why record i is in its state, one line with numbers. */
void hg_trace_put_reason(const hgate_trace *trace, int i, hg_text *out);
/** Why the served kernel ran, one sentence. */
void hg_trace_put_choice(const hgate_trace *trace, hg_text *out);
/** A hash of what was decided: for the same question the same answer. */
uint64_t hg_trace_decision_hash(const hgate_trace *trace);

#endif
