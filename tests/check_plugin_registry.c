// SPDX-License-Identifier: BSD-3-Clause
// The plugins of an engine: each way for a file to end as a record, and what opening and closing
// leave behind.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memmem
#endif
#include "core/plugin/registry.h"

#include "tests/failing_alloc.h"
#include "tests/fake/record.h"
#include "tests/harness.h"
#include "tests/plugin_files.h"
#include "tests/plugin_list.h"

static char top[path_bytes];
static kept_log kept;

static void setup(void)
{
    // also what the test before has left, where all run in one process
    unsetenv("HEADGATE_PLUGIN_PATH");
    unsetenv("HEADGATE_DISABLE");
    unsetenv("LD_LIBRARY_PATH");
    make_folder(top);
    make_subfolder(top, "a");
    make_subfolder(top, "b");
    open_log(&kept);
}

static void teardown(void)
{
    hg_log_free(kept.log);
    ck_assert_int_eq(chdir("/"), 0);
    remove_folder(top);
}

// ---- one record for each file

static const struct expected {
    const char *name; // of the fake: headgate-fake-NAME.so
    int status;
    const char *word;
    const char *cause;
} expected[] = {
    {"good", HGATE_PLUGIN_USABLE, "usable", ""},
    {"other", HGATE_PLUGIN_USABLE, "usable", ""},
    {"device", HGATE_PLUGIN_USABLE, "usable", ""},
    {"gated", HGATE_PLUGIN_USABLE, "usable", ""},
    {"many-kernels", HGATE_PLUGIN_USABLE, "usable", ""},
    {"estimate-nan", HGATE_PLUGIN_USABLE, "usable", ""},
    {"slow-probe", HGATE_PLUGIN_USABLE, "usable", ""},
    {"abi-old-minor", HGATE_PLUGIN_USABLE, "usable", ""},
    {"abi-new-minor", HGATE_PLUGIN_USABLE, "usable", ""},
    {"unknown-op", HGATE_PLUGIN_USABLE, "usable", ""},
    {"unresolved-symbol", HGATE_PLUGIN_LOAD_FAILED, "load_failed", "hgate_fake_that_nobody_has"},
    {"no-descriptor", HGATE_PLUGIN_NO_DESCRIPTOR, "no_descriptor", "undefined symbol"},
    {"descriptor-in-dependency", HGATE_PLUGIN_NO_DESCRIPTOR, "no_descriptor", "only "},
    {"bad-magic", HGATE_PLUGIN_BAD_MAGIC, "bad_magic", "HGATEPLX"},
    {"abi-other-major", HGATE_PLUGIN_BAD_ABI, "abi_major", "built for plugin ABI 2"},
    {"size-lie-small", HGATE_PLUGIN_BAD_SIZE, "bad_size", "24 bytes"},
    {"size-lie-big", HGATE_PLUGIN_BAD_SIZE, "bad_size", "its symbol has"},
    {"null-kernel", HGATE_PLUGIN_MALFORMED, "malformed", "kernel 1: is NULL"},
    {"dup-kernel", HGATE_PLUGIN_MALFORMED, "malformed", "called only"},
    {"bad-name", HGATE_PLUGIN_MALFORMED, "malformed", "fake Bad"},
    {"null-run", HGATE_PLUGIN_MALFORMED, "malformed", "run is NULL"},
    {"probe-refuses", HGATE_PLUGIN_UNAVAILABLE, "unavailable", "no such device: 0 found"},
    {"probe-garbage", HGATE_PLUGIN_MALFORMED, "malformed", "probe returned 4711"},
};
enum { n_expected = sizeof expected / sizeof *expected };

