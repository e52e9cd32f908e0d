// SPDX-License-Identifier: BSD-3-Clause
// Any text as a calibration file: refused with a position, or read; comparing it with a machine
// and taking its constants ends well whatever it says.
#include "core/calib/file.h"

#include "core/base/error.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

static void look_at(const hg_calib_file *file)
{
    static const hg_machine machine = {
        .cpu = "a processor", .cores = 3, .isa = "avx2", .blas = "OpenBLAS", .gpus = "A; B; B"};
    char words[400];
    hg_text why = hg_text_over(words, sizeof words);
    const bool is_match = hg_calib_file_matches(file, &machine, &why);
    fuzz_require(is_match || words[0] != '\0', "a file that does not match has a reason");
    for (const hg_setting *s = file->settings.first; s; s = s->next) {
        const char *plugin, *constant;
        size_t plugin_n, constant_n;
        if (hg_calib_file_is_value(s->key, &plugin, &plugin_n, &constant, &constant_n)) {
            fuzz_require(plugin_n > 0 && constant_n > 0, s->key);
            fuzz_require(isfinite(s->value.real), s->key);
        }
    }
}

const char *const fuzz_corpus[] = {"tests/fuzz/corpus/calibration", "config/calibration-avx2.yaml",
                                   NULL};
const fuzz_limit fuzz_limits = {0.5, 64 << 20};

void fuzz_one(const uint8_t *data, size_t n)
{
    hg_calib_file file;
    const int status = hg_calib_file_read_text((const char *)data, n, "x", NULL, &file);
    if (status == HGATE_OK) {
        look_at(&file);
        hg_calib_file_release(&file);
    } else {
        fuzz_require(status == HGATE_ECONFIG, hgate_last_error());
        fuzz_require(strncmp(hgate_last_error(), "x:", 2) == 0, hgate_last_error());
    }
}
