# SPDX-License-Identifier: BSD-3-Clause
"""Lines and branches of core/ that a coverage build has run, room by room.

    coverage.py SOURCE BUILD    reads what gcov knows; writes BUILD/untaken.txt; fails below the figures and where a room
                                was not measured
"""
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

LEAST_LINES, LEAST_BRANCHES = 95.0, 85.0


def read_counts(build):
    """Files of core/ with the counts of each line and of each branch of a line, summed over all objects."""
    lines, branches = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    notes = [os.path.join(top, name) for top, _, names in os.walk(os.path.join(os.path.abspath(build), "core")) for name in names if name.endswith(".gcda")]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--json-format", "--branch-probabilities", *notes], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        for name in os.listdir(folder):
            with gzip.open(os.path.join(folder, name)) as file:
                for source in json.load(file)["files"]:
                    path = source["file"]
                    at = path.find("core/")
                    if at < 0 or not path.endswith(".c"):
                        continue
                    path = path[at:]
                    for line in source["lines"]:
                        lines[path][line["line_number"]] += line["count"]
                        for i, branch in enumerate(line["branches"]):
                            branches[path][line["line_number"], i] += branch["count"]
    return lines, branches


def share(counts):
    return 100.0 * sum(count > 0 for count in counts) / len(counts) if counts else 100.0


def main(source, build):
    lines, branches = read_counts(build)
    rooms = sorted("core/" + name for name in os.listdir(os.path.join(source, "core")) if os.path.isdir(os.path.join(source, "core", name)))
    unmeasured = [room for room in rooms if not any(os.path.dirname(path) == room for path in lines)]
    is_good = bool(rooms) and not unmeasured
    print("%-14s %8s %8s %9s %9s" % ("room", "lines", "%", "branches", "%"))
    for room in sorted({*rooms, *map(os.path.dirname, lines)} - {*unmeasured}):
        room_lines = [count for path in lines if os.path.dirname(path) == room for count in lines[path].values()]
        room_branches = [count for path in branches if os.path.dirname(path) == room for count in branches[path].values()]
        is_good = is_good and share(room_lines) >= LEAST_LINES and share(room_branches) >= LEAST_BRANCHES
        print("%-14s %8d %8.1f %9d %9.1f" % (room, len(room_lines), share(room_lines), len(room_branches), share(room_branches)))
    for room in unmeasured:
        print("%-14s not measured: no object of it counts" % room)
    with open(os.path.join(build, "untaken.txt"), "w") as file:
        for path in sorted(lines):
            with open(os.path.join(source, path)) as text:
                words = text.read().split("\n")
            missing = {n for n, count in lines[path].items() if count == 0}
            missing |= {n for (n, _), count in branches[path].items() if count == 0}
            for n in sorted(missing):
                kind = "line" if lines[path][n] == 0 else "branch"
                print("%s:%d: %s: %s" % (path, n, kind, words[n - 1].strip()), file=file)
    print("what stays untaken: %s" % os.path.join(build, "untaken.txt"))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