START_TEST(every_fault_is_a_record_and_never_the_end)
{
    hg_config *config = make_config(ONLY_NAMED "  path: ['%s']\n", fake_folder());
    hg_plugin_list *list = open_plugins(config, kept.log);
    ck_assert_int_ge(hg_plugins_count(list), n_expected);
    for (int i = 0; i < n_expected; i++) {
        char file[100];
        snprintf(file, sizeof file, "headgate-fake-%s.so", expected[i].name);
        const hg_plugin *plugin = record_of(list, file);
        ck_assert_msg(plugin, "%s is not listed", file);
        ck_assert_msg(plugin->status == expected[i].status, "%s: %d, %s", file, plugin->status,
                      plugin->reason);
        ck_assert_str_eq(hg_plugin_status_word(plugin->status), expected[i].word);
        ck_assert_msg(strstr(plugin->reason, expected[i].cause), "%s: %s", file, plugin->reason);
        if (plugin->status == HGATE_PLUGIN_USABLE) {
            ck_assert_str_eq(plugin->reason, "");
            ck_assert_ptr_nonnull(plugin->descriptor);
            ck_assert_ptr_nonnull(plugin->host);
            ck_assert_int_ge(plugin->n_kernels, 1);
            ck_assert_ptr_eq(hg_plugins_find(list, plugin->name), plugin);
        } else {
            ck_assert_ptr_null(plugin->descriptor);
            ck_assert_ptr_null(hg_plugins_find(list, plugin->name));
            ck_assert_msg(strstr(kept.text, plugin->reason), "the log has no \"%s\"",
                          plugin->reason);
        }
    }
    ck_assert_str_eq(hg_plugin_status_word(99), "unknown");
    ck_assert_str_eq(hg_plugin_status_word(-1), "unknown");
    ck_assert_ptr_null(hg_plugins_get(list, -1));
    ck_assert_ptr_null(hg_plugins_get(list, hg_plugins_count(list)));
    ck_assert_ptr_nonnull(strstr(kept.text, "kernel 0 (future) is left out"));
    hg_plugins_close(list);
    hg_config_release(config);
}
END_TEST

// A copy of a plugin that links to a library of another name, which nobody has installed.
static void copy_without_library(const char *from, const char *to, const char *library)
{
    size_t n = 0;
    char *bytes = read_file(from, &n);
    const size_t length = strlen(library);
    int n_found = 0;
    for (char *at = bytes; (at = memmem(at, n - (size_t)(at - bytes), library, length)); at++) {
        at[length / 2] = '_';
        n_found++;
    }
    ck_assert_msg(n_found > 0, "%s does not link to %s", from, library);
    write_file(to, bytes, n);
    free(bytes);
}

START_TEST(a_library_that_is_not_installed_is_named)
{
    copy_without_library(fake("descriptor-in-dependency"), in(top, "a/headgate-a.so"),
                         "libfake-dependency.so");
    copy_without_library(fake("good"), in(top, "a/headgate-b.so"), "libc.so.6");
    copy_file(fake("other"), in(top, "a/headgate-fake-other.so"));
    hg_config *config = make_config(ONLY_NAMED "  path: ['%s']\n", in(top, "a"));
    for (int again = 0; again < 2; again++) {
        hg_plugin_list *list = open_plugins(config, kept.log);
        static const char *const causes[] = {
            "libfake-de_endency.so: cannot open shared object file: No such file or directory",
            "libc_so.6: cannot open shared object file: No such file or directory",
        };
        for (int i = 0; i < 2; i++) {
            const hg_plugin *plugin = hg_plugins_get(list, i);
            ck_assert_msg(plugin->status == HGATE_PLUGIN_LOAD_FAILED, "%s", plugin->reason);
            ck_assert_msg(strstr(plugin->reason, causes[i]), "%s", plugin->reason);
        }
        ck_assert_int_eq(hg_plugins_get(list, 2)->status, HGATE_PLUGIN_USABLE);
        hg_plugins_close(list);
    }
    hg_config_release(config);
}
END_TEST

