/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of traces. */
#include "core/route/trace.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/mathx.h"

#include <math.h>
#include <string.h>

/* Each candidate once, its plain partner, and one to overwrite. */
static size_t attempts_for(int capacity)
{
    return 2 * (size_t)capacity + 1;
}

int hg_trace_new(const hg_allocator *allocator, const hg_catalog *catalog, int capacity,
                 hgate_trace **out)
{
    hgate_trace *trace = hg_calloc(allocator, 1, sizeof *trace);
    if (!trace) {
        return hg_error_memory("trace", sizeof *trace);
    }
    const size_t n = (size_t)capacity;
    trace->allocator = allocator;
    trace->catalog = catalog;
    trace->capacity = capacity;
    trace->chosen = -1;
    trace->records = hg_calloc(allocator, n, sizeof *trace->records);
    trace->order = hg_calloc(allocator, n, sizeof *trace->order);
    trace->attempts = hg_calloc(allocator, attempts_for(capacity), sizeof *trace->attempts);
    trace->words = hg_calloc(allocator, HG_TRACE_WORDS, 1);
    if (!trace->records || !trace->order || !trace->attempts || !trace->words) {
        hg_trace_delete(trace);
        return hg_error_memory("trace", n * sizeof *trace->records);
    }
    *out = trace;
    return HGATE_OK;
}

void hg_trace_delete(hgate_trace *trace)
{
    if (!trace) {
        return;
    }
    hg_free(trace->allocator, trace->records);
    hg_free(trace->allocator, trace->order);
    hg_free(trace->allocator, trace->attempts);
    hg_free(trace->allocator, trace->words);
    hg_free(trace->allocator, trace);
}

void hg_trace_copy(hgate_trace *to, const hgate_trace *from)
{
    hgate_trace copy = *from;
    copy.allocator = to->allocator;
    copy.owner = to->owner;
    copy.capacity = to->capacity;
    copy.order = to->order;
    copy.records = to->records;
    copy.attempts = to->attempts;
    copy.words = to->words;
    copy.n_attempts = 0;
    *to = copy;
    memcpy(to->order, from->order, (size_t)from->n * sizeof *to->order);
    memcpy(to->records, from->records, (size_t)from->n * sizeof *to->records);
}

hg_attempt *hg_trace_attempt(hgate_trace *trace, int candidate)
{
    const int room = (int)attempts_for(trace->capacity);
    const int i = trace->n_attempts < room ? trace->n_attempts++ : room - 1;
    trace->attempts[i] = (hg_attempt){.candidate = candidate, .measured = NAN};
    return &trace->attempts[i];
}

hg_candidates hg_trace_candidates(const hgate_trace *trace)
{
    return hg_catalog_list(trace->catalog, trace->op);
}

int hg_trace_served(const hgate_trace *trace)
{
    if (trace->n_attempts > 0) {
        const hg_attempt *last = &trace->attempts[trace->n_attempts - 1];
        if (last->status == HGATE_OK) {
            return last->candidate;
        }
    }
    return trace->chosen;
}

uint64_t hg_trace_decision_hash(const hgate_trace *trace)
{
    uint64_t hash = hg_hash_bytes(HG_HASH_START, &trace->problem_hash, sizeof trace->problem_hash);
    const hg_candidates list = hg_trace_candidates(trace);
    for (int i = 0; i < trace->n; i++) {
        const hg_record *record = &trace->records[i];
        const unsigned char outcome[] = {(unsigned char)record->state,
                                         (unsigned char)record->reason};
        hash = hg_hash_text(hash, list.items[i].backend->plugin->name);
        hash = hg_hash_text(hash, list.items[i].kernel->name);
        hash = hg_hash_bytes(hash, outcome, sizeof outcome);
    }
    for (int k = 0; k < trace->n_usable; k++) {
        const int threads = trace->records[trace->order[k]].threads;
        hash = hg_hash_bytes(hash, &trace->order[k], sizeof trace->order[k]);
        hash = hg_hash_bytes(hash, &threads, sizeof threads);
    }
    return hash;
}
