// SPDX-License-Identifier: BSD-3-Clause
// Mapping of plugin files: what the system refuses, where the descriptor has to lie, what the
// process remembers.
#include "core/plugin/loaded.h"
#include "core/plugin/open.h"

#include "tests/harness.h"
#include "tests/plugin_files.h"

#include <elf.h>
#include <headgate/headgate.h>

static char top[path_bytes];
static hg_text why;

static void setup(void)
{
    make_folder(top);
    why = hg_text_growing(NULL);
    ck_assert_int_eq(hg_loader_lock(), HGATE_OK);
}

static void teardown(void)
{
    hg_loader_unlock();
    hg_text_release(&why);
    remove_folder(top);
}

static hg_vetted vetted(const char *path)
{
    hg_vetted file;
    hg_text unused = hg_text_growing(NULL);
    int status = hg_vet(path, "/", true, &file, &unused);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%s: %s", path, unused.data);
    hg_text_release(&unused);
    return file;
}

static int take(const char *path, hg_loaded **out)
{
    hg_vetted file = vetted(path);
    hg_text_clear(&why);
    int status = hg_loaded_take(&file, out, &why);
    hg_vetted_release(&file);
    return status;
}

// ---- files that are no plugins

static const struct broken {
    const char *name;
    int status;
    const char *cause;
} broken[] = {
    {"no-descriptor", HGATE_PLUGIN_NO_DESCRIPTOR, "undefined symbol: hgate_plugin_descriptor"},
    {"descriptor-in-dependency", HGATE_PLUGIN_NO_DESCRIPTOR, "only "},
    {"unresolved-symbol", HGATE_PLUGIN_LOAD_FAILED, "hgate_fake_that_nobody_has"},
    {"bad-magic", HGATE_PLUGIN_BAD_MAGIC, "\"HGATEPLX\""},
    {"abi-other-major", HGATE_PLUGIN_BAD_ABI, "built for plugin ABI 2"},
    {"size-lie-small", HGATE_PLUGIN_BAD_SIZE, "says 24 bytes"},
    {"size-lie-big", HGATE_PLUGIN_BAD_SIZE, "its symbol has"},
    {"null-kernel", HGATE_PLUGIN_MALFORMED, "kernel 1: is NULL"},
    {"dup-kernel", HGATE_PLUGIN_MALFORMED, "are called only"},
    {"bad-name", HGATE_PLUGIN_MALFORMED, "\"fake Bad\\x0a\""},
    {"null-run", HGATE_PLUGIN_MALFORMED, "kernel 1 (idle): run is NULL"},
};

START_TEST(a_broken_plugin_is_refused_every_time_alike)
{
    const struct broken *row = &broken[_i];
    char first[1024];
    for (int round = 0; round < 2; round++) {
        hg_loaded *loaded = (void *)top;
        int status = take(fake(row->name), &loaded);
        ck_assert_msg(status == row->status, "%s: %d, %s", row->name, status, why.data);
        ck_assert_msg(strstr(why.data, row->cause), "%s: %s", row->name, why.data);
        ck_assert_ptr_eq(loaded, (void *)top);
        if (round == 0) {
            snprintf(first, sizeof first, "%s", why.data);
        }
        ck_assert_str_eq(why.data, first);
    }
}
END_TEST

START_TEST(only_the_files_own_descriptor_counts)
{
    hg_vetted file = vetted(fake("descriptor-in-dependency"));
    hg_object object;
    ck_assert_int_eq(hg_object_open(&file, &object, &why), HGATE_PLUGIN_NO_DESCRIPTOR);
    ck_assert_ptr_nonnull(object.handle);
    ck_assert_ptr_null(object.descriptor);
    ck_assert_ptr_nonnull(strstr(why.data, "libfake-dependency.so has"));
    hg_vetted_release(&file);
}
END_TEST

