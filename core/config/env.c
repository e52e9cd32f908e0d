/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the environment: variables of single keys from the schema, and the lists HEADGATE_SET,
 * HEADGATE_DISABLE, HEADGATE_FORCE. */
#include "core/config/env.h"

#include <headgate/status.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char prefix[] = "HEADGATE_";

const char *const *hg_env_of_process(void)
{
    /* what secure_getenv looks at; we need all variables, to find misspelt ones */
    return getauxval(AT_SECURE) ? NULL : (const char *const *)environ;
}

const char *hg_env_get(const char *const *environment, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; environment && environment[i]; i++) {
        const char *variable = environment[i];
        if (strncmp(variable, name, n) == 0 && variable[n] == '=') {
            return variable[n + 1] ? variable + n + 1 : NULL;
        }
    }
    return NULL;
}

/* One reading of the environment. */
typedef struct env_reader {
    hg_settings *settings;
    hg_problems *problems;
    const char *name; /* variable that is read */
    hg_layer layer;
    int status; /* HGATE_OK or HGATE_ENOMEM */
} env_reader;

typedef struct span {
    const char *text;
    size_t n;
} span;

static void put_origin(const env_reader *r, char *buffer, size_t size)
{
    hg_text text = hg_text_over(buffer, size);
    hg_text_printf(&text, "env %s", r->name);
}

static void add_problem(env_reader *r, const char *why)
{
    char origin[64];
    put_origin(r, origin, sizeof origin);
    hg_problems_add(r->problems, origin, "%s", why);
}

/* Problems and want of memory go where they belong. */
static void take_status(env_reader *r, int status, const char *why)
{
    if (status == HGATE_ECONFIG) {
        add_problem(r, why);
    } else if (status != HGATE_OK) {
        r->status = status;
    }
}

static void add_item_problem(env_reader *r, span item, const char *what)
{
    char buffer[HG_PROBLEM_BYTES];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_text_put_char(&text, '"');
    hg_text_put_untrusted(&text, item.text, item.n, 80);
    hg_text_printf(&text, "\": %s", what);
    add_problem(r, buffer);
}

static void set(env_reader *r, const char *key, const char *value)
{
    char origin[64], buffer[HG_PROBLEM_BYTES];
    put_origin(r, origin, sizeof origin);
    hg_text why = hg_text_over(buffer, sizeof buffer);
    take_status(r, hg_settings_set(r->settings, key, value, origin, r->layer, &why), buffer);
}

static span trim(span s)
{
    while (s.n > 0 && (*s.text == ' ' || *s.text == '\t')) {
        s.text++;
        s.n--;
    }
    while (s.n > 0 && (s.text[s.n - 1] == ' ' || s.text[s.n - 1] == '\t')) {
        s.n--;
    }
    return s;
}

/* Calls `item` for each part that is not empty. */
static void for_each(env_reader *r, const char *list, char separator,
                     void (*item)(env_reader *r, span s))
{
    const char *end = list + strlen(list);
    while (list < end) {
        const char *stop = memchr(list, separator, (size_t)(end - list));
        stop = stop ? stop : end;
        const span part = trim((span){list, (size_t)(stop - list)});
        if (part.n > 0) {
            item(r, part);
        }
        list = stop < end ? stop + 1 : end;
    }
}

/* The parts before and after the first `separator`, trimmed; false when there is none. */
static bool split(span s, char separator, span *before, span *after)
{
    const char *at = memchr(s.text, separator, s.n);
    if (!at) {
        return false;
    }
    *before = trim((span){s.text, (size_t)(at - s.text)});
    *after = trim((span){at + 1, s.n - (size_t)(at - s.text) - 1});
    return true;
}

/* Sets the key "HEAD MIDDLE TAIL" (without the spaces) to `value`. */
static void set_built_key(env_reader *r, const char *head, span middle, const char *tail,
                          span value)
{
    hg_text key = hg_text_growing(r->settings->arena.allocator);
    hg_text_put(&key, head);
    hg_text_put_n(&key, middle.text, middle.n);
    hg_text_put(&key, tail);
    hg_text text = hg_text_growing(r->settings->arena.allocator);
    hg_text_put_n(&text, value.text, value.n);
    if (key.is_cut || text.is_cut) {
        r->status = HGATE_ENOMEM;
    } else {
        set(r, key.data, text.data);
    }
    hg_text_release(&text);
    hg_text_release(&key);
}

/* KEY=VALUE of HEADGATE_SET. */
static void read_assignment(env_reader *r, span item)
{
    span key, value;
    if (split(item, '=', &key, &value)) {
        set_built_key(r, "", key, "", value);
    } else {
        add_item_problem(r, item, "expected KEY=VALUE");
    }
}

/* OP=PLUGIN or OP=PLUGIN/KERNEL of HEADGATE_FORCE. */
static void read_force(env_reader *r, span item)
{
    span op, choice;
    if (split(item, '=', &op, &choice)) {
        set_built_key(r, "routing.force.", op, "", choice);
    } else {
        add_item_problem(r, item, "expected OP=PLUGIN or OP=PLUGIN/KERNEL");
    }
}

