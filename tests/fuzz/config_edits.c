// SPDX-License-Identifier: BSD-3-Clause
// A configuration that is right, made from the table of keys, and the same with one edit: it is
// read, every value within its key's range, or refused with a position. Bytes of the input decide.
#include "core/base/text.h"
#include "tests/fuzz/config_checks.h"

const char *const fuzz_corpus[] = {NULL};
const fuzz_limit fuzz_limits = {0.5, 64 << 20};

enum { MAX_LINES = 64, MAX_BYTES = 8192 };

// ---- choices

typedef struct source {
    const uint8_t *at, *end;
    uint64_t spare; // goes on where the input ends, so that short inputs make long files too
} source;

static uint64_t any(source *s)
{
    s->spare = s->spare * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    s->spare += s->at < s->end ? *s->at++ : 0;
    return s->spare >> 33;
}

static uint64_t below(source *s, uint64_t n)
{
    return any(s) % n;
}

static const char *one_of(source *s, const char *const *list)
{
    uint64_t n = 0;
    while (list[n]) {
        n++;
    }
    return list[below(s, n)];
}

// ---- a right configuration

static void put_word_of(source *s, const char *words, hg_text *out)
{
    uint64_t n = 1;
    for (const char *at = words; *at; at++) {
        n += *at == ' ';
    }
    for (uint64_t skip = below(s, n); skip > 0; skip--) {
        words = strchr(words, ' ') + 1;
    }
    hg_text_put_n(out, words, strcspn(words, " "));
}

static void put_name(source *s, hg_text *out)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (uint64_t n = below(s, 20) + 1; n > 0; n--) {
        hg_text_put_char(out, letters[below(s, n > 1 ? 26 : 36)]);
    }
}

static void put_part(source *s, const char *part, size_t n, hg_text *out)
{
    const hg_schema *schema = hg_schema_headgate();
    if (*part != '<') {
        hg_text_put_n(out, part, n);
    } else if (strncmp(part, "<op>", n) == 0 || strncmp(part, "<word>", n) == 0) {
        hg_text_put(out, one_of(s, schema->ops));
    } else if (strncmp(part, "<plugin>", n) == 0 && below(s, 2) == 0) {
        hg_text_put(out, one_of(s, schema->plugins));
    } else {
        put_name(s, out);
    }
}

static void put_key(source *s, const hg_schema_row *row, hg_text *out)
{
    for (const char *part = row->key; *part;) {
        const size_t n = strcspn(part, ".");
        put_part(s, part, n, out);
        hg_text_put_n(out, part + n, part[n] == '.');
        part += n + (part[n] == '.');
    }
}

static void put_number(source *s, const hg_schema_row *row, hg_text *out)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", " MiB", "", NULL};
    const double low = row->min + (row->is_min_open && row->type != HG_TYPE_REAL);
    const double high = row->max < low + 1e9 ? row->max : low + 1e9;
    const double share = 1e-6 * (double)(below(s, 999998) + 1);
    if (row->words && below(s, 4) == 0) {
        put_word_of(s, row->words, out);
    } else if (row->type == HG_TYPE_REAL) {
        hg_text_put_real(out, low + share * (high - low));
    } else {
        hg_text_put_int64(out, (int64_t)(low + share * (high - low)));
        hg_text_put(out, row->type == HG_TYPE_BYTES ? one_of(s, units) : "");
    }
}

static void put_scalar(source *s, const hg_schema_row *row, hg_text *out)
{
    switch (row->type) {
    case HG_TYPE_BOOL:
        hg_text_put(out, below(s, 2) ? "true" : "false");
        break;
    case HG_TYPE_INT:
    case HG_TYPE_REAL:
    case HG_TYPE_BYTES:
        put_number(s, row, out);
        break;
    case HG_TYPE_ENUM:
        put_word_of(s, row->words, out);
        break;
    case HG_TYPE_PATH:
    case HG_TYPE_PATHS:
        hg_text_put_char(out, '/');
        put_name(s, out);
        break;
    case HG_TYPE_CHOICE:
        put_part(s, "<plugin>", 8, out);
        hg_text_put(out, below(s, 2) ? "/" : "");
        if (out->data[out->length - 1] == '/') {
            put_name(s, out);
        }
        break;
    default:
        put_name(s, out);
    }
}

