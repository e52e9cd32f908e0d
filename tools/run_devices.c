/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem on several devices of this machine: a part, an engine and a thread for each.
 *
 * The kernel is chosen once, for the whole problem, so that every part is computed as one device
 * would compute it. Parts of outputs are written in place; outputs that every part adds to are
 * summed in the order of the parts. */
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/share.h"
#include "core/base/text.h"
#include "core/engine/engine_int.h"
#include "core/plugin/registry.h"
#include "tools/case_file.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/run_case.h"
#include "tools/split.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 64, ON_CPU = -1, SHARE = 1000000 };

typedef struct worker {
    struct division *crew;
    cli_case c;
    cli_session own, *session; /* the first worker has that of the caller */
    int device;                /* or ON_CPU */
    int64_t step, steps, done; /* of SHARE */
    bool is_started;
    pthread_t thread;
    int status;
    char text[HG_ERROR_BYTES];
} worker;

typedef struct division {
    int n;
    worker *workers;
    cli_progress progress;
    pthread_mutex_t lock; /* of progress and of all done */
    atomic_bool is_failing;
} division;

/* ---- the list ---------------------------------------------------------------------------- */

static int read_list(const char *text, int *devices, int *n, bool *is_any_gpu)
{
    *n = 0;
    *is_any_gpu = false;
    for (const char *at = text; *n < MOST_WORKERS;) {
        char *end = NULL;
        const size_t length = strcspn(at, ",");
        const long number = strtol(at, &end, 10);
        if (length == 3 && strncmp(at, "cpu", 3) == 0) {
            devices[(*n)++] = ON_CPU;
        } else if (length > 0 && length < 6 && at[0] >= '0' && at[0] <= '9' && end == at + length) {
            devices[(*n)++] = (int)number;
            *is_any_gpu = true;
        } else {
            break;
        }
        if (at[length] == '\0') {
            return CLI_DONE;
        }
        at += length + 1;
    }
    return cli_usage("--devices is '%.80s', expected up to %d numbers of GPUs or 'cpu': 0,1", text,
                     (int)MOST_WORKERS);
}

/* The plugin whose kernels run on devices. */
static int find_device_plugin(const hgate_engine *engine, const char **name)
{
    for (int i = 0; i < engine->n_usable; i++) {
        if (engine->usable[i]->descriptor->ws_alloc) {
            *name = engine->usable[i]->name;
            return CLI_DONE;
        }
    }
    return hg_error(HGATE_EUNAVAILABLE, "--devices: no usable plugin has devices; 'headgate info' "
                                        "tells why, 'cpu' takes the processor");
}

/* One kernel for all, and the caller's session forced to it. */
static int decide(cli_case *c, cli_session *session, const cli_options *options, bool is_gpu,
                  cli_decision *decision)
{
    const char *plugin = NULL;
    int status = CLI_DONE;
    if (is_gpu && !options->text[OPT_BACKEND]) {
        status = find_device_plugin(session->engine, &plugin);
        if (status == CLI_DONE) {
            char name[128];
            hg_text text = hg_text_over(name, sizeof name);
            hg_text_put(&text, plugin);
            cli_session_close(session);
            status = cli_case_open_forced(c, session, options, name);
        }
    }
    if (status == CLI_DONE) {
        status = cli_run_decide(c, session, decision);
    }
    if (status == CLI_DONE) {
        cli_session_close(session);
        status = cli_case_open_forced(c, session, options, decision->kernel);
    }
    return status;
}

/* ---- parts ------------------------------------------------------------------------------- */

/* Does the worker write its part of the whole output, and not one to be summed? */
static bool writes_in_place(const worker *w, int arg)
{
    return w->c.slabs[arg].axis >= 0 || w->crew->n == 1;
}

static void borrow(cli_array *to, const cli_array *from, size_t offset)
{
    to->dl.data = (char *)from->dl.data + offset;
    to->is_borrowed = true;
}

/* Divided outputs are parts of the whole one; others a part has for itself. Inputs that are not
 * divided are read once. */
