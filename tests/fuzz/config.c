// SPDX-License-Identifier: BSD-3-Clause
// Any text as a configuration: refused with a position, or read; what is read and holds together
// is printed, and reads back to the same settings.
#include "core/base/text.h"
#include "core/config/print.h"
#include "tests/fuzz/config_checks.h"

static int take(void *user, const char *text, size_t n)
{
    hg_text_put_n(user, text, n);
    return 0;
}

// The file that `config` prints as means the same.
static void print_and_read_back(const hg_config *config)
{
    hg_text text = hg_text_growing(NULL);
    fuzz_require(hg_config_print(config, take, &text) == HGATE_OK && !text.is_cut, "print");
    hgate_config *again = NULL;
    fuzz_require(hgate_config_new(&again) == HGATE_OK, "new");
    if (text.length <= 1024 * 1024) {
        fuzz_require(hgate_config_load_text(again, text.data, text.length, "print") == HGATE_OK,
                     hgate_last_error());
        hg_config *other = merge_and_check(again, "print");
        fuzz_require(other && hg_config_hash(config) == hg_config_hash(other), text.data);
        hg_config_release(other);
    }
    hgate_config_free(again);
    hg_text_release(&text);
}

const char *const fuzz_corpus[] = {"tests/config/good", "tests/config/bad", "config/headgate.yaml",
                                   NULL};
const fuzz_limit fuzz_limits = {0.5, 64 << 20};

void fuzz_one(const uint8_t *data, size_t n)
{
    hgate_config *config = NULL;
    fuzz_require(hgate_config_new(&config) == HGATE_OK, "new");
    const int status = hgate_config_load_text(config, (const char *)data, n, "x");
    if (status == HGATE_OK) {
        hg_config *one = merge_and_check(config, "x");
        if (one && n % 8 == 0) { // it costs as much as the rest
            print_and_read_back(one);
        }
        hg_config_release(one);
    } else {
        fuzz_require(status == HGATE_ECONFIG, hgate_last_error());
        fuzz_require(is_located(hgate_last_error(), "x"), hgate_last_error());
        fuzz_require(config->settings.first == NULL, "a refused file sets nothing");
    }
    hgate_config_free(config);
}