START_TEST(the_first_usable_file_of_a_name_wins)
{
    // a: broken, b: good, later: a file that is not even opened, and one with another name inside
    write_file(in(top, "a/headgate-fake-good.so"), "not ELF", 7);
    copy_file(fake("good"), in(top, "b/headgate-fake-good.so"));
    make_subfolder(top, "c");
    write_file(in(top, "c/headgate-fake-good.so"), "not ELF", 7);
    copy_file(fake("good"), in(top, "c/headgate-twin.so"));
    hg_config *config = make_config(ONLY_NAMED "  path: ['%s', '%s', '%s']\n", in(top, "a"),
                                    in(top, "b"), in(top, "c"));
    hg_plugin_list *list = open_plugins(config, kept.log);
    ck_assert_int_eq(hg_plugins_count(list), 4);
    static const int statuses[] = {HGATE_PLUGIN_LOAD_FAILED, HGATE_PLUGIN_USABLE,
                                   HGATE_PLUGIN_SHADOWED, HGATE_PLUGIN_SHADOWED};
    char shadow[path_bytes];
    snprintf(shadow, sizeof shadow, "shadowed by %s", in(top, "b/headgate-fake-good.so"));
    for (int i = 0; i < 4; i++) {
        const hg_plugin *plugin = hg_plugins_get(list, i);
        ck_assert_int_eq(plugin->status, statuses[i]);
        ck_assert_str_eq(plugin->name, "fake-good");
        if (plugin->status == HGATE_PLUGIN_SHADOWED) {
            ck_assert_str_eq(plugin->reason, shadow);
        }
    }
    ck_assert_ptr_eq(hg_plugins_find(list, "fake-good"), hg_plugins_get(list, 1));
    hg_plugins_close(list);
    hg_config_release(config);
}
END_TEST

START_TEST(what_is_switched_off_is_not_even_opened)
{
    // By the name of the file: it is no ELF and nobody notices. By the name inside: probing it
    // would end us.
    write_file(in(top, "a/headgate-off.so"), "not ELF", 7);
    copy_file(fake("good"), in(top, "a/headgate-other-name.so"));
    hg_config *config =
        make_config(ONLY_NAMED "  path: ['%s']\n"
                               "  off: {enabled: false}\n"
                               "  fake-good: {enabled: false, options: {probe: exit}}\n",
                    in(top, "a"));
    hg_plugin_list *list = open_plugins(config, kept.log);
    ck_assert_int_eq(hg_plugins_count(list), 2);
    const hg_plugin *off = hg_plugins_get(list, 0);
    ck_assert_int_eq(off->status, HGATE_PLUGIN_DISABLED);
    ck_assert_msg(strstr(off->reason, "switched off by plugins.off.enabled (test.yaml:5:"), "%s",
                  off->reason);
    const hg_plugin *inner = hg_plugins_get(list, 1);
    ck_assert_int_eq(inner->status, HGATE_PLUGIN_DISABLED);
    ck_assert_str_eq(inner->name, "fake-good");
    ck_assert_msg(strstr(inner->reason, "plugins.fake-good.enabled (test.yaml:6"), "%s",
                  inner->reason);
    hg_plugins_close(list);
    hg_config_release(config);
    setenv("HEADGATE_DISABLE", "fake-good, off", 1);
    config = make_config(ONLY_NAMED "  path: ['%s']\n", in(top, "a"));
    list = open_plugins(config, kept.log);
    ck_assert_str_eq(hg_plugins_get(list, 0)->reason,
                     "switched off by plugins.off.enabled (env HEADGATE_DISABLE)");
    hg_plugins_close(list);
    hg_config_release(config);
}
END_TEST

START_TEST(what_others_can_write_is_refused_unless_allowed)
{
    copy_file(fake("good"), in(top, "a/headgate-fake-good.so"));
    ck_assert_int_eq(chmod(in(top, "a/headgate-fake-good.so"), 0666), 0);
    for (int is_allowed = 0; is_allowed < 2; is_allowed++) {
        hg_config *config = make_config(ONLY_NAMED "  allow_insecure_path: %s\n  path: ['%s']\n",
                                        is_allowed ? "true" : "false", in(top, "a"));
        hg_plugin_list *list = open_plugins(config, kept.log);
        const hg_plugin *plugin = hg_plugins_get(list, 0);
        ck_assert_int_eq(plugin->status,
                         is_allowed ? HGATE_PLUGIN_USABLE : HGATE_PLUGIN_PERMISSION);
        ck_assert_ptr_nonnull(
            strstr(is_allowed ? kept.text : plugin->reason, "is writable by others"));
        ck_assert_int_ge(kept.n_warnings, 1);
        if (is_allowed) {
            ck_assert_ptr_nonnull(strstr(kept.text, "because of plugins.allow_insecure_path"));
            ck_assert_str_eq(plugin->reason, "");
        }
        hg_plugins_close(list);
        hg_config_release(config);
    }
}
END_TEST

