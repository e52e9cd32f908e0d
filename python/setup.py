# SPDX-License-Identifier: BSD-3-Clause
"""Remembers the build beside the source tree, so that the package works before `make install`; see pyproject.toml."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

BUILD = Path(__file__).resolve().parent.parent / "build"
LIBRARY, PLUGINS = BUILD / ".libs" / "libheadgate.so", BUILD / "plugins" / ".libs"


class BuildPy(build_py):
    """Adds headgate/_tree.py where there is a build; headgate/_find.py reads it last."""

    def run(self):
        super().run()
        if LIBRARY.exists():
            text = f"LIBRARY, PLUGINS = {str(LIBRARY)!r}, {str(PLUGINS)!r}\n"
            (Path(self.build_lib) / "headgate" / "_tree.py").write_text(text)


setup(cmdclass={"build_py": BuildPy})
