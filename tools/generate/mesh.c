/* SPDX-License-Identifier: BSD-3-Clause */
/* Delaunay triangulation by insertion and edge flips (Lawson 1977), points found by walking. */
#include "tools/generate/mesh.h"

#include "core/base/alloc.h"
#include "core/base/error.h"

#include <math.h>

/* Corners counter-clockwise; next[i] is the triangle beyond the edge opposite corner i, or -1. */
typedef struct triangle {
    int64_t corner[3];
    int64_t next[3];
} triangle;

struct cli_mesh {
    double *y, *x; /* n points, then the three corners of a triangle around all of them */
    int64_t n;
    triangle *triangles;
    int64_t n_triangles;
    int64_t *stack; /* triangles whose edge opposite the new point may have to be flipped */
    int64_t last;   /* where the next walk begins */
};

/* Twice the area of a, b, p: positive when p lies left of a -> b. */
static double side(const cli_mesh *mesh, int64_t a, int64_t b, double py, double px)
{
    return (mesh->x[b] - mesh->x[a]) * (py - mesh->y[a]) -
           (mesh->y[b] - mesh->y[a]) * (px - mesh->x[a]);
}

/* Is point p inside the circle through the corners of t? */
static bool in_circle(const cli_mesh *mesh, const triangle *t, int64_t p)
{
    double dy[3], dx[3], square[3];
    for (int i = 0; i < 3; i++) {
        dy[i] = mesh->y[t->corner[i]] - mesh->y[p];
        dx[i] = mesh->x[t->corner[i]] - mesh->x[p];
        square[i] = dy[i] * dy[i] + dx[i] * dx[i];
    }
    return dx[0] * (dy[1] * square[2] - dy[2] * square[1]) -
               dy[0] * (dx[1] * square[2] - dx[2] * square[1]) +
               square[0] * (dx[1] * dy[2] - dx[2] * dy[1]) >
           0.0;
}

/* Walks towards a point and returns the triangle that holds it. */
static int64_t walk(cli_mesh *mesh, double py, double px)
{
    int64_t at = mesh->last;
    for (int64_t step = 0; step < 4 * mesh->n_triangles; step++) {
        const triangle *t = &mesh->triangles[at];
        int out = -1;
        for (int k = 0; k < 3 && out < 0; k++) {
            const int i =
                (int)((step + k) % 3); /* turning the order keeps it from going in circles */
            if (t->next[i] >= 0 &&
                side(mesh, t->corner[(i + 1) % 3], t->corner[(i + 2) % 3], py, px) < 0.0) {
                out = i;
            }
        }
        if (out < 0) {
            break;
        }
        at = t->next[out];
    }
    mesh->last = at;
    return at;
}

static int index_of(const int64_t *three, int64_t value)
{
    return three[0] == value ? 0 : three[1] == value ? 1 : 2;
}

static void relink(cli_mesh *mesh, int64_t at, int64_t from, int64_t to)
{
    if (at >= 0) {
        mesh->triangles[at].next[index_of(mesh->triangles[at].next, from)] = to;
    }
}

/* Triangle t has the new point p as corner 0. Swaps the diagonal of t and its neighbour u, so that
 * p is a corner of both. */
static void flip(cli_mesh *mesh, int64_t t, int64_t u)
{
    triangle *a = &mesh->triangles[t], *b = &mesh->triangles[u];
    const int j = index_of(b->next, t);
    const int64_t p = a->corner[0], q = a->corner[1], r = a->corner[2], far = b->corner[j];
    const int64_t beyond_rp = a->next[1], beyond_pq = a->next[2];
    const int64_t beyond_qf = b->next[index_of(b->corner, r)];
    const int64_t beyond_fr = b->next[index_of(b->corner, q)];
    *a = (triangle){{p, q, far}, {beyond_qf, u, beyond_pq}};
    *b = (triangle){{p, far, r}, {beyond_fr, beyond_rp, t}};
    relink(mesh, beyond_qf, u, t);
    relink(mesh, beyond_rp, t, u);
}