// ---- the search path as users write it

START_TEST(the_environment_comes_before_the_file)
{
    copy_file(fake("good"), in(top, "a/headgate-fake-good.so"));
    copy_file(fake("good"), in(top, "b/headgate-fake-good.so"));
    static const char *const forms[] = {"@", ":@:", "relative:@:.", "@:@", "/absent::@", "~:@/"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        setenv("HEADGATE_PLUGIN_PATH", expand(forms[i], in(top, "b")), 1);
        hg_config *config = make_config(ONLY_NAMED "  path: ['%s']\n", in(top, "a"));
        hg_plugin_list *list = open_plugins(config, kept.log);
        ck_assert_msg(hg_plugins_count(list) == 2, "%s", forms[i]);
        ck_assert_str_eq(hg_plugins_get(list, 0)->path, in(top, "b/headgate-fake-good.so"));
        ck_assert_int_eq(hg_plugins_get(list, 0)->status, HGATE_PLUGIN_USABLE);
        ck_assert_str_eq(hg_plugins_get(list, 1)->path, in(top, "a/headgate-fake-good.so"));
        hg_plugins_close(list);
        hg_config_release(config);
    }
}
END_TEST

START_TEST(named_files_come_first_and_have_to_exist)
{
    copy_file(fake("good"), in(top, "a/anything"));
    hg_config *config = make_config(ONLY_NAMED "  files: ['%s']\n  path: ['%s']\n",
                                    in(top, "a/anything"), fake_folder());
    hg_plugin_list *list = open_plugins(config, kept.log);
    ck_assert_str_eq(hg_plugins_find(list, "fake-good")->path, in(top, "a/anything"));
    ck_assert_int_eq(record_of(list, "headgate-fake-good.so")->status, HGATE_PLUGIN_SHADOWED);
    hg_plugins_close(list);
    hg_config_release(config);
    config = make_config(ONLY_NAMED "  files: ['%s']\n", in(top, "a/absent.so"));
    list = (void *)top;
    ck_assert_int_eq(hg_plugins_open(config, NULL, kept.log, &list), HGATE_ECONFIG);
    ck_assert_ptr_eq(list, (void *)top);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "a/absent.so: No such file"));
    hg_config_release(config);
}
END_TEST

START_TEST(the_folder_of_this_process_has_no_say)
{
    copy_file(fake("good"), in(top, "a/headgate-fake-good.so"));
    ck_assert_int_eq(chdir(in(top, "a")), 0);
    setenv("LD_LIBRARY_PATH", in(top, "a"), 1);
    setenv("HEADGATE_PLUGIN_PATH", ".:a:./:../a:", 1);
    hg_config *config = make_config(ONLY_NAMED);
    hg_plugin_list *list = open_plugins(config, kept.log);
    ck_assert_int_eq(hg_plugins_count(list), 0);
    hg_plugins_close(list);
    hg_config_release(config);
}
END_TEST

// ---- required

static const struct required {
    const char *names;
    const char *more;  // of the configuration
    const char *cause; // NULL: opens
} required[] = {
    {"fake-good", "", NULL},
    {"fake-good, fake-other", "", NULL},
    {"cuda", "", "plugins.required: no plugin cuda was found"},
    {"fake-probe-refuses", "", "unavailable: no such device: 0 found"},
    {"fake-good, fake-unresolved-symbol", "", "load_failed: "},
    {"fake-good", "  fake-good: {enabled: false}\n", "disabled: switched off by plugins.fake-good"},
};

START_TEST(a_required_plugin_is_usable_or_nothing_opens)
{
    const struct required *row = &required[_i];
    hg_config *config = make_config(ONLY_NAMED "  path: ['%s']\n  required: [%s]\n%s",
                                    fake_folder(), row->names, row->more);
    hg_plugin_list *list = (void *)top;
    int status = hg_plugins_open(config, NULL, kept.log, &list);
    if (!row->cause) {
        ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
        hg_plugins_close(list);
    } else {
        ck_assert_int_eq(status, HGATE_EUNAVAILABLE);
        ck_assert_ptr_eq(list, (void *)top);
        ck_assert_msg(strstr(hgate_last_error(), row->cause), "%s", hgate_last_error());
    }
    hg_config_release(config);
}
END_TEST

