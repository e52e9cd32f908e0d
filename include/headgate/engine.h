/* SPDX-License-Identifier: BSD-3-Clause */
/* Engine, configuration, execution context, plan and trace: what every operation shares. */
#ifndef HEADGATE_ENGINE_H
#define HEADGATE_ENGINE_H

#include "dlpack_compat.h"
#include "status.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hgate_engine hgate_engine; /**< plugins and settings; never changes after open */
typedef struct hgate_exec hgate_exec;     /**< stream, threads, hooks of one host thread */
typedef struct hgate_plan hgate_plan;     /**< one choice, made once, and its memory */
typedef struct hgate_trace hgate_trace;   /**< why an operation ran where it did */
typedef struct hgate_config hgate_config; /**< settings under construction, before open */

/** Receives a piece of text of n bytes, not terminated. Non-zero stops the writer. */
typedef int (*hgate_write_fn)(void *user, const char *text, size_t n);

/** How much of the data a call looks at before it works; shapes and options always are. */
enum hgate_check {
    HGATE_CHECK_NONE = 0,
    HGATE_CHECK_VALUES = 1, /**< indices, ranges, finite values */
    HGATE_CHECK_FULL = 2    /**< the family's expensive extras too */
};

/* ---- engine -------------------------------------------------------------------------------- */

enum hgate_log_level {
    HGATE_LOG_OFF = 0,
    HGATE_LOG_ERROR = 1,
    HGATE_LOG_WARN = 2,
    HGATE_LOG_INFO = 3,
    HGATE_LOG_DEBUG = 4,
    HGATE_LOG_TRACE = 5
};

/** One line of the log. May be called from any thread; text ends with the call. */
typedef void (*hgate_log_fn)(void *user, int level, const char *component, const char *text);

/** Memory of the host application. alignment is a power of two; NULL on failure. */
typedef struct hgate_allocator {
    void *(*alloc)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *memory);
    void *user;
} hgate_allocator;

typedef struct hgate_options {
    size_t struct_size;
    const hgate_config *config; /**< NULL: file, environment and defaults alone; copied */
    hgate_log_fn log;           /**< NULL: nothing is written anywhere */
    void *log_user;
    hgate_allocator allocator; /**< alloc NULL: the C library's */
} hgate_options;

/** Sets struct_size and the defaults. */
HGATE_API int hgate_options_init(hgate_options *options);

/** Loads the plugins, probes the machine, freezes the settings. options NULL means the defaults.
 *  A missing or broken plugin is a record (hgate_plugin_get), no error, unless plugins.required
 *  names it (EUNAVAILABLE). ECONFIG for settings. MT-Safe; opens are serialized. */
HGATE_API int hgate_open(const hgate_options *options, hgate_engine **engine);

/** Frees the engine; plugins stay mapped. NULL is fine. No call may be running. Contexts, plans and
 *  traces that are left stay valid until they are freed; nothing is logged any more. */
HGATE_API void hgate_close(hgate_engine *engine);

/* ---- configuration before open ------------------------------------------------------------- */

/** An empty set of settings, freed by hgate_config_free(); one thread at a time. ENOMEM. */
HGATE_API int hgate_config_new(hgate_config **config);
/** NULL is fine; an engine that was opened with it has its own copy. */
HGATE_API void hgate_config_free(hgate_config *config);
/** Reads a YAML file in place of the default one. ECONFIG lists up to 20 errors with positions. */
HGATE_API int hgate_config_load(hgate_config *config, const char *path);
/** The same from n bytes of text; label stands for the file name in messages. */
HGATE_API int hgate_config_load_text(hgate_config *config, const char *yaml, size_t n,
                                     const char *label);
/** Sets one key, over environment and file. The value is text as in the file. ECONFIG for a key or
 *  a value that is none, with a suggestion. */
HGATE_API int hgate_config_set(hgate_config *config, const char *key, const char *value);
/** Writes the effective settings as YAML, each with its origin; the text reads back the same.
 *  ESTOPPED when write asked to stop. */
HGATE_API int hgate_config_dump(const hgate_config *config, hgate_write_fn write, void *user);

/* ---- execution context: one per host thread ------------------------------------------------ */

/** Calls of the library into the host application; each may be NULL. */
typedef struct hgate_hooks {
    size_t struct_size;
    void *user;
    /** Ranges for tracers: decide, stage in, run, stage out, fallback. */
    void (*range_push)(void *user, const char *name);
    void (*range_pop)(void *user);
    /** After each operation; trace ends with the call. */
    void (*event)(void *user, const hgate_trace *trace);
    /** During long work, from the calling thread: non-zero stops the call with ESTOPPED. */
    int (*progress)(void *user, int64_t done, int64_t total);
} hgate_hooks;

/** exec NULL in a call means: automatic threads, the legacy default stream, no hooks. A context has
 *  the workspace of its calls, kept for the next one, and belongs to one thread at a time. */
HGATE_API int hgate_exec_new(hgate_engine *engine, hgate_exec **exec);
/** NULL is fine. */
HGATE_API void hgate_exec_free(hgate_exec *exec);
/** The caller's stream (cudaStream_t) on a device; NULL is the legacy default stream. The stream
 *  must live until the context has another one or is freed. EVALUE for a negative device_id. */
