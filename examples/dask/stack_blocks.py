# SPDX-License-Identifier: BSD-3-Clause
"""Phase linking of a stack in blocks of points, and migration by groups of sources, with Dask.

Needs: pip install ./python 'dask[array]'. Works with every scheduler: threads (the engine of a process serves them all),
processes made by fork or by spawn, and distributed workers. Dask does the dividing, so an engine takes one thread.
"""

import dask
import dask.array as da
import numpy as np

import headgate

ONE_THREAD = {"threads.max": 1}  # of each call; as many calls run at once as Dask has workers


def link(coh):
    """Phases of a block of points, packed coherences (P, n(n-1)/2) to (P, n)."""
    return headgate.shared_engine(ONE_THREAD).emi(np.ascontiguousarray(coh)).phase


def link_blocks(coh):
    """The same for a Dask array with blocks along the points alone."""
    n = (1 + int(np.sqrt(1 + 8 * coh.shape[1]))) // 2
    return coh.map_blocks(link, chunks=(coh.chunks[0], (n,)), dtype=coh.dtype, meta=np.empty((0, 0), coh.dtype))


@dask.delayed
def migrate(trav_src, trav_rec, data, scalars):
    """Image of a group of sources."""
    engine = headgate.shared_engine(ONE_THREAD)
    return engine.kirchhoff_adjoint(data, trav_src=trav_src, trav_rec=trav_rec, station_major=True, **scalars)


@dask.delayed
def add(images):
    """In the order of the list, in float64: the same bits whichever worker was quicker."""
    return np.sum(np.stack(images), axis=0, dtype="f8").astype(images[0].dtype)


def migrate_groups(trav_src, trav_rec, data, group, **scalars):
    """Image of all sources; tables by station, (ns, ni) and (nr, ni), data (ns, nr, nt)."""
    parts = [slice(first, first + group) for first in range(0, len(trav_src), group)]
    return add([migrate(trav_src[part], trav_rec, data[part], scalars) for part in parts])


def main():
    rng = np.random.default_rng(3)
    points, n = 5000, 12
    i, j = np.triu_indices(n, 1)
    angle = rng.uniform(-3, 3, (points, n))
    coh = ((0.2 + 0.7 * np.exp(-(j - i) / 4)) * np.exp(1j * (angle[:, i] - angle[:, j]))).astype("c8", order="C")
    phase = link_blocks(da.from_array(coh, chunks=(1024, -1))).compute(scheduler="threads")
    error = np.abs(np.angle(phase * np.exp(-1j * (angle - angle[:, :1])))).max()
    print(f"{points} points in blocks of 1024: largest error {error:.1e} rad")


if __name__ == "__main__":
    main()
