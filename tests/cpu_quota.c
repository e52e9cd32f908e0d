// SPDX-License-Identifier: BSD-3-Clause
// Quotas of control groups: trees of files in both versions, and a real group where one can be
// made.
#include "tests/cpu_quota.h"

#include "core/plugin/cpu_quota.h"
#include "core/plugin/host_services.h"
#include "tests/plugin_files.h"
#include "tests/plugin_list.h"

#include <sched.h>
#include <sys/wait.h>

typedef struct file {
    const char *path, *text;
} file;

#define V2(FOLDER, TEXT)                                                                           \
    {                                                                                              \
        "sys/fs/cgroup" FOLDER "/cpu.max", TEXT                                                    \
    }
#define V1(FOLDER, QUOTA, PERIOD)                                                                  \
    {"sys/fs/cgroup/cpu,cpuacct" FOLDER "/cpu.cfs_quota_us", QUOTA},                               \
    {                                                                                              \
        "sys/fs/cgroup/cpu,cpuacct" FOLDER "/cpu.cfs_period_us", PERIOD                            \
    }

static const struct row {
    const char *groups; // of /proc/self/cgroup; NULL: there is none
    file files[6];
    int threads;
} rows[] = {
    {NULL, {V2("", "100000 100000\n")}, 0},
    {"0::/\n", {V2("", "max 100000\n")}, 0},
    {"0::/\n", {V2("", "100000 100000\n")}, 1},
    {"0::/\n", {V2("", "350000 100000\n")}, 3}, // rounded down
    {"0::/\n", {V2("", "20000 100000\n")}, 1},  // but never to nothing
    {"0::/\n", {V2("", "800000 50000\n")}, 16},
    {"0::/\n", {V2("", "")}, 0},
    {"0::/\n", {V2("", "words\n")}, 0},
    {"0::/\n", {V2("", "100000\n")}, 0},
    {"0::/\n", {V2("", "100000 0\n")}, 0},
    {"0::/\n", {V2("", "-1 100000\n")}, 0},
    {"0::/\n", {V2("", "9223372036854775807 1\n")}, 0},
    {"0::/\n", {{NULL, NULL}}, 0},
    // the least of the way up counts
    {"0::/a/b\n", {V2("/a/b", "max 100000\n"), V2("/a", "200000 100000\n")}, 2},
    {"0::/a/b\n", {V2("/a/b", "500000 100000\n"), V2("/a", "200000 100000\n")}, 2},
    {"0::/a/b\n", {V2("/a/b", "200000 100000\n"), V2("/a", "500000 100000\n")}, 2},
    {"0::/a/b\n", {V2("", "300000 100000\n")}, 3}, // a path of the host, seen in a container
    {"0::/a\n", {V2("/b", "100000 100000\n")}, 0}, // somebody else's
    {"0::/../../b\n", {V2("", "300000 100000\n"), V2("/b", "100000 100000\n")}, 3},
    // version 1
    {"4:cpu,cpuacct:/a\n3:cpuset:/\n", {V1("/a", "250000\n", "100000\n")}, 2},
    {"4:cpu,cpuacct:/a\n", {V1("/a", "-1\n", "100000\n"), V1("", "400000\n", "100000\n")}, 4},
    {"4:cpu,cpuacct:/a\n", {{"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "100000\n"}}, 0},
    {"4:cpuset:/a\n5:memory:/a\n", {{"sys/fs/cgroup/cpuset/a/cpu.cfs_quota_us", "1\n"}}, 0},
    // both
    {"4:cpu,cpuacct:/a\n0::/a\n", {V1("/a", "400000\n", "100000\n"), V2("/a", "2 1\n")}, 2},
    {"no colons\n4\n:\n::\n\n", {V2("", "300000 100000\n")}, 3}, // the last but one is version 2
};

// The file with all of its folders.
static void put(const char *root, const char *path, const char *text)
{
    char full[path_bytes];
    snprintf(full, sizeof full, "%s", in(root, path));
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(full, 0700);
        *slash = '/';
    }
    write_file(full, text, strlen(text));
}

START_TEST(the_least_quota_counts)
{
    char root[path_bytes];
    make_folder(root);
    if (rows[_i].groups) {
        put(root, "proc/self/cgroup", rows[_i].groups);
    }
    for (int i = 0; i < 6 && rows[_i].files[i].path; i++) {
        put(root, rows[_i].files[i].path, rows[_i].files[i].text);
    }
    const int found = hg_cpu_quota(root);
    remove_folder(root);
    ck_assert_msg(found == rows[_i].threads, "row %d: %d threads", _i, found);
}
END_TEST

// ---- a real group

static bool put_number(const char *path, long number)
{
    FILE *to = fopen(path, "w");
    const bool is_put = to && fprintf(to, "%ld\n", number) > 0;
    return to && fclose(to) == 0 && is_put;
}

// A group of version 1 or 2 for one processor, with this process in it.
static bool enter_group(const char *group)
{
    if (mkdir(group, 0755) != 0) {
        return false;
    }
    FILE *to = fopen(in(group, "cpu.max"), "r+");
    bool is_set = to && fprintf(to, "100000 100000\n") > 0;
    is_set = to && fclose(to) == 0 && is_set;
    return (is_set || (put_number(in(group, "cpu.cfs_period_us"), 100000) &&
                       put_number(in(group, "cpu.cfs_quota_us"), 100000))) &&
           put_number(in(group, "cgroup.procs"), (long)getpid());
}

static int hint_in_group(const char *group)
{
    if (!enter_group(group)) {
        return 77;
    }
    hg_host record;
    hg_config *config = make_config("version: 1\nthreads: {max: 4096}\n");
    hg_host_init(&record, config, NULL, NULL, "mine");
    return record.table.thread_hint(&record.table);
}

START_TEST(a_real_group_limits_the_hint)
{
    static const char *const parents[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct",
                                          "/sys/fs/cgroup"};
    char group[path_bytes];
    int code = 77;
    for (int i = 0; i < 3 && code == 77; i++) {
        int state;
        snprintf(group, sizeof group, "%s/headgate-test-%ld", parents[i], (long)getpid());
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            _exit(hint_in_group(group));
        }
        ck_assert_int_eq(waitpid(child, &state, 0), child);
        (void)rmdir(group);
        ck_assert(WIFEXITED(state));
        code = WEXITSTATUS(state);
    }
    if (code == 77) {
        fprintf(stderr, "left out: no control group with a quota can be made here\n");
    } else {
        ck_assert_int_eq(code, 1);
    }
}
END_TEST

TCase *cpu_quota_tests(void)
{
    TCase *tests = tcase_create("cpu_quota");
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, the_least_quota_counts, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tests, a_real_group_limits_the_hint);
    return tests;
}
