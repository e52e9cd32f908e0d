// SPDX-License-Identifier: BSD-3-Clause
// What opening plugins means for the whole process: many times, many threads, forks, sleeping
// OpenMP threads.
#include "core/plugin/fork_guard.h"
#include "core/plugin/loaded.h"

#include "tests/fake/record.h"
#include "tests/harness.h"
#include "tests/plugin_files.h"
#include "tests/plugin_list.h"
#include "tests/sanitized.h"

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

static hg_config *config;

// A good plugin, one that is unavailable, one that is broken, one that cannot be mapped.
static void setup(void)
{
    unsetenv("HEADGATE_PLUGIN_PATH");
    config = make_config(ONLY_NAMED "  files: ['%s', '%s', '%s', '%s']\n", fake("good"),
                         fake("probe-refuses"), fake("bad-magic"), fake("unresolved-symbol"));
}

static void teardown(void)
{
    hg_config_release(config);
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(folder);
    int n = 0;
    while (readdir(folder)) {
        n++;
    }
    closedir(folder);
    return n;
}

static long resident_pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    long total, resident;
    ck_assert_int_eq(fscanf(file, "%ld %ld", &total, &resident), 2);
    fclose(file);
    return resident;
}

static size_t used_bytes(void)
{
    return mallinfo2().uordblks;
}

START_TEST(ten_thousand_opens_leave_nothing_behind)
{
    int descriptors = count_descriptors();
    long pages = resident_pages();
    size_t bytes = 0;
    for (int i = 0; i <= n_opens(); i++) {
        hg_plugin_list *list = open_plugins(config, NULL);
        ck_assert_int_eq(hg_plugins_count(list), 4);
        ck_assert_ptr_nonnull(hg_plugins_find(list, "fake-good"));
        hg_plugins_close(list);
        if (i == 10) { // what is made once is made
            descriptors = count_descriptors();
            bytes = used_bytes();
            pages = resident_pages();
        }
    }
    ck_assert_int_eq(count_descriptors(), descriptors);
    if (watches_memory()) {
        ck_assert_uint_le(used_bytes(), bytes + 4096); // half a byte each would be more
        ck_assert_int_le((resident_pages() - pages) * sysconf(_SC_PAGESIZE), 1 << 20);
    }
}
END_TEST

// Engines that hold a file, as the table of the process counts them.
static long users_of(const char *path)
{
    hg_vetted file;
    hg_loaded *loaded;
    hg_text why = hg_text_growing(NULL);
    ck_assert_int_eq(hg_loader_lock(), HGATE_OK);
    ck_assert_int_eq(hg_vet(path, "/", true, &file, &why), HGATE_PLUGIN_USABLE);
    hg_text_clear(&why);
    ck_assert_int_eq(hg_loaded_take(&file, &loaded, &why), HGATE_PLUGIN_USABLE);
    long n = hg_loaded_users(loaded) - 1;
    hg_loaded_give_back(loaded);
    hg_loader_unlock();
    hg_vetted_release(&file);
    hg_text_release(&why);
    return n;
}

START_TEST(a_hundred_engines_share_the_files)
{
    enum { n = 100 };
    hg_plugin_list *lists[n];
    int descriptors = 0;
    for (int i = 0; i < n; i++) {
        lists[i] = open_plugins(config, NULL);
        descriptors = i == 0 ? count_descriptors() : descriptors;
    }
    ck_assert_int_eq(count_descriptors(), descriptors);
    const hg_plugin *first = hg_plugins_find(lists[0], "fake-good");
    const hg_plugin *last = hg_plugins_find(lists[n - 1], "fake-good");
    ck_assert_ptr_eq(first->descriptor, last->descriptor);
    ck_assert_ptr_ne(first->state, last->state);
    ck_assert_ptr_ne(first->host, last->host);
    ck_assert_int_eq(users_of(fake("good")), n);
    for (int i = 0; i < n; i++) {
        hg_plugins_close(lists[(7 * i) % n]); // in no order
    }
    ck_assert_int_eq(users_of(fake("good")), 0);
}
END_TEST

// ---- threads

static atomic_int n_wrong;

static void *opener(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        hg_plugin_list *list = NULL;
        int status = hg_plugins_open(config, NULL, NULL, &list);
        if (status != HGATE_OK || hg_plugins_count(list) != 4 ||
            !hg_plugins_find(list, "fake-good")) {
            n_wrong++;
        }
        hg_plugins_close(list);
    }
    return NULL;
}

START_TEST(sixteen_threads_open_and_close)
{
    pthread_t threads[16];
    for (int i = 0; i < 16; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, opener, NULL), 0);
    }
    for (int i = 0; i < 16; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_int_eq(n_wrong, 0);
}
END_TEST

START_TEST(a_small_stack_is_enough)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, opener, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    ck_assert_int_eq(n_wrong, 0);
}
END_TEST

// ---- fork

