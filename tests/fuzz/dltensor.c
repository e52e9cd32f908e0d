// SPDX-License-Identifier: BSD-3-Clause
// The fields of the DLTensors of a call, changed at random: what cannot be is refused, and nothing
// behind a pointer is looked at. Data are addresses that nobody may read.
#include "core/tensor/dtype.h"
#include "core/tensor/problem.h"
#include "tests/fuzz/fuzz.h"
#include "tools/case.h"

#include <string.h>
#include <sys/mman.h>

const char *const fuzz_corpus[] = {NULL};
const fuzz_limit fuzz_limits = {0.5, 64 << 20};

enum { FORBIDDEN_BYTES = 1 << 20 };

typedef struct world {
    hgate_engine *engine;
    char *forbidden;
    cli_case cases[HGATE_OP_COUNT]; // problems that are right, without data
} world;

static void set_up(world *w)
{
    static const char only_me[] = "version: 1\nplugins: {use_default_path: false}\n";
    hgate_config *config;
    hgate_options options;
    unsetenv("HEADGATE_PLUGIN_PATH");
    hgate_options_init(&options);
    fuzz_require(hgate_config_new(&config) == HGATE_OK, "new");
    fuzz_require(!hgate_config_load_text(config, only_me, strlen(only_me), "x"), "load");
    options.config = config;
    fuzz_require(hgate_open(&options, &w->engine) == HGATE_OK, hgate_last_error());
    hgate_config_free(config);
    w->forbidden = mmap(NULL, FORBIDDEN_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fuzz_require(w->forbidden != MAP_FAILED, "mmap");
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        cli_case *c = &w->cases[op];
        cli_case_init(c, cli_op_row(op));
        cli_case_shape_inputs(c);
        cli_case_shape_outputs(c);
        c->status = HGATE_OK;
    }
}

// The bytes of an input, one after the other; zeros behind the end.
typedef struct source {
    const uint8_t *at, *end;
} source;

static uint64_t take(source *s, size_t n)
{
    uint64_t value = 0;
    const size_t left = (size_t)(s->end - s->at);
    memcpy(&value, s->at, n < left ? n : left);
    s->at += n < left ? n : left;
    return value;
}

static int64_t take_number(source *s)
{
    static const int64_t odd[] = {0,         1,          -1,        2,         3,         7,
                                  8,         9,          1 << 20,   INT32_MAX, INT32_MIN, INT64_MAX,
                                  INT64_MIN, 1000000000, 1ll << 32, 1ll << 62};
    const uint64_t which = take(s, 1);
    return which < 128 ? odd[which % 16] : (int64_t)take(s, 8);
}

static void change(DLTensor *t, source *s)
{
    const int64_t value = take_number(s);
    const int axis = (int)(take(s, 1) % HG_MAX_NDIM);
    switch (take(s, 1) % 12) {
    case 0:
        t->ndim = (int)value;
        break;
    case 1:
        t->shape = NULL;
        break;
    case 2:
    case 3:
        t->shape ? t->shape[axis] = value : 0;
        break;
    case 4:
        t->strides ? t->strides[axis] = value : 0;
        break;
    case 5:
        t->strides = NULL;
        break;
    case 6:
        t->dtype.code = (uint8_t)value;
        break;
    case 7:
        t->dtype.bits = (uint8_t)value;
        break;
    case 8:
        t->dtype.lanes = (uint16_t)value;
        break;
    case 9:
        t->byte_offset = (uint64_t)value;
        break;
    case 10:
        t->device.device_type = (DLDeviceType)(int)value;
        break;
    default:
        t->device.device_id = (int)value;
    }
}

// ---- what no library may accept, decided apart from it

__extension__ typedef __int128 wide;

