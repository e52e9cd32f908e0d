// SPDX-License-Identifier: BSD-3-Clause
// The calibration file: what is written reads back, what is foreign, broken or hostile is refused
// with its place.
#include "core/calib/file.h"
#include "tests/dispatch/opened.h"
#include "tests/files/fail_files.h"
#include "tests/harness.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const hg_machine machine = {.cpu = "Made-up CPU: 3.5 GHz",
                                   .cores = 6,
                                   .isa = "avx2",
                                   .blas = "OpenBLAS 1.2",
                                   .gpus = "A; B"};

static const hg_provenance provenance = {.date = "2026-01-31T12:00:00Z",
                                         .headgate = "0.1.0",
                                         .compiler = "gcc 12.2",
                                         .driver = "",
                                         .note = "",
                                         .threads = 6,
                                         .seconds = 48.5};

static const hg_calib_entry entries[] = {
    {"cpu-serial", "0.1.0", "flop", 1.9e-10, 2.5e-10, 0.04, 24},
    {"cpu-serial", "0.1.0", "call", 1.0 / 3, 1e-6, 0.123456, 3},
    {"cuda", "0.2", "flop", 1e-13, 1e-13, 0, 0},
};

static const char written[] =
    "headgate_calibration: 1\n"
    "fingerprint:\n"
    "  cpu: \"Made-up CPU: 3.5 GHz\"\n"
    "  cores: 6\n"
    "  isa: avx2\n"
    "  gpu: [A, B]\n"
    "  blas: \"OpenBLAS 1.2\"\n"
    "provenance:\n"
    "  date: \"2026-01-31T12:00:00Z\"\n"
    "  headgate: 0.1.0\n"
    "  compiler: \"gcc 12.2\"\n"
    "  threads: 6\n"
    "  seconds: 48.5\n"
    "plugins:\n"
    "  cpu-serial:\n"
    "    plugin_version: 0.1.0\n"
    "    constants:\n"
    "      flop: {value: 1.9e-10, default: 2.5e-10, residual: 0.04, samples: 24}\n"
    "      call: {value: 0.3333333333333333, default: 1e-06, residual: 0.123, samples: 3}\n"
    "  cuda:\n"
    "    plugin_version: 0.2\n"
    "    constants:\n"
    "      flop: {value: 1e-13, default: 1e-13, residual: 0, samples: 0}\n"
    "end: true\n";

static void read_text(const char *text, hg_calib_file *file)
{
    const int status = hg_calib_file_read_text(text, strlen(text), "f", NULL, file);
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
}

START_TEST(written_as_documented)
{
    hg_text text = hg_text_growing(NULL);
    hg_calib_file_put(&machine, &provenance, entries, 3, &text);
    ck_assert_str_eq(text.data, written);
    hg_text_release(&text);
}
END_TEST

START_TEST(reads_back)
{
    hg_calib_file file;
    read_text(written, &file);
    const hg_setting *value = hg_calib_file_find(&file, "plugins.cpu-serial.constants.call.value");
    ck_assert_ptr_nonnull(value);
    ck_assert(value->value.real == 1.0 / 3);
    ck_assert_str_eq(value->origin, "f:19:14");
    ck_assert_ptr_null(hg_calib_file_find(&file, "plugins.cuda.constants.call.value"));
    char why[256];
    hg_text text = hg_text_over(why, sizeof why);
    ck_assert(hg_calib_file_matches(&file, &machine, &text));
    ck_assert_str_eq(why, "");
    hg_calib_file_release(&file);
}
END_TEST

START_TEST(keys_that_are_values)
{
    static const struct {
        const char *key, *plugin, *constant; /* NULL: none */
    } keys[] = {{"plugins.cpu-serial.constants.flop.value", "cpu-serial", "flop"},
                {"plugins.cpu-serial.constants.flop.default", NULL, NULL},
                {"plugins.cpu-serial.plugin_version", NULL, NULL},
                {"fingerprint.cpu", NULL, NULL},
                {"end", NULL, NULL}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *plugin, *constant;
        size_t plugin_n, constant_n;
        const bool is_value =
            hg_calib_file_is_value(keys[i].key, &plugin, &plugin_n, &constant, &constant_n);
        ck_assert_int_eq(is_value, keys[i].plugin != NULL);
        if (is_value) {
            ck_assert_uint_eq(plugin_n, strlen(keys[i].plugin));
            ck_assert_int_eq(strncmp(plugin, keys[i].plugin, plugin_n), 0);
            ck_assert_uint_eq(constant_n, strlen(keys[i].constant));
            ck_assert_int_eq(strncmp(constant, keys[i].constant, constant_n), 0);
        }
    }
}
END_TEST

