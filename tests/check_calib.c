// SPDX-License-Identifier: BSD-3-Clause
// Constants in force: the plugin's own, what is set over them, and settings that cannot be.
#include "core/calib/calib.h"
#include "core/calib/file.h"
#include "tests/dispatch/opened.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// fake-good declares call (1, from 0 to 1000) and byte (1e-11, from 0 to 1).
START_TEST(defaults_of_the_plugins)
{
    hgate_engine *engine = opened("good other", NULL, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(hg_calib_constants(engine->calib, i)[0], 1);
        ck_assert_double_eq(hg_calib_constants(engine->calib, i)[1], 1e-11);
        ck_assert_int_eq(hg_calib_source(engine->calib, i, 0), HG_CONSTANT_DEFAULT);
    }
    ck_assert_str_eq(hg_calib_origin(engine->calib), "defaults");
    ck_assert_ptr_null(hg_calib_refusal(engine->calib));
    hgate_close(engine);
}
END_TEST

START_TEST(settings_win)
{
    hgate_engine *engine =
        opened("good other", "calibration: {constants: {fake-other: {byte: 2e-9}}}", NULL, NULL);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[1], 1e-11);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 1)[1], 2e-9);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 1)[0], 1);
    ck_assert_int_eq(hg_calib_source(engine->calib, 1, 1), HG_CONSTANT_SETTING);
    ck_assert_int_eq(hg_calib_source(engine->calib, 0, 1), HG_CONSTANT_DEFAULT);
    hgate_engine *plain = opened("good other", NULL, NULL, NULL);
    ck_assert_uint_ne(hg_calib_hash(engine->calib), hg_calib_hash(plain->calib));
    hgate_engine *again = opened("good other", NULL, NULL, NULL);
    ck_assert_uint_eq(hg_calib_hash(again->calib), hg_calib_hash(plain->calib));
    hgate_close(engine);
    hgate_close(plain);
    hgate_close(again);
}
END_TEST

START_TEST(settings_that_cannot_be)
{
    static const struct {
        const char *config, *text; /* NULL: accepted */
    } rows[] = {
        {"calibration: {constants: {fake-good: {bite: 1}}}",
         "test.yaml:2:39: calibration.constants.fake-good.bite: plugin fake-good has no constant "
         "of that name"},
        {"calibration: {constants: {fake-good: {byte: 1.5}}}",
         "test.yaml:2:39: calibration.constants.fake-good.byte: 1.5 is outside 0 ... 1 s/byte"},
        {"calibration: {constants: {fake-good: {byte: 1}}}", NULL},
        {"calibration: {constants: {fake-good: {byte: 0}}}", NULL},
        /* of a plugin that is not here: it may be elsewhere */
        {"calibration: {constants: {cuda: {anything: 9}}}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hgate_config *api = opened_config("good", rows[i].config);
        hgate_options options;
        hgate_options_init(&options);
        options.config = api;
        hgate_engine *engine = NULL;
        const int status = hgate_open(&options, &engine);
        ck_assert_int_eq(status, rows[i].text ? HGATE_ECONFIG : HGATE_OK);
        if (rows[i].text) {
            ck_assert_str_eq(hgate_last_error(), rows[i].text);
        }
        hgate_close(engine);
        hgate_config_free(api);
    }
}
END_TEST

/* ---- files ---------------------------------------------------------------- */

typedef struct made_file {
    char folder[64], path[96];
} made_file;

// A file of this machine; `constants` are lines of fake-good's constants, `fingerprint` NULL: the
// machine's own.
static made_file make_file(const char *fingerprint, const char *version, const char *constants)
{
    made_file made;
    const char *tmp = getenv("TMPDIR");
    snprintf(made.folder, sizeof made.folder, "%.40s/headgate-calib-XXXXXX",
             tmp && strlen(tmp) <= 40 ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(made.folder));
    snprintf(made.path, sizeof made.path, "%s/c.yaml", made.folder);
    hg_machine machine;
    ck_assert_int_eq(hg_machine_read(NULL, 0, NULL, &machine), HGATE_OK);
    char text[2048];
    snprintf(text, sizeof text,
             "headgate_calibration: 1\nfingerprint: {%s%s%s}\n"
             "plugins: {fake-good: {plugin_version: %s, constants: {%s}}}\nend: true\n",
             fingerprint ? fingerprint : "cpu: \"", fingerprint ? "" : machine.cpu,
             fingerprint ? "" : "\"", version, constants);
    hg_machine_release(&machine);
    ck_assert_int_eq(hg_calib_file_write(made.path, text, strlen(text)), HGATE_OK);
    return made;
}

static void remove_file(const made_file *made)
{
    unlink(made->path);
    rmdir(made->folder);
}

static hgate_engine *open_with_file(const made_file *made, const char *more, heard *h)
{
    char config[512];
    snprintf(config, sizeof config, "calibration: {file: %s%s}", made->path, more);
    return opened("good other", config, h, NULL);
}

START_TEST(a_file_of_this_machine)
{
    const made_file made = make_file(NULL, "1.2.3", "byte: {value: 5e-9, samples: 3}");
    heard h;
    hgate_engine *engine = open_with_file(&made, "", &h);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[1], 5e-9);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[0], 1);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 1)[1], 1e-11);
    ck_assert_int_eq(hg_calib_source(engine->calib, 0, 1), HG_CONSTANT_FILE);
    ck_assert_str_eq(hg_calib_origin(engine->calib), made.path);
    ck_assert_ptr_null(hg_calib_refusal(engine->calib));
    ck_assert_str_eq(h.text, "");
    hgate_close(engine);
    /* a setting wins over it */
    engine = open_with_file(&made, ", constants: {fake-good: {byte: 7e-9}}", &h);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[1], 7e-9);
    hgate_close(engine);
    remove_file(&made);
}
END_TEST

