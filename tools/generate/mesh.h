/* SPDX-License-Identifier: BSD-3-Clause */
/* Delaunay triangulation of points in a plane, and barycentric weights in it. */
#ifndef CLI_GENERATE_MESH_H
#define CLI_GENERATE_MESH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_mesh cli_mesh;

/** n points; no three of them on a line and no four on a circle, as small random shifts see to. */
int cli_mesh_new(const double *y, const double *x, int64_t n, cli_mesh **mesh);
void cli_mesh_free(cli_mesh *mesh);

/** Triangle that holds a point: its corners and their weights, which add up to 1. Outside the mesh:
 *  false, and the nearest point is corner[0] with weight 1. */
bool cli_mesh_locate(cli_mesh *mesh, double y, double x, int64_t corner[3], double weight[3]);

#endif
