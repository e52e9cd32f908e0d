# SPDX-License-Identifier: BSD-3-Clause
"""The documentation against the code: keys, messages, functions, statuses, links. See check_docs.sh.

    docs.py SOURCE HEADGATE            compares
    docs.py SOURCE HEADGATE --write    writes doc/configuration.md anew
"""

import json
import re
import subprocess
import sys
from pathlib import Path

SOURCE, HEADGATE = Path(sys.argv[1]), sys.argv[2]
DOC, MAN = SOURCE / "doc", SOURCE / "doc" / "man"
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "python" / "README.md", *sorted(DOC.glob("*.md"))]
wrong = []

HEAD = """# Every configuration key

Keys go into a YAML file (`HEADGATE_CONFIG`, else `headgate.yaml` in the folder of the installation's settings), into
the environment (`HEADGATE_SET="key=value; key=value"`, or the variable named below), or into a call (`hgate_config_set`,
`Engine({...})` in Python). A call wins over the environment, the environment over the file, key by key; what any of them
switches off stays off. `headgate config show` prints what is in force and where it came from.

A name in `<>` stands for one of your choice. "set by" tells which of the three may set a key. This table is made by
`tests/docs.py` from the table in the code, and a test compares them.
"""


def cell(text):
    return text.replace("|", "\\|")


def configuration():
    """The page as `headgate config list` has it, a table for each section."""
    keys = json.loads(subprocess.run([HEADGATE, "config", "list", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    page, section = [HEAD], None
    for key in keys["keys"]:
        name = key["key"]
        word = name.split(".")[0]
        if word != section:
            section = word
            page.append(f"\n## {section}\n\n| key | default | values | set by | meaning |\n")
            page.append("| --- | --- | --- | --- | --- |\n")
        default = f"`{key['default']}`" if key["default"] is not None else "none"
        where = key["where"].replace(" ", ", ") + (f", `{key['variable']}`" if key["variable"] else "")
        page.append(f"| `{name}` | {default} | {cell(key['values'])} | {where} | {cell(key['help'])} |\n")
    return "".join(page)


def check_configuration():
    path, page = DOC / "configuration.md", configuration()
    if "--write" in sys.argv:
        path.write_text(page)
    elif path.read_text() != page:
        wrong.append("doc/configuration.md is not what the key table says; run tests/docs.py with --write")


def texts_of_the_code():
    """String literals of the sources, neighbours joined, formats as gaps."""
    kept = []
    kinds = {"core": "*.[ch]", "plugins": "*.[ch]", "tools": "*.c", "python/headgate": "*.py"}
    for folder, pattern in kinds.items():
        for path in (SOURCE / folder).rglob(pattern):
            text = re.sub(r'"\s*(?:PRI\w+\s*)?f?"', "", path.read_text())
            kept.append(text.replace('\\"', '"'))
    return "\n".join(kept)


def check_messages():
    code = texts_of_the_code()
    page = (DOC / "troubleshooting.md").read_text()
    headings = re.findall(r"^### `(.*)`$", page, flags=re.M)
    for heading in headings:
        pieces = [piece.strip() for piece in heading.split("…") if len(piece.strip(" :;,")) > 2]
        foreign = heading.startswith("cannot allocate memory in static TLS")  # the loader's own words
        missing = [piece for piece in pieces if piece not in code]
        if (missing or not pieces) and not foreign:
            wrong.append(f"doc/troubleshooting.md: no message has {missing or heading}")
    if len(headings) < 20:
        wrong.append("doc/troubleshooting.md: the messages were not found")


def check_mpi():
    """libheadgate-mpi has a page of its own."""
    header = (SOURCE / "include" / "headgate" / "mpi.h").read_text()
    page = (MAN / "headgate-mpi.3").read_text()
    public = set(re.findall(r"HGATE_API[^;(]*?\b(hgate_\w+)\s*\(", header))
    told = set(re.findall(r"\bhgate_mpi_\w+", page)) - {"hgate_mpi_options"}
    if public != told or len(public) < 10:
        wrong.append(f"headgate-mpi.3 and mpi.h differ: {sorted(public ^ told)}")


def check_functions():
    paths = (SOURCE / "include" / "headgate").glob("*.h*")
    headers = "\n".join(path.read_text() for path in paths if path.name != "mpi.h")
    public = set(re.findall(r"HGATE_API[^;(]*?\b(hgate_\w+)\s*\(", headers))
    operations = set(re.findall(r"^    X\(\w+, (\w+), \w+\)", headers, flags=re.M))
    forms = {f"hgate_{op}_{form}" for op in operations for form in ("plan", "run", "explain")}
    page = (MAN / "headgate.3").read_text()
    for name in sorted(public - forms):
        if not re.search(rf"\b{name}\b", page):
            wrong.append(f"headgate.3 has no {name}")
    for name in re.findall(r"\bhgate_\w+", page):
        if name not in public and not re.fullmatch(r"hgate_(options|engine|exec|emi_params|status|_?)", name):
            wrong.append(f"headgate.3 has {name}, which is no function")
    header = (SOURCE / "include" / "headgate" / "status.h").read_text()
    for status in re.findall(r"^    (HGATE_\w+) = -?\d+", header, flags=re.M):
        if status not in page:
            wrong.append(f"headgate.3 has no {status}")
    if len(public) < 100 or len(operations) < 20:
        wrong.append("the headers were not understood")


def check_links():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if not target.startswith("http") and not (page.parent / target).exists():
                wrong.append(f"{page.relative_to(SOURCE)}: no {target}")


def check_manuals():
    for page in MAN.iterdir():
        for name, section in re.findall(r"^\.BR (headgate[\w.\\-]*) \((\d)\)", page.read_text(), flags=re.M):
            name = name.replace("\\", "")
            if not (MAN / f"{name}.{section}").exists():
                wrong.append(f"{page.name}: no {name}({section})")


def check_console_blocks():
    """Blocks that no test runs are what continuous integration does."""
    runs = (SOURCE / ".ci" / "run").read_text() + (SOURCE / "setup.sh").read_text()
    for page in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), flags=re.M | re.S):
            for line in block.splitlines():
                command = line.split("#")[0].split("&&")[0].strip()
                if command not in runs:
                    wrong.append(f"{page.name}: continuous integration does not run {command}")


for check in (check_console_blocks, check_configuration, check_messages, check_functions, check_mpi, check_links, check_manuals):
    check()
print("\n".join(wrong) or "keys, messages, functions, statuses, links: as in the code")
sys.exit(bool(wrong))
