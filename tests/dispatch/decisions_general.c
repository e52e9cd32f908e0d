// SPDX-License-Identifier: BSD-3-Clause
// Decisions that no family owns: memory, determinism, preference, estimates that nobody believes.
#include "tests/dispatch/decisions.h"

#include <stddef.h>

#define THREE "cpu-serial/direct=3 cpu-openmp/direct=2 cuda/direct=1 "
#define ASK "visibility_angles nsrc=100 "

static const decision_row rows[] = {
    {ASK, THREE, NULL, "cuda/direct", "quickest", NULL},
    {ASK, THREE, "routing: {stage_host_input: never}", "cpu-openmp/direct", "quickest", NULL},
    {ASK, THREE, "plugins: {cuda: {enabled: false}}", "cpu-openmp/direct", "quickest",
     "cuda/direct killed"},
    {ASK, THREE, "plugins: {cuda: {enabled: false}, cpu-openmp: {enabled: false}}",
     "cpu-serial/direct", "only", NULL},
    {ASK, THREE,
     "plugins: {cuda: {enabled: false}, cpu-openmp: {enabled: false}, cpu-serial: {enabled: "
     "false}}",
     "none", "", "cuda/direct killed, cpu-openmp/direct killed, cpu-serial/direct killed"},
    {ASK, "", NULL, "none", "", NULL},
    /* preference */
    {ASK, THREE, "routing: {strategy: prefer, prefer: [cpu-serial, cuda]}", "cpu-serial/direct",
     "preference", NULL},
    {ASK, THREE, "routing: {strategy: prefer, prefer: [cpu-x]}", "cuda/direct", "preference", NULL},
    {ASK, "p/a=1 q/a=1 r/a=1", "routing: {prefer: [r, q]}", "r/a", "tie", NULL},
    {ASK, "p/a=1 q/a=1 r/a=1", NULL, "p/a", "tie", NULL},
    /* workspace */
    {ASK, "p/a=1@2000 p/b=2@1000", "memory: {host_workspace_limit: 1000B}", "p/b", "only",
     "p/a memory"},
    {ASK, "p/a=1@2000 p/b=2@1000", "memory: {host_workspace_limit: 0}", "p/a", "quickest", NULL},
    {ASK, "p/a=1@2000 p/b=2@1000", "memory: {host_workspace_limit: 999B}", "none", "",
     "p/a memory, p/b memory"},
    {ASK, "cuda/a=1 p/b=2", "memory: {device_workspace_limit: 700B}", "p/b", "only",
     "cuda/a memory"},
    /* determinism */
    {ASK, "p/a=1! p/b=2", NULL, "p/a", "quickest", NULL},
    {ASK, "p/a=1! p/b=2", "routing: {deterministic: true}", "p/b", "only", "p/a determinism"},
    /* estimates */
    {ASK, "p/a=nan p/b=9", NULL, "p/b", "only", "p/a bad_estimate"},
    {ASK, "p/a=-1 p/b=9", NULL, "p/b", "only", "p/a bad_estimate"},
    {ASK, "p/a=inf p/b=9", NULL, "p/b", "only", "p/a bad_estimate"},
    {ASK, "p/a=0 p/b=9", NULL, "p/b", "only", "p/a bad_estimate"},
    {ASK, "p/a=1e-300 p/b=9", NULL, "p/a", "quickest", NULL},
    /* the plain kernel */
    {ASK, "cpu-serial/reference=1e-9 p/b=9", NULL, "p/b", "quickest", NULL},
    {ASK, "cpu-serial/reference=1e-9 p/b=9#", NULL, "cpu-serial/reference", "only", "p/b limit"},
    {ASK, "cpu-serial/reference=1e-9 p/b=9", "plugins: {p: {enabled: false}}",
     "cpu-serial/reference", "only", NULL},
    /* threads */
    {ASK "threads=4", "p/a=4* p/b=1.5", NULL, "p/a", "quickest", NULL},
    {ASK "threads=2", "p/a=4* p/b=1.5", NULL, "p/b", "quickest", NULL},
};

const decision_table decisions_general = {"general", (int)(sizeof rows / sizeof *rows), rows};