static void put_value(source *s, const hg_schema_row *row, hg_text *out)
{
    if (row->is_fixed || row->role == HG_KEY_VERSION) {
        hg_text_put(out, row->fallback);
    } else if (!hg_type_is_list(row->type)) {
        put_scalar(s, row, out);
    } else {
        hg_text_put_char(out, '[');
        for (uint64_t n = below(s, 4); n > 0; n--) {
            put_scalar(s, row, out);
            hg_text_put_int64(out, (int64_t)n); // no item twice
            hg_text_put(out, n > 1 ? ", " : "");
        }
        hg_text_put_char(out, ']');
    }
}

typedef struct line {
    char key[192], value[256];
} line;

static int compare_keys(const void *left, const void *right)
{
    return strcmp(((const line *)left)->key, ((const line *)right)->key);
}

static size_t make_lines(source *s, line *lines)
{
    const hg_schema *schema = hg_schema_headgate();
    size_t n = 0, n_kept = 0;
    for (size_t i = 0; i < schema->n_rows && n < MAX_LINES; i++) {
        const hg_schema_row *row = &schema->rows[i];
        if (!(row->where & HG_SET_BY_FILE) || (row->role != HG_KEY_VERSION && below(s, 6) > 0)) {
            continue;
        }
        hg_text key = hg_text_over(lines[n].key, sizeof lines[n].key);
        hg_text value = hg_text_over(lines[n].value, sizeof lines[n].value);
        put_key(s, row, &key);
        // a name may have made another key of it
        if (!strchr(row->key, '<') || hg_schema_find(schema, lines[n].key, NULL) == row) {
            put_value(s, row, &value);
            n++;
        }
    }
    qsort(lines, n, sizeof *lines, compare_keys);
    for (size_t i = 0; i < n; i++) {
        if (n_kept == 0 || strcmp(lines[n_kept - 1].key, lines[i].key) != 0) {
            lines[n_kept] = i == n_kept ? lines[n_kept] : lines[i];
            n_kept++;
        }
    }
    return n_kept;
}

// As nested sections; keys come sorted, so that those of a section are neighbours.
static void put_lines(const line *lines, size_t n, hg_text *out)
{
    const char *before = "";
    for (size_t i = 0; i < n; i++) {
        size_t depth = 0, same = 0;
        const char *key = lines[i].key;
        for (size_t k = 0; key[k] && key[k] == before[k]; k++) {
            same = key[k] == '.' ? k + 1 : same;
        }
        for (const char *part = key; *part; depth++) {
            const size_t length = strcspn(part, ".");
            if ((size_t)(part - key) >= same) {
                hg_text_put_repeated(out, ' ', 2 * depth);
                hg_text_put_n(out, part, length);
                hg_text_put(out, part[length] ? ":\n" : ": ");
            }
            part += length + (part[length] == '.');
        }
        hg_text_put(out, lines[i].value);
        hg_text_put_char(out, '\n');
        before = key;
    }
}

// ---- one edit

static const char *const odd[] = {"no",
                                  "off",
                                  "auto",
                                  "1e-3",
                                  "0x10",
                                  "1_000",
                                  "99999999999999999999",
                                  "-1",
                                  "nan",
                                  ".inf",
                                  "1e999",
                                  "1e-999",
                                  "[a",
                                  "{",
                                  "\"x",
                                  "~",
                                  "''",
                                  "&a x",
                                  "*a",
                                  "!!int 3",
                                  "0.5",
                                  "1.5GiB",
                                  "9999999999GiB",
                                  "/x",
                                  "x/y",
                                  "[]",
                                  "[a, b]",
                                  "- x",
                                  "true",
                                  "-0.0",
                                  "a: b",
                                  "<<: 1",
                                  "|",
                                  ">-",
                                  "? x",
                                  "\t",
                                  "# x",
                                  "---",
                                  "...",
                                  "%YAML 1.1",
                                  "\"\\0\"",
                                  "\"\\n\"",
                                  "\xff",
                                  "\xc2\x80",
                                  "\xe2\x80\xae",
                                  "[[[[[[[[[[[[[[[[[",
                                  "\r\n",
                                  NULL};

