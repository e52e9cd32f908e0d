// SPDX-License-Identifier: BSD-3-Clause
// Small good input files with bytes changed, through `headgate run` in a child with limits: it
// serves or refuses, or libhdf5 falls over it; this project's code never does, and no output file
// is left behind. FUZZ_RUNS sets how many files, FUZZ_SEED which.
#include "tests/harness.h"
#include "tools/case_file.h"
#include "tools/command.h"
#include "tools/report.h"

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <headgate/headgate.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const problems[] = {
    "curvature ny=3 nx=4 s=2 nnz=6",
    "curvature_kernel k=3 ny=2 nx=3",
    "curvature_dirty k=3 ny=2 nx=3",
    "curvature_data_vector n=5 s=2 nnz=4",
    "emi n=3 batch=2",
    "emi n=3 batch=2 layout=full rule=fixed dtype=c128",
    "evd n=4 batch=1",
    "ds_temp_coh n=3 batch=2",
    "visibility nant=2 nsrc=3 nbeam=1 nfeed=1 nax=1",
    "visibility nant=3 nsrc=5 nbeam=1 nfeed=1 nax=1 npairs=2",
    "visibility_horizon nsrc=5",
    "visibility_angles nsrc=4",
    "visibility_beam nbeam=2 nsrc=3 nza=4 naz=5",
    "visibility_tau nant=2 nsrc=3",
    "visibility_z nant=2 nsrc=3",
    "visibility_gram m=2 k=3",
    "visibility_product m=2 n=3 k=4",
    "visibility_pairs nant=3 nfeed=2 k=4 npairs=2",
    "kirchhoff_forward ns=2 nr=3 nt=20 nx=4 nz=3",
    "kirchhoff_adjoint ns=2 nr=3 nt=20 nx=4 nz=3 dynamic=1",
    "kirchhoff_traveltime n=2 nx=3 nz=4",
    "kirchhoff_angles n=2 nx=3 nz=4",
    "kirchhoff_spreading n=2 nx=3 nz=4",
    "kirchhoff_station_index n=3 nx=3 nz=4",
    "kirchhoff_wavelet nwav=5",
    "kirchhoff_convolve nwav=3 nt=5 n=2",
};
enum { N_FILES = sizeof problems / sizeof *problems };

#if defined(__SANITIZE_ADDRESS__)
// What damaged files ask for may be too much: NULL, as the C library answers, not the end. A report
// ends in SIGABRT, so that on_fault() tells whose it is.
const char *__asan_default_options(void);
__attribute__((visibility("default"), used)) const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:abort_on_error=1";
}
#endif

typedef struct file {
    char op[32];
    unsigned char *bytes;
    size_t n;
} file;

// In memory where there is such a folder: thousands of files are written.
static char in_memory[] = "/dev/shm/headgate-edits-XXXXXX",
            on_disk[] = "/tmp/headgate-edits-XXXXXX";

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13; // xorshift64 of Marsaglia
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void read_file(file *to, const char *path, const char *problem)
{
    FILE *from = fopen(path, "rb");
    ck_assert_ptr_nonnull(from);
    to->bytes = malloc(1 << 20);
    to->n = fread(to->bytes, 1, 1 << 20, from);
    ck_assert_msg(feof(from), "%s is too large", problem);
    fclose(from);
}

static void make_file(file *to, const char *problem)
{
    char command[256];
    snprintf(command, sizeof command, "headgate generate %s -q -o good.h5", problem);
    ck_assert_msg(system(command) == 0, "%s", command);
    snprintf(to->op, sizeof to->op, "%.*s", (int)strcspn(problem, " "), problem);
    read_file(to, "good.h5", problem);
}

// What the first use of libhdf5 costs, paid once for all children.
static void warm_up(const file *f)
{
    cli_case c;
    const cli_op *op = NULL;
    ck_assert_int_eq(cli_op_find(f->op, &op), CLI_DONE);
    cli_case_init(&c, op);
    ck_assert_int_eq(cli_case_survey(&c, "good.h5", true), CLI_DONE);
    ck_assert_int_eq(cli_case_read(&c, "good.h5", UINT32_MAX), CLI_DONE);
    cli_case_free(&c);
}