/* gate:FAMILY.GATE, op:WORD, PLUGIN or OP/PLUGIN/KERNEL of HEADGATE_DISABLE. */
static void read_disable(env_reader *r, span item)
{
    static const span is_false = {"false", 5}, is_off = {"off", 3};
    span op, rest, plugin, kernel;
    if (item.n > 5 && memcmp(item.text, "gate:", 5) == 0) {
        set_built_key(r, "gates.", (span){item.text + 5, item.n - 5}, "", is_off);
    } else if (item.n > 3 && memcmp(item.text, "op:", 3) == 0) {
        set_built_key(r, "ops.", (span){item.text + 3, item.n - 3}, ".enabled", is_false);
    } else if (!split(item, '/', &op, &rest)) {
        set_built_key(r, "plugins.", item, ".enabled", is_false);
    } else if (split(rest, '/', &plugin, &kernel) && !memchr(kernel.text, '/', kernel.n)) {
        hg_text middle = hg_text_growing(r->settings->arena.allocator);
        hg_text_printf(&middle, "%.*s.%.*s.%.*s", (int)op.n, op.text, (int)plugin.n, plugin.text,
                       (int)kernel.n, kernel.text);
        if (middle.is_cut) {
            r->status = HGATE_ENOMEM;
        } else {
            set_built_key(r, "kernels.", (span){middle.data, middle.length}, ".enabled", is_false);
        }
        hg_text_release(&middle);
    } else {
        add_item_problem(r, item, "expected PLUGIN, OP/PLUGIN/KERNEL, gate:FAMILY.GATE or op:WORD");
    }
}

static void note_unused(env_reader *r, span path)
{
    char shown[128];
    hg_text text = hg_text_over(shown, sizeof shown);
    hg_text_put_untrusted(&text, path.text, path.n, 80);
    if (hg_settings_note(r->settings, "env %s: \"%s\" is not absolute and not used", r->name,
                         shown) != HGATE_OK) {
        r->status = HGATE_ENOMEM;
    }
}

/* A list of folders with colons between: empty ones are left out, relative ones too, with a note.
 */
static void read_paths(env_reader *r, const hg_schema_row *row, const char *list)
{
    size_t room = 1;
    for (const char *at = list; *at; at++) {
        room += *at == ':';
    }
    hg_item *items = hg_arena_array(&r->settings->arena, room, sizeof *items);
    if (!items) {
        r->status = HGATE_ENOMEM;
        return;
    }
    size_t n = 0;
    for (const char *at = list; *at;) {
        const span path = {at, strcspn(at, ":")};
        if (path.n > 0 && *path.text == '/') {
            items[n++] = (hg_item){path.text, path.n};
        } else if (path.n > 0) {
            note_unused(r, path);
        }
        at += path.n + (at[path.n] == ':');
    }
    char origin[64], buffer[HG_PROBLEM_BYTES];
    put_origin(r, origin, sizeof origin);
    hg_text why = hg_text_over(buffer, sizeof buffer);
    hg_value value;
    size_t bad;
    int status = hg_value_read_list(row, items, n, &r->settings->arena, &value, &bad, &why);
    if (status == HGATE_OK) {
        status = hg_settings_add(r->settings, row->key, row, &value, origin, r->layer);
    }
    take_status(r, status, buffer);
}

static void read_lists(env_reader *r, const char *const *environment)
{
    static const struct {
        const char *name;
        char separator;
        hg_layer layer;
        void (*item)(env_reader *r, span s);
    } lists[] = {
        {"HEADGATE_SET", ';', HG_LAYER_SET_VARIABLE, read_assignment},
        {"HEADGATE_DISABLE", ',', HG_LAYER_ENVIRONMENT, read_disable},
        {"HEADGATE_FORCE", ',', HG_LAYER_ENVIRONMENT, read_force},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const char *value = hg_env_get(environment, lists[i].name);
        r->name = lists[i].name;
        r->layer = lists[i].layer;
        if (value) {
            for_each(r, value, lists[i].separator, lists[i].item);
        }
    }
}

int hg_env_read(hg_settings *settings, const char *const *environment, hg_problems *problems,
                hg_settings *unknown)
{
    if (!environment) {
        return HGATE_OK;
    }
    env_reader reader = {.settings = settings, .problems = problems, .status = HGATE_OK};
    read_lists(&reader, environment);
    reader.layer = HG_LAYER_ENVIRONMENT;
    for (size_t i = 0; i < settings->schema->n_rows; i++) {
        const hg_schema_row *row = &settings->schema->rows[i];
        const char *value = row->env ? hg_env_get(environment, row->env) : NULL;
        reader.name = row->env;
        if (value && row->role == HG_KEY_PATHS) {
            read_paths(&reader, row, value);
        } else if (value) {
            set(&reader, row->key, value);
        }
    }
    for (size_t i = 0; environment[i] && reader.status == HGATE_OK; i++) {
        if (strncmp(environment[i], prefix, sizeof prefix - 1) == 0) {
            reader.status = hg_env_note_unknown(unknown, environment[i]);
        }
    }
    return reader.status;
}
