/* SPDX-License-Identifier: BSD-3-Clause */
/* The device functions of a fake plugin: "device memory" is plain memory of the host. Included by
 * good.c. */
#ifndef HG_TESTS_FAKE_DEVICE_H
#define HG_TESTS_FAKE_DEVICE_H

static int fake_check_device(const fake_state *s, int device_id)
{
    return device_id == 0 || device_id == 1
               ? HGATE_OK
               : hgate_fail(s->host, HGATE_EDEVICE, "device %d, there are 0 and 1", device_id);
}

static int fake_ws_alloc(void *state, size_t bytes, int device_id, void *stream, void **memory)
{
    fake_state *s = state;
    (void)stream;
    s->ws_alloc++;
    int status = fake_check_device(s, device_id);
    if (status != HGATE_OK) {
        return status;
    }
    long limit = s->options[0].device_memory;
    void *got = limit > 0 && bytes > (size_t)limit ? NULL : s->host->alloc(s->host, bytes, 256);
    if (!got) {
        return hgate_fail(s->host, HGATE_ENOMEM, "device %d: %zu bytes asked for, %ld there",
                          device_id, bytes, limit);
    }
    *memory = got;
    return HGATE_OK;
}

static void fake_ws_free(void *state, void *memory, int device_id, void *stream)
{
    fake_state *s = state;
    (void)device_id;
    (void)stream;
    s->ws_free++;
    s->host->free(s->host, memory);
}

static int fake_copy(void *state, int direction, void *device, void *host, size_t bytes,
                     int device_id, void *stream)
{
    fake_state *s = state;
    (void)stream;
    int status = fake_check_device(s, device_id);
    if (status != HGATE_OK) {
        return status;
    }
    if (direction == HGATE_COPY_IN) {
        s->copy_in++;
        memcpy(device, host, bytes);
    } else {
        s->copy_out++;
        memcpy(host, device, bytes);
    }
    return HGATE_OK;
}

static int fake_sync(void *state, int device_id, void *stream)
{
    fake_state *s = state;
    (void)stream;
    s->sync++;
    int status = fake_check_device(s, device_id);
    return status != HGATE_OK ? status : (int)s->options[0].sync_status;
}

static int fake_derive(void *state, const hgate_problem *problem, hgate_run *run, void *facts)
{
    fake_state *s = state;
    hgate_curvature_facts *curvature = facts;
    (void)run;
    s->derive++;
    if (problem->op == HGATE_OP_CURVATURE) {
        curvature->is_known = 1;
        curvature->vals_finite = (int)s->options[0].vals_finite;
        curvature->work_fraction = s->options[0].work_fraction;
        curvature->pair_fraction = s->options[0].work_fraction / 2;
    }
    return HGATE_OK;
}

#endif