// ---- kernels and options

START_TEST(a_plugin_works_with_its_own_options)
{
    hg_config *config = make_config(
        ONLY_NAMED "  files: ['%s', '%s']\n"
                   "  fake-good: {options: {seconds: 0.25, seconds_loose: 0.5, ws_bytes: 96}}\n"
                   "  fake-other: {options: {refuse: too many cooks}}\n",
        fake("good"), fake("other"));
    hg_plugin_list *list = open_plugins(config, kept.log);
    const hg_plugin *good = hg_plugins_find(list, "fake-good");
    ck_assert_int_eq(good->n_kernels, 4 * HGATE_OP_COUNT);
    static const char *const names[] = {"det", "linear", "loose", "reference"};
    static const double seconds[] = {0.25, 0.25, 0.5, 0.25};
    const hgate_problem problem = {.struct_size = sizeof problem, .op = HGATE_OP_EMI};
    const double k[] = {1, 1};
    for (int i = 0; i < good->n_kernels; i++) {
        const hgate_kernel *kernel = good->kernels[i];
        ck_assert_int_eq(kernel->op, i / 4);
        ck_assert_str_eq(kernel->name, names[i % 4]);
        hgate_estimate est = {.struct_size = sizeof est};
        ck_assert_int_eq(kernel->estimate(good->state, &problem, k, &est), HGATE_OK);
        ck_assert_double_eq(est.seconds, seconds[i % 4]);
        ck_assert_uint_eq(est.ws_host, 96);
        hgate_reason reason = {.struct_size = sizeof reason};
        ck_assert_int_eq(kernel->supports(good->state, &problem, &reason), HGATE_OK);
    }
    ck_assert_int_eq(fake_count(good, "estimate"), good->n_kernels);
    ck_assert_int_eq(fake_count(good, "no such row"), -1);
    const hg_plugin *other = hg_plugins_find(list, "fake-other");
    hgate_reason reason = {.struct_size = sizeof reason};
    ck_assert_int_eq(other->kernels[0]->supports(other->state, &problem, &reason), HGATE_ENOKERNEL);
    ck_assert_str_eq(reason.text, "too many cooks");
    ck_assert_int_eq(fake_count(other, "supports"), 1);
    hg_plugins_close(list);
    hg_config_release(config);
}
END_TEST

START_TEST(closing_releases_what_was_probed)
{
    hg_config *config = make_config(ONLY_NAMED "  files: ['%s']\n", fake("good"));
    hg_plugin_list *list = open_plugins(config, kept.log);
    long n_before = fake_count(hg_plugins_find(list, "fake-good"), "release");
    hg_plugins_close(list);
    for (int i = 1; i <= 3; i++) {
        list = open_plugins(config, kept.log);
        const hg_plugin *good = hg_plugins_find(list, "fake-good");
        ck_assert_int_eq(fake_count(good, "release"), n_before + i);
        ck_assert_int_eq(fake_count(good, "probe"), n_before + i + 1);
        hg_plugins_close(list);
    }
    // an engine that does not open gives back what it had
    hg_config *demanding =
        make_config(ONLY_NAMED "  files: ['%s']\n  required: [cuda]\n", fake("good"));
    hg_plugin_list *none;
    ck_assert_int_eq(hg_plugins_open(demanding, NULL, NULL, &none), HGATE_EUNAVAILABLE);
    list = open_plugins(config, kept.log);
    ck_assert_int_eq(fake_count(hg_plugins_find(list, "fake-good"), "release"), n_before + 5);
    hg_plugins_close(list);
    hg_plugins_close(NULL);
    hg_config_release(demanding);
    hg_config_release(config);
}
END_TEST

// ---- trials

static char tried[512]; // names of the files, '+' for each step that answered true

static int try_them(void *user, const char *path, bool (*step)(void *file, int i), void *file,
                    hg_text *why)
{
    const char *name = strstr(path, "fake-");
    const size_t n = strlen(tried);
    snprintf(tried + n, sizeof tried - n, " %.*s", (int)strcspn(name, "."), name);
    if (user && strstr(path, user)) {
        hg_text_put(why, "it was not liked");
        return HGATE_PLUGIN_MALFORMED;
    }
    for (int i = 0; step(file, i); i++) {
        strcat(tried, "+");
    }
    return HGATE_PLUGIN_USABLE;
}

