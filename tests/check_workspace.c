// SPDX-License-Identifier: BSD-3-Clause
// Workspace: grown when needed, kept otherwise, guarded at its end, given back.
#include "core/engine/workspace.h"
#include "tests/dispatch/opened.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <string.h>

START_TEST(grows_and_stays)
{
    hg_workspace workspace;
    void *first, *again, *larger;
    hg_workspace_init(&workspace, NULL);
    ck_assert_int_eq(hg_workspace_host(&workspace, 0, &first), HGATE_OK);
    ck_assert_ptr_null(first);
    ck_assert_int_eq(hg_workspace_host(&workspace, 1000, &first), HGATE_OK);
    ck_assert_uint_eq((uintptr_t)first % 64, 0);
    ck_assert_int_eq(hg_workspace_host(&workspace, 1000, &again), HGATE_OK);
    ck_assert_ptr_eq(again, first);
    ck_assert_int_eq(hg_workspace_host(&workspace, 7, &again), HGATE_OK);
    ck_assert_ptr_eq(again, first);
    ck_assert_int_eq(hg_workspace_host(&workspace, 1001, &larger), HGATE_OK);
    memset(larger, 1, 1001);
    ck_assert(hg_workspace_is_intact(&workspace, 1001));
    hg_workspace_release(&workspace);
}
END_TEST

START_TEST(guard_stands_right_behind)
{
    hg_workspace workspace;
    void *memory;
    hg_workspace_init(&workspace, NULL);
    static const size_t sizes[] = {1, 63, 64, 1000};
    for (size_t i = 0; i < 4; i++) {
        for (size_t past = 0; past < 64; past += 21) {
            ck_assert_int_eq(hg_workspace_host(&workspace, sizes[i], &memory), HGATE_OK);
            memset(memory, 0, sizes[i]);
            ck_assert(hg_workspace_is_intact(&workspace, sizes[i]));
            ((char *)memory)[sizes[i] + past]++;
            ck_assert(!hg_workspace_is_intact(&workspace, sizes[i]));
        }
    }
    ck_assert(hg_workspace_is_intact(&workspace, 0));
    hg_workspace_release(&workspace);
}
END_TEST

START_TEST(sizes_that_cannot_be)
{
    hg_workspace workspace;
    void *memory = &workspace;
    hg_workspace_init(&workspace, modest_allocator());
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(hg_workspace_host(&workspace, sizes[i], &memory), HGATE_ENOMEM);
        ck_assert_ptr_null(memory);
    }
    ck_assert_int_eq(hg_workspace_host(&workspace, 8, &memory), HGATE_OK);
    hg_workspace_release(&workspace);
}
END_TEST

START_TEST(device_memory_by_plugin_device_and_stream)
{
    hgate_engine *engine = opened("device", NULL, NULL, NULL);
    const hg_plugin *plugin = opened_plugin(engine, "device");
    hg_workspace workspace;
    void *a, *b, *c;
    hg_workspace_init(&workspace, NULL);
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 0, NULL, 0, &a), HGATE_OK);
    ck_assert_ptr_null(a);
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 0, NULL, 100, &a), HGATE_OK);
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 1, NULL, 100, &b), HGATE_OK);
    ck_assert_ptr_ne(a, b);
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 0, NULL, 50, &c), HGATE_OK);
    ck_assert_ptr_eq(a, c);
    ck_assert_int_eq(opened_count(engine, "device", "ws_alloc"), 2);
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 0, NULL, 101, &c), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "ws_alloc"), 3);
    ck_assert_int_eq(opened_count(engine, "device", "ws_free"), 1);
    /* another stream may still work in the old memory */
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 0, (void *)8, 10, &c), HGATE_OK);
    ck_assert_int_eq(opened_count(engine, "device", "ws_alloc"), 4);
    ck_assert_int_eq(hg_workspace_device(&workspace, plugin, 7, NULL, 10, &c), HGATE_EDEVICE);
    ck_assert_ptr_null(c);
    hg_workspace_release(&workspace);
    ck_assert_int_eq(opened_count(engine, "device", "ws_free"), 4);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("workspace");
    TCase *tests = tcase_create("workspace");
    tcase_add_test(tests, grows_and_stays);
    tcase_add_test(tests, guard_stands_right_behind);
    tcase_add_test(tests, sizes_that_cannot_be);
    tcase_add_test(tests, device_memory_by_plugin_device_and_stream);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