static void replace(hg_text *text, size_t at, size_t n, const char *by, size_t by_n)
{
    if (text->length + by_n < MAX_BYTES) {
        memmove(text->data + at + by_n, text->data + at + n, text->length + 1 - at - n);
        memcpy(text->data + at, by, by_n);
        text->length += by_n - n;
    }
}

static void edit_line(source *s, hg_text *text, size_t start, size_t n)
{
    char copy[MAX_BYTES];
    const char *colon = memchr(text->data + start, ':', n);
    const char *word = one_of(s, odd);
    memcpy(copy, text->data + start, n);
    switch (below(s, 5)) {
    case 0: // another value
        if (colon && colon[1] == ' ') {
            const size_t at = (size_t)(colon + 2 - text->data);
            replace(text, at, start + n - 1 - at, word, strlen(word));
        }
        break;
    case 1: // twice
        replace(text, start, 0, copy, n);
        break;
    case 2: // not at all
        replace(text, start, n, "", 0);
        break;
    case 3: // further in
        replace(text, start, 0, below(s, 4) ? "   " : "\t  ", below(s, 3) + 1);
        break;
    default: // further out
        replace(text, start, *copy == ' ' ? below(s, 2) + 1 : 0, "", 0);
    }
}

static void edit_bytes(source *s, hg_text *text, size_t at)
{
    const char c = (char)any(s), *word = one_of(s, odd);
    switch (below(s, 5)) {
    case 0:
        replace(text, at, 1, &c, 1);
        break;
    case 1:
        replace(text, at, 0, &c, 1);
        break;
    case 2:
        replace(text, at, 1, "", 0);
        break;
    case 3:
        replace(text, at, 0, word, strlen(word));
        break;
    default: // cut off
        hg_text_cut_to(text, at);
    }
}

static void edit(source *s, hg_text *text)
{
    const size_t at = below(s, text->length);
    if (below(s, 2)) {
        edit_bytes(s, text, at);
        return;
    }
    size_t start = at, end = at;
    while (start > 0 && text->data[start - 1] != '\n') {
        start--;
    }
    while (text->data[end] != '\n') {
        end++;
    }
    edit_line(s, text, start, end + 1 - start);
}

// ---- both are read

static int read_text(const hg_text *text)
{
    hgate_config *config;
    char *exact = malloc(text->length + 1); // so that a byte too far is found
    fuzz_require(exact && hgate_config_new(&config) == HGATE_OK, "memory");
    memcpy(exact, text->data, text->length);
    const int status = hgate_config_load_text(config, exact, text->length, "x");
    if (status == HGATE_OK) {
        hg_config_release(merge_and_check(config, "x"));
    } else {
        fuzz_require(status == HGATE_ECONFIG, hgate_last_error());
        fuzz_require(is_located(hgate_last_error(), "x"), hgate_last_error());
    }
    free(exact);
    hgate_config_free(config);
    return status;
}

void fuzz_one(const uint8_t *data, size_t n)
{
    static line lines[MAX_LINES];
    static char buffer[MAX_BYTES];
    source s = {data, data + n, n};
    for (size_t i = 0; i < n && i < 8; i++) { // all of a short input counts at once
        s.spare = s.spare * 257 + data[i];
    }
    hg_text text = hg_text_over(buffer, sizeof buffer);
    put_lines(lines, make_lines(&s, lines), &text);
    fuzz_require(!text.is_cut, "too long");
    fuzz_require(n % 8 > 0 || read_text(&text) == HGATE_OK, hgate_last_error());
    edit(&s, &text);
    read_text(&text);
}