static int place_arrays(worker *w, cli_case *whole, const char *path)
{
    worker *first = &w->crew->workers[0];
    uint32_t to_read = 0;
    for (int i = 0; i < whole->row->n_args; i++) {
        cli_array *array = &w->c.arrays[i];
        const bool is_divided = w->c.slabs[i].axis >= 0;
        if (cli_case_is_output(whole, i) && writes_in_place(w, i)) {
            borrow(array, &whole->arrays[i], cli_split_offset(&w->c, i));
        } else if (cli_case_is_output(whole, i) && w != first) {
            w->c.scalars.beta = 0.0; /* what is there is added once, by the first */
        } else if (is_divided || w == first) {
            to_read |= (uint32_t)1 << i;
        } else if (array->is_given) {
            borrow(array, &first->c.arrays[i], 0);
        }
    }
    const int status = cli_case_read(&w->c, path, to_read);
    return status == CLI_DONE ? cli_case_allocate(&w->c) : status;
}

/* The caller's outputs; those that are read and divided come from the file. */
static int place_whole(cli_case *whole, const worker *first, const char *path)
{
    int status = CLI_DONE;
    for (int i = 0; status == CLI_DONE && i < whole->row->n_args; i++) {
        if (!cli_case_is_output(whole, i)) {
            continue;
        }
        if (cli_case_is_input(whole, i) && writes_in_place(first, i)) {
            status = cli_case_read(whole, path, (uint32_t)1 << i);
        } else {
            status = cli_array_allocate(&whole->arrays[i], whole->row->args[i].name);
        }
    }
    return status;
}

static int sum_output(const division *crew, cli_array *whole, int arg)
{
    const void *rows[MOST_WORKERS];
    for (int k = 0; k < crew->n; k++) {
        rows[k] = crew->workers[k].c.arrays[arg].dl.data;
    }
    switch (whole->type) {
    case CLI_F32:
        hg_sum_rows_f32((const float *const *)rows, crew->n, whole->count, whole->dl.data);
        return CLI_DONE;
    case CLI_F64:
        hg_sum_rows_f64((const double *const *)rows, crew->n, whole->count, whole->dl.data);
        return CLI_DONE;
    default:
        return hg_error(HGATE_EINTERNAL, "an output that is summed is not real");
    }
}

static int sum_outputs(const division *crew, cli_case *whole)
{
    int status = CLI_DONE;
    for (int i = 0; status == CLI_DONE && i < whole->row->n_args; i++) {
        if (cli_case_is_output(whole, i) && !writes_in_place(&crew->workers[0], i)) {
            status = sum_output(crew, &whole->arrays[i], i);
        }
    }
    return status;
}

/* ---- threads ----------------------------------------------------------------------------- */

static int on_progress(void *user, int64_t done, int64_t total)
{
    worker *w = user;
    division *all = w->crew;
    int64_t sum = 0;
    pthread_mutex_lock(&all->lock);
    const double share = ((double)w->step + (double)done / (double)total) / (double)w->steps;
    w->done = (int64_t)(share * SHARE);
    for (int k = 0; k < all->n; k++) {
        sum += all->workers[k].done;
    }
    cli_progress_at(&all->progress, sum, (int64_t)all->n * SHARE);
    pthread_mutex_unlock(&all->lock);
    return atomic_load(&all->is_failing);
}

static bool on_step(void *user, int64_t step, int64_t steps)
{
    worker *w = user;
    w->step = step;
    w->steps = steps;
    return on_progress(w, 0, 1) != 0;
}

static void *work(void *user)
{
    worker *w = user;
    hgate_hooks hooks = {.struct_size = sizeof hooks, .user = w, .progress = on_progress};
    w->status = hgate_exec_set_hooks(w->session->exec, &hooks);
    if (w->status == HGATE_OK) {
        w->status = cli_run_calls(&w->c, w->session, on_step, w);
    }
    if (w->status != HGATE_OK) {
        atomic_store(&w->crew->is_failing, true);
        hg_text text = hg_text_over(w->text, sizeof w->text);
        hg_text_put(&text, hgate_last_error());
    }
    (void)hgate_exec_set_hooks(w->session->exec, NULL);
    return NULL;
}

/* The first failure that is one: parts that were stopped because of another tell nothing. */
static int judge(const division *crew)
{
    const worker *worst = NULL;
    for (int k = 0; k < crew->n; k++) {
        const worker *w = &crew->workers[k];
        if (w->status != HGATE_OK && (!worst || worst->status == HGATE_ESTOPPED)) {
            worst = w;
        }
    }
    return worst ? hg_error(worst->status, "%s", worst->text) : CLI_DONE;
}

