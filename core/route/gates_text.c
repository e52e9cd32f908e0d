/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a gate refused a kernel, in words. Apart from the gates themselves: a call that is not
 * explained never comes here. */
#include "core/route/gates.h"

#include <math.h>

/* How a refusal reads. */
typedef enum sentence {
    NUMBER_ABOVE, /* "<value> <what>, the most is <limit>" */
    NUMBER_BELOW,
    WORDS /* the text as it stands */
} sentence;

typedef struct words_row {
    sentence sentence;
    const char *text;
    double never;     /* the limit that means never; NaN: none does */
    const char *zero; /* what the limit 0 means, where it is no number */
} words_row;

static const words_row rows[HG_GATE_COUNT] = {
    [HG_GATE_WORK_FRACTION] = {NUMBER_ABOVE, "work fraction", 0, NULL},
    [HG_GATE_FINITE_VALS] = {WORDS, "vals hold NaN or infinity, only full keeps those apart", NAN,
                             NULL},
    [HG_GATE_KAPPA] = {WORDS, "", NAN, NULL},
    [HG_GATE_EXACT_TRIANGLE] = {WORDS, "the triangle must be exact", NAN, NULL},
    [HG_GATE_FFT] = {WORDS, "by setting", NAN, NULL},
    [HG_GATE_DIRECT] = {WORDS, "by setting", NAN, NULL},
    [HG_GATE_WARP] = {NUMBER_ABOVE, "images", 0, NULL},
    [HG_GATE_ROWS] = {NUMBER_ABOVE, "images", -1, "the device's"},
    [HG_GATE_BLOCK] = {NUMBER_ABOVE, "images", -1, "the device's"},
    [HG_GATE_REGULARIZED] = {WORDS, "rule none needs a kernel that pivots", NAN, NULL},
    [HG_GATE_HERK] = {NUMBER_BELOW, "antennas", -1, "cost decides"},
    [HG_GATE_GEMM3M] = {WORDS, "off", NAN, NULL},
    [HG_GATE_MATPROD] = {WORDS, "another product is asked for", NAN, NULL},
    [HG_GATE_TABLE_BYTES] = {NUMBER_ABOVE, "bytes of tables", NAN, "no limit"},
    [HG_GATE_MIN_PAIRS] = {NUMBER_BELOW, "pairs", NAN, "cost decides"},
};

void hg_gate_put_limit(hg_gate gate, double limit, hg_text *out)
{
    const words_row *row = &rows[gate];
    if (isnan(limit)) {
        hg_text_put(out, "-");
    } else if (limit == row->never) {
        hg_text_put(out, "off");
    } else if (limit == 0 && row->zero) {
        hg_text_put(out, row->zero);
    } else {
        hg_text_put_real(out, limit);
    }
}

void hg_gate_put_refusal(hg_gate gate, const hg_rules *rules, double value, double limit,
                         hg_text *out)
{
    const words_row *row = &rows[gate];
    hg_text_put(out, hg_gate_name(gate));
    hg_text_put(out, ": ");
    if (row->sentence == WORDS) {
        hg_text_put(out, row->text);
    } else if (limit == row->never) {
        hg_text_put(out, "off");
    } else {
        hg_text_put_real(out, value);
        hg_text_printf(out, " %s, %s is ", row->text,
                       row->sentence == NUMBER_ABOVE ? "the most" : "the least");
        hg_text_put_real(out, limit);
    }
    if (hg_gate_key(gate)) {
        hg_text_printf(out, " (%s)", hg_config_origin(rules->config, hg_gate_key(gate)));
    }
}
