// SPDX-License-Identifier: BSD-3-Clause
// Who could have written a plugin file: modes, owners, links, and files that are exchanged.
#include "core/plugin/vet.h"

#include "tests/harness.h"
#include "tests/plugin_files.h"

enum { somebody_else = 65534 };

// A folder with search/sub/file, search/file, away/file and links to them.
static char base[path_bytes], top[path_bytes];
static hg_text why;

static void setup(void)
{
    make_folder(base);
    make_subfolder(base, "search");
    make_subfolder(base, "search/sub");
    make_subfolder(base, "away");
    write_file(in(base, "search/file"), "x", 1);
    write_file(in(base, "search/sub/file"), "x", 1);
    write_file(in(base, "away/file"), "x", 1);
    ck_assert_int_eq(symlink("../away/file", in(base, "search/link")), 0);
    ck_assert_int_eq(symlink("search", in(base, "same")), 0);
    ck_assert_int_eq(symlink("absent", in(base, "search/broken")), 0);
    ck_assert_int_eq(mkfifo(in(base, "search/fifo"), 0600), 0);
    snprintf(top, sizeof top, "%s", in(base, "search"));
    why = hg_text_growing(NULL);
}

static void teardown(void)
{
    hg_text_release(&why);
    remove_folder(base);
}

// Mode or owner of something, then a file and the folder it is found in.
static const struct row {
    const char *changed;
    mode_t mode; // 0: left as it is
    bool is_foreign;
    const char *file;
    const char *folder;
    int status;
    const char *cause;
} rows[] = {
    {"search/file", 0600, 0, "search/file", "search", HGATE_PLUGIN_USABLE, ""},
    {"search/file", 0755, 0, "search/file", "search", HGATE_PLUGIN_USABLE, ""},
    {"search/file", 0775, 0, "search/file", "search", HGATE_PLUGIN_USABLE,
     ""}, // a group is trusted
    {"search/file", 0602, 0, "search/file", "search", HGATE_PLUGIN_PERMISSION,
     "search/file is writable by others"},
    {"search/file", 01666, 0, "search/file", "search", HGATE_PLUGIN_PERMISSION, "mode 1666"},
    {"search/file", 0, 1, "search/file", "search", HGATE_PLUGIN_PERMISSION,
     "search/file belongs to neither root nor the user (owner 65534"},
    {"search", 0777, 0, "search/file", "search", HGATE_PLUGIN_PERMISSION,
     "search is writable by others"},
    {"search", 01777, 0, "search/file", "search", HGATE_PLUGIN_USABLE, ""},
    {"search", 0, 1, "search/file", "search", HGATE_PLUGIN_PERMISSION, "search belongs to"},
    {"search/sub", 0777, 0, "search/sub/file", "search", HGATE_PLUGIN_PERMISSION,
     "search/sub is writable by others"},
    {"search", 0777, 0, "search/sub/file", "search", HGATE_PLUGIN_PERMISSION,
     "search is writable by others"},
    {"search/sub", 0777, 0, "search/file", "search", HGATE_PLUGIN_USABLE, ""}, // not on the way
    {".", 0777, 0, "search/file", "search", HGATE_PLUGIN_USABLE, ""},          // above the search
    {"away", 0700, 0, "search/link", "search", HGATE_PLUGIN_USABLE, ""},
    {"away", 0777, 0, "search/link", "search", HGATE_PLUGIN_PERMISSION, "away is writable"},
    {"away/file", 0666, 0, "search/link", "search", HGATE_PLUGIN_PERMISSION,
     "away/file is writable"},
    {"away/file", 0, 1, "search/link", "search", HGATE_PLUGIN_PERMISSION, "away/file belongs to"},
    {".", 0777, 0, "search/link", "search", HGATE_PLUGIN_PERMISSION, " is writable by others"},
    {"search", 0777, 0, "search/link", "search", HGATE_PLUGIN_PERMISSION, "search is writable"},
    {"search", 0777, 0, "same/file", "same", HGATE_PLUGIN_PERMISSION, "search is writable"},
    {"search", 0700, 0, "same/sub/file", "same", HGATE_PLUGIN_USABLE, ""},
    {"search", 0700, 0, "search/absent", "search", HGATE_PLUGIN_LOAD_FAILED,
     "absent: No such file or directory"},
    {"search", 0700, 0, "search/broken", "search", HGATE_PLUGIN_LOAD_FAILED,
     "broken: No such file or directory"},
    {"search", 0700, 0, "search/sub", "search", HGATE_PLUGIN_LOAD_FAILED, "not a regular file"},
    {"search", 0700, 0, "search/fifo", "search", HGATE_PLUGIN_LOAD_FAILED, "not a regular file"},
};

// Owners can be changed by root alone; other users leave those rows out.
static bool is_possible(const struct row *row)
{
    return !row->is_foreign || geteuid() == 0;
}

static void change(const struct row *row)
{
    const char *path = in(base, row->changed);
    if (row->mode) {
        ck_assert_int_eq(chmod(path, row->mode), 0);
    }
    if (row->is_foreign) {
        ck_assert_int_eq(chown(path, somebody_else, (gid_t)-1), 0);
    }
}

