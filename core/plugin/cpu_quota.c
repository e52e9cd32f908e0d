/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotas from /proc/self/cgroup and the files of /sys/fs/cgroup. In a container the path of the
 * first may be one of the host, which is not there: then only the folders above it count. */
#include "core/plugin/cpu_quota.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The beginning of a file as text; false where it cannot be read. */
static bool read_text(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* A number of a file in a folder; 0 where there is none. */
static long long number_in(const char *folder, const char *name)
{
    char path[PATH_MAX], text[64];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < (int)sizeof path && read_text(path, text, sizeof text) ? strtoll(text, NULL, 10)
                                                                           : 0;
}

static int threads_of(long long quota, long long period)
{
    if (quota <= 0 || period <= 0 || quota / period > INT_MAX) {
        return 0; /* -1 and "max" say that there is none */
    }
    return quota < period ? 1 : (int)(quota / period);
}

static int quota_v2(const char *folder)
{
    char path[PATH_MAX], text[64], *end = NULL;
    const int length = snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (length >= (int)sizeof path || !read_text(path, text, sizeof text)) {
        return 0;
    }
    const long long quota = strtoll(text, &end, 10);
    return end == text ? 0 : threads_of(quota, strtoll(end, NULL, 10));
}

static int quota_v1(const char *folder)
{
    return threads_of(number_in(folder, "cpu.cfs_quota_us"),
                      number_in(folder, "cpu.cfs_period_us"));
}

static int lesser(int a, int b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* From `base` with `group` behind it up to `base`. */
static int least_up_to(const char *base, const char *group, int (*quota)(const char *folder))
{
    char folder[PATH_MAX];
    const size_t top = strlen(base);
    const bool is_outside = strstr(group, "/..") != NULL; /* of what this process may see */
    int least = 0;
    if (snprintf(folder, sizeof folder, "%s%s", base, is_outside ? "" : group) >=
        (int)sizeof folder) {
        return 0;
    }
    for (;;) {
        least = lesser(least, quota(folder));
        char *slash = strrchr(folder, '/');
        if (!slash || slash < folder + top) {
            return least;
        }
        *slash = '\0';
    }
}

/* Is "cpu" one of "cpu,cpuacct"? */
static bool has_cpu(const char *controllers)
{
    for (const char *word = controllers; *word; word += word[strcspn(word, ",")] == ',') {
        const size_t n = strcspn(word, ",");
        if (n == 3 && strncmp(word, "cpu", 3) == 0) {
            return true;
        }
        word += n;
    }
    return false;
}

/* "4:cpu,cpuacct:/a/b" of version 1, "0::/a/b" of version 2. */
static int quota_of_line(const char *root, char *line)
{
    char base[PATH_MAX];
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) {
        return 0;
    }
    *controllers++ = *group++ = '\0';
    if (*controllers == '\0') {
        (void)snprintf(base, sizeof base, "%s/sys/fs/cgroup", root);
        return least_up_to(base, group, quota_v2);
    }
    if (!has_cpu(controllers) ||
        snprintf(base, sizeof base, "%s/sys/fs/cgroup/%s", root, controllers) >= (int)sizeof base) {
        return 0;
    }
    return least_up_to(base, group, quota_v1);
}

int hg_cpu_quota(const char *root)
{
    char path[PATH_MAX], text[4096], *rest = NULL;
    int least = 0;
    if (snprintf(path, sizeof path, "%s/proc/self/cgroup", root) >= (int)sizeof path ||
        !read_text(path, text, sizeof text)) {
        return 0;
    }
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        least = lesser(least, quota_of_line(root, line));
    }
    return least;
}
