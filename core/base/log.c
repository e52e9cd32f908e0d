/* SPDX-License-Identifier: BSD-3-Clause */
/* The log, and the memory of recent lines that keeps a warning in a loop from filling a disk. */
#include "core/base/log.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <stdatomic.h>
#include <string.h>

enum {
    line_bytes = 1024, /* longer lines are cut */
    repeats = 10,      /* a line is written so often, then counted */
    slots = 16,        /* recent lines remembered; not tuned */
    start_bytes = 96   /* of a line, kept for its sum */
};

typedef struct recent_line {
    uint64_t hash;
    int64_t count; /* 0: the slot is free */
    int level;
    char component[32];
    char start[start_bytes];
} recent_line;

struct hg_log {
    hgate_log_fn callback;
    void *user;
    int level;
    const hg_allocator *allocator;
    atomic_flag is_busy;
    recent_line recent[slots];
};

int hg_log_new(hgate_log_fn callback, void *user, int level, const hg_allocator *allocator,
               hg_log **out)
{
    hg_log *log = hg_calloc(allocator, 1, sizeof *log);
    if (!log) {
        return hg_error_memory("log", sizeof *log);
    }
    log->callback = callback;
    log->user = user;
    log->level = level;
    log->allocator = allocator;
    atomic_flag_clear(&log->is_busy);
    *out = log;
    return HGATE_OK;
}

static void keep_text(char *to, size_t size, const char *from)
{
    hg_text text = hg_text_over(to, size);
    hg_text_put(&text, from);
}

static void sum_up(const hg_log *log, const recent_line *line)
{
    if (line->count <= repeats) {
        return;
    }
    char sum[start_bytes + 64];
    hg_text text = hg_text_over(sum, sizeof sum);
    hg_text_printf(&text, "%lld more times: %s", (long long)(line->count - repeats), line->start);
    log->callback(log->user, line->level, line->component, sum);
}

void hg_log_free(hg_log *log)
{
    if (!log) {
        return;
    }
    for (int i = 0; i < slots; i++) {
        sum_up(log, &log->recent[i]);
    }
    hg_free(log->allocator, log);
}

void hg_log_set_level(hg_log *log, int level)
{
    log->level = level;
}

bool hg_log_is_on(const hg_log *log, int level)
{
    return log && log->callback && level > HGATE_LOG_OFF && level <= log->level;
}

/* Counts the line. Is it still to be written? What it pushes out of its slot goes to `pushed`. */
static bool count_line(hg_log *log, int level, const char *component, const char *line,
                       recent_line *pushed)
{
    uint64_t hash = hg_hash_text(HG_HASH_START, component);
    hash = hg_hash_text(hash, line) + (uint64_t)level;
    recent_line *slot = &log->recent[hash % slots];
    if (slot->count == 0 || slot->hash != hash) {
        *pushed = *slot;
        slot->hash = hash;
        slot->count = 0;
        slot->level = level;
        keep_text(slot->component, sizeof slot->component, component);
        keep_text(slot->start, sizeof slot->start, line);
    }
    slot->count++;
    return slot->count <= repeats;
}

void hg_log_line(hg_log *log, int level, const char *component, const char *format, ...)
{
    if (!hg_log_is_on(log, level)) {
        return;
    }
    char raw[line_bytes];
    hg_text text = hg_text_over(raw, sizeof raw);
    va_list arguments;
    va_start(arguments, format);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    char line[line_bytes];
    hg_text safe = hg_text_over(line, sizeof line);
    hg_text_put_untrusted(&safe, text.data, text.length, text.length);

    /* Nobody waits here: while another thread counts (or was counting when this process was forked)
     * the line is written uncounted. */
    recent_line pushed = {.count = 0};
    bool is_wanted = true;
    if (!atomic_flag_test_and_set_explicit(&log->is_busy, memory_order_acquire)) {
        is_wanted = count_line(log, level, component, line, &pushed);
        atomic_flag_clear_explicit(&log->is_busy, memory_order_release);
    }
    sum_up(log, &pushed);
    if (is_wanted) {
        log->callback(log->user, level, component, line);
    }
}