START_TEST(ownership_and_modes_decide)
{
    const struct row *row = &rows[_i];
    if (!is_possible(row)) {
        return;
    }
    change(row);
    hg_vetted file = {.path = top};
    int status = hg_vet(in(base, row->file), in(base, row->folder), false, &file, &why);
    ck_assert_msg(status == row->status, "row %d: %d, %s", _i, status, why.data);
    ck_assert_msg(strstr(why.data, row->cause), "row %d: %s", _i, why.data);
    if (status != HGATE_PLUGIN_USABLE) {
        ck_assert_ptr_eq(file.path, top);
        return;
    }
    ck_assert_str_eq(why.data, "");
    char *real = realpath(in(base, row->file), NULL);
    ck_assert_str_eq(file.path, real);
    ck_assert(hg_vetted_is_same(&file));
    free(real);
    hg_vetted_release(&file);
}
END_TEST

START_TEST(a_lenient_check_accepts_and_tells)
{
    const struct row *row = &rows[_i];
    if (!is_possible(row)) {
        return;
    }
    change(row);
    hg_vetted file;
    int status = hg_vet(in(base, row->file), in(base, row->folder), true, &file, &why);
    int expected = row->status == HGATE_PLUGIN_PERMISSION ? HGATE_PLUGIN_USABLE : row->status;
    ck_assert_int_eq(status, expected);
    ck_assert_msg(strstr(why.data, row->cause), "row %d: %s", _i, why.data);
    if (status == HGATE_PLUGIN_USABLE) {
        hg_vetted_release(&file);
    }
}
END_TEST

// A file of the system, as any user but root sees it.
START_TEST(what_belongs_to_root_is_trusted)
{
    bool is_root = geteuid() == 0;
    hg_vetted file;
    ck_assert(!is_root || seteuid(somebody_else) == 0);
    int status = hg_vet("/etc/passwd", "/etc", false, &file, &why);
    ck_assert(!is_root || seteuid(0) == 0);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%s", why.data);
    hg_vetted_release(&file);
}
END_TEST

START_TEST(all_that_is_wrong_is_told)
{
    ck_assert_int_eq(chmod(in(base, "search/sub/file"), 0666), 0);
    ck_assert_int_eq(chmod(in(base, "search/sub"), 0777), 0);
    ck_assert_int_eq(chmod(in(base, "search"), 0777), 0);
    hg_vetted file;
    ck_assert_int_eq(hg_vet(in(base, "search/sub/file"), top, false, &file, &why),
                     HGATE_PLUGIN_PERMISSION);
    ck_assert_ptr_nonnull(strstr(why.data, "search/sub/file is writable by others"));
    ck_assert_ptr_nonnull(strstr(why.data, "; "));
    ck_assert_ptr_nonnull(strstr(why.data, "search/sub is writable by others"));
    ck_assert_ptr_nonnull(strstr(why.data, "search is writable by others"));
}
END_TEST

START_TEST(an_exchanged_file_is_noticed)
{
    hg_vetted file;
    ck_assert_int_eq(hg_vet(in(top, "file"), top, false, &file, &why), HGATE_PLUGIN_USABLE);
    ck_assert(hg_vetted_is_same(&file));
    write_file(in(top, "new"), "y", 1);
    ck_assert_int_eq(rename(in(top, "new"), in(top, "file")), 0);
    ck_assert(!hg_vetted_is_same(&file));
    // the very file, but now reached through a link
    hg_vetted again;
    ck_assert_int_eq(hg_vet(in(top, "file"), top, false, &again, &why), HGATE_PLUGIN_USABLE);
    ck_assert_int_eq(rename(in(top, "file"), in(base, "away/moved")), 0);
    ck_assert(!hg_vetted_is_same(&again));
    ck_assert_int_eq(symlink("../away/moved", in(top, "file")), 0);
    ck_assert(!hg_vetted_is_same(&again));
    hg_vetted_release(&again);
    hg_vetted_release(&file);
}
END_TEST

START_TEST(names_cannot_write_to_a_terminal)
{
    char odd[path_bytes];
    snprintf(odd, sizeof odd, "%s", in(top, "red\033[31m"));
    write_file(odd, "x", 1);
    ck_assert_int_eq(chmod(odd, 0666), 0);
    hg_vetted file;
    ck_assert_int_eq(hg_vet(odd, top, false, &file, &why), HGATE_PLUGIN_PERMISSION);
    ck_assert_ptr_nonnull(strstr(why.data, "red\\x1b[31m is writable"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_vet");
    TCase *tests = tcase_create("vet");
    int n_rows = sizeof rows / sizeof *rows;
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, ownership_and_modes_decide, 0, n_rows);
    tcase_add_loop_test(tests, a_lenient_check_accepts_and_tells, 0, n_rows);
    tcase_add_test(tests, what_belongs_to_root_is_trusted);
    tcase_add_test(tests, all_that_is_wrong_is_told);
    tcase_add_test(tests, an_exchanged_file_is_noticed);
    tcase_add_test(tests, names_cannot_write_to_a_terminal);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
