/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers over layers: who wins, kill switches, origins, rules between keys, the hash. */
#include "core/config/builder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "tests/car_schema.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <stdio.h>
#include <unistd.h>

/* One row of a table: what each layer says, what comes out. */
typedef struct layers {
    const char *file;   /* text after "version: 1\n"; NULL: none is loaded */
    const char *env[4]; /* NULL-terminated */
    const char *api[8]; /* key, value, ...; NULL-terminated */
} layers;

static hgate_config *build(const layers *from, const hg_allocator *allocator, int *status)
{
    hgate_config *api = NULL;
    *status = hg_config_builder_new(&car_schema, allocator, &api);
    if (*status == HGATE_OK && from->file) {
        char text[1000];
        snprintf(text, sizeof text, "version: 1\n%s", from->file);
        *status = hgate_config_load_text(api, text, strlen(text), "car.yaml");
    }
    for (int i = 0; *status == HGATE_OK && from->api[i]; i += 2) {
        *status = hgate_config_set(api, from->api[i], from->api[i + 1]);
    }
    return api;
}

static int merge(const layers *from, const hg_allocator *allocator, hg_log *log, hg_config **out)
{
    int status;
    hgate_config *api = build(from, allocator, &status);
    if (status == HGATE_OK) {
        const hg_sources sources = {&car_schema, api, (const char *const *)from->env, NULL};
        status = hg_config_merge(&sources, allocator, log, out);
    }
    hgate_config_free(api);
    return status;
}

static hg_config *merged(const layers *from)
{
    hg_config *config = NULL;
    ck_assert_msg(merge(from, NULL, NULL, &config) == HGATE_OK, "%s", hgate_last_error());
    return config;
}