static bool is_out_of_range(const DLTensor *t)
{
    wide bytes = hg_dtype_bytes(hg_dtype_of(t->dtype));
    for (int i = 0; i < t->ndim; i++) {
        if (t->shape[i] == 0) {
            return false;
        }
    }
    for (int i = 0; i < t->ndim && bytes <= PTRDIFF_MAX; i++) {
        bytes *= t->shape[i];
    }
    if (bytes > PTRDIFF_MAX) {
        return true;
    }
    int64_t step = 1;
    for (int i = t->ndim - 1; t->strides && i >= 0; i--) {
        if (t->shape[i] != 1 && t->strides[i] != step) {
            return true;
        }
        step *= t->shape[i];
    }
    const wide first = (wide)(uintptr_t)t->data + t->byte_offset;
    return !t->data || first + bytes > UINT64_MAX ||
           first % (wide)hg_dtype_bytes(hg_dtype_of(t->dtype)) != 0;
}

static bool is_impossible(const DLTensor *t)
{
    const int device = (int)t->device.device_type;
    if (t->ndim < 0 || t->ndim > HG_MAX_NDIM || (t->ndim > 0 && !t->shape) || t->dtype.lanes != 1 ||
        !hg_dtype_of(t->dtype) || !(device == 1 || device == 2 || device == 3 || device == 13)) {
        return true;
    }
    for (int i = 0; i < t->ndim; i++) {
        if (t->shape[i] < 0) {
            return true;
        }
    }
    return is_out_of_range(t);
}

static void check_answer(int status, bool is_refused, const char *op)
{
    switch (status) {
    case HGATE_EINVAL:
    case HGATE_ESHAPE:
    case HGATE_EDTYPE:
    case HGATE_EDEVICE:
    case HGATE_ESTRIDE:
    case HGATE_EOVERLAP:
        break;
    case HGATE_OK: // explain, or nothing to do
    case HGATE_EVALUE:
    case HGATE_ENOKERNEL:
        fuzz_require(!is_refused, op);
        break;
    default:
        fprintf(stderr, "status %d\n", status);
        fuzz_require(false, hgate_last_error());
    }
}

void fuzz_one(const uint8_t *data, size_t n)
{
    static world *w;
    if (!w) {
        w = calloc(1, sizeof *w);
        fuzz_require(w, "memory");
        set_up(w);
    }
    source s = {data, data + n};
    cli_case *c = &w->cases[take(&s, 1) % HGATE_OP_COUNT];
    int64_t *extents = malloc(2 * HG_MAX_NDIM * HGATE_MAX_ARGS * sizeof *extents);
    DLTensor tensors[HGATE_MAX_ARGS];
    cli_scalars scalars = c->scalars;
    cli_call call = {.form = CLI_EXPLAIN, .engine = w->engine, .scalars = &scalars};
    fuzz_require(extents, "memory");
    for (int i = 0; i < c->row->n_args; i++) {
        int64_t *shape = extents + 2 * HG_MAX_NDIM * i, *strides = shape + HG_MAX_NDIM, step = 1;
        tensors[i] = c->arrays[i].dl;
        memcpy(shape, c->arrays[i].shape, HG_MAX_NDIM * sizeof *shape);
        for (int k = tensors[i].ndim - 1; k >= 0; k--) {
            strides[k] = step;
            step *= shape[k];
        }
        tensors[i].data = w->forbidden + 65536 * i;
        tensors[i].shape = shape;
        tensors[i].strides = take(&s, 1) % 2 ? strides : NULL;
        call.args[i] = c->arrays[i].is_given ? &tensors[i] : NULL;
    }
    for (int changes = (int)(take(&s, 1) % 4) + 1; changes > 0; changes--) {
        change(&tensors[take(&s, 1) % (uint64_t)c->row->n_args], &s);
    }
    bool is_refused = false;
    for (int i = 0; i < c->row->n_args; i++) {
        is_refused = is_refused || (call.args[i] && is_impossible(call.args[i]));
    }
    if (is_refused) {
        call.form = CLI_ONCE; // data are there, and must stay unread
    }
    for (int i = 0; i < c->row->n_args && !is_refused; i++) {
        tensors[i].data = NULL;
    }
    check_answer(c->op->call(&call), is_refused, c->row->word);
    hgate_trace_free(call.trace);
    free(extents);
}
