/* SPDX-License-Identifier: BSD-3-Clause */
/* dlopen, and the proof that the descriptor lies in the file that was opened. */
#include "core/plugin/open.h"

#include <headgate/engine.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char symbol_name[] = "hgate_plugin_descriptor";

static void put_dlerror(hg_text *why)
{
    const char *text = dlerror();
    if (!text) {
        text = "the loader gave no cause";
    }
    hg_text_put_untrusted(why, text, strlen(text), SIZE_MAX);
}

static int refuse_swapped(hg_text *why)
{
    hg_text_put(why, "the file was exchanged while it was being loaded");
    return HGATE_PLUGIN_PERMISSION;
}

/* dlsym also searches the libraries that a file depends on; what it finds there is not the
 * plugin's. */
static bool is_own_symbol(void *handle, const void *address, hg_text *why)
{
    struct link_map *opened = NULL;
    struct link_map *holder = NULL;
    Dl_info info;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &opened) == 0 &&
        dladdr1(address, &info, (void **)&holder, RTLD_DL_LINKMAP) && opened == holder) {
        return true;
    }
    hg_text_printf(why, "the file has no %s of its own", symbol_name);
    if (holder) {
        hg_text_put(why, ", only ");
        hg_text_put_untrusted(why, holder->l_name, strlen(holder->l_name), SIZE_MAX);
        hg_text_put(why, " has");
    }
    return false;
}

/* Size of the symbol that begins at `address`; 0 when the symbol table does not tell. */
static size_t symbol_bytes(const void *address)
{
    const ElfW(Sym) *symbol = NULL;
    Dl_info info;
    if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
        info.dli_saddr != address) {
        return 0;
    }
    return symbol->st_size;
}

static bool read_at(int fd, void *to, size_t bytes, ElfW(Off) at)
{
    return pread(fd, to, bytes, (off_t)at) == (ssize_t)bytes;
}

/* The loader maps what the program headers promise and dies of SIGBUS where a file that was cut
 * short does not have it. Whatever else is wrong with a file the loader tells by itself. */
static bool is_cut_short(int fd)
{
    struct stat info;
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    if (fstat(fd, &info) != 0 || !read_at(fd, &head, sizeof head, 0) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof part) {
        return false;
    }
    const ElfW(Off) size = (ElfW(Off))info.st_size;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (head.e_phoff > size ||
            !read_at(fd, &part, sizeof part, head.e_phoff + i * sizeof part) ||
            (part.p_type == PT_LOAD &&
             (part.p_offset > size || part.p_filesz > size - part.p_offset))) {
            return true;
        }
    }
    return false;
}

static bool is_whole(const char *path, hg_text *why)
{
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    const bool is_cut = fd >= 0 && is_cut_short(fd);
    if (fd >= 0) {
        close(fd);
    }
    if (is_cut) {
        hg_text_put_untrusted(why, path, strlen(path), SIZE_MAX);
        hg_text_put(why, ": the file is cut short");
    }
    return !is_cut;
}

int hg_object_open(const hg_vetted *file, hg_object *out, hg_text *why)
{
    *out = (hg_object){0};
    if (!hg_vetted_is_same(file)) {
        return refuse_swapped(why);
    }
    if (!is_whole(file->path, why)) {
        return HGATE_PLUGIN_LOAD_FAILED;
    }
    /* NOW: what is missing shows here, not in the first call. LOCAL: names of plugins never meet.
     * NODELETE: code that may have started threads is never unmapped. */
    out->handle = dlopen(file->path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!out->handle) {
        put_dlerror(why);
        return HGATE_PLUGIN_LOAD_FAILED;
    }
    if (!hg_vetted_is_same(file)) {
        return refuse_swapped(why);
    }
    dlerror();
    const void *address = dlsym(out->handle, symbol_name);
    if (!address) {
        put_dlerror(why);
        return HGATE_PLUGIN_NO_DESCRIPTOR;
    }
    if (!is_own_symbol(out->handle, address, why)) {
        return HGATE_PLUGIN_NO_DESCRIPTOR;
    }
    out->descriptor = address;
    out->bytes = symbol_bytes(address);
    return HGATE_PLUGIN_USABLE;
}
