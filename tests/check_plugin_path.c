// SPDX-License-Identifier: BSD-3-Clause
// The search path: order, what is left out, and the odd things that a list of folders can hold.
#include "core/plugin/path.h"

#include "core/base/text.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"
#include "tests/plugin_files.h"

#include <headgate/headgate.h>

// A folder with the folders one, two, three/deep and no, and some files.
static char top[path_bytes];
static hg_arena arena;
static kept_log kept;

static void setup(void)
{
    make_folder(top);
    static const char *const folders[] = {"one", "two", "three", "three/deep",
                                          "one/headgate-dir.so"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        make_subfolder(top, folders[i]);
    }
    static const char *const files[] = {
        "one/headgate-b.so",        "one/headgate-a.so",    "one/headgate-a.so.1",
        "one/headgate-.so",         "one/libheadgate-a.so", "one/Headgate-a.so",
        "one/headgate-A_B.so",      "one/headgate-a.la",    "two/headgate-a.so",
        "three/deep/headgate-z.so", "one/headgate-10.so",   "one/headgate-9.so",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_file(in(top, files[i]), "x", 1);
    }
    ck_assert_int_eq(mkfifo(in(top, "one/headgate-fifo.so"), 0600), 0);
    ck_assert_int_eq(symlink("absent", in(top, "two/headgate-broken.so")), 0);
    ck_assert_int_eq(symlink("../one/headgate-b.so", in(top, "two/headgate-link.so")), 0);
    ck_assert_int_eq(symlink("one", in(top, "linked")), 0);
    hg_arena_init(&arena, NULL);
    open_log(&kept);
}

static void teardown(void)
{
    hg_log_free(kept.log);
    hg_arena_release(&arena);
    remove_folder(top);
}

// Names below `top` of what was found, with blanks between.
static const char *found(const hg_search *search, int *status)
{
    static char text[path_bytes];
    const hg_candidate *list = NULL;
    size_t n = 0;
    *status = hg_search_run(search, &arena, kept.log, &list, &n);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        const char *path = list[i].path;
        size_t length = strlen(top);
        ck_assert_int_eq(path[0], '/');
        ck_assert_msg(strncmp(path, top, length) == 0, "%s", path);
        ck_assert_int_eq(list[i].folder[0], '/');
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 path + length + 1);
    }
    return text;
}

#define ALL_OF_ONE                                                                                 \
    "one/headgate-10.so one/headgate-9.so one/headgate-A_B.so one/headgate-a.so one/headgate-b.so"
#define ALL_OF_LINKED                                                                              \
    "linked/headgate-10.so linked/headgate-9.so linked/headgate-A_B.so linked/headgate-a.so "      \
    "linked/headgate-b.so"
#define ALL_OF_TWO_UP                                                                              \
    "two/headgate-a.so three/../two/headgate-broken.so three/../two/headgate-link.so"
#define ALL_OF_TWO "two/headgate-a.so two/headgate-broken.so two/headgate-link.so"

// Folders, '@' stands for that of the test.
static const struct list {
    const char *folders[3];
    const char *expected;
    int n_warnings;
} lists[] = {
    {{"@/two"}, ALL_OF_TWO, 0},
    {{"@/one"}, ALL_OF_ONE, 0},
    {{"@/two/"}, ALL_OF_TWO, 0},
    {{"@/two///"}, ALL_OF_TWO, 0},
    {{"@/two", "@/one"}, ALL_OF_TWO " " ALL_OF_ONE, 0},
    {{"@/two", "@/two", "@/./two"}, ALL_OF_TWO, 0},
    {{"@/linked", "@/one"}, ALL_OF_LINKED, 0},
    {{"@/absent", "@/two"}, ALL_OF_TWO, 0},
    {{"@/three"}, "", 0}, // no recursion
    {{"@/three/../two"}, "three/../" ALL_OF_TWO_UP, 0},
    {{"@/one/headgate-a.so"}, "", 1}, // a file is no folder
    {{"@/one/headgate-dir.so"}, "", 0},
    {{""}, "", 1},
    {{"two"}, "", 1},
    {{".", "..", "~"}, "", 3},
    {{" @/two"}, "", 1},
    {{"@/two "}, "", 0}, // a folder of that name, which is not there
    {{"./two", "@/two"}, ALL_OF_TWO, 1},
    {{"\n"}, "", 1},
    {{"/dev/null"}, "", 1},
    {{NULL}, "", 0},
};

START_TEST(a_list_of_folders_may_be_odd)
{
    const struct list *row = &lists[_i];
    const char *folders[3];
    hg_search search = {.folders = folders};
    for (; search.n_folders < 3 && row->folders[search.n_folders]; search.n_folders++) {
        folders[search.n_folders] = expand(row->folders[search.n_folders], top);
    }
    int status;
    const char *got = found(&search, &status);
    ck_assert_int_eq(status, HGATE_OK);
    ck_assert_msg(strcmp(got, row->expected) == 0, "row %d gave \"%s\"", _i, got);
    ck_assert_msg(kept.n_warnings == row->n_warnings, "row %d: %s", _i, kept.text);
}
END_TEST