// Bytes of the good plugin, spoilt before they reach the disk.
static char *good_bytes(size_t *n)
{
    FILE *file = fopen(fake("good"), "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*n);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

START_TEST(what_is_no_shared_object_of_this_machine_is_refused)
{
    size_t n;
    char *bytes = good_bytes(&n);
    Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
    static const char script[] = "#!/bin/sh\necho I am no library\n";
    switch (_i) {
    case 0:
        write_file(in(top, "headgate-x.so"), "", 0);
        break;
    case 1:
        write_file(in(top, "headgate-x.so"), script, sizeof script - 1);
        break;
    case 2:
        header->e_machine = header->e_machine == EM_S390 ? EM_SPARC : EM_S390;
        write_file(in(top, "headgate-x.so"), bytes, n);
        break;
    case 3:
        header->e_ident[EI_CLASS] = ELFCLASS32;
        write_file(in(top, "headgate-x.so"), bytes, n);
        break;
    case 4:
        write_file(in(top, "headgate-x.so"), bytes, 100);
        break;
    case 5: // a copy that was broken off: whole headers, but half of what they promise
        write_file(in(top, "headgate-x.so"), bytes, n / 4);
        break;
    default:
        header->e_type = ET_REL;
        write_file(in(top, "headgate-x.so"), bytes, n);
        break;
    }
    free(bytes);
    hg_loaded *loaded;
    ck_assert_int_eq(take(in(top, "headgate-x.so"), &loaded), HGATE_PLUGIN_LOAD_FAILED);
    ck_assert_ptr_nonnull(strstr(why.data, "headgate-x.so"));
    // nothing was mapped, so a good file may take its place
    ck_assert_int_eq(unlink(in(top, "headgate-x.so")), 0);
    copy_file(fake("good"), in(top, "headgate-x.so"));
    int status = take(in(top, "headgate-x.so"), &loaded);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%s", why.data);
}
END_TEST

// ---- files that change

START_TEST(a_file_exchanged_after_the_check_is_refused)
{
    copy_file(fake("good"), in(top, "headgate-x.so"));
    copy_file(fake("other"), in(top, "swap"));
    hg_vetted file = vetted(in(top, "headgate-x.so"));
    ck_assert_int_eq(rename(in(top, "swap"), in(top, "headgate-x.so")), 0);
    hg_object object;
    ck_assert_int_eq(hg_object_open(&file, &object, &why), HGATE_PLUGIN_PERMISSION);
    ck_assert_ptr_null(object.handle);
    ck_assert_ptr_nonnull(strstr(why.data, "exchanged"));
    hg_vetted_release(&file);
}
END_TEST

// Its constructor does it, which is as late as can be.
START_TEST(a_file_exchanged_while_it_is_loaded_is_refused)
{
    copy_file(fake("swaps-itself"), in(top, "headgate-x.so"));
    copy_file(fake("other"), in(top, "headgate-x.so.new"));
    hg_loaded *loaded = (void *)top;
    ck_assert_int_eq(take(in(top, "headgate-x.so"), &loaded), HGATE_PLUGIN_PERMISSION);
    ck_assert_ptr_eq(loaded, (void *)top);
    ck_assert_ptr_nonnull(strstr(why.data, "exchanged"));
}
END_TEST

// The loader of the system would hand out the old one under the new one's name.
START_TEST(a_new_file_of_a_loaded_path_needs_a_new_process)
{
    copy_file(fake("good"), in(top, "headgate-x.so"));
    hg_loaded *loaded;
    ck_assert_int_eq(take(in(top, "headgate-x.so"), &loaded), HGATE_PLUGIN_USABLE);
    copy_file(fake("other"), in(top, "swap"));
    ck_assert_int_eq(rename(in(top, "swap"), in(top, "headgate-x.so")), 0);
    hg_loaded *second = NULL;
    ck_assert_int_eq(take(in(top, "headgate-x.so"), &second), HGATE_PLUGIN_LOAD_FAILED);
    ck_assert_ptr_nonnull(strstr(why.data, "an earlier file of this path"));
    ck_assert_ptr_null(second);
    ck_assert_str_eq(hg_loaded_view(loaded)->plugin.name, "fake-good");
    hg_loaded_give_back(loaded);
}
END_TEST

START_TEST(one_file_is_one_entry_by_whatever_path)
{
    copy_file(fake("good"), in(top, "headgate-x.so"));
    ck_assert_int_eq(link(in(top, "headgate-x.so"), in(top, "hard.so")), 0);
    ck_assert_int_eq(symlink("headgate-x.so", in(top, "soft.so")), 0);
    hg_loaded *a, *b, *c, *other;
    ck_assert_int_eq(take(in(top, "headgate-x.so"), &a), HGATE_PLUGIN_USABLE);
    ck_assert_int_eq(hg_loaded_users(a), 1);
    ck_assert_int_eq(take(in(top, "hard.so"), &b), HGATE_PLUGIN_USABLE);
    ck_assert_int_eq(take(in(top, "soft.so"), &c), HGATE_PLUGIN_USABLE);
    ck_assert_ptr_eq(a, b);
    ck_assert_ptr_eq(a, c);
    ck_assert_int_eq(hg_loaded_users(a), 3);
    ck_assert_int_eq(take(fake("other"), &other), HGATE_PLUGIN_USABLE);
    ck_assert_ptr_ne(a, other);
    ck_assert_str_eq(hg_loaded_view(other)->plugin.name, "fake-other");
    hg_loaded_give_back(other);
    for (int i = 0; i < 3; i++) {
        hg_loaded_give_back(a);
    }
    ck_assert_int_eq(hg_loaded_users(a), 0);
    ck_assert_int_eq(take(in(top, "headgate-x.so"), &b), HGATE_PLUGIN_USABLE); // still mapped
    ck_assert_ptr_eq(a, b);
    hg_loaded_give_back(b);
}
END_TEST

// ---- versions

START_TEST(older_and_newer_minors_are_taken)
{
    hg_loaded *loaded;
    int status = take(fake("abi-old-minor"), &loaded);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%s", why.data);
    const hg_view *old = hg_loaded_view(loaded);
    ck_assert_uint_eq(old->plugin.n_kernels, 1);
    ck_assert_str_eq(old->plugin.kernels[0]->name, "old");
    ck_assert_double_eq(old->plugin.constants[0]->value, 1e-3);
    // what came later counts as absent
    ck_assert(!old->plugin.pin && !old->plugin.unpin);
    ck_assert(!old->plugin.copy_async && !old->plugin.free_memory);
    status = take(fake("abi-new-minor"), &loaded);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%s", why.data);
    const hg_view *later = hg_loaded_view(loaded);
    ck_assert_uint_eq(later->plugin.n_kernels, 2);
    ck_assert_uint_eq(later->plugin.kernels[0]->flags, HGATE_KERNEL_DETERMINISTIC);
    status = take(fake("unknown-op"), &loaded);
    ck_assert_msg(status == HGATE_PLUGIN_USABLE, "%s", why.data);
    ck_assert_uint_eq(hg_loaded_view(loaded)->plugin.n_kernels, 1);
    ck_assert_str_eq(hg_loaded_view(loaded)->note.data,
                     "kernel 0 (future) is left out: operation 10000 is unknown");
}
END_TEST

START_TEST(the_lock_is_not_taken_twice_by_one_thread)
{
    ck_assert_int_eq(hg_loader_lock(), HGATE_ESTATE);
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), "plugin's own loading"));
    hg_loader_unlock();
    ck_assert_int_eq(hg_loader_lock(), HGATE_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_open");
    TCase *tests = tcase_create("open");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, a_broken_plugin_is_refused_every_time_alike, 0,
                        sizeof broken / sizeof *broken);
    tcase_add_test(tests, only_the_files_own_descriptor_counts);
    tcase_add_loop_test(tests, what_is_no_shared_object_of_this_machine_is_refused, 0, 7);
    tcase_add_test(tests, a_file_exchanged_after_the_check_is_refused);
    tcase_add_test(tests, a_file_exchanged_while_it_is_loaded_is_refused);
    tcase_add_test(tests, a_new_file_of_a_loaded_path_needs_a_new_process);
    tcase_add_test(tests, one_file_is_one_entry_by_whatever_path);
    tcase_add_test(tests, older_and_newer_minors_are_taken);
    tcase_add_test(tests, the_lock_is_not_taken_twice_by_one_thread);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
