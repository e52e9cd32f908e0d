// SPDX-License-Identifier: BSD-3-Clause
// A fuzz program without libFuzzer, and with it where FUZZ_RUNS is set: the files of its corpus, or
// those that are named, and random edits of each; many times quicker than libFuzzer, which finds
// the files worth editing. FUZZ_RUNS sets how many edits in all, FUZZ_SECONDS ends them earlier,
// FUZZ_SEED sets which. Behind each input lies a page that nobody may read.
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = (1 << 20) + 4096 }; // a little more than a configuration may have

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

// LONGEST bytes with a forbidden page behind them; the end of these bytes.
static uint8_t *end_of_memory(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *memory =
        mmap(NULL, LONGEST + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fuzz_require(memory != MAP_FAILED && !mprotect(memory + LONGEST, page, PROT_NONE), "mmap");
    return memory + LONGEST;
}

static size_t random_bytes(uint8_t *text, uint64_t *random)
{
    const size_t n = next_random(random) % 256;
    for (size_t i = 0; i < n; i++) {
        text[i] = (uint8_t)(next_random(random) >> 32);
    }
    return n;
}

static size_t random_edits(uint8_t *text, const corpus *c, uint64_t *random)
{
    const input *from = &c->inputs[next_random(random) % c->n];
    size_t n = from->n;
    memcpy(text, from->bytes, n);
    for (uint64_t edits = next_random(random) % 3 + 1; edits > 0; edits--) {
        n = edit(text, n, c, random);
    }
    return n;
}

static long from_environment(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

// How many runs it were.
static long edit_and_run(const corpus *c)
{
    static uint8_t text[LONGEST + 64];
    const long runs = from_environment("FUZZ_RUNS", 3000);
    const time_t end_time = time(NULL) + from_environment("FUZZ_SECONDS", 1000000);
    uint8_t *end = end_of_memory();
    uint64_t random =
        0x9e3779b97f4a7c15u; // odd: times any seed it is not zero, and far from others
    random *= 1 + (uint64_t)from_environment("FUZZ_SEED", 0);
    long i = 0;
    for (; i < runs && (i % 256 || time(NULL) < end_time); i++) {
        const size_t n = c->n ? random_edits(text, c, &random) : random_bytes(text, &random);
        memcpy(end - n, text, n);
        LLVMFuzzerTestOneInput(end - n, n);
    }
    return i;
}

static void run_all(int n_paths, char *const *paths)
{
    const char *top = getenv("abs_top_srcdir");
    corpus c = {0};
    char path[4096];
    for (int i = 0; i < n_paths; i++) {
        add_path(&c, paths[i]);
    }
    for (int i = 0; n_paths == 0 && fuzz_corpus[i]; i++) {
        snprintf(path, sizeof path, "%s/%s", top ? top : ".", fuzz_corpus[i]);
        add_path(&c, path);
    }
    for (size_t i = 0; i < c.n; i++) {
        LLVMFuzzerTestOneInput(c.inputs[i].bytes, c.inputs[i].n);
    }
    printf("%zu files, ", c.n);
    printf("%ld edits\n", edit_and_run(&c));
    for (size_t i = 0; i < c.n; i++) {
        free(c.inputs[i].bytes);
    }
    free(c.inputs);
}

#ifdef HG_WITH_LIBFUZZER
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (getenv("FUZZ_RUNS")) {
        run_all(*argc - 1, *argv + 1);
        exit(0);
    }
    return 0;
}
#else
int main(int argc, char **argv)
{
    run_all(argc - 1, argv + 1);
    return 0;
}
#endif
