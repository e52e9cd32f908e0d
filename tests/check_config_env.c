/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: every form of variable, wrong ones, unknown ones. No test touches the real one.
 */
#include "core/config/env.h"

#include "core/base/error.h"
#include "tests/car_schema.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <headgate/status.h>
#include <stdio.h>

typedef struct reading {
    hg_settings settings, unknown;
    hg_problems problems;
} reading;

static int read_env(reading *r, const char *const *environment, const hg_allocator *allocator)
{
    hg_settings_init(&r->settings, &car_schema, allocator);
    hg_settings_init(&r->unknown, &car_schema, allocator);
    r->problems = hg_problems_none(allocator);
    return hg_env_read(&r->settings, environment, &r->problems, &r->unknown);
}

static void release(reading *r)
{
    hg_settings_release(&r->settings);
    hg_settings_release(&r->unknown);
    hg_problems_release(&r->problems);
}

/* All settings as "key=text@layer(origin);". */
static void put_settings(const reading *r, char *buffer, size_t size)
{
    hg_text text = hg_text_over(buffer, size);
    for (const hg_setting *s = r->settings.first; s; s = s->next) {
        hg_text_printf(&text, "%s=%s@%d(%s);", s->key, s->value.text ? s->value.text : "~",
                       (int)s->layer, s->origin);
    }
    ck_assert(!text.is_cut);
}