typedef struct match_row {
    const char *fingerprint, *why; /* NULL: it matches */
} match_row;

static const match_row matches[] = {
    {"cpu: \"Made-up CPU: 3.5 GHz\"", NULL},
    {"isa: avx2", NULL},
    {"gpu: [B, A]", NULL},
    {"gpu: [A, B, B]", NULL},
    {"cores: 6, isa: avx2", NULL},
    {"cpu: Other", "it is for processor Other, this machine has Made-up CPU: 3.5 GHz"},
    {"cores: 7", "it is for 7 cores, this machine has 6"},
    {"isa: avx512", "it is for instruction set avx512, this machine has avx2"},
    {"blas: none", "it is for BLAS none, this machine has OpenBLAS 1.2"},
    {"gpu: [A]", "it is for GPUs A, this machine has A; B"},
    {"gpu: [A, B, C]", "it is for GPUs A; B; C, this machine has A; B"},
    {"gpu: []", "it is for GPUs none, this machine has A; B"},
    {"isa: avx2, cores: 5", "it is for 5 cores, this machine has 6"},
};

START_TEST(whose_file_it_is)
{
    const match_row *row = &matches[_i];
    char text[512], why[256];
    snprintf(text, sizeof text, "headgate_calibration: 1\nfingerprint: {%s}\nend: true\n",
             row->fingerprint);
    hg_calib_file file;
    read_text(text, &file);
    hg_text to = hg_text_over(why, sizeof why);
    ck_assert_int_eq(hg_calib_file_matches(&file, &machine, &to), row->why == NULL);
    ck_assert_str_eq(why, row->why ? row->why : "");
    hg_calib_file_release(&file);
}
END_TEST

START_TEST(no_fingerprint_matches_nobody)
{
    hg_calib_file file;
    read_text("headgate_calibration: 1\nend: true\n", &file);
    char why[64];
    hg_text to = hg_text_over(why, sizeof why);
    ck_assert(!hg_calib_file_matches(&file, &machine, &to));
    ck_assert_str_eq(why, "it has no fingerprint");
    hg_calib_file_release(&file);
}
END_TEST

/* ---- broken and hostile text ------------------------------------------------- */

static const struct {
    const char *text, *error;
} broken[] = {
    {"", "f:1:1: \"headgate_calibration: 1\" is missing"},
    {"headgate_calibration: 2\nend: true\n",
     "f:1:23: headgate_calibration: expected 1, found \"2\""},
    {"headgate_calibration: 1\n", "f: \"end: true\" is missing, the file was cut short"},
    {"headgate_calibration: 1\nend: false\n",
     "f: \"end: true\" is missing, the file was cut short"},
    {"version: 1\n", NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {c: {value: .nan}}}}\nend: true\n", NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {c: {value: 1e999}}}}\nend: true\n", NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {c: {value: 0x10}}}}\nend: true\n", NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {c: {valeu: 1}}}}\nend: true\n", NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {c: {value: 1, value: 2}}}}\nend: true\n",
     NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {c: {samples: -1}}}}\nend: true\n", NULL},
    {"headgate_calibration: 1\nplugins: {p: {constants: {C!: {value: 1}}}}\nend: true\n", NULL},
    {"headgate_calibration: 1\nx: &a [1]\nend: true\n", NULL},
    {"headgate_calibration: 1\nend: true\n---\nend: true\n", NULL},
    {"headgate_calibration: [1\n", NULL},
    {"\x7f"
     "ELF\x02\x01\x01",
     NULL},
};

START_TEST(broken_text)
{
    hg_calib_file file;
    const int status =
        hg_calib_file_read_text(broken[_i].text, strlen(broken[_i].text), "f", NULL, &file);
    ck_assert_int_eq(status, HGATE_ECONFIG);
    ck_assert_int_eq(strncmp(hgate_last_error(), "f:", 2), 0);
    if (broken[_i].error) {
        ck_assert_str_eq(hgate_last_error(), broken[_i].error);
    }
}
END_TEST

