/* SPDX-License-Identifier: BSD-3-Clause */
/* Antennas, sources and beams of a radio interferometer. */
#ifndef CLI_GENERATE_SKY_H
#define CLI_GENERATE_SKY_H

#include "tools/case.h"

/** antpos (nant, 3): a hexagon of dishes 14.6 m apart in three sectors, shifted against each other.
 */
int cli_hex_array(cli_array *antpos, cli_random *random);
/** crd (3, nsrc): directions all over the sphere; flux (nsrc): counts that fall as S^-2.5 from 0.1
 * to 100 Jy. Either may be NULL. */
void cli_sky(cli_array *crd, cli_array *flux, cli_random *random);
/** grid (nbeam, nax, nfeed, nza, naz): dishes with crossed dipoles, each beam its own size, tilt
 * and gain; daz, dza (nbeam): steps of a grid that holds both ends of each axis. */
void cli_beam_grid(cli_array *grid, cli_array *daz, cli_array *dza, double frequency,
                   cli_random *random, struct cli_progress *progress);

#endif
