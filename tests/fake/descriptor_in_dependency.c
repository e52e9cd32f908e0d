/* SPDX-License-Identifier: BSD-3-Clause */
/* Has no descriptor; the library that it links to has a good one. */
extern int fake_dependency_answer(void);
extern __attribute__((visibility("default"))) int fake_question(void);

int fake_question(void)
{
    return fake_dependency_answer();
}
