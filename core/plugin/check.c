/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptor itself: magic, version, size, texts and functions. */
#include "core/plugin/check.h"

#include <string.h>

/* What every version of the ABI has: magic, major, minor, size. */
enum { frozen_bytes = 16 };

void hg_copy_cut(void *to, size_t size, const void *from, size_t has)
{
    memset(to, 0, size);
    memcpy(to, from, has < size ? has : size);
}

bool hg_is_name(const char *name, size_t longest, char extra)
{
    for (size_t i = 0; i <= longest; i++) {
        char c = name[i];
        if (c == '\0') {
            return i > 0;
        }
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != extra) {
            return false;
        }
    }
    return false;
}

/* Newer and older records of the same major differ only in their end. */
static int check_header(const void *descriptor, size_t bytes, hg_text *why)
{
    hgate_plugin head;
    if (bytes < frozen_bytes) {
        hg_text_printf(why, "the symbol has %zu bytes, a descriptor begins with %d", bytes,
                       frozen_bytes);
        return HGATE_PLUGIN_BAD_SIZE;
    }
    hg_copy_cut(&head, sizeof head, descriptor, frozen_bytes);
    if (memcmp(head.magic, HGATE_PLUGIN_MAGIC, sizeof head.magic) != 0) {
        hg_text_put(why, "the descriptor begins with \"");
        hg_text_put_untrusted(why, head.magic, sizeof head.magic, sizeof head.magic);
        hg_text_put(why, "\", not with \"" HGATE_PLUGIN_MAGIC "\"");
        return HGATE_PLUGIN_BAD_MAGIC;
    }
    if (head.abi_major != HGATE_PLUGIN_ABI_MAJOR) {
        hg_text_printf(
            why,
            "built for plugin ABI %d, this library has %d; install Headgate for ABI %d or "
            "a plugin for ABI %d",
            head.abi_major, HGATE_PLUGIN_ABI_MAJOR, head.abi_major, HGATE_PLUGIN_ABI_MAJOR);
        return HGATE_PLUGIN_BAD_ABI;
    }
    if (head.struct_size < HG_END_OF(hgate_plugin, derive)) {
        hg_text_printf(why, "the descriptor says %u bytes, ABI %d.0 has %zu", head.struct_size,
                       HGATE_PLUGIN_ABI_MAJOR, HG_END_OF(hgate_plugin, derive));
        return HGATE_PLUGIN_BAD_SIZE;
    }
    if (head.struct_size > bytes) {
        hg_text_printf(why, "the descriptor says %u bytes, its symbol has %zu", head.struct_size,
                       bytes);
        return HGATE_PLUGIN_BAD_SIZE;
    }
    return HGATE_PLUGIN_USABLE;
}

/* The first member that has to be there and is not; NULL when all are. */
static const char *missing_member(const hgate_plugin *plugin)
{
    const struct {
        bool is_there;
        const char *name;
    } members[] = {
        {plugin->name, "name"},
        {plugin->version, "version"},
        {plugin->license, "license"},
        {plugin->description, "description"},
        {plugin->probe, "probe"},
        {plugin->release, "release"},
        {plugin->kernels || !plugin->n_kernels, "kernels"},
        {plugin->constants || !plugin->n_constants, "constants"},
        {plugin->ws_free || !plugin->ws_alloc, "ws_free beside its ws_alloc"},
        {plugin->ws_alloc || !plugin->ws_free, "ws_alloc beside its ws_free"},
        {plugin->unpin || !plugin->pin, "unpin beside its pin"},
        {plugin->pin || !plugin->unpin, "pin beside its unpin"},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!members[i].is_there) {
            return members[i].name;
        }
    }
    return NULL;
}

static int check_members(const hgate_plugin *plugin, hg_text *why)
{
    const char *missing = missing_member(plugin);
    if (missing) {
        hg_text_printf(why, "the descriptor has no %s", missing);
        return HGATE_PLUGIN_MALFORMED;
    }
    if (!hg_is_name(plugin->name, HG_PLUGIN_NAME_LONGEST, '-')) {
        hg_text_put(why, "the name \"");
        hg_text_put_untrusted(why, plugin->name, strnlen(plugin->name, HG_PLUGIN_NAME_LONGEST + 1),
                              HG_PLUGIN_NAME_LONGEST);
        hg_text_put(why, "\" is not 1 to 31 of a-z, 0-9 and -");
        return HGATE_PLUGIN_MALFORMED;
    }
    return HGATE_PLUGIN_USABLE;
}

int hg_view_make(const void *descriptor, size_t bytes, const hg_allocator *allocator, hg_view *out,
                 hg_text *why)
{
    int status = check_header(descriptor, bytes, why);
    if (status != HGATE_PLUGIN_USABLE) {
        return status;
    }
    hg_view view = {.note = hg_text_growing(allocator)};
    hg_arena_init(&view.arena, allocator);
    uint32_t size;
    memcpy(&size, (const char *)descriptor + offsetof(hgate_plugin, struct_size), sizeof size);
    hg_copy_cut(&view.plugin, sizeof view.plugin, descriptor, size);
    status = check_members(&view.plugin, why);
    if (status == HGATE_PLUGIN_USABLE) {
        status = hg_view_constants(&view, why);
    }
    if (status == HGATE_PLUGIN_USABLE) {
        status = hg_view_kernels(&view, why);
    }
    if (status != HGATE_PLUGIN_USABLE) {
        hg_view_release(&view);
        return status;
    }
    *out = view;
    return status;
}

void hg_view_release(hg_view *view)
{
    hg_text_release(&view->note);
    hg_arena_release(&view->arena);
}
