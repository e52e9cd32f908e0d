// SPDX-License-Identifier: BSD-3-Clause
// Rows of decisions: a question, a machine, settings, and what must come out. One table for each
// family.
#ifndef HG_TESTS_DISPATCH_DECISIONS_H
#define HG_TESTS_DISPATCH_DECISIONS_H

typedef struct decision_row {
    const char *question; // "emi n=92 batch=1000 ..." (question.h)
    const char *machine;  // kernels with their seconds (world.h)
    const char *config;   // YAML, NULL: defaults
    const char *chosen;   // "cuda/block", "none"
    const char *why;      // word of the reason it was chosen for
    const char *refused;  // "cuda/rows limit, cuda/warp gate": some refusals; NULL: not looked at
} decision_row;

typedef struct decision_table {
    const char *name;
    int n;
    const decision_row *rows;
} decision_table;

extern const decision_table decisions_curvature, decisions_emi, decisions_visibility,
    decisions_kirchhoff, decisions_general;

#endif