static void write_edited(const file *from, uint64_t *random)
{
    static unsigned char bytes[1 << 20];
    static const unsigned char odd[] = {0, 1, 0x7f, 0x80, 0xff};
    size_t n = from->n;
    memcpy(bytes, from->bytes, n);
    for (uint64_t edits = next_random(random) % 6 + 1; edits > 0; edits--) {
        // what describes the data stands in the first KiB; their values seldom matter
        const size_t span = next_random(random) % 4 ? (n < 3000 ? n : 3000) : n;
        unsigned char *at = &bytes[next_random(random) % span];
        const uint64_t value = next_random(random);
        if (value % 3 == 0) {
            *at = (unsigned char)(value >> 8);
        } else if (value % 3 == 1) {
            *at = odd[(value >> 8) % sizeof odd];
        } else {
            *at = (unsigned char)(*at ^ 1u << (value >> 8) % 8);
        }
    }
    if (next_random(random) % 16 == 0) {
        n = next_random(random) % n;
    }
    FILE *to = fopen("in.h5", "wb");
    ck_assert(to && fwrite(bytes, 1, n, to) == n && fclose(to) == 0);
}

enum { FELL_IN_HDF5 = 200, FELL_ELSEWHERE = 201, TOOK_LONG = 202, COMPUTES = 203 };

// For the list that is printed at the end. The fault may have happened within malloc, so nothing
// here may ask for memory.
static void note_fault(int number, const Dl_info *info)
{
    char line[160];
    const int n = snprintf(line, sizeof line, "signal %d in %.100s\n", number,
                           info->dli_sname ? info->dli_sname : "?");
    const int fd = open("faults", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    (void)!write(fd, line, (size_t)n);
    close(fd);
}

// A right file may ask for hours of work: then the limit of time ends a kernel.
static bool is_in_kernel(void *const *frames, int n)
{
    Dl_info info;
    for (int i = 1; i < n; i++) {
        if (dladdr(frames[i], &info) && info.dli_fname &&
            strstr(info.dli_fname, "/headgate-cpu-")) {
            return true;
        }
    }
    return false;
}

// Whose code was it? The first frame that is not of the C library decides.
static void on_fault(int number)
{
    void *frames[64];
    const int n = backtrace(frames, 64);
    Dl_info info;
    if (number == SIGXCPU && is_in_kernel(frames, n)) {
        _exit(COMPUTES);
    }
#if defined(__SANITIZE_ADDRESS__)
    const int own = 2; // its backtrace() is a frame too
#else
    const int own = 1;
#endif
    for (int i = own; i < n; i++) {
        if (dladdr(frames[i], &info) && info.dli_fname && !strstr(info.dli_fname, "/libc.") &&
            !strstr(info.dli_fname, "libz.") && !strstr(info.dli_fname, "libsz.") &&
            !strstr(info.dli_fname, "libasan.") && !strstr(info.dli_fname, "libubsan.") &&
            !strstr(info.dli_fname, "vgpreload_")) {
            note_fault(number, &info);
            // not just "hdf5": this program, which most of the project's code is linked to, is
            // named so
            _exit(strstr(info.dli_fname, "/libhdf5") ? FELL_IN_HDF5
                  : number == SIGXCPU                ? TOOK_LONG
                                                     : FELL_ELSEWHERE);
        }
    }
    _exit(number == SIGALRM ? FELL_IN_HDF5 : number == SIGXCPU ? TOOK_LONG : FELL_ELSEWHERE);
}

static void limit_myself(rlim_t cpu)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGALRM};
    const struct rlimit seconds = {cpu, cpu + 2}, bytes = {(rlim_t)1 << 31, (rlim_t)1 << 31};
    void *warm_up[2];
    backtrace(warm_up, 2); // it loads a library at its first call
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        signal(faults[i], on_fault);
    }
    setrlimit(RLIMIT_CPU, &seconds);
    alarm(30 * (unsigned)cpu);
#if !defined(__SANITIZE_ADDRESS__)
    setrlimit(RLIMIT_AS, &bytes);