START_TEST(the_later_layer_wins)
{
    static const struct {
        layers from;
        const char *key, *text, *origin;
    } rows[] = {
        {{NULL, {NULL}, {NULL}}, "body.doors", "4", "default"},
        {{"body: {doors: 2}", {NULL}, {NULL}}, "body.doors", "2", "car.yaml:2:8"},
        {{"body: {doors: 2}", {"HEADGATE_SET=body.doors=3"}, {NULL}},
         "body.doors",
         "3",
         "env HEADGATE_SET"},
        {{"body: {doors: 2}", {"HEADGATE_SET=body.doors=3", "HEADGATE_DOORS=5"}, {NULL}},
         "body.doors",
         "5",
         "env HEADGATE_DOORS"},
        {{"body: {doors: 2}",
          {"HEADGATE_DOORS=5", "HEADGATE_SET=body.doors=3"},
          {"body.doors", "4"}},
         "body.doors",
         "4",
         "api"},
        {{"body: {doors: 2}", {NULL}, {"body.doors", "3", "body.doors", "5"}},
         "body.doors",
         "5",
         "api"},
        {{"body: {doors: 2}", {NULL}, {"body.doors", "~"}}, "body.doors", "4", "api"},
        {{"body: {doors: ~}", {NULL}, {NULL}}, "body.doors", "4", "car.yaml:2:8"},
        {{"body: {doors: ~}", {"HEADGATE_DOORS=5"}, {NULL}},
         "body.doors",
         "5",
         "env HEADGATE_DOORS"},
        {{"body: {doors: 2, roof: false}", {NULL}, {"body.doors", "5"}},
         "body.roof",
         "false",
         "car.yaml:2:18"},
        {{NULL, {NULL}, {NULL}}, "body.key", NULL, "default"},
        {{NULL, {NULL}, {NULL}}, "plugins.petrol.options.grade", NULL, "default"},
        {{NULL, {NULL}, {NULL}}, "plugins.diesel.options.grade", "b7", "default"},
        {{"trip: {crew: [x]}", {NULL}, {"trip.crew", "[y, z]"}}, "trip.crew", "[y, z]", "api"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_config *config = merged(&rows[i].from);
        ck_assert_pstr_eq(hg_config_text(config, rows[i].key), rows[i].text);
        ck_assert_str_eq(hg_config_origin(config, rows[i].key), rows[i].origin);
        hg_config_release(config);
    }
}
END_TEST

START_TEST(folders_of_the_environment_go_in_front)
{
    static const struct {
        layers from;
        const char *text, *origin;
    } rows[] = {
        {{"trip: {roads: [/f]}", {NULL}, {NULL}}, "[/f]", "car.yaml:2:8"},
        {{NULL, {"HEADGATE_ROADS=/e"}, {NULL}}, "[/e]", "env HEADGATE_ROADS"},
        {{"trip: {roads: [/f, /e]}", {"HEADGATE_ROADS=/e:/g"}, {NULL}},
         "[/e, /g, /f]",
         "env HEADGATE_ROADS, car.yaml:2:8"},
        {{"trip: {roads: [/f]}", {"HEADGATE_ROADS=/e"}, {"trip.roads", "/a, /b"}},
         "[/e, /a, /b]",
         "env HEADGATE_ROADS, api"},
        {{"trip: {roads: [/1, /2, /3]}", {"HEADGATE_ROADS=/4:/5:/6"}, {NULL}},
         "[/4, /5, /6, /1, /2, /3]",
         "env HEADGATE_ROADS, car.yaml:2:8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_config *config = merged(&rows[i].from);
        ck_assert_str_eq(hg_config_text(config, "trip.roads"), rows[i].text);
        ck_assert_str_eq(hg_config_origin(config, "trip.roads"), rows[i].origin);
        hg_config_release(config);
    }
}
END_TEST

START_TEST(kill_switches_add_up)
{
    const layers from = {
        "plugins: {petrol: {enabled: false}}\n"
        "kernels: {drive: {diesel: {second: {enabled: false}}}}\n"
        "gates: {car: {speed: off}}\n"
        "ops: {noise: {enabled: true}, drive: {enabled: false}}\n",
        {"HEADGATE_DISABLE=op:noise,steam"},
        {"plugins.petrol.enabled", "true", "gates.car.speed", "100", "ops.drive.enabled", "true"}};
    hg_config *config = merged(&from);
    const char *key, *origin;
    ck_assert(hg_config_killed_plugin(config, "petrol", &key, &origin));
    ck_assert_str_eq(key, "plugins.petrol.enabled");
    ck_assert_str_eq(origin, "car.yaml:2:20");
    ck_assert(hg_config_killed_plugin(config, "steam", NULL, NULL));
    ck_assert(!hg_config_killed_plugin(config, "diesel", &key, &origin));
    ck_assert(hg_config_killed_kernel(config, "drive", "diesel", "second", &key, &origin));
    ck_assert_str_eq(key, "kernels.drive.diesel.second.enabled");
    ck_assert_str_eq(origin, "car.yaml:3:37");
    ck_assert(!hg_config_killed_kernel(config, "drive", "diesel", "first", &key, &origin));
    ck_assert(!hg_config_killed_kernel(config, "drive", "petrol", "second", &key, &origin));
    ck_assert(!hg_config_killed_kernel(config, "honk", "diesel", "second", &key, &origin));
    ck_assert(hg_config_killed_op(config, "honk", "noise", &key, &origin));
    ck_assert_str_eq(key, "ops.noise.enabled");
    ck_assert_str_eq(origin, "env HEADGATE_DISABLE");
    ck_assert(hg_config_killed_op(config, "drive", "other", &key, NULL));
    ck_assert_str_eq(key, "ops.drive.enabled");
    ck_assert(!hg_config_killed_op(config, "honk", "other", NULL, NULL));
    ck_assert(hg_config_is_off(config, "gates.car.speed"));
    ck_assert_int_eq(hg_config_int(config, "gates.car.speed"), -1);
    ck_assert_str_eq(hg_config_origin(config, "gates.car.speed"), "car.yaml:4:15");
    ck_assert(!hg_config_bool(config, "plugins.petrol.enabled"));
    hg_config_release(config);
}
END_TEST

START_TEST(an_enum_that_may_be_off_is_no_kill_switch)
{
    const layers from = {"body: {colour: off}", {NULL}, {"body.colour", "green"}};
    hg_config *config = merged(&from);
    ck_assert_str_eq(hg_config_text(config, "body.colour"), "green");
    hg_config_release(config);
}
END_TEST

START_TEST(values_of_every_kind)
{
    const layers from = {"body: {mass: auto, tank: 3KiB, colour: 7}\n"
                         "plugins: {diesel: {options: {speed: fast, grade: b10}}}\n"
                         "calibration: {constants: {diesel: {warm_up: 2.5}}}\n",
                         {NULL},
                         {"body.key", "/hook"}};
    hg_config *config = merged(&from);
    ck_assert_int_eq(hg_config_int(config, "body.doors"), 4);
    ck_assert(hg_config_real(config, "body.doors") == 4);
    ck_assert(hg_config_bool(config, "body.roof"));
    ck_assert(hg_config_is_auto(config, "body.mass"));
    ck_assert(!hg_config_is_off(config, "body.mass"));
    ck_assert(hg_config_real(config, "body.mass") == 0);
    ck_assert_uint_eq(hg_config_bytes(config, "body.tank"), 3072);
    ck_assert_uint_eq(hg_config_bytes(config, "gates.car.speed"), 0);
    ck_assert_int_eq(hg_config_int(config, "body.colour"), 7);
    ck_assert_str_eq(hg_config_text(config, "body.key"), "/hook");
    ck_assert_uint_eq(hg_config_count(config, "trip.crew"), 2);
    ck_assert_str_eq(hg_config_item(config, "trip.crew", 1), "bob");
    ck_assert_ptr_null(hg_config_item(config, "trip.crew", 2));
    ck_assert_uint_eq(hg_config_count(config, "body.doors"), 0);
    ck_assert(hg_config_bool(config, "plugins.steam.enabled"));
    ck_assert(!hg_config_bool(config, "plugins.steam.options.x"));
    ck_assert(!hg_config_bool(config, "no.such.key"));
    ck_assert_str_eq(hg_config_plugin_option(config, "diesel", "speed"), "fast");
    ck_assert_str_eq(hg_config_plugin_option(config, "diesel", "grade"), "b10");
    ck_assert_ptr_null(hg_config_plugin_option(config, "diesel", "colour"));
    double value = 77;
    ck_assert(!hg_config_constant(config, "diesel", "cool_down", &value));
    ck_assert(value == 77);
    ck_assert(hg_config_constant(config, "diesel", "warm_up", &value));
    ck_assert(value == 2.5);
    hg_config_release(config);
    hg_config_release(NULL);
}
END_TEST

START_TEST(forced_choices)
{
    const layers from = {"routing: {force: {drive: petrol/first, drive_back: ~}}",
                         {"HEADGATE_FORCE=honk=diesel"},
                         {NULL}};
    hg_config *config = merged(&from);
    const char *plugin = "", *kernel = "", *origin = "";
    ck_assert(hg_config_force(config, "drive", &plugin, &kernel, &origin));
    ck_assert_str_eq(plugin, "petrol");
    ck_assert_str_eq(kernel, "first");
    ck_assert_str_eq(origin, "car.yaml:2:19");
    ck_assert(hg_config_force(config, "honk", &plugin, &kernel, &origin));
    ck_assert_str_eq(plugin, "diesel");
    ck_assert_ptr_null(kernel);
    ck_assert_str_eq(origin, "env HEADGATE_FORCE");
    ck_assert(hg_config_force(config, "honk", NULL, NULL, NULL));
    ck_assert(!hg_config_force(config, "drive_back", &plugin, &kernel, &origin));
    hg_config_release(config);
}
END_TEST

START_TEST(contradictions)
{
    static const struct {
        layers from;
        const char *message;
    } rows[] = {
        {{"plugins: {diesel: {enabled: false}}", {"HEADGATE_FORCE=drive=diesel"}, {NULL}},
         "env HEADGATE_FORCE: routing.force.drive: diesel is switched off by "
         "plugins.diesel.enabled "
         "(car.yaml:2:20)"},
        {{"routing: {force: {drive: diesel/first}}", {"HEADGATE_DISABLE=diesel"}, {NULL}},
         "car.yaml:2:19: routing.force.drive: diesel/first is switched off by "
         "plugins.diesel.enabled "
         "(env HEADGATE_DISABLE)"},
        {{NULL, {"HEADGATE_DISABLE=drive/diesel/first"}, {"routing.force.drive", "diesel/first"}},
         "api: routing.force.drive: diesel/first is switched off by "
         "kernels.drive.diesel.first.enabled (env HEADGATE_DISABLE)"},
        {{"body: {colour: blue}", {"HEADGATE_SET=body.roof=false"}, {NULL}},
         "car.yaml:2:8: blue without a roof"},
        {{"body: {colour: blue}",
          {"HEADGATE_SET=body.roof=false;body.doors=9"},
          {"routing.force.honk", "diesel", "plugins.diesel.enabled", "false"}},
         "env HEADGATE_SET: body.doors: expected an integer from 2 to 5, found \"9\"\n"
         "api: routing.force.honk: diesel is switched off by plugins.diesel.enabled (api)\n"
         "car.yaml:2:8: blue without a roof"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hg_config *config = (hg_config *)&rows;
        ck_assert_int_eq(merge(&rows[i].from, NULL, NULL, &config), HGATE_ECONFIG);
        ck_assert_str_eq(hgate_last_error(), rows[i].message);
        ck_assert_ptr_eq(config, (hg_config *)&rows);
    }
    /* another kernel or operation may be forced */
    const layers fine = {NULL,
                         {"HEADGATE_DISABLE=drive/diesel/first,drive_back/diesel/second"},
                         {"routing.force.drive", "diesel/second", "ops.drive.enabled", "false"}};
    hg_config_release(merged(&fine));
}
END_TEST

START_TEST(the_hash_is_of_effective_values)
{
    static const layers same[] = {
        {"body: {tank: 50KiB}", {NULL}, {NULL}},
        {NULL, {"HEADGATE_SET=body.tank=51200"}, {"plugins.diesel.enabled", "true"}},
        {NULL, {NULL}, {NULL}},
        {"routing: {force: {drive: ~}}", {NULL}, {"body.mass", "125e-2"}},
    };
    static const layers others[] = {
        {"body: {tank: 51KiB}", {NULL}, {NULL}},
        {NULL, {"HEADGATE_DISABLE=diesel"}, {NULL}},
        {NULL, {"HEADGATE_DISABLE=petrol"}, {NULL}},
        {NULL, {"HEADGATE_FORCE=drive=petrol"}, {NULL}},
        {NULL, {"HEADGATE_FORCE=honk=petrol"}, {NULL}},
        {"plugins: {diesel: {options: {x: 1}}}", {NULL}, {NULL}},
        {NULL, {NULL}, {"body.key", "/x"}},
    };
    uint64_t seen[8];
    for (size_t i = 0; i < 4; i++) {
        hg_config *config = merged(&same[i]);
        ck_assert(i == 0 || hg_config_hash(config) == seen[0]);
        seen[0] = hg_config_hash(config);
        hg_config_release(config);
    }
    for (size_t i = 0; i < 7; i++) {
        hg_config *config = merged(&others[i]);
        seen[i + 1] = hg_config_hash(config);
        for (size_t k = 0; k <= i; k++) {
            ck_assert_uint_ne(seen[k], seen[i + 1]);
        }
        hg_config_release(config);
    }
}
END_TEST

START_TEST(all_entries)
{
    const layers from = {"body: {doors: 2}\nplugins: {steam: {enabled: false}}", {NULL}, {NULL}};
    hg_config *config = merged(&from);
    const size_t n = hg_config_entry_count(config);
    size_t n_static = 0, n_set = 0;
    for (size_t i = 0; i < car_schema.n_rows; i++) {
        n_static += strchr(car_rows[i].key, '<') == NULL;
    }
    ck_assert_uint_eq(n, n_static + 1);
    for (size_t i = 0; i < n; i++) {
        const hg_config_entry e = hg_config_entry_at(config, i);
        ck_assert(i == 0 || strcmp(hg_config_entry_at(config, i - 1).key, e.key) < 0);
        ck_assert_pstr_eq(hg_config_text(config, e.key), e.text);
        n_set += strcmp(e.origin, "default") != 0;
    }
    ck_assert_uint_eq(n_set, 3); /* the version too */
    hg_config_release(config);
}
END_TEST

typedef struct seen_lines {
    int n;
    char text[4][300];
} seen_lines;

static void take_line(void *user, int level, const char *component, const char *text)
{
    seen_lines *seen = user;
    ck_assert_int_eq(level, HGATE_LOG_WARN);
    ck_assert_str_eq(component, "config");
    ck_assert_int_lt(seen->n, 4);
    snprintf(seen->text[seen->n++], sizeof seen->text[0], "%s", text);
}

START_TEST(doubtful_names_are_logged)
{
    seen_lines seen = {0};
    hg_log *log;
    ck_assert_int_eq(hg_log_new(take_line, &seen, HGATE_LOG_WARN, NULL, &log), HGATE_OK);
    const layers from = {"kernels: {drive: {diesel: {frist: {enabled: false}}, petrol: {first: "
                         "{enabled: false}}}}\n"
                         "plugins: {wood: {enabled: false}}",
                         {"HEADGATE_FORCE=honk=diesel/loud"},
                         {"plugins.petrl.options.x", "1"}};
    hg_config *config;
    ck_assert_int_eq(merge(&from, NULL, log, &config), HGATE_OK);
    hg_config_release(config);
    ck_assert_int_eq(seen.n, 3);
    ck_assert_str_eq(seen.text[0],
                     "env HEADGATE_FORCE: routing.force.honk: plugin diesel is not known to "
                     "serve honk");
    ck_assert_str_eq(seen.text[1], "car.yaml:2:36: kernels.drive.diesel.frist.enabled: no kernel "
                                   "\"frist\" of diesel for drive is known; known: first second");
    ck_assert_str_eq(seen.text[2],
                     "api: plugins.petrl.options.x: no plugin \"petrl\" comes with this "
                     "library; did you mean \"petrol\"?");
    hg_log_free(log);
}
END_TEST

START_TEST(unknown_variables_are_logged_once_a_process)
{
    seen_lines seen = {0};
    hg_log *log;
    ck_assert_int_eq(hg_log_new(take_line, &seen, HGATE_LOG_WARN, NULL, &log), HGATE_OK);
    const layers from = {NULL, {"HEADGATE_DORS=5"}, {NULL}};
    hg_config *config;
    ck_assert_int_eq(merge(&from, NULL, NULL, &config), HGATE_OK); /* nobody has heard of it yet */
    hg_config_release(config);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(merge(&from, NULL, log, &config), HGATE_OK);
        hg_config_release(config);
    }
    ck_assert_int_eq(seen.n, 1);
    ck_assert_str_eq(seen.text[0], "unknown variable HEADGATE_DORS; did you mean HEADGATE_DOORS?");
    hg_log_free(log);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    static const layers from = {
        "body: {doors: 2}\nplugins: {diesl: {enabled: false}}\ntrip: {roads: [/a], crew: [x, y]}\n",
        {"HEADGATE_ROADS=/e", "HEADGATE_FORCE=drive=petrol/first", "HEADGATE_ZEBRA=1"},
        {"kernels.drive.petrol.second.enabled", "false", "body.key", "/x"}};
    int n_failures = 0;
    for (long n = 1;; n++) {
        for (int is_only = 0; is_only < 2; is_only++) {
            failing_alloc state = {.fail_from = is_only ? 0 : n, .fail_only = is_only ? n : 0};
            const hg_allocator allocator = failing_allocator(&state);
            hg_config *config = NULL;
            const int status = merge(&from, &allocator, NULL, &config);
            if (status == HGATE_OK) {
                ck_assert_str_eq(hg_config_text(config, "trip.roads"), "[/e, /a]");
                hg_config_release(config);
            }
            ck_assert_int_eq(state.live, 0);
            if (state.calls < n) {
                ck_assert_int_eq(status, HGATE_OK);
                ck_assert_int_ge(n_failures, 20);
                return;
            }
            ck_assert_int_eq(status, HGATE_ENOMEM);
            n_failures++;
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config_merge");
    TCase *tests = tcase_create("config_merge");
    tcase_add_test(tests, the_later_layer_wins);
    tcase_add_test(tests, folders_of_the_environment_go_in_front);
    tcase_add_test(tests, kill_switches_add_up);
    tcase_add_test(tests, an_enum_that_may_be_off_is_no_kill_switch);
    tcase_add_test(tests, values_of_every_kind);
    tcase_add_test(tests, forced_choices);
    tcase_add_test(tests, contradictions);
    tcase_add_test(tests, the_hash_is_of_effective_values);
    tcase_add_test(tests, all_entries);
    tcase_add_test(tests, doubtful_names_are_logged);
    tcase_add_test(tests, unknown_variables_are_logged_once_a_process);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