static int exit_status_of(pid_t pid)
{
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void *open_for_ever(void *is_over)
{
    while (!atomic_load((atomic_bool *)is_over)) {
        hg_plugin_list *list = NULL;
        n_wrong += hg_plugins_open(config, NULL, NULL, &list) != HGATE_OK;
        hg_plugins_close(list);
    }
    return NULL;
}

// The child is made while another thread opens and closes: it must find no lock taken.
START_TEST(children_open_engines_of_their_own)
{
    static atomic_bool is_over;
    static hg_plugin_list *parents; // a child that leaves it alone has not lost it
    parents = open_plugins(config, NULL);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, open_for_ever, &is_over), 0);
    for (int i = 0; i < 50; i++) {
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            alarm(60);
            hg_plugin_list *list = NULL;
            int status = hg_plugins_open(config, NULL, NULL, &list);
            const hg_plugin *good = status == HGATE_OK ? hg_plugins_find(list, "fake-good") : NULL;
            bool is_right = good && good->host->thread_hint(good->host) == 1 && hg_fork_is_child();
            hg_plugins_close(list);
            if (i % 2) {
                hg_plugins_close(parents); // a child may also close what it inherited
            }
            _exit(is_right ? 0 : 1);
        }
        ck_assert_int_eq(exit_status_of(pid), 0);
    }
    is_over = true;
    pthread_join(thread, NULL);
    ck_assert_int_eq(n_wrong, 0);
    ck_assert(!hg_fork_is_child());
    hg_plugins_close(parents);
}
END_TEST

// ---- code that must not go away

static bool is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

// The threads of a team sleep in the plugin's libraries when the engine is closed; unmapping would
// end them badly.
START_TEST(sleeping_teams_outlive_their_engine)
{
    if (!is_there(fake("openmp-threads"))) {
        return; // built without OpenMP
    }
    setenv("OMP_WAIT_POLICY", "active", 1);
    hg_config *own = make_config(ONLY_NAMED "  files: ['%s']\n", fake("openmp-threads"));
    for (int i = 0; i < 20; i++) {
        hg_plugin_list *list = open_plugins(own, NULL);
        const hg_plugin *plugin = hg_plugins_find(list, "fake-openmp-threads");
        ck_assert_ptr_nonnull(plugin);
        hgate_run run = {.struct_size = sizeof run, .host = plugin->host, .threads = 2};
        const hgate_problem problem = {.op = HGATE_OP_VISIBILITY_GRAM};
        const hgate_kernel *team = plugin->kernels[1];
        ck_assert_str_eq(team->name, "team");
        ck_assert_int_eq(team->run(plugin->state, &problem, NULL, &run), HGATE_OK);
        hg_plugins_close(list);
        usleep(1000);
    }
    hg_config_release(own);
}
END_TEST

// A host may load and close the whole library, with plugins mapped and threads of theirs asleep.
START_TEST(the_library_may_be_closed_and_loaded_again)
{
    size_t bytes = 0;
    setenv("HEADGATE_PLUGIN_PATH", fake_folder(), 1);
    for (int i = 0; i < 50; i++) {
        void *library = dlopen(in(build_folder(), ".libs/libheadgate.so"), RTLD_NOW | RTLD_LOCAL);
        ck_assert_msg(library, "%s", dlerror());
        int (*open)(const hgate_options *, hgate_engine **);
        int (*count)(const hgate_engine *);
        void (*close)(hgate_engine *);
        *(void **)&open = dlsym(library, "hgate_open");
        *(void **)&count = dlsym(library, "hgate_plugin_count");
        *(void **)&close = dlsym(library, "hgate_close");
        hgate_engine *engine;
        ck_assert_int_eq(open(NULL, &engine), HGATE_OK);
        ck_assert_int_gt(count(engine), 20);
        close(engine);
        ck_assert_int_eq(dlclose(library), 0);
        bytes = i == 5 ? used_bytes() : bytes;
    }
    if (watches_memory()) {
        ck_assert_uint_le(used_bytes(), bytes + 65536);
    }
    pid_t pid = fork(); // handlers of a library that went away would run now
    if (pid == 0) {
        _exit(0);
    }
    ck_assert_int_eq(exit_status_of(pid), 0);
}
END_TEST

// A crash in a plugin cannot be held back, but whoever probes in a child sees it and lives on.
START_TEST(a_crashing_probe_is_seen_from_outside)
{
    static const struct {
        const char *how;
        int status;
    } rows[] = {{"segfault", -SIGSEGV}, {"abort", -SIGABRT}, {"exit", 3}, {"refuse", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hg_config *own =
            make_config(ONLY_NAMED "  files: ['%s']\n  fake-good: {options: {probe: %s}}\n",
                        fake("good"), rows[i].how);
        fflush(NULL);
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            signal(SIGSEGV, SIG_DFL); // a sanitizer would answer with a report
            hg_plugin_list *list = NULL;
            hg_plugins_open(own, NULL, NULL, &list);
            _exit(0);
        }
        ck_assert_int_eq(exit_status_of(pid), rows[i].status);
        hg_config_release(own);
    }
    hg_plugin_list *list = open_plugins(config, NULL);
    ck_assert_ptr_nonnull(hg_plugins_find(list, "fake-good"));
    hg_plugins_close(list);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_process");
    TCase *tests = tcase_create("process");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, ten_thousand_opens_leave_nothing_behind);
    tcase_add_test(tests, a_hundred_engines_share_the_files);
    tcase_add_test(tests, sixteen_threads_open_and_close);
    tcase_add_test(tests, a_small_stack_is_enough);
    tcase_add_test(tests, children_open_engines_of_their_own);
    tcase_add_test(tests, sleeping_teams_outlive_their_engine);
    tcase_add_test(tests, the_library_may_be_closed_and_loaded_again);
    tcase_add_test(tests, a_crashing_probe_is_seen_from_outside);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