#else
    (void)bytes;
#endif
}

static int run_in_child(const char *op, rlim_t cpu)
{
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        char words[6][32] = {"run", "", "in.h5", "-o", "out.h5", "-q"}, *argv[6];
        cli_options options;
        snprintf(words[1], sizeof words[1], "%s", op);
        for (int i = 0; i < 6; i++) {
            argv[i] = words[i];
        }
        limit_myself(cpu);
        if (!freopen("stderr.txt", "w", stderr)) {
            _exit(FELL_ELSEWHERE);
        }
        cli_options_read(&options, ~(cli_opt_mask)0, 6, argv);
        _exit(cli_report("run", cmd_run(&options), false));
    }
    int state;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    return WIFEXITED(state) ? WEXITSTATUS(state) : FELL_ELSEWHERE;
}

static void check_leftovers(int code, long run)
{
    DIR *dir = opendir(".");
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const bool is_output = strcmp(entry->d_name, "out.h5") == 0;
        const bool is_temporary = strncmp(entry->d_name, ".out.h5", 7) == 0;
        ck_assert_msg(!is_output || code == 0, "run %ld: exit code %d and an output file", run,
                      code);
        ck_assert_msg(!is_temporary || code >= FELL_IN_HDF5,
                      "run %ld: exit code %d and a temporary file", run, code);
        if (is_temporary) {
            unlink(entry->d_name);
        }
    }
    closedir(dir);
    unlink("out.h5");
}

START_TEST(edited_files)
{
    file files[N_FILES];
    const char *count = getenv("FUZZ_RUNS"), *seed = getenv("FUZZ_SEED");
    uint64_t random = 88172645463325252u * (1 + (seed ? strtoull(seed, NULL, 10) : 0));
    const long runs = count ? strtol(count, NULL, 10) : 300;
    long n_served = 0, n_refused = 0, n_fell = 0, n_long = 0;
    const char *folder = mkdtemp(in_memory);
    folder = folder ? folder : mkdtemp(on_disk);
    ck_assert(folder && chdir(folder) == 0);
    hgate_engine *engine = NULL; // children find the plugins loaded
    ck_assert_int_eq(hgate_open(NULL, &engine), HGATE_OK);
    for (int i = 0; i < N_FILES; i++) {
        make_file(&files[i], problems[i]);
    }
    warm_up(&files[N_FILES - 1]);
    for (long run = 0; run < runs; run++) {
        const file *from = &files[next_random(&random) % N_FILES];
        write_edited(from, &random);
        int code = run_in_child(from->op, 2);
        if (code == TOOK_LONG) { // with arrays of a GiB, say
            check_leftovers(code, run);
            code = run_in_child(from->op, 120);
        }
        if (code == FELL_ELSEWHERE ||
            (code != 0 && code != CLI_DATA && code != CLI_NO_MEMORY && code != CLI_NO_INPUT &&
             code != FELL_IN_HDF5 && code != COMPUTES)) {
            ck_abort_msg("run %ld of %s: exit code %d; the file is %s/in.h5", run, from->op, code,
                         folder);
        }
        check_leftovers(code, run);
        n_served += code == 0;
        n_fell += code == FELL_IN_HDF5;
        n_long += code == COMPUTES;
        n_refused += code != 0 && code != FELL_IN_HDF5 && code != COMPUTES;
    }
    printf("%ld files: %ld served, %ld still at work, %ld refused, %ld brought libhdf5 down\n",
           runs, n_served, n_long, n_refused, n_fell);
    ck_assert(runs < 100 || (n_served > 0 && n_refused > 0));
    ck_assert_int_eq(system("touch faults && sort faults | uniq -c | sort -rn"), 0);
    for (int i = 0; i < N_FILES; i++) {
        free(files[i].bytes);
    }
    hgate_close(engine);
    ck_assert_int_eq(system("rm -rf \"$PWD\""), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hdf5_edits");
    TCase *tests = tcase_create("hdf5_edits");
    tcase_set_timeout(tests, 36000);
    tcase_add_test(tests, edited_files);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
