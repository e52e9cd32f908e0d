/* SPDX-License-Identifier: BSD-3-Clause */
/* The fingerprint, from the system and from what plugins say about themselves. */
#include "core/calib/machine.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/plugin/host_services.h"

#include <stdio.h>
#include <string.h>

/* The processor's own words for itself, the first that /proc/cpuinfo has. */
static void put_cpu(hg_text *text)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && text->length == 0 && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            const char *name = colon + 1 + strspn(colon + 1, " \t");
            hg_text_put_untrusted(text, name, strcspn(name, "\n"), 200);
        }
    }
    if (file) {
        fclose(file);
    }
}

typedef struct rows_wanted {
    bool is_serial; /* cpu-serial is asked: every machine has it, and its option says the level */
    hg_text isa, blas, gpus;
    char isa_buffer[64], blas_buffer[256];
} rows_wanted;

static void take_row(void *user, const char *key, const char *value)
{
    rows_wanted *wanted = user;
    const size_t n = strlen(value);
    if (strcmp(key, "isa") == 0 && (wanted->isa.length == 0 || wanted->is_serial)) {
        hg_text_clear(&wanted->isa);
        hg_text_put_untrusted(&wanted->isa, value, n, n);
    } else if (strcmp(key, "blas") == 0 && wanted->blas.length == 0) {
        hg_text_put_untrusted(&wanted->blas, value, n, n);
    } else if (strcmp(key, "gpu") == 0) {
        hg_text_put(&wanted->gpus, wanted->gpus.length ? "; " : "");
        hg_text_put_untrusted(&wanted->gpus, value, n, n);
    }
}

static bool keep(hg_machine *machine, rows_wanted *wanted)
{
    char cpu[256];
    hg_text text = hg_text_over(cpu, sizeof cpu);
    put_cpu(&text);
    machine->cpu = hg_arena_strdup(&machine->arena, cpu);
    machine->isa = hg_arena_strdup(&machine->arena, wanted->isa.data);
    machine->blas = hg_arena_strdup(&machine->arena, wanted->blas.data);
    machine->gpus = hg_arena_strdup(&machine->arena, wanted->gpus.data);
    return machine->cpu && machine->isa && machine->blas && machine->gpus && !wanted->gpus.is_cut;
}

int hg_machine_read(const hg_plugin *const *plugins, int n, const hg_allocator *allocator,
                    hg_machine *out)
{
    rows_wanted wanted;
    wanted.isa = hg_text_over(wanted.isa_buffer, sizeof wanted.isa_buffer);
    wanted.blas = hg_text_over(wanted.blas_buffer, sizeof wanted.blas_buffer);
    wanted.gpus = hg_text_growing(allocator);
    for (int i = 0; i < n; i++) {
        wanted.is_serial = strcmp(plugins[i]->name, "cpu-serial") == 0;
        if (plugins[i]->descriptor->describe) {
            plugins[i]->descriptor->describe(plugins[i]->state, take_row, &wanted);
        }
    }
    hg_arena_init(&out->arena, allocator);
    out->cores = hg_affinity_count();
    const bool is_kept = keep(out, &wanted);
    hg_text_release(&wanted.gpus);
    if (!is_kept) {
        hg_machine_release(out);
        return hg_error_memory("fingerprint of the machine", sizeof wanted);
    }
    return HGATE_OK;
}

void hg_machine_release(hg_machine *machine)
{
    hg_arena_release(&machine->arena);
}

uint64_t hg_machine_hash(const hg_machine *machine)
{
    uint64_t hash = hg_hash_text(HG_HASH_START, machine->cpu);
    hash = hg_hash_word(hash, (uint64_t)machine->cores);
    hash = hg_hash_text(hash, machine->isa);
    hash = hg_hash_text(hash, machine->blas);
    return hg_hash_text(hash, machine->gpus);
}
