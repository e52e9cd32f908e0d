/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of mapped files. Its memory comes from the C library: it outlives every engine and
 * allocator. */
#include "core/plugin/loaded.h"

#include "core/base/error.h"
#include "core/plugin/open.h"

#include <pthread.h>
#include <string.h>

struct hg_loaded {
    hg_vetted file;
    int status;   /* enum hgate_plugin_status */
    char *reason; /* of a rejected one */
    hg_view view; /* of a usable one */
    long users;
    hg_loaded *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_holder;
static hg_loaded *table;

int hg_loader_lock(void)
{
    if (is_holder) {
        return hg_error(HGATE_ESTATE,
                        "an engine is opened or closed inside of a plugin's own loading");
    }
    pthread_mutex_lock(&lock);
    is_holder = true;
    return HGATE_OK;
}

void hg_loader_unlock(void)
{
    is_holder = false;
    pthread_mutex_unlock(&lock);
}

/* A plugin that forks while it is being loaded has the lock already, in parent and child. */
void hg_loader_before_fork(void)
{
    if (!is_holder) {
        pthread_mutex_lock(&lock);
    }
}

void hg_loader_after_fork(void)
{
    if (!is_holder) {
        pthread_mutex_unlock(&lock);
    }
}

static hg_loaded *find(const hg_vetted *file)
{
    hg_loaded *loaded = table;
    while (loaded && (loaded->file.device != file->device || loaded->file.inode != file->inode)) {
        loaded = loaded->next;
    }
    return loaded;
}

/* dlopen goes by the name first: it would give the old file back for a new one of the same path. */
static bool is_path_taken(const hg_vetted *file)
{
    for (const hg_loaded *loaded = table; loaded; loaded = loaded->next) {
        if (strcmp(loaded->file.path, file->path) == 0) {
            return true;
        }
    }
    return false;
}

static void destroy(hg_loaded *loaded)
{
    if (loaded) {
        hg_free(NULL, loaded->file.path);
        hg_free(NULL, loaded->reason);
        hg_free(NULL, loaded);
    }
}

static hg_loaded *new_entry(const hg_vetted *file)
{
    hg_loaded *loaded = hg_calloc(NULL, 1, sizeof *loaded);
    if (loaded) {
        loaded->file = *file;
        loaded->file.path = hg_strdup(NULL, file->path);
    }
    if (loaded && !loaded->file.path) {
        destroy(loaded);
        loaded = NULL;
    }
    return loaded;
}

/* Maps and checks the file of a new entry. *is_mapped tells whether it belongs in the table now. */
static int load(hg_loaded *loaded, bool *is_mapped, hg_text *why)
{
    hg_object object;
    int status = hg_object_open(&loaded->file, &object, why);
    *is_mapped = object.handle != NULL;
    if (status == HGATE_PLUGIN_USABLE) {
        status = hg_view_make(object.descriptor, object.bytes, NULL, &loaded->view, why);
    }
    loaded->status = status;
    if (status > HGATE_PLUGIN_USABLE && !(loaded->reason = hg_strdup(NULL, why->data))) {
        status = HGATE_ENOMEM;
    }
    return status;
}

/* Loads a file that is not in the table. *out is its new entry, or NULL when there is nothing to
 * keep. */
static int add(const hg_vetted *file, hg_loaded **out, hg_text *why)
{
    *out = NULL;
    if (is_path_taken(file)) {
        hg_text_put(why,
                    "an earlier file of this path is loaded; a new process will take this one");
        return HGATE_PLUGIN_LOAD_FAILED;
    }
    hg_loaded *loaded = new_entry(file);
    if (!loaded) {
        return HGATE_ENOMEM;
    }
    bool is_mapped;
    int status = load(loaded, &is_mapped, why);
    if (status < 0 || !is_mapped) {
        destroy(loaded);
        return status;
    }
    loaded->next = table;
    table = loaded;
    *out = loaded;
    return status;
}

int hg_loaded_take(const hg_vetted *file, hg_loaded **out, hg_text *why)
{
    hg_loaded *loaded = find(file);
    int status;
    if (loaded) {
        status = loaded->status;
        hg_text_put(why, loaded->reason ? loaded->reason : "");
    } else {
        status = add(file, &loaded, why);
    }
    if (status == HGATE_PLUGIN_USABLE) {
        loaded->users++;
        *out = loaded;
    }
    return status;
}

void hg_loaded_give_back(hg_loaded *loaded)
{
    loaded->users--;
}

const hg_view *hg_loaded_view(const hg_loaded *loaded)
{
    return &loaded->view;
}

long hg_loaded_users(const hg_loaded *loaded)
{
    return loaded->users;
}