// Every prefix of a file is refused or, when only the last line end is missing, the same.
START_TEST(cut_short_anywhere)
{
    for (size_t n = 0; n + 1 < sizeof written - 1; n++) {
        hg_calib_file file;
        const int status = hg_calib_file_read_text(written, n, "f", NULL, &file);
        ck_assert_msg(status == HGATE_ECONFIG, "the first %zu bytes are taken", n);
    }
}
END_TEST

START_TEST(one_byte_changed_anywhere)
{
    char text[sizeof written];
    static const char bytes[] = "\0{[:-9x\"\n\xff";
    for (size_t at = 0; at < sizeof written - 1; at++) {
        for (size_t b = 0; b < sizeof bytes - 1; b++) {
            memcpy(text, written, sizeof written);
            text[at] = bytes[b];
            hg_calib_file file;
            const int status = hg_calib_file_read_text(text, sizeof written - 1, "f", NULL, &file);
            ck_assert(status == HGATE_OK || status == HGATE_ECONFIG);
            if (status == HGATE_OK) {
                hg_calib_file_release(&file);
            }
        }
    }
}
END_TEST

/* ---- on the disk --------------------------------------------------------------- */

typedef struct folder {
    char path[64];
} folder;

static folder make_folder(void)
{
    folder f;
    const char *tmp = getenv("TMPDIR");
    snprintf(f.path, sizeof f.path, "%.40s/headgate-calib-XXXXXX",
             tmp && strlen(tmp) <= 40 ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(f.path));
    return f;
}

static int count_files(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        n += entry->d_name[0] != '.';
    }
    closedir(dir);
    return n;
}

START_TEST(written_whole_or_not_at_all)
{
    const folder f = make_folder();
    char below[128], path[160];
    snprintf(below, sizeof below, "%s/new", f.path);
    snprintf(path, sizeof path, "%s/c.yaml", below);
    ck_assert_int_eq(hg_calib_file_write(path, written, sizeof written - 1), HGATE_OK);
    ck_assert_int_eq(hg_calib_file_write(path, written, sizeof written - 1), HGATE_OK);
    ck_assert_int_eq(count_files(below), 1);
    hg_calib_file file;
    ck_assert_int_eq(hg_calib_file_read(path, NULL, &file), HGATE_OK);
    hg_calib_file_release(&file);
    /* a folder in the way: nothing is left behind, and the old file stays */
    char blocked[160];
    snprintf(blocked, sizeof blocked, "%s/d.yaml", below);
    mkdir(blocked, 0700);
    ck_assert_int_eq(hg_calib_file_write(blocked, written, 10), HGATE_ECONFIG);
    ck_assert_int_eq(count_files(below), 2);
    ck_assert_int_eq(hg_calib_file_write("/nowhere/at/all/c.yaml", written, 10), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(),
                     "/nowhere/at/all: cannot make the folder: No such file or directory");
    rmdir(blocked);
    unlink(path);
    rmdir(below);
    /* two folders that are missing, as on a new account */
    char deep[200];
    snprintf(deep, sizeof deep, "%s/cache/headgate/e.yaml", f.path);
    ck_assert_int_eq(hg_calib_file_write(deep, written, sizeof written - 1), HGATE_OK);
    ck_assert_int_eq(unlink(deep), 0);
    *strrchr(deep, '/') = '\0';
    ck_assert_int_eq(rmdir(deep), 0);
    *strrchr(deep, '/') = '\0';
    ck_assert_int_eq(rmdir(deep), 0);
    rmdir(f.path);
}
END_TEST

// Each call that writes fails in turn, once or from then on: the old file stays, and alone.
START_TEST(a_quota_or_a_broken_disk)
{
    static const char old[] = "old\n";
    const folder f = make_folder();
    char path[160], text[8];
    snprintf(path, sizeof path, "%s/c.yaml", f.path);
    ck_assert_int_eq(hg_calib_file_write(path, old, sizeof old - 1), HGATE_OK);
    for (int kind = 0; kind < 4; kind++) {
        const int error = kind % 2 ? EDQUOT : EIO;
        int status = HGATE_ECONFIG, n = 0;
        while (status != HGATE_OK) {
            fail_file_calls(++n, error, kind / 2);
            status = hg_calib_file_write(path, old, sizeof old - 1);
            fail_file_calls(0, 0, 0);
            if (status != HGATE_OK) {
                ck_assert_int_eq(status, HGATE_ECONFIG);
                ck_assert_msg(strstr(hgate_last_error(), strerror(error)), "call %d: %s", n,
                              hgate_last_error());
            }
            FILE *file = fopen(path, "r");
            ck_assert_ptr_nonnull(file);
            ck_assert_uint_eq(fread(text, 1, sizeof text, file), sizeof old - 1);
            fclose(file);
            ck_assert_mem_eq(text, old, sizeof old - 1);
            ck_assert_msg(count_files(f.path) == 1, "call %d leaves a file", n);
        }
        ck_assert_int_eq(n, 6); // open, write, fsync, close, rename; then none is left to fail
    }
    unlink(path);
    rmdir(f.path);
}
END_TEST

