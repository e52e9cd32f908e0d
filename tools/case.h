/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem: the arrays and scalars of an operation, from a file or from KEY=VALUE.
 *
 * Names, types, shapes and scalars come from the tables of core/tensor; the rows here add what only
 * the command needs: the words of KEY=VALUE, how data are made up, and which function is called. */
#ifndef CLI_CASE_H
#define CLI_CASE_H

#include "core/tensor/op_table.h"
#include "core/tensor/option_table.h"
#include "tools/array.h"
#include "tools/random.h"

#include <headgate/headgate.h>
#include <headgate/plugin.h>

enum { CLI_MAX_KEYS = 8 };

/** A word of KEY=VALUE. */
typedef struct cli_key {
    const char *name;
    int64_t fallback; /* value when it is not given; -1 with words: none of them */
    int64_t lowest;
    const char *const *words; /* NULL-ended choices; the value is the index. NULL: a number */
    const char *help;
} cli_key;

/** Every scalar of every operation; the struct of one family at a time is in use. */
typedef struct cli_scalars {
    union { /* first: the offsets of hg_option count from here */
        hgate_curvature_params curvature;
        hgate_emi_params emi;
        hgate_visibility_params visibility;
        hgate_kirchhoff_params kirchhoff;
        hgate_kirchhoff_setup setup;
    } params;
    /* attributes that are arguments, or shapes, of the C call */
    double alpha, beta;  /* kirchhoff_forward and _adjoint */
    int64_t ny, nx;      /* curvature_kernel */
    int64_t nant, nfeed; /* visibility_pairs */
    int out_dtype;       /* index in cli_out_dtype_words */
    int setup_check;     /* set-up operations of kirchhoff */
    int64_t n_up;        /* visibility_horizon: written by the call */
} cli_scalars;

struct cli_op;
struct cli_progress;

/** Which part of its dataset an array is: its own extent from `first` on. */
typedef struct cli_slab {
    int axis; /* of the dataset; -1: all of it */
    int64_t first;
} cli_slab;

typedef struct cli_case {
    const struct cli_op *op;
    const hg_op *row;
    int status; /* the first failure of the functions that give arrays a shape */
    cli_array arrays[HGATE_MAX_ARGS];
    cli_slab slabs[HGATE_MAX_ARGS];
    cli_array freq_hz; /* visibility: a dataset in place of the attribute; one call for each */
    cli_scalars scalars;
    uint64_t is_set;   /* bit i: attribute i was given by a file or by the generator */
    uint32_t included; /* optional inputs that a made-up problem has, 1 << index */
    int64_t keys[CLI_MAX_KEYS];
    int64_t dims[HGATE_MAX_DIMS]; /* sizes by the row's words; HG_SIZE_UNKNOWN */
    char layouts[32];             /* words of the shape rules in force */
    int out_ndim;   /* dimensions of the output where a rule leaves a choice; 0: any */
    bool is_double; /* precision of the main arrays */
    double loss;    /* factor on the tolerance, for input that is badly conditioned; 0: 1 */
    int device;     /* -1: host memory, else cuda:N */
    int threads;    /* 0 = automatic */
    int64_t groups; /* of sources, in which it was served; 0: all at once */
    uint64_t seed;
    struct cli_progress *progress; /* of long generators; NULL: none */
} cli_case;

/** Which form of an operation is called. CLI_GROUPED: kirchhoff_forward and _adjoint alone. */
typedef enum cli_form { CLI_ONCE, CLI_PLAN, CLI_RUN, CLI_EXPLAIN, CLI_GROUPED } cli_form;

typedef struct cli_call {
    cli_form form;
    hgate_engine *engine;
    hgate_exec *exec;
    cli_scalars *scalars;
    DLTensor *args[HGATE_MAX_ARGS]; /* NULL: absent */
    hgate_plan *plan;               /* set by CLI_PLAN, used by CLI_RUN */
    hgate_trace *trace;             /* set by CLI_EXPLAIN */
    hgate_group_params group;       /* of CLI_GROUPED */
} cli_call;

/** All that the command knows of an operation beside the tables of core/tensor. */
typedef struct cli_op {
    int op; /* enum hgate_op */
    int n_keys;
    const cli_key *keys;
    bool is_double; /* default of dtype */
    int n_extras;
    const hg_option *extras; /* attributes beside the params struct; offsets in cli_scalars */
    /* Scalars, sizes and optional inputs of a made-up problem, from the keys. */
    void (*prepare)(cli_case *c);
    /* Sizes and layouts that no input array tells: from scalars. NULL: there are none. */
    void (*sizes)(cli_case *c);
    int (*fill)(cli_case *c, cli_random *random); /* data of a made-up problem */
    int (*call)(cli_call *call);
    double (*work)(const cli_case *c); /* in units of work_unit, less the "/s" */
    const char *work_unit;
    /* Outputs that are compared with the reference, 1 << index: by the largest difference over the
     * largest modulus, or by the angle between unit phases. */
    uint32_t by_peak, by_angle;
    double tolerance[2]; /* largest accepted error: single, double */
} cli_op;

extern const char *const cli_out_dtype_words[]; /* index 0: that of the inputs */

/** Table row of an operation (enum hgate_op). */
const cli_op *cli_op_row(int op);
/** Operation of a word; CLI_USAGE with the list of all when there is none. */
int cli_op_find(const char *word, const cli_op **op);
/** Attribute number i of an operation; NULL behind the last. */
const hg_option *cli_op_attribute(const cli_op *op, int i);

/** An empty problem: scalars at their defaults, no arrays. */
void cli_case_init(cli_case *c, const cli_op *op);
void cli_case_free(cli_case *c);

/** Value of a KEY=VALUE by its name; 0 where the operation has no such key. */
int64_t cli_case_key(const cli_case *c, const char *name);
/** Marks an attribute as given, so that it is written to a file. */
void cli_case_mark(cli_case *c, const char *attribute);

/** Sets a size by its index. */
void cli_case_set_dim(cli_case *c, int dim, int64_t size);
/** a b, for a size; an overflow is kept as HGATE_ESHAPE. */
int64_t cli_case_mul(cli_case *c, int64_t a, int64_t b);
/** Extent of an axis of an argument; 0 where there is none. */
int64_t cli_case_extent(const cli_case *c, int arg, int axis);
/** Adds a word of the shape rules. */
void cli_case_layout(cli_case *c, const char *word);

/** Shapes of a made-up problem's inputs, from the keys. */
void cli_case_shape_inputs(cli_case *c);
/** Sizes and precision from the inputs that are there, then types and shapes of the outputs. */
void cli_case_shape_outputs(cli_case *c);

/** Is the argument an input of this call: by its role, or because beta is not 0? */
bool cli_case_is_input(const cli_case *c, int arg);
/** Is the argument there and written? */
bool cli_case_is_output(const cli_case *c, int arg);
/** Dataset of an argument: its name, but Vpairs for the V of a visibility with pairs. */
const char *cli_case_dataset(const cli_case *c, int arg);
/** Memory for all given arrays that have none. */
int cli_case_allocate(cli_case *c);
/** Puts the arrays into a call. */
void cli_case_arguments(cli_case *c, cli_call *call);
/** Calls that the problem takes: 1, or the number of its frequencies. */
int64_t cli_case_steps(const cli_case *c);
/** Points arrays and scalars at those of a step. */
void cli_case_at_step(cli_case *c, int64_t step);

#endif