HGATE_API int hgate_exec_set_stream(hgate_exec *exec, int device_id, void *stream);
/** Threads of the calls with this context; 0 = automatic. EVALUE below 0. */
HGATE_API int hgate_exec_set_threads(hgate_exec *exec, int threads);
/** Copies the callbacks; NULL: none. EABI. */
HGATE_API int hgate_exec_set_hooks(hgate_exec *exec, const hgate_hooks *hooks);
/** The last call's trace; belongs to exec, is overwritten by its next call. ESTATE before one. */
HGATE_API int hgate_exec_last_trace(const hgate_exec *exec, const hgate_trace **trace);
/** Waits for the stream; returns an error that a device call could only report later. */
HGATE_API int hgate_exec_sync(hgate_exec *exec);

/* ---- plans --------------------------------------------------------------------------------- */

/* Several threads may run one plan at once when each passes a context of its own; without one (exec
 * NULL) a run uses memory of the plan, which then belongs to one thread at a time. A plan keeps its
 * engine; of the caller's arrays it keeps those that its _plan function says. */

/** Bytes of workspace that a run of the plan needs. */
HGATE_API int hgate_plan_workspace(const hgate_plan *plan, size_t *host, size_t *device);
/** The decision, and the last run; belongs to the plan. Not while another thread runs it. */
HGATE_API int hgate_plan_trace(const hgate_plan *plan, const hgate_trace **trace);
/** NULL is fine. */
HGATE_API void hgate_plan_free(hgate_plan *plan);

/* ---- traces -------------------------------------------------------------------------------- */

/** Frees a trace that an _explain call returned. NULL is fine. */
HGATE_API void hgate_trace_free(hgate_trace *trace);
/** One JSON document, "schema": 1 (headgate-explain(7)). ESTOPPED when write asked to stop. */
HGATE_API int hgate_trace_json(const hgate_trace *trace, hgate_write_fn write, void *user);
/** The answer to "why did it run there?" in at most five lines, then the table. */
HGATE_API int hgate_trace_text(const hgate_trace *trace, hgate_write_fn write, void *user);
/** The chosen kernel and its reason in words; "" where none was chosen. Pointers belong to trace.
 */
HGATE_API int hgate_trace_choice(const hgate_trace *trace, const char **plugin, const char **kernel,
                                 const char **reason);
/** Predicted seconds of the chosen kernel, measured seconds of the run (NaN: not measured). */
HGATE_API int hgate_trace_seconds(const hgate_trace *trace, double *predicted, double *measured);

/* ---- queries ------------------------------------------------------------------------------- */

/** What became of a plugin file. */
enum hgate_plugin_status {
    HGATE_PLUGIN_USABLE = 0,
    HGATE_PLUGIN_LOAD_FAILED = 1,
    HGATE_PLUGIN_NO_DESCRIPTOR = 2,
    HGATE_PLUGIN_BAD_MAGIC = 3,
    HGATE_PLUGIN_BAD_ABI = 4,
    HGATE_PLUGIN_BAD_SIZE = 5,
    HGATE_PLUGIN_MALFORMED = 6,
    HGATE_PLUGIN_SHADOWED = 7,
    HGATE_PLUGIN_DISABLED = 8,
    HGATE_PLUGIN_UNAVAILABLE = 9,
    HGATE_PLUGIN_PERMISSION = 10
};

typedef struct hgate_plugin_info {
    size_t struct_size;
    const char *name; /**< NULL where the file did not tell */
    const char *path;
    const char *version; /**< NULL unless validated */
    const char *license;
    const char *description;
    int status;              /**< enum hgate_plugin_status */
    const char *status_name; /**< "usable", "load_failed", ... */
    const char *reason;      /**< "" when usable */
    int n_kernels;
} hgate_plugin_info;

/** Plugin files that were found, usable or not; 0 for NULL. */
HGATE_API int hgate_plugin_count(const hgate_engine *engine);
/** Loaded and refused ones; text belongs to the engine. Set info->struct_size first. EVALUE for an
 *  index that is none, EABI. */
HGATE_API int hgate_plugin_get(const hgate_engine *engine, int i, hgate_plugin_info *info);
/** Devices, limits, libraries: calls row(user, key, value) for each pair a usable plugin tells. */
HGATE_API int hgate_plugin_describe(const hgate_engine *engine, int i,
                                    void (*row)(void *user, const char *key, const char *value),
                                    void *user);

typedef struct hgate_kernel_info {
    size_t struct_size;
    const char *plugin;
    const char *name;
    uint32_t dtypes; /**< HGATE_F32 ... of plugin.h */
    uint32_t spaces; /**< HGATE_SPACE_HOST ... */
    uint32_t flags;  /**< HGATE_KERNEL_THREADED ... */
} hgate_kernel_info;

/** Kernels of an operation (enum hgate_op) in the fixed candidate order. */
HGATE_API int hgate_kernel_count(const hgate_engine *engine, int op);
HGATE_API int hgate_kernel_get(const hgate_engine *engine, int op, int i, hgate_kernel_info *info);

#ifdef __cplusplus
}
#endif
#endif