typedef struct refused_row {
    const char *fingerprint, *version, *constants;
    const char *why; /* after the path */
} refused_row;

static const refused_row refused[] = {
    {"cpu: Other", "1.2.3", "byte: {value: 5e-9}",
     ": it is for processor Other, this machine has "},
    {NULL, "1.2.4", "byte: {value: 5e-9}",
     ":3:23: it is for version 1.2.4 of plugin fake-good, here is 1.2.3; the default"},
    {NULL, "1.2.3", "byte: {value: 1.5}", ":3:65: byte is 1.5, believable is 0 ... 1; the default"},
    {NULL, "1.2.3", "byte: {value: -1e-9}", ":3:65: byte is -1e-09, believable is 0 ... 1; "},
    {NULL, "1.2.3", "call: {value: 2}, bite: {value: 1}",
     ":3:83: plugin fake-good has no constant bite; the default"},
    {NULL, "1.2.3", "byte: {value: 1e999}", ":3:72: plugins.fake-good.constants.byte.value: "},
    {NULL, "1.2.3", "byte: {value: .nan}", ":3:72: plugins.fake-good.constants.byte.value: "},
    {NULL, "1.2.3", "byte: [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]", ":3:"},
};

// One warning, and the defaults; with on_mismatch: error no engine.
START_TEST(files_that_are_not_trusted)
{
    const refused_row *row = &refused[_i];
    const made_file made = make_file(row->fingerprint, row->version, row->constants);
    heard h;
    char expected[256];
    hgate_engine *engine = open_with_file(&made, "", &h);
    snprintf(expected, sizeof expected, "2 calib: %s%s", made.path, row->why);
    ck_assert_int_eq(h.n, 1);
    ck_assert_msg(strncmp(h.text, expected, strlen(expected)) == 0, "%s, not %s", h.text, expected);
    ck_assert_ptr_nonnull(strstr(h.text, "; the default constants are used\n"));
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(hg_calib_source(engine->calib, 0, k), HG_CONSTANT_DEFAULT);
        ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[k], k ? 1e-11 : 1);
    }
    ck_assert_str_eq(hg_calib_origin(engine->calib), "defaults");
    ck_assert_ptr_nonnull(hg_calib_refusal(engine->calib));
    hgate_close(engine);

    char config[512];
    snprintf(config, sizeof config, "calibration: {file: %s, on_mismatch: error}", made.path);
    hgate_config *api = opened_config("good", config);
    hgate_options options;
    hgate_options_init(&options);
    options.config = api;
    engine = NULL;
    ck_assert_int_eq(hgate_open(&options, &engine), HGATE_ECONFIG);
    ck_assert_int_eq(strncmp(hgate_last_error(), "calibration: /tmp/", 18), 0);
    hgate_config_free(api);
    remove_file(&made);
}
END_TEST

START_TEST(files_that_are_no_files)
{
    static const char *const paths[] = {"/nowhere/at/all.yaml", "/tmp", "/dev/zero"};
    for (int i = 0; i < 3; i++) {
        made_file made;
        heard h;
        snprintf(made.path, sizeof made.path, "%s", paths[i]);
        hgate_engine *engine = open_with_file(&made, "", &h);
        ck_assert_int_eq(h.n, 1);
        ck_assert_str_eq(hg_calib_origin(engine->calib), "defaults");
        hgate_close(engine);
    }
}
END_TEST

START_TEST(the_user_s_own_file)
{
    made_file made = make_file(NULL, "1.2.3", "byte: {value: 5e-9}");
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    hg_machine machine;
    ck_assert_int_eq(hg_machine_read(engine->usable, engine->n_usable, NULL, &machine), HGATE_OK);
    hgate_close(engine);
    setenv("XDG_CACHE_HOME", made.folder, 1);
    char path[256], folder[128];
    hg_text text = hg_text_over(path, sizeof path);
    ck_assert(hg_calib_user_path(&machine, &text));
    hg_machine_release(&machine);
    snprintf(folder, sizeof folder, "%s/headgate", made.folder);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    ck_assert_int_eq(rename(made.path, path), 0);
    engine = opened("good", NULL, NULL, NULL);
    ck_assert_str_eq(hg_calib_origin(engine->calib), path);
    ck_assert_double_eq(hg_calib_constants(engine->calib, 0)[1], 5e-9);
    hgate_close(engine);
    unlink(path);
    rmdir(folder);
    rmdir(made.folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calib");
    TCase *tests = tcase_create("calib");
    tcase_add_test(tests, defaults_of_the_plugins);
    tcase_add_test(tests, settings_win);
    tcase_add_test(tests, settings_that_cannot_be);
    tcase_add_test(tests, a_file_of_this_machine);
    tcase_add_loop_test(tests, files_that_are_not_trusted, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tests, files_that_are_no_files);
    tcase_add_test(tests, the_user_s_own_file);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
