// SPDX-License-Identifier: BSD-3-Clause
// What belongs to the host process and must be as before: a picture of it, and the comparison.
#ifndef HG_TESTS_GUEST_STATE_H
#define HG_TESTS_GUEST_STATE_H

/// Everything as text, a line for each thing; free() it.
char *guest_state(void);

/// Fails the test at the first line that differs from `before`, and frees it.
void guest_expect(char *before);

#endif
