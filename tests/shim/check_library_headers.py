#!/usr/bin/env python3
"""Compares heddle's headers of cuBLAS and cuRAND with those of a CUDA toolkit.

Each enumerator of heddle's must have the same value there, and each function the same type: one program is compiled with
either headers and prints both. Exit status 77: there is no CUDA toolkit with these headers on this machine.
"""
import pathlib
import re
import sys
import tempfile

from headers import arguments, preprocessed, printed, toolkit

# In C++ they have a second form; the forms with 64-bit dimensions, which have none, stand for them.
OVERLOADED = {"cublasGemmEx", "cublasGemmBatchedEx", "cublasGemmStridedBatchedEx"}


def names(text, prefix):
    """Enumerators and functions that the text declares."""
    bodies = re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text)
    enumerators = {m for body in bodies for m in re.findall(r"\b([A-Z][A-Z0-9_]+)\s*(?:=|,|$)", body)}
    wanted = re.compile(prefix.upper() + r"_|CUDA_[RC]_|MAJOR_VERSION|MINOR_VERSION|PATCH_LEVEL")
    label = r"(?:__asm__\([^()]*\))?"
    functions = set(re.findall(r"\b(" + prefix + r"[A-Z]\w*)\s*\([^()]*\)\s*" + label + r"\s*;", text))
    return sorted(e for e in enumerators if wanted.match(e)), sorted(functions - OVERLOADED)


def program(header, enumerators, functions):
    lines = [f"#include <{header}>", "#include <cstdio>", "#include <typeinfo>", "int main() {"]
    lines += [f'    std::printf("{e} %lld\\n", static_cast<long long>({e}));' for e in enumerators]
    lines += [f'    std::printf("{f} %s\\n", typeid(decltype({f})).name());' for f in functions]
    return "\n".join(lines + ["}", ""])


def compare(compiler, own, theirs, header, prefix):
    enumerators, functions = names(preprocessed(compiler, own, header, "-P"), prefix)
    if len(enumerators) < 20 or len(functions) < 20:
        return [f"only {len(enumerators)} enumerators and {len(functions)} functions were found in heddle's {header}"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "program.cpp"
        source.write_text(program(header, enumerators, functions))
        pairs = zip(*(printed(compiler, include, source, folder / "program") for include in (own, theirs)))
        problems = [f"{a} in heddle's {header}, {b} in the toolkit's" for a, b in pairs if a != b]
    print(f"{header}: {len(enumerators)} enumerators, {len(functions)} functions, {len(problems)} differ")
    return problems


def main():
    options = arguments()
    theirs = toolkit()
    headers = [(h, p) for h, p in (("cublas_v2.h", "cublas"), ("curand.h", "curand")) if (theirs / h).exists()]
    if not headers:
        print("skipped: no CUDA toolkit with cuBLAS or cuRAND on this machine")
        sys.exit(77)
    problems = [p for h, prefix in headers for p in compare(options.compiler, options.include, theirs, h, prefix)]
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