START_TEST(files_are_tried_before_they_are_loaded)
{
    hg_config *config =
        make_config(ONLY_NAMED "  files: ['%s', '%s', '%s', '%s', '%s']\n"
                               "  fake-device: {enabled: false}\n",
                    fake("good"), fake("other"), fake("bad-magic"), fake("device"), fake("good"));
    char disliked[] = "other";
    const hg_trial trial = {try_them, disliked};
    hg_plugin_list *list;
    ck_assert_int_eq(hg_plugins_open_tried(config, NULL, kept.log, &trial, &list), HGATE_OK);
    // neither what is switched off nor what an earlier file has the name of
    ck_assert_str_eq(tried, " fake-good+ fake-other fake-bad-magic");
    ck_assert_int_eq(fake_count(hg_plugins_find(list, "fake-good"), "probe"), 2);
    ck_assert_int_eq(fake_count(hg_plugins_find(list, "fake-good"), "release"), 1);
    const hg_plugin *other = record_of(list, "headgate-fake-other.so");
    ck_assert_int_eq(other->status, HGATE_PLUGIN_MALFORMED);
    ck_assert_str_eq(other->reason, "it was not liked");
    ck_assert_str_eq(other->name, "fake-other");
    ck_assert_int_eq(record_of(list, "headgate-fake-bad-magic.so")->status, HGATE_PLUGIN_BAD_MAGIC);
    ck_assert_ptr_null(strstr(strstr(kept.text, "bad_magic") + 1, "bad_magic")); // told once
    hg_plugins_close(list);
    hg_config_release(config);
}
END_TEST

// A plugin that finds no memory in its probe is unavailable; all other want of memory ends the
// open.
static int open_with(const hg_config *config, failing_alloc *state)
{
    hg_allocator allocator = failing_allocator(state);
    hg_plugin_list *list = (void *)top;
    int status = hg_plugins_open(config, &allocator, NULL, &list);
    if (status == HGATE_OK) {
        hg_plugins_close(list);
    } else {
        ck_assert_int_eq(status, HGATE_ENOMEM);
        ck_assert_ptr_eq(list, (void *)top);
    }
    ck_assert_int_eq(state->live, 0);
    return status;
}

START_TEST(each_allocation_may_fail)
{
    hg_config *config =
        make_config(ONLY_NAMED "  files: ['%s']\n  path: ['%s']\n", fake("good"), fake_folder());
    failing_alloc whole = {0};
    ck_assert_int_eq(open_with(config, &whole), HGATE_OK);
    ck_assert_int_gt(whole.calls, 30);
    long n_failures = 0;
    for (long n = 1; n <= whole.calls; n++) {
        n_failures += open_with(config, &(failing_alloc){.fail_only = n}) != HGATE_OK;
        n_failures += open_with(config, &(failing_alloc){.fail_from = n}) != HGATE_OK;
    }
    ck_assert_int_gt(n_failures, 10);
    hg_config_release(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_registry");
    TCase *tests = tcase_create("registry");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_fault_is_a_record_and_never_the_end);
    tcase_add_test(tests, a_library_that_is_not_installed_is_named);
    tcase_add_test(tests, the_first_usable_file_of_a_name_wins);
    tcase_add_test(tests, what_is_switched_off_is_not_even_opened);
    tcase_add_test(tests, what_others_can_write_is_refused_unless_allowed);
    tcase_add_test(tests, the_environment_comes_before_the_file);
    tcase_add_test(tests, named_files_come_first_and_have_to_exist);
    tcase_add_test(tests, the_folder_of_this_process_has_no_say);
    tcase_add_loop_test(tests, a_required_plugin_is_usable_or_nothing_opens, 0,
                        sizeof required / sizeof *required);
    tcase_add_test(tests, a_plugin_works_with_its_own_options);
    tcase_add_test(tests, closing_releases_what_was_probed);
    tcase_add_test(tests, files_are_tried_before_they_are_loaded);
    tcase_add_test(tests, each_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
