// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as the input file of `headgate run`, through the reader of the command: an operation's
// arrays and attributes, or a refusal. The first byte chooses the operation.
#include "tests/fuzz/fuzz.h"
#include "tools/case_file.h"
#include "tools/report.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *const fuzz_corpus[] = {NULL};
const fuzz_limit fuzz_limits = {0}; // libhdf5 has its own ways

void fuzz_one(const uint8_t *data, size_t n)
{
    char path[64];
    cli_case c;
    if (n < 2) {
        return;
    }
    const int fd = memfd_create("input", MFD_CLOEXEC);
    fuzz_require(fd >= 0, "memfd_create");
    for (size_t done = 1; done < n;) {
        const ssize_t written = write(fd, data + done, n - done);
        fuzz_require(written > 0, "write");
        done += (size_t)written;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    cli_case_init(&c, cli_op_row(data[0] % HGATE_OP_COUNT));
    int status = cli_case_survey(&c, path, true);
    if (status == CLI_DONE) {
        status = cli_case_read(&c, path, UINT32_MAX);
    }
    fuzz_require(cli_exit_code(status) == CLI_DONE || cli_exit_code(status) == CLI_DATA ||
                     cli_exit_code(status) == CLI_NO_MEMORY,
                 hgate_last_error());
    if (status == CLI_DONE) {
        cli_case_shape_outputs(&c);
    }
    cli_case_free(&c);
    close(fd);
}
