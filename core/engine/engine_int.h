/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine and the execution context from inside. */
#ifndef HG_ENGINE_ENGINE_INT_H
#define HG_ENGINE_ENGINE_INT_H

#include "core/base/log.h"
#include "core/calib/calib.h"
#include "core/engine/workspace.h"
#include "core/plugin/host_services.h"
#include "core/plugin/registry.h"
#include "core/route/candidates.h"
#include "core/route/trace.h"

#include <stdatomic.h>

/** Where log lines go: the host application's callback, a file, or both. */
typedef struct hg_log_sink {
    hgate_log_fn callback;
    void *user;
    int file; /* descriptor; -1: none */
} hg_log_sink;

struct hgate_engine {
    hg_allocator allocator;
    atomic_long holders; /* the application, and each object made from the engine */
    hg_log_sink sink;
    hg_log *log;
    hg_config *config;
    hg_plugin_list *plugins;
    int n_usable;
    const hg_plugin **usable;
    hg_calib *calib;
    hg_rules rules;
    hg_catalog *catalog;
};

struct hgate_exec {
    hgate_engine *engine;
    int threads;   /* 0: automatic */
    int device_id; /* of the stream; -1: none was given */
    void *stream;
    hgate_hooks hooks;
    hg_range_sink ranges; /* the same hooks for what plugins push */
    hgate_trace *trace;   /* of the last call; id 0: there was none */
    hg_workspace workspace;
    uint64_t unfinished; /* bit for each plugin that may still be at work on the stream */
};

/** hgate_open() with a trial of each plugin file (registry.h); NULL: without. */
int hg_engine_open(const hgate_options *options, const hg_trial *trial, hgate_engine **engine);

/** The engine lives until the last of its objects is gone. */
void hg_engine_hold(hgate_engine *engine);
void hg_engine_let_go(hgate_engine *engine);

/** Opens log.file; ECONFIG with its origin. */
int hg_log_sink_open(hg_log_sink *sink, const hg_config *config);
void hg_log_sink_close(hg_log_sink *sink);
/** A log callback over a sink. */
void hg_log_sink_write(void *sink, int level, const char *component, const char *text);

/** Threads that a call may use now: the context's number, or automatic. */
int hg_threads_allowed(const hgate_engine *engine, const hgate_exec *exec);

/** A trace for any operation of the engine. */
int hg_engine_trace(hgate_engine *engine, int op, hgate_trace **out);

#endif
