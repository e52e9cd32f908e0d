/* SPDX-License-Identifier: BSD-3-Clause */
/* libyaml's events, one by one. Every limit is counted here, since libyaml 0.2.5 has none and takes
 * quadratic time in the nesting depth; what we have no use for is refused. */
#include "core/base/utf8.h"
#include "core/config/yaml_reader.h"

#include <string.h>

void hg_yaml_put_position(hg_text *out, const hg_yaml_reader *r, yaml_mark_t mark)
{
    hg_text_printf(out, "%s:%zu:%zu", r->label, mark.line + 1, mark.column + 1);
}

void hg_yaml_problem(hg_yaml_reader *r, yaml_mark_t mark, const char *what)
{
    char position[HG_PROBLEM_BYTES];
    hg_text text = hg_text_over(position, sizeof position);
    hg_yaml_put_position(&text, r, mark);
    hg_problems_add(&r->problems, position, "%s", what);
    r->is_over = r->is_over || r->problems.count > HG_PROBLEMS_SHOWN;
}

void hg_yaml_stop(hg_yaml_reader *r, yaml_mark_t mark, const char *what)
{
    hg_yaml_problem(r, mark, what);
    r->is_over = true;
}

void hg_yaml_stop_out_of_memory(hg_yaml_reader *r)
{
    r->is_out_of_memory = true;
    r->is_over = true;
}

/* Is the first character of a line, after spaces, a tab? libyaml's own words for it are dark. */
static bool is_tab_indented(const hg_yaml_reader *r, size_t line)
{
    const char *at = r->text, *end = r->text + r->n;
    for (; line > 0 && at; line--) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    while (at && at < end && *at == ' ') {
        at++;
    }
    return at && at < end && *at == '\t';
}

static void stop_at_syntax_error(hg_yaml_reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR) {
        hg_yaml_stop_out_of_memory(r);
        return;
    }
    char what[256];
    hg_text text = hg_text_over(what, sizeof what);
    if (is_tab_indented(r, p->problem_mark.line)) {
        hg_text_put(&text, "tabs cannot indent; use spaces");
    } else {
        hg_text_printf(&text, "%s", p->problem ? p->problem : "not YAML");
        if (p->context) {
            hg_text_printf(&text, " (%s)", p->context);
        }
    }
    hg_yaml_stop(r, p->problem_mark, what);
}

static const char *refused_feature(const yaml_event_t *e)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return "aliases are not allowed";
    case YAML_SCALAR_EVENT:
        anchor = e->data.scalar.anchor;
        tag = e->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = e->data.sequence_start.anchor;
        tag = e->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = e->data.mapping_start.anchor;
        tag = e->data.mapping_start.tag;
        break;
    case YAML_DOCUMENT_START_EVENT:
        return e->data.document_start.tag_directives.start !=
                       e->data.document_start.tag_directives.end
                   ? "directives other than %YAML are not allowed"
                   : NULL;
    default:
        return NULL;
    }
    return anchor ? "anchors are not allowed" : tag ? "tags are not allowed" : NULL;
}

static const char *refused_scalar(const yaml_event_t *e)
{
    if (e->type != YAML_SCALAR_EVENT) {
        return NULL;
    }
    const char *text = (const char *)e->data.scalar.value;
    const size_t n = e->data.scalar.length;
    if (n > HG_YAML_SCALAR_BYTES) {
        return "text longer than 4096 bytes";
    }
    for (size_t at = 0; at < n;) { /* escapes in quotes can make what the scan did not see */
        uint32_t c = 0;
        const size_t bytes = hg_utf8_next(text + at, n - at, &c);
        if (bytes == 0 || hg_is_control(c)) {
            return "control characters and line ends are not allowed in a value";
        }
        at += bytes;
    }
    return NULL;
}

static bool opens(const yaml_event_t *e)
{
    return e->type == YAML_SEQUENCE_START_EVENT || e->type == YAML_MAPPING_START_EVENT;
}

static bool closes(const yaml_event_t *e)
{
    return e->type == YAML_SEQUENCE_END_EVENT || e->type == YAML_MAPPING_END_EVENT;
}

/* The next event, counted and looked at. False: reading is over, and there is nothing to delete. */
bool hg_yaml_next(hg_yaml_reader *r, yaml_event_t *e)
{
    if (r->is_over) {
        return false;
    }
    if (!yaml_parser_parse(&r->parser, e)) {
        stop_at_syntax_error(r);
        return false;
    }
    r->events++;
    r->depth += opens(e) - closes(e);
    const char *what = refused_feature(e);
    if (!what) {
        what = refused_scalar(e);
    }
    if (r->depth > HG_YAML_DEPTH) {
        what = "nested more than 16 deep";
    }
    if (r->events > HG_YAML_EVENTS) {
        what = "more than 20000 events";
    }
    if (what) {
        hg_yaml_stop(r, e->start_mark, what);
        yaml_event_delete(e);
        return false;
    }
    return true;
}

/* Reads to the end of the node that begins with this event; deletes the event. */
void hg_yaml_skip(hg_yaml_reader *r, yaml_event_t *e)
{
    const int outside = r->depth - opens(e);
    yaml_event_delete(e);
    while (r->depth > outside && hg_yaml_next(r, e)) {
        yaml_event_delete(e);
    }
}
