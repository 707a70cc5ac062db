"""Plug-ins for tests: those that `heddle new` writes, and those of a source.

With HEDDLE_PREFIX, they are built against the heddle that is installed there.
"""
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile

from case import HEDDLE

PREFIX = pathlib.Path(os.environ.get("HEDDLE_PREFIX", HEDDLE.parent.parent))
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="heddle-plugins-"))
SOURCES = pathlib.Path(__file__).with_name("plugins")


def remove():
    shutil.rmtree(FOLDER, ignore_errors=True)


def build(folder):
    commands = [["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}"],
                ["cmake", "--build", folder / "build", "-j1"]]
    for command in commands:
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stdout)


@functools.cache
def plugin(kind):
    """The plug-in that `heddle new KIND my-KIND` writes, built."""
    folder = FOLDER / kind
    subprocess.run([str(HEDDLE), "new", kind, f"my-{kind}", "--folder", str(folder)], check=True, stdout=subprocess.DEVNULL)
    build(folder)
    return folder / "build" / f"my_{kind}.so"


def project(name, code):
    """A plug-in of this source, built."""
    folder = FOLDER / name
    folder.mkdir()
    (folder / f"{name}.cpp").write_text(code)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nenable_testing()\n"
                                           f"find_package(heddle REQUIRED)\nheddle_add_plugin({name} {name}.cpp)\n")
    build(folder)
    return folder / "build" / f"{name}.so"


def mark(name):
    return f'#include "config/plugin.h"\nHEDDLE_PLUGIN("{name}", "test")\n'


@functools.cache
def of_source(name):
    """The plug-in of plugins/NAME.cpp."""
    return project(name, (SOURCES / f"{name}.cpp").read_text())
