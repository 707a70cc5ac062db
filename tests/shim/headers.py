"""Heddle's headers and those of a CUDA toolkit: where they are, what they declare, and what programs say of them."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess


# C++ that prints a type beside its name
TYPE_WRITER = r"""
#include <cxxabi.h>
#include <cstdio>
#include <typeinfo>
template <class T> void type(const char* name) {
    int status = 0;
    std::printf("%s\t%s\n", name, abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status));
}
"""


def arguments():
    """The command line of a script that compares them: a compiler, and the folder of heddle's headers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--include", required=True, type=pathlib.Path, help="the folder of heddle's headers")
    return parser.parse_args()


def toolkit():
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return pathlib.Path(nvcc).resolve().parent.parent / "include"


def use_stand_ins():
    """Compilers read stand_ins/ in the place of the headers of OpenGL, EGL and VDPAU, which few machines have."""
    os.environ["CPATH"] = str(pathlib.Path(__file__).resolve().parent / "stand_ins")


def preprocessed(compiler, include, header, *options):
    return subprocess.run([compiler, "-E", *options, "-x", "c++", f"-I{include}", include / header], check=True,
                          capture_output=True, text=True).stdout


def own_text(text, include):
    """The lines of a preprocessed header that are of the folder, without those of the system."""
    lines, wanted = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            wanted = marker[1].startswith(str(include))
        elif wanted:
            lines.append(line)
    return "\n".join(lines)


def printed(compiler, include, source, binary):
    """What the program prints when it is compiled with one of the headers."""
    subprocess.run([compiler, "-w", "-O0", f"-I{include}", source, "-o", binary], check=True)
    return subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