static void insert(cli_mesh *mesh, int64_t p)
{
    const int64_t t = walk(mesh, mesh->y[p], mesh->x[p]);
    const triangle old = mesh->triangles[t];
    const int64_t parts[3] = {t, mesh->n_triangles, mesh->n_triangles + 1};
    mesh->n_triangles += 2;
    for (int i = 0; i < 3; i++) {
        mesh->triangles[parts[i]] =
            (triangle){{p, old.corner[(i + 1) % 3], old.corner[(i + 2) % 3]},
                       {old.next[i], parts[(i + 1) % 3], parts[(i + 2) % 3]}};
        relink(mesh, old.next[i], t, parts[i]);
    }
    int64_t depth = 0;
    for (int i = 0; i < 3; i++) {
        mesh->stack[depth++] = parts[i];
    }
    while (depth > 0) {
        const int64_t at = mesh->stack[--depth];
        const int64_t other = mesh->triangles[at].next[0];
        if (other >= 0 && depth + 2 <= 2 * mesh->n + 8 &&
            in_circle(mesh, &mesh->triangles[other], p)) {
            flip(mesh, at, other);
            mesh->stack[depth++] = at;
            mesh->stack[depth++] = other;
        }
    }
}

/* A triangle so far out that it hardly changes the circles of the points inside. */
static void surround(cli_mesh *mesh)
{
    double lowest[2] = {INFINITY, INFINITY}, highest[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < mesh->n; i++) {
        lowest[0] = fmin(lowest[0], mesh->y[i]);
        highest[0] = fmax(highest[0], mesh->y[i]);
        lowest[1] = fmin(lowest[1], mesh->x[i]);
        highest[1] = fmax(highest[1], mesh->x[i]);
    }
    const double span = 1e4 * (1.0 + fmax(highest[0] - lowest[0], highest[1] - lowest[1]));
    const double cy = 0.5 * (lowest[0] + highest[0]), cx = 0.5 * (lowest[1] + highest[1]);
    static const double corner[3][2] = {{-1.0, -1.7}, {-1.0, 1.7}, {2.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        mesh->y[mesh->n + i] = cy + span * corner[i][0];
        mesh->x[mesh->n + i] = cx + span * corner[i][1];
    }
    mesh->triangles[0] = (triangle){{mesh->n, mesh->n + 1, mesh->n + 2}, {-1, -1, -1}};
    mesh->n_triangles = 1;
}

int cli_mesh_new(const double *y, const double *x, int64_t n, cli_mesh **out)
{
    const size_t points = (size_t)n + 3;
    cli_mesh *mesh = hg_calloc(NULL, 1, sizeof *mesh);
    if (mesh) {
        mesh->n = n;
        mesh->y = hg_calloc(NULL, points, sizeof *mesh->y);
        mesh->x = hg_calloc(NULL, points, sizeof *mesh->x);
        mesh->triangles = hg_calloc(NULL, 2 * points, sizeof *mesh->triangles);
        mesh->stack = hg_calloc(NULL, 2 * points + 8, sizeof *mesh->stack);
    }
    if (!mesh || !mesh->y || !mesh->x || !mesh->triangles || !mesh->stack) {
        cli_mesh_free(mesh);
        return hg_error_memory("mesh", points * sizeof(triangle));
    }
    for (int64_t i = 0; i < n; i++) {
        mesh->y[i] = y[i];
        mesh->x[i] = x[i];
    }
    surround(mesh);
    for (int64_t i = 0; i < n; i++) {
        insert(mesh, i);
    }
    *out = mesh;
    return HGATE_OK;
}

void cli_mesh_free(cli_mesh *mesh)
{
    if (mesh) {
        hg_free(NULL, mesh->y);
        hg_free(NULL, mesh->x);
        hg_free(NULL, mesh->triangles);
        hg_free(NULL, mesh->stack);
        hg_free(NULL, mesh);
    }
}

static int64_t nearest(const cli_mesh *mesh, double py, double px)
{
    int64_t best = 0;
    double least = INFINITY;
    for (int64_t i = 0; i < mesh->n; i++) {
        const double dy = mesh->y[i] - py, dx = mesh->x[i] - px;
        if (dy * dy + dx * dx < least) {
            least = dy * dy + dx * dx;
            best = i;
        }
    }
    return best;
}

bool cli_mesh_locate(cli_mesh *mesh, double y, double x, int64_t corner[3], double weight[3])
{
    const triangle *t = &mesh->triangles[walk(mesh, y, x)];
    double sum = 0.0;
    bool is_inside = true;
    for (int i = 0; i < 3; i++) {
        corner[i] = t->corner[i];
        is_inside = is_inside && corner[i] < mesh->n;
        weight[i] = side(mesh, t->corner[(i + 1) % 3], t->corner[(i + 2) % 3], y, x);
        sum += weight[i];
    }
    if (!is_inside || sum <= 0.0) {
        corner[0] = nearest(mesh, y, x);
        weight[0] = 1.0;
        return false;
    }
    for (int i = 0; i < 3; i++) {
        weight[i] /= sum;
    }
    return true;
}
