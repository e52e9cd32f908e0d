# SPDX-License-Identifier: BSD-3-Clause
"""Configurations of 1 MiB that repeat one thing: what takes more than linear time would show.

    large.py FOLDER
"""
import sys

SIZE = 1 << 20
HEAD = "version: 1\n"

# Repeated at the start of a file, behind its version, as a value and inside a list.
PIECES = {
    "aliases": "*a ", "anchors": "&a ", "apostrophes": "''", "backslashes": '"\\x00', "bars": "|\n", "colons": ":",
    "commas": ",", "crlf": "\r\n", "directives": "%YAML 1.1\n", "documents": "---\n", "entries": "- ", "flow_lists": "[",
    "flow_maps": "{", "flow_pairs": "{a: ", "folded": ">\n x\n\n", "hashes": "#", "keys": "a: ", "newlines": "\n",
    "next_lines": "\u0085", "plain_lines": "x\n", "questions": "? ", "quotes": '"', "same_key": HEAD, "spaces": " ",
    "tags": "!a!b ", "wide": "\U0001F600",
}

# What goes on from line to line: a head and line i.
LINES = {
    "lists": ("plugins: {path: [", lambda i: "/p%d," % i),
    "long_keys": ("", lambda i: "x" * 4000 + "%d: 1\n" % i),
    "long_values": ("plugins: {x: {options: {\n", lambda i: "k%d: %s,\n" % (i, "v" * 4000)),
    "options": ("plugins: {x: {options: {\n", lambda i: "k%d: v,\n" % i),
    "sections": ("", lambda i: " " * (i % 14) + "log:\n"),
    "unknown": ("", lambda i: "key%d: 1\n" % i),
}


def write(name, text):
    with open("%s/%s" % (sys.argv[1], name), "w", newline="") as f:
        f.write(text)


for name, piece in PIECES.items():
    body = piece * ((SIZE - 60) // len(piece.encode()))
    for number, front in enumerate(("", HEAD, HEAD + "threads: ", HEAD + "plugins: {path: [")):
        write("%s-%d" % (name, number), front + body)
for name, (front, line) in LINES.items():
    parts, size, i = [HEAD, front], 60, 0
    while size < SIZE - 5000:
        parts.append(line(i))
        size += len(parts[-1])
        i += 1
    write(name, "".join(parts))