START_TEST(what_is_set)
{
    static const struct {
        const char *variable, *settings;
    } rows[] = {
        {"HEADGATE_DOORS=3", "body.doors=3@3(env HEADGATE_DOORS);"},
        {"HEADGATE_DOORS=", ""},
        {"HEADGATE_DOORS=~", "body.doors=4@3(env HEADGATE_DOORS);"},
        {"HEADGATE_ROADS=/a:/b", "trip.roads=[/a, /b]@3(env HEADGATE_ROADS);"},
        {"HEADGATE_ROADS=::/a,b:", "trip.roads=[\"/a,b\"]@3(env HEADGATE_ROADS);"},
        {"HEADGATE_ROADS=here:../b", "trip.roads=[]@3(env HEADGATE_ROADS);"},
        {"HEADGATE_SET=body.doors=3; body.mass = 2 ;; body.colour=off",
         "body.doors=3@2(env HEADGATE_SET);body.mass=2@2(env HEADGATE_SET);"
         "body.colour=off@2(env HEADGATE_SET);"},
        {"HEADGATE_SET=trip.crew=[cy, di]", "trip.crew=[cy, di]@2(env HEADGATE_SET);"},
        {"HEADGATE_SET=body.mass=", "body.mass=1.25@2(env HEADGATE_SET);"},
        {"HEADGATE_DISABLE=diesel,\tdrive/petrol/third , gate:car.speed,op:noise,,",
         "plugins.diesel.enabled=false@3(env HEADGATE_DISABLE);"
         "kernels.drive.petrol.third.enabled=false@3(env HEADGATE_DISABLE);"
         "gates.car.speed=off@3(env HEADGATE_DISABLE);"
         "ops.noise.enabled=false@3(env HEADGATE_DISABLE);"},
        {"HEADGATE_FORCE=drive=petrol/first, honk=diesel",
         "routing.force.drive=petrol/first@3(env HEADGATE_FORCE);"
         "routing.force.honk=diesel@3(env HEADGATE_FORCE);"},
        {"HEADGATE_CONFIG=/x", ""},
        {"OTHER=1", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const environment[] = {"PATH=/bin", rows[i].variable, "HOME=/", NULL};
        reading r;
        char found[600];
        ck_assert_int_eq(read_env(&r, environment, NULL), HGATE_OK);
        ck_assert_str_eq(r.problems.lines.data, "");
        put_settings(&r, found, sizeof found);
        ck_assert_str_eq(found, rows[i].settings);
        ck_assert_ptr_null(r.unknown.first_note);
        release(&r);
    }
}
END_TEST

START_TEST(what_is_refused)
{
    static const struct {
        const char *variable, *problem;
    } rows[] = {
        {"HEADGATE_DOORS=three",
         "env HEADGATE_DOORS: body.doors: expected an integer from 2 to 5, found "
         "\"three\""},
        {"HEADGATE_ROADS=/a:/b:/c:/d",
         "env HEADGATE_ROADS: expected a list of at most 3 absolute paths, "
         "found 4"},
        {"HEADGATE_SET=body.doors", "env HEADGATE_SET: \"body.doors\": expected KEY=VALUE"},
        {"HEADGATE_SET=body.dors=3", "env HEADGATE_SET: unknown key \"body.dors\"; did you mean "
                                     "\"body.doors\"?"},
        {"HEADGATE_SET=body.key=/x",
         "env HEADGATE_SET: \"body.key\" may not be set by the environment"},
        {"HEADGATE_SET=version=1",
         "env HEADGATE_SET: \"version\" may not be set by the environment"},
        {"HEADGATE_SET==3", "env HEADGATE_SET: unknown key \"\""},
        {"HEADGATE_SET=body.doors=9;body.doors=8",
         "env HEADGATE_SET: body.doors: expected an integer from 2 to 5, found \"9\"\n"
         "env HEADGATE_SET: body.doors: expected an integer from 2 to 5, found \"8\""},
        {"HEADGATE_DISABLE=drive/petrol",
         "env HEADGATE_DISABLE: \"drive/petrol\": expected PLUGIN, "
         "OP/PLUGIN/KERNEL, gate:FAMILY.GATE or op:WORD"},
        {"HEADGATE_DISABLE=drive/petrol/first/x",
         "env HEADGATE_DISABLE: \"drive/petrol/first/x\": expected PLUGIN, OP/PLUGIN/KERNEL, "
         "gate:FAMILY.GATE or op:WORD"},
        {"HEADGATE_DISABLE=drove/petrol/first",
         "env HEADGATE_DISABLE: unknown key \"kernels.drove\"; did "
         "you mean \"kernels.drive\"?"},
        {"HEADGATE_DISABLE=op:nois", "env HEADGATE_DISABLE: unknown key \"ops.nois\"; did you mean "
                                     "\"ops.noise\"?"},
        {"HEADGATE_DISABLE=gate:car.sped",
         "env HEADGATE_DISABLE: unknown key \"gates.car.sped\"; did you "
         "mean \"gates.car.speed\"?"},
        {"HEADGATE_DISABLE=op:",
         "env HEADGATE_DISABLE: unknown key \"plugins.op:\"; expected a plugin's "
         "name (a-z, 0-9 and -, at most 31) there"},
        {"HEADGATE_DISABLE=gate:",
         "env HEADGATE_DISABLE: unknown key \"plugins.gate:\"; expected a "
         "plugin's name (a-z, 0-9 and -, at most 31) there"},
        {"HEADGATE_FORCE=drive", "env HEADGATE_FORCE: \"drive\": expected OP=PLUGIN or "
                                 "OP=PLUGIN/KERNEL"},
        {"HEADGATE_FORCE=dive=petrol",
         "env HEADGATE_FORCE: unknown key \"routing.force.dive\"; did you "
         "mean \"routing.force.drive\"?"},
        {"HEADGATE_FORCE=drive=Petrol",
         "env HEADGATE_FORCE: routing.force.drive: expected PLUGIN or "
         "PLUGIN/KERNEL, found \"Petrol\""},
        {"HEADGATE_SET=\033[2J", "env HEADGATE_SET: \"\\x1b[2J\": expected KEY=VALUE"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const environment[] = {rows[i].variable, NULL};
        reading r;
        ck_assert_int_eq(read_env(&r, environment, NULL), HGATE_OK);
        ck_assert_str_eq(r.problems.lines.data, rows[i].problem);
        ck_assert_int_eq(hg_problems_status(&r.problems), HGATE_ECONFIG);
        ck_assert_str_eq(hgate_last_error(), rows[i].problem);
        release(&r);
    }
}
END_TEST

START_TEST(unknown_variables_are_noted)
{
    static const struct {
        const char *variable, *note;
    } rows[] = {
        {"HEADGATE_DORS=3", "unknown variable HEADGATE_DORS; did you mean HEADGATE_DOORS?"},
        {"HEADGATE_DISABEL=cuda",
         "unknown variable HEADGATE_DISABEL; did you mean HEADGATE_DISABLE?"},
        {"HEADGATE_ZEBRA_CROSSING=1", "unknown variable HEADGATE_ZEBRA_CROSSING"},
        {"HEADGATE_", "unknown variable HEADGATE_; did you mean HEADGATE_SET?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const environment[] = {"HEADGATE_LIBRARY=/x", rows[i].variable, "HEADGAT=1",
                                           NULL};
        reading r;
        ck_assert_int_eq(read_env(&r, environment, NULL), HGATE_OK);
        ck_assert_int_eq(r.problems.count, 0);
        ck_assert_str_eq(r.unknown.first_note->text, rows[i].note);
        ck_assert_ptr_null(r.unknown.first_note->next);
        release(&r);
    }
}
END_TEST

START_TEST(relative_folders_and_mistyped_names_are_noted)
{
    const char *const environment[] = {"HEADGATE_ROADS=/a:b\n", "HEADGATE_DISABLE=deisel", NULL};
    reading r;
    ck_assert_int_eq(read_env(&r, environment, NULL), HGATE_OK);
    const hg_note *note = r.settings.first_note;
    ck_assert_str_eq(note->text,
                     "env HEADGATE_DISABLE: plugins.deisel.enabled: no plugin \"deisel\" comes "
                     "with this library; did you mean \"diesel\"?");
    ck_assert_str_eq(note->next->text,
                     "env HEADGATE_ROADS: \"b\\x0a\" is not absolute and not used");
    ck_assert_ptr_null(note->next->next);
    release(&r);
}
END_TEST

START_TEST(without_an_environment)
{
    reading r;
    ck_assert_int_eq(read_env(&r, NULL, NULL), HGATE_OK);
    ck_assert_ptr_null(r.settings.first);
    release(&r);
    ck_assert_ptr_null(hg_env_get(NULL, "HOME"));
    static const char *const environment[] = {"A=1", "AB=2", "C=", "D", NULL};
    ck_assert_str_eq(hg_env_get(environment, "AB"), "2");
    ck_assert_ptr_null(hg_env_get(environment, "C"));
    ck_assert_ptr_null(hg_env_get(environment, "D"));
    ck_assert_ptr_null(hg_env_get(environment, "E"));
}
END_TEST

START_TEST(of_this_process)
{
    setenv("HEADGATE_DOORS", "5", 1);
    ck_assert_str_eq(hg_env_get(hg_env_of_process(), "HEADGATE_DOORS"), "5");
    unsetenv("HEADGATE_DOORS");
    ck_assert_ptr_null(hg_env_get(hg_env_of_process(), "HEADGATE_DOORS"));
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static const char *const environment[] = {
        "HEADGATE_SET=body.doors=3",  "HEADGATE_DISABLE=diesel,drive/petrol/thrid,gate:car.speed",
        "HEADGATE_FORCE=drive=petro", "HEADGATE_ROADS=/a:b",
        "HEADGATE_ZEBRA=1",           NULL};
    int n_failures = 0;
    for (long n = 1;; n++) {
        failing_alloc state = {.fail_from = n};
        const hg_allocator allocator = failing_allocator(&state);
        reading r;
        const int status = read_env(&r, environment, &allocator);
        release(&r);
        ck_assert_int_eq(state.live, 0);
        if (status == HGATE_OK) {
            break;
        }
        ck_assert_int_eq(status, HGATE_ENOMEM);
        n_failures++;
    }
    ck_assert_int_ge(n_failures, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config_env");
    TCase *tests = tcase_create("config_env");
    tcase_add_test(tests, what_is_set);
    tcase_add_test(tests, what_is_refused);
    tcase_add_test(tests, unknown_variables_are_noted);
    tcase_add_test(tests, relative_folders_and_mistyped_names_are_noted);
    tcase_add_test(tests, without_an_environment);
    tcase_add_test(tests, of_this_process);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