static int run_threads(division *crew, const cli_options *options, double *seconds)
{
    cli_progress_start(&crew->progress, options, crew->workers[0].c.row->word);
    const double start = hg_now();
    int status = CLI_DONE;
    for (int k = 1; status == CLI_DONE && k < crew->n; k++) {
        worker *w = &crew->workers[k];
        w->is_started = pthread_create(&w->thread, NULL, work, w) == 0;
        if (!w->is_started) {
            atomic_store(&crew->is_failing, true);
            status = hg_error(HGATE_ENOMEM, "--devices: no thread for worker %d", k);
        }
    }
    if (status == CLI_DONE) {
        work(&crew->workers[0]);
    }
    for (int k = 1; k < crew->n; k++) {
        if (crew->workers[k].is_started) {
            pthread_join(crew->workers[k].thread, NULL);
        }
    }
    *seconds = hg_now() - start;
    cli_progress_end(&crew->progress);
    return status == CLI_DONE ? judge(crew) : status;
}

/* ---- all of it --------------------------------------------------------------------------- */

/* The worker's part, session, device and share of the cores. */
static int set_up(worker *w, cli_case *whole, const cli_options *options, const char *kernel)
{
    const int k = (int)(w - w->crew->workers), n = w->crew->n;
    int64_t first, count;
    int status = CLI_DONE;
    hg_share(cli_split_count(whole), k, n, &first, &count);
    cli_split_twin(&w->c, whole);
    cli_split_narrow(&w->c, first, count);
    if (k == 0) {
        status = place_whole(whole, w, options->words[1]);
    } else {
        w->session = &w->own;
        status = cli_case_open_forced(&w->c, w->session, options, kernel);
    }
    if (status == CLI_DONE) {
        status = place_arrays(w, whole, options->words[1]);
    }
    if (status == CLI_DONE && w->device != ON_CPU) {
        status = hgate_exec_set_stream(w->session->exec, w->device, NULL);
    }
    if (status == CLI_DONE) {
        const int cores = hg_affinity_count();
        status = hgate_exec_set_threads(w->session->exec, cores > n ? cores / n : 1);
    }
    return status;
}

static void dismiss(division *crew)
{
    for (int k = crew->n - 1; k >= 0; k--) {
        cli_case_free(&crew->workers[k].c);
        cli_session_close(&crew->workers[k].own);
    }
    hg_free(NULL, crew->workers);
    pthread_mutex_destroy(&crew->lock);
}

static int run_crew(division *crew, cli_case *whole, cli_session *session,
                    const cli_options *options, const char *kernel, cli_outcome *outcome)
{
    int status = CLI_DONE;
    for (int k = 0; status == CLI_DONE && k < crew->n; k++) {
        status = set_up(&crew->workers[k], whole, options, kernel);
    }
    if (status == CLI_DONE) {
        status = run_threads(crew, options, &outcome->seconds);
    }
    if (status == CLI_DONE) {
        status = sum_outputs(crew, whole);
        whole->groups = crew->workers[0].c.groups;
    }
    return status == CLI_DONE ? cli_run_outcome(session, outcome) : status;
}

int cli_run_on_devices(cli_case *c, cli_session *session, const cli_options *options,
                       cli_decision *decision, cli_outcome *outcome)
{
    int devices[MOST_WORKERS], n = 0;
    bool is_gpu = false;
    const char *items = "";
    int status = cli_split_items(c->op, &items);
    if (status == CLI_DONE) {
        status = read_list(options->text[OPT_DEVICES], devices, &n, &is_gpu);
    }
    if (status == CLI_DONE) {
        status = decide(c, session, options, is_gpu, decision);
    }
    if (status != CLI_DONE) {
        return status;
    }
    const int64_t count = cli_split_count(c);
    division all = {.n = count < n ? (count > 0 ? (int)count : 1) : n};
    all.workers = hg_calloc(NULL, (size_t)all.n, sizeof *all.workers);
    if (!all.workers) {
        return hg_error_memory("workers", (size_t)all.n * sizeof *all.workers);
    }
    pthread_mutex_init(&all.lock, NULL);
    atomic_init(&all.is_failing, false);
    for (int k = 0; k < all.n; k++) {
        all.workers[k] =
            (worker){.crew = &all, .device = devices[k], .steps = 1, .session = session};
    }
    status = run_crew(&all, c, session, options, decision->kernel, outcome);
    outcome->reason = decision->reason; /* not that it was told to take this kernel */
    dismiss(&all);
    return status;
}
