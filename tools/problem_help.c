/* SPDX-License-Identifier: BSD-3-Clause */
/* The help text on KEY=VALUE: which operations, which keys, which defaults. */
#include "tools/case.h"
#include "tools/command.h"
#include "tools/report.h"

static void print_key(FILE *to, const cli_key *key)
{
    char fallback[32] = "";
    if (!key->words) {
        snprintf(fallback, sizeof fallback, "%lld", (long long)key->fallback);
    } else if (key->fallback >= 0) {
        snprintf(fallback, sizeof fallback, "%s", key->words[key->fallback]);
    }
    fprintf(to, "  %-10s %-10s %s\n", key->name, fallback, key->help);
    for (int i = 0; key->words && key->fallback < 0 && key->words[i]; i++) {
        fprintf(to, "%s%s",
                i % 6 == 0 ? (i ? "\n                        " : "                        ") : " ",
                key->words[i]);
    }
    fprintf(to, "%s", key->words && key->fallback < 0 ? "\n" : "");
}

int cmd_problem_help(const cli_options *options, FILE *to)
{
    const cli_op *op;
    if (options->n_words == 0) {
        fprintf(to, "\nOperations (their keys: name one before --help):\n");
        for (int i = 0; i < HGATE_OP_COUNT; i++) {
            fprintf(to, "  %s\n", hgate_op_name(i));
        }
        return CLI_DONE;
    }
    const int status = cli_op_find(options->words[0], &op);
    if (status != CLI_DONE) {
        return status;
    }
    fprintf(to, "\nKeys of %s:\n  %-10s %-10s\n", options->words[0], "key", "default");
    for (int i = 0; i < op->n_keys; i++) {
        print_key(to, &op->keys[i]);
    }
    const hg_op *row = hg_op_row(op->op);
    const bool is_complex = row->args[row->main_arg].type == HG_TYPE_C;
    fprintf(to, "  %-10s %-10s %s\n", "dtype",
            cli_type_word(is_complex ? cli_complex(op->is_double) : cli_real(op->is_double)),
            "f32 f64, or c64 c128 for complex arrays");
    fprintf(to, "  %-10s %-10s %s\n", "mem", "host", "where the arrays are: host or cuda:N");
    fprintf(to, "  %-10s %-10s %s\n", "threads", "0", "0 = automatic");
    fprintf(to, "  %-10s %-10s %s\n", "seed", "1", "of the random numbers");
    return CLI_DONE;
}