// What stands in the way is told, and nothing is left behind.
START_TEST(what_cannot_be_written)
{
    const folder f = make_folder();
    char path[300], *long_path = malloc(2 * PATH_MAX);
    ck_assert_int_eq(chdir(f.path), 0);
    ck_assert_int_eq(hg_calib_file_write("bare.yaml", written, sizeof written - 1), HGATE_OK);
    unlink("bare.yaml");
    snprintf(path, sizeof path, "%s/pipe", f.path); // a rename would take its place
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(hg_calib_file_write(path, written, sizeof written - 1), HGATE_ECONFIG);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "not a regular file"));
    unlink(path);
    snprintf(path, sizeof path, "%s/name-%0200d", f.path, 1);
    ck_assert_int_eq(hg_calib_file_write(path, written, sizeof written - 1), HGATE_OK);
    unlink(path);
    snprintf(long_path, PATH_MAX, "%s/%0300d.yaml", f.path, 1); // a name too long for the disk
    ck_assert_int_eq(hg_calib_file_write(long_path, written, 10), HGATE_ECONFIG);
    memset(long_path, 'a', 2 * PATH_MAX - 1);
    long_path[2 * PATH_MAX - 1] = '\0';
    ck_assert_int_eq(hg_calib_file_write(long_path, written, 10), HGATE_ECONFIG);
    long_path[0] = '/';
    long_path[2 * PATH_MAX - 9] = '/';
    ck_assert_int_eq(hg_calib_file_write(long_path, written, 10), HGATE_ECONFIG);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "too long"));
    // no file may grow, as on a full disk
    const struct rlimit nothing = {0, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &nothing), 0);
    ck_assert_int_eq(hg_calib_file_write("full.yaml", written, sizeof written - 1), HGATE_ECONFIG);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &all), 0);
    ck_assert_int_eq(count_files(f.path), 0);
    free(long_path);
    rmdir(f.path);
}
END_TEST

START_TEST(folder_of_the_user)
{
    char path[256];
    hg_text text = hg_text_over(path, sizeof path);
    setenv("XDG_CACHE_HOME", "/a/cache", 1);
    ck_assert(hg_calib_user_path(&machine, &text));
    ck_assert_int_eq(strncmp(path, "/a/cache/headgate/calibration-", 30), 0);
    ck_assert_uint_eq(strlen(path), 30 + 16 + 5);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/a/home", 1);
    hg_text_clear(&text);
    ck_assert(hg_calib_user_path(&machine, &text));
    ck_assert_int_eq(strncmp(path, "/a/home/.cache/headgate/calibration-", 36), 0);
    setenv("XDG_CACHE_HOME", "relative", 1); /* not followed */
    setenv("HOME", "", 1);
    hg_text_clear(&text);
    ck_assert(!hg_calib_user_path(&machine, &text));
    hg_machine other = machine;
    other.cores++;
    ck_assert_uint_ne(hg_machine_hash(&machine), hg_machine_hash(&other));
}
END_TEST

#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

int main(void)
{
    Suite *suite = suite_create("calib_file");
    TCase *tests = tcase_create("calib_file");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, written_as_documented);
    tcase_add_test(tests, reads_back);
    tcase_add_test(tests, keys_that_are_values);
    tcase_add_loop_test(tests, whose_file_it_is, 0, COUNT(matches));
    tcase_add_test(tests, no_fingerprint_matches_nobody);
    tcase_add_loop_test(tests, broken_text, 0, COUNT(broken));
    tcase_add_test(tests, cut_short_anywhere);
    tcase_add_test(tests, one_byte_changed_anywhere);
    tcase_add_test(tests, written_whole_or_not_at_all);
    tcase_add_test(tests, a_quota_or_a_broken_disk);
    tcase_add_test(tests, what_cannot_be_written);
    tcase_add_test(tests, folder_of_the_user);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
