/* SPDX-License-Identifier: BSD-3-Clause */
/* KEY=VALUE: the keys of the operation's table, and those that every operation has. */
#include "tools/problem_arg.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "tools/progress.h"
#include "tools/report.h"

#include <string.h>

enum { LARGEST = 40 }; /* a size is at most 2^40; products are checked apart */

static int read_number(const char *key, const char *text, int64_t lowest, int64_t highest,
                       int64_t *out)
{
    if (hg_parse_int64(text, strlen(text), out) != HG_PARSE_OK || *out < lowest || *out > highest) {
        return cli_usage("%s: '%s' is not a whole number from %lld to %lld", key, text,
                         (long long)lowest, (long long)highest);
    }
    return CLI_DONE;
}

static int read_word(const char *key, const char *text, const char *const *words, int64_t *out)
{
    char list[512];
    hg_text all = hg_text_over(list, sizeof list);
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return CLI_DONE;
        }
        hg_text_printf(&all, "%s%s", i ? ", " : "", words[i]);
    }
    return cli_usage("%s: unknown word '%s'; there are %s", key, text, list);
}

static int read_dtype(cli_case *c, const char *text)
{
    static const char *const words[] = {"f32", "f64", "c64", "c128", NULL};
    int64_t which;
    const int status = read_word("dtype", text, words, &which);
    if (status == CLI_DONE) {
        c->is_double = which % 2 == 1; /* complex numbers are of the same precision */
    }
    return status;
}

static int read_mem(cli_case *c, const char *text)
{
    int64_t device = 0;
    if (strcmp(text, "host") == 0) {
        c->device = -1;
        return CLI_DONE;
    }
    if (strncmp(text, "cuda", 4) != 0 || (text[4] != ':' && text[4] != '\0')) {
        return cli_usage("mem: unknown place '%s'; there are host and cuda:N", text);
    }
    const int status = text[4] ? read_number("mem", text + 5, 0, 1023, &device) : CLI_DONE;
    c->device = (int)device;
    return status;
}

static int read_common(cli_case *c, const char *key, const char *text, bool *is_known)
{
    int64_t number = 0;
    int status = CLI_DONE;
    if (strcmp(key, "dtype") == 0) {
        status = read_dtype(c, text);
    } else if (strcmp(key, "mem") == 0) {
        status = read_mem(c, text);
    } else if (strcmp(key, "threads") == 0) {
        status = read_number(key, text, 0, 4096, &number);
        c->threads = (int)number;
    } else if (strcmp(key, "seed") == 0) {
        status = read_number(key, text, 0, INT64_MAX, &number);
        c->seed = (uint64_t)number;
    } else {
        *is_known = false;
    }
    return status;
}

static int unknown_key(const cli_case *c, const char *key)
{
    char list[512];
    hg_text all = hg_text_over(list, sizeof list);
    for (int i = 0; i < c->op->n_keys; i++) {
        hg_text_printf(&all, " %s", c->op->keys[i].name);
    }
    return cli_usage("%s has no key '%s'; there are%s dtype mem threads seed", c->row->word, key,
                     list);
}

static int read_key(cli_case *c, const char *key, const char *text)
{
    for (int i = 0; i < c->op->n_keys; i++) {
        const cli_key *row = &c->op->keys[i];
        if (strcmp(row->name, key) == 0) {
            return row->words
                       ? read_word(key, text, row->words, &c->keys[i])
                       : read_number(key, text, row->lowest, (int64_t)1 << LARGEST, &c->keys[i]);
        }
    }
    bool is_known = true;
    const int status = read_common(c, key, text, &is_known);
    return is_known ? status : unknown_key(c, key);
}

static int read_pair(cli_case *c, const char *word)
{
    char key[32];
    const char *equals = strchr(word, '=');
    const size_t n = equals ? (size_t)(equals - word) : 0;
    if (n == 0 || n >= sizeof key) {
        return cli_usage("'%s': expected KEY=VALUE", word);
    }
    memcpy(key, word, n);
    key[n] = '\0';
    return read_key(c, key, equals + 1);
}

/* The same key twice: which one was meant? */
static int check_once(char *const *words, int at)
{
    const char *equals = strchr(words[at], '=');
    const size_t n = equals ? (size_t)(equals - words[at]) + 1 : 0;
    for (int i = 1; i < at; i++) {
        if (strncmp(words[i], words[at], n) == 0) {
            return cli_usage("'%s' and '%s': a key is given twice", words[i], words[at]);
        }
    }
    return CLI_DONE;
}

int cli_problem_read(cli_case *c, int n_words, char *const *words)
{
    const cli_op *op = NULL;
    *c = (cli_case){0};
    if (n_words < 1) {
        return cli_usage("no operation given");
    }
    int status = cli_op_find(words[0], &op);
    if (status == CLI_DONE) {
        cli_case_init(c, op);
    }
    for (int i = 1; status == CLI_DONE && i < n_words; i++) {
        status = read_pair(c, words[i]);
        if (status == CLI_DONE) {
            status = check_once(words, i);
        }
    }
    return status;
}

int cli_problem_shape(cli_case *c)
{
    cli_case_shape_inputs(c);
    if (c->status == HGATE_OK) {
        cli_case_shape_outputs(c);
    }
    return c->status;
}

int cli_problem_fill(cli_case *c, const cli_options *options)
{
    cli_progress progress;
    cli_random random;
    int status = HGATE_OK;
    for (int i = 0; status == HGATE_OK && i < c->row->n_args; i++) {
        cli_array *array = &c->arrays[i];
        if (array->is_given && !array->dl.data && cli_case_is_input(c, i)) {
            status = cli_array_allocate(array, c->row->args[i].name);
        }
    }
    if (status != HGATE_OK) {
        return status;
    }
    cli_progress_start(&progress, options, "generating");
    c->progress = &progress;
    cli_random_seed(&random, c->seed ^ 0x5eed);
    status = c->op->fill(c, &random);
    cli_progress_end(&progress);
    c->progress = NULL;
    return status;
}

void cli_problem_each(const cli_case *c,
                      void (*member)(void *user, const char *key, const char *value,
                                     bool is_number),
                      void *user)
{
    char text[32];
    for (int i = 0; i < c->op->n_keys; i++) {
        const cli_key *key = &c->op->keys[i];
        if (key->words && c->keys[i] >= 0) {
            member(user, key->name, key->words[c->keys[i]], false);
        } else if (!key->words) {
            snprintf(text, sizeof text, "%lld", (long long)c->keys[i]);
            member(user, key->name, text, true);
        }
    }
    const bool is_complex = c->row->args[c->row->main_arg].type == HG_TYPE_C;
    member(user, "dtype",
           cli_type_word(is_complex ? cli_complex(c->is_double) : cli_real(c->is_double)), false);
    snprintf(text, sizeof text, c->device < 0 ? "host" : "cuda:%d", c->device);
    member(user, "mem", text, false);
    snprintf(text, sizeof text, "%d", c->threads);
    member(user, "threads", text, true);
    snprintf(text, sizeof text, "%llu", (unsigned long long)c->seed);
    member(user, "seed", text, true);
}
