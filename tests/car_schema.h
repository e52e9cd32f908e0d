/* SPDX-License-Identifier: BSD-3-Clause */
/* A make-believe configuration, of a car: the tests of the mechanism use it, so that they do not
 * change with today's keys. */
#ifndef HG_TESTS_CAR_SCHEMA_H
#define HG_TESTS_CAR_SCHEMA_H

#include "core/config/rules.h"
#include "core/config/schema.h"

#include <math.h>
#include <string.h>

#define CAR_ANYWHERE (HG_SET_BY_FILE | HG_SET_BY_ENVIRONMENT | HG_SET_BY_API)

static const hg_schema_row car_rows[] = {
    {.key = "version",
     .type = HG_TYPE_INT,
     .fallback = "1",
     .min = 1,
     .max = 1,
     .where = HG_SET_BY_FILE,
     .role = HG_KEY_VERSION,
     .help = "version"},
    {.key = "body.doors",
     .type = HG_TYPE_INT,
     .fallback = "4",
     .min = 2,
     .max = 5,
     .where = CAR_ANYWHERE,
     .env = "HEADGATE_DOORS",
     .help = "doors"},
    {.key = "body.colour",
     .type = HG_TYPE_ENUM,
     .fallback = "red",
     .words = "red green blue 7 off",
     .where = CAR_ANYWHERE,
     .help = "colour"},
    {.key = "body.mass",
     .type = HG_TYPE_REAL,
     .fallback = "1.25",
     .words = "auto",
     .max = 10,
     .is_min_open = true,
     .is_max_open = true,
     .where = CAR_ANYWHERE,
     .help = "tonnes"},
    {.key = "body.roof",
     .type = HG_TYPE_BOOL,
     .fallback = "true",
     .where = CAR_ANYWHERE,
     .help = "has a roof"},
    {.key = "body.wheels",
     .type = HG_TYPE_INT,
     .fallback = "4",
     .min = 3,
     .max = 18,
     .is_fixed = true,
     .where = CAR_ANYWHERE,
     .help = "wheels"},
    {.key = "body.tank",
     .type = HG_TYPE_BYTES,
     .fallback = "50KiB",
     .max = INFINITY,
     .where = CAR_ANYWHERE,
     .help = "data storage"},
    {.key = "body.key",
     .type = HG_TYPE_PATH,
     .fallback = "",
     .where = HG_SET_BY_FILE | HG_SET_BY_API,
     .help = "where the key is"},
    {.key = "body.serial",
     .type = HG_TYPE_INT,
     .fallback = "0",
     .min = -INFINITY,
     .max = INFINITY,
     .where = HG_SET_BY_ENVIRONMENT | HG_SET_BY_API,
     .help = "not to be written to files"},
    {.key = "body.rust",
     .type = HG_TYPE_REAL,
     .fallback = "0",
     .min = -INFINITY,
     .max = 0.5,
     .where = CAR_ANYWHERE,
     .help = "rust"},
    {.key = "body.din",
     .type = HG_TYPE_REAL,
     .fallback = "0",
     .min = -INFINITY,
     .max = 0.5,
     .is_max_open = true,
     .where = CAR_ANYWHERE,
     .help = "noise"},
    {.key = "gates.car.speed",
     .type = HG_TYPE_REAL,
     .fallback = "130",
     .words = "auto off",
     .max = 300,
     .off = -1,
     .where = CAR_ANYWHERE,
     .role = HG_KEY_GATE,
     .help = "limit"},
    {.key = "trip.roads",
     .type = HG_TYPE_PATHS,
     .fallback = "[]",
     .max = 3,
     .where = CAR_ANYWHERE,
     .env = "HEADGATE_ROADS",
     .role = HG_KEY_PATHS,
     .help = "roads"},
    {.key = "trip.crew",
     .type = HG_TYPE_NAMES,
     .fallback = "[ann, bob]",
     .max = 2,
     .where = CAR_ANYWHERE,
     .help = "who comes along"},
    {.key = "plugins.<plugin>.enabled",
     .type = HG_TYPE_BOOL,
     .fallback = "true",
     .where = CAR_ANYWHERE,
     .role = HG_KEY_ENABLE_PLUGIN,
     .help = "engine"},
    {.key = "plugins.<plugin>.options.<key>",
     .type = HG_TYPE_SCALAR,
     .fallback = "",
     .where = HG_SET_BY_FILE | HG_SET_BY_API,
     .help = "option"},
    {.key = "plugins.diesel.options.grade",
     .type = HG_TYPE_ENUM,
     .fallback = "b7",
     .words = "b7 b10",
     .where = CAR_ANYWHERE,
     .help = "fuel"},
    {.key = "kernels.<op>.<plugin>.<kernel>.enabled",
     .type = HG_TYPE_BOOL,
     .fallback = "true",
     .where = CAR_ANYWHERE,
     .role = HG_KEY_ENABLE_KERNEL,
     .help = "gear"},
    {.key = "ops.<word>.enabled",
     .type = HG_TYPE_BOOL,
     .fallback = "true",
     .where = CAR_ANYWHERE,
     .role = HG_KEY_ENABLE_OP,
     .help = "switch"},
    {.key = "routing.force.<op>",
     .type = HG_TYPE_CHOICE,
     .fallback = "",
     .where = CAR_ANYWHERE,
     .role = HG_KEY_FORCE,
     .help = "forced engine and gear"},
    {.key = "calibration.constants.<plugin>.<constant>",
     .type = HG_TYPE_REAL,
     .fallback = "",
     .max = INFINITY,
     .where = HG_SET_BY_FILE | HG_SET_BY_API,
     .help = "constant"},
};

static const char *const car_ops[] = {"drive", "drive_back", "honk", NULL};
static const char *const car_families[] = {"drive", "noise", NULL};
static const char *const car_plugins[] = {"diesel", "petrol", NULL};

static const hg_known_kernels car_kernels[] = {
    {"drive", "diesel", "first second"},
    {"drive", "petrol", "first second third"},
    {NULL, NULL, NULL},
};

/* A blue car must have a roof. */
static void car_rules(const hg_config *config, hg_problems *problems)
{
    if (strcmp(hg_config_text(config, "body.colour"), "blue") == 0 &&
        !hg_config_bool(config, "body.roof")) {
        hg_problems_add(problems, hg_config_origin(config, "body.colour"), "blue without a roof");
    }
}

static const hg_schema car_schema = {
    .rows = car_rows,
    .n_rows = sizeof car_rows / sizeof car_rows[0],
    .ops = car_ops,
    .families = car_families,
    .plugins = car_plugins,
    .kernels = car_kernels,
    .rules = car_rules,
};

#endif
