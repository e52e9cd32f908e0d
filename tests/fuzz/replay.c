// SPDX-License-Identifier: BSD-3-Clause
// A fuzz program without libFuzzer: the files of its corpus, or those that are named, and random
// edits of each. FUZZ_RUNS sets how many edits in all.
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 1 << 16 };

typedef struct input {
    uint8_t *bytes;
    size_t n;
} input;

typedef struct corpus {
    input *inputs;
    size_t n;
} corpus;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13; // xorshift64 of Marsaglia
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void add(corpus *c, const uint8_t *bytes, size_t n)
{
    c->inputs = realloc(c->inputs, (c->n + 1) * sizeof *c->inputs);
    uint8_t *copy = malloc(n + 1);
    fuzz_require(c->inputs && copy, "memory");
    memcpy(copy, bytes, n);
    c->inputs[c->n++] = (input){copy, n};
}

static void add_path(corpus *c, const char *path)
{
    static uint8_t bytes[LONGEST];
    struct stat st;
    fuzz_require(stat(path, &st) == 0, path);
    if (S_ISDIR(st.st_mode)) {
        struct dirent **entries;
        const int n = scandir(path, &entries, NULL, alphasort);
        for (int i = 0; i < n; i++) {
            char below[4096];
            snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);
            if (entries[i]->d_name[0] != '.') {
                add_path(c, below);
            }
            free(entries[i]);
        }
        free(entries);
        return;
    }
    FILE *file = fopen(path, "rb");
    fuzz_require(file, path);
    add(c, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

// One edit: a byte replaced, taken out, put in, or a piece copied from elsewhere.
static size_t edit(uint8_t *text, size_t n, const corpus *c, uint64_t *random)
{
    static const char bytes[] = "[]{}:,-#&*!|>'\"%~ \n\t0123456789.eabz\x80\xff\x1b";
    const size_t at = n ? next_random(random) % n : 0;
    const uint64_t kind = next_random(random) % 5, value = next_random(random);
    if (kind == 0 && n > 0) {
        text[at] = (uint8_t)value;
    } else if (kind == 1 && n > 0) {
        memmove(text + at, text + at + 1, n - at - 1);
        return n - 1;
    } else if (kind == 2 && n > 0) {
        text[at] = (uint8_t)bytes[value % (sizeof bytes - 1)];
    } else {
        const input *from = &c->inputs[value % c->n];
        const size_t start = from->n ? next_random(random) % from->n : 0;
        size_t length = next_random(random) % 40;
        length = length < from->n - start ? length : from->n - start;
        if (n + length <= LONGEST) {
            memmove(text + at + length, text + at, n - at);
            memcpy(text + at, from->bytes + start, length);
            return n + length;
        }
    }
    return n;
}

static void edit_and_run(const corpus *c, long runs)
{
    static uint8_t text[LONGEST + 64];
    uint64_t random = 88172645463325252u;
    for (long i = 0; i < runs; i++) {
        const input *from = &c->inputs[next_random(&random) % c->n];
        size_t n = from->n;
        memcpy(text, from->bytes, n);
        for (uint64_t edits = next_random(&random) % 3 + 1; edits > 0; edits--) {
            n = edit(text, n, c, &random);
        }
        uint8_t *exact = malloc(n + 1); // so that a byte too far is found
        fuzz_require(exact, "memory");
        memcpy(exact, text, n);
        LLVMFuzzerTestOneInput(exact, n);
        free(exact);
    }
}

int main(int argc, char **argv)
{
    const char *top = getenv("abs_top_srcdir"), *count = getenv("FUZZ_RUNS");
    const long runs = count ? strtol(count, NULL, 10) : 3000;
    corpus c = {0};
    char path[4096];
    for (int i = 1; i < argc; i++) {
        add_path(&c, argv[i]);
    }
    for (int i = 0; argc == 1 && fuzz_corpus[i]; i++) {
        snprintf(path, sizeof path, "%s/%s", top ? top : ".", fuzz_corpus[i]);
        add_path(&c, path);
    }
    if (c.n == 0) {
        uint8_t zeros[64] = {0};
        add(&c, zeros, sizeof zeros);
    }
    for (size_t i = 0; i < c.n; i++) {
        LLVMFuzzerTestOneInput(c.inputs[i].bytes, c.inputs[i].n);
    }
    edit_and_run(&c, runs);
    printf("%zu files, %ld edits\n", c.n, runs);
    for (size_t i = 0; i < c.n; i++) {
        free(c.inputs[i].bytes);
    }
    free(c.inputs);
    return 0;
}