START_TEST(the_parts_come_in_their_order)
{
    char file[path_bytes], one[path_bytes], deep[path_bytes];
    snprintf(file, sizeof file, "%s", in(top, "one/headgate-b.so"));
    snprintf(one, sizeof one, "%s", in(top, "one"));
    snprintf(deep, sizeof deep, "%s", in(top, "three/deep"));
    const char *const files[] = {file};
    const char *const folders[] = {in(top, "two"), deep};
    hg_search search = {
        .files = files, .n_files = 1, .folders = folders, .n_folders = 2, .default_folder = one};
    int status;
    const char *got = found(&search, &status);
    ck_assert_int_eq(status, HGATE_OK);
    ck_assert_str_eq(got, "one/headgate-b.so " ALL_OF_TWO " three/deep/headgate-z.so " ALL_OF_ONE);
    ck_assert_ptr_nonnull(strstr(kept.text, "headgate-dir.so is not a regular file"));
    ck_assert_ptr_nonnull(strstr(kept.text, "headgate-fifo.so is not a regular file"));
}
END_TEST

START_TEST(a_file_name_tells_the_name_of_the_plugin)
{
    static const struct {
        const char *file;
        const char *name;
    } rows[] = {
        {"headgate-cpu-serial.so", "cpu-serial"},
        {"headgate-9.so", "9"},
        {"headgate-A_B.so", NULL},
        {"headgate-.so", NULL},
        {"libmine.so", NULL},
        {"headgate-x.so.1", NULL},
        {"headgate-a123456789b123456789c123456789d.so", "a123456789b123456789c123456789d"},
        {"headgate-a123456789b123456789c123456789d1.so", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[path_bytes];
        snprintf(path, sizeof path, "%s", in(top, rows[i].file));
        write_file(path, "x", 1);
        const char *const files[] = {path};
        const hg_candidate *list;
        size_t n;
        ck_assert_int_eq(
            hg_search_run(&(hg_search){.files = files, .n_files = 1}, &arena, NULL, &list, &n),
            HGATE_OK);
        ck_assert_uint_eq(n, 1);
        ck_assert_pstr_eq(list[0].name, rows[i].name);
    }
}
END_TEST

START_TEST(a_named_file_has_to_be_there)
{
    static const struct {
        const char *path; // '@' as above
        const char *cause;
    } rows[] = {
        {"@/one/headgate-x.so", "headgate-x.so: No such file or directory"},
        {"one/headgate-a.so", "\"one/headgate-a.so\" is not absolute"},
        {"", "\"\" is not absolute"},
        {"@/two/headgate-broken.so", "headgate-broken.so: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_below = rows[i].path[0] == '@';
        const char *path = is_below ? in(top, rows[i].path + 2) : rows[i].path;
        const hg_candidate *list = (void *)&arena;
        size_t n = 77;
        hg_search search = {.files = &path, .n_files = 1};
        ck_assert_int_eq(hg_search_run(&search, &arena, kept.log, &list, &n), HGATE_ECONFIG);
        ck_assert_msg(strstr(hgate_last_error(), rows[i].cause), "%s", hgate_last_error());
        ck_assert_msg(strstr(hgate_last_error(), "plugins.files: "), "%s", hgate_last_error());
        ck_assert_ptr_eq(list, (void *)&arena);
        ck_assert_uint_eq(n, 77);
    }
}
END_TEST

START_TEST(each_allocation_may_fail)
{
    int status = HGATE_ENOMEM;
    for (long fail = 1; status != HGATE_OK; fail++) {
        failing_alloc state = {.fail_from = fail};
        hg_allocator allocator = failing_allocator(&state);
        hg_arena own;
        hg_arena_init(&own, &allocator);
        const hg_candidate *list;
        size_t n;
        const char *folder = in(top, "one");
        hg_search search = {.folders = &folder, .n_folders = 1, .default_folder = in(top, "two")};
        status = hg_search_run(&search, &own, kept.log, &list, &n);
        ck_assert(status == HGATE_OK || status == HGATE_ENOMEM);
        ck_assert_int_lt(fail, 100);
        ck_assert(status == HGATE_ENOMEM || fail > 1);
        hg_arena_release(&own);
        ck_assert_int_eq(state.live, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_path");
    TCase *tests = tcase_create("path");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, a_list_of_folders_may_be_odd, 0, sizeof lists / sizeof *lists);
    tcase_add_test(tests, the_parts_come_in_their_order);
    tcase_add_test(tests, a_file_name_tells_the_name_of_the_plugin);
    tcase_add_test(tests, a_named_file_has_to_be_there);
    tcase_add_test(tests, each_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
