#!/usr/bin/env python3
"""Compares the names that heddle's libraries export with those of the headers of a CUDA toolkit.

Every function that the headers declare must be in the library, under the names that their macros give it: forms of other
versions (_v2), and forms for per-thread default streams (_ptsz, _ptds).
Exit status 77: there is no CUDA toolkit on this machine.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from headers import toolkit

BLAS = ["cublas_api.h", "cublasXt.h"]
RAND = ["curand.h"]
DRIVER = ["cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cudaProfiler.h"]
RUNTIME = ["cuda_runtime_api.h", "cuda_gl_interop.h", "cuda_egl_interop.h", "cuda_vdpau_interop.h", "cuda_profiler_api.h"]


def declared(text, result, prefix):
    """Names of functions in the text of a header."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = text.replace("\\\n", " ")
    calling = "(?:CUDAAPI|CUDARTAPI(?:_CDECL)?|CUBLASWINAPI|CURANDAPI)"
    names = set(re.findall(result + r"\s+" + calling + r"\s+(" + prefix + r"[A-Z]\w*)\s*\(", text))
    for new in re.findall(r"#\s*define\s+" + prefix + r"[A-Z]\w*\s+(" + prefix + r"[A-Z]\w*)\s*\n", text):
        if re.search(r"_v\d+$", new):
            names.add(new)
    for name, ending in [(n, e.lower()) for e, n in re.findall(r"__CUDA(?:RT)?_API_(PTDS|PTSZ)\((\w+)\)", text)]:
        if name.startswith(prefix):
            names |= {name, f"{name}_{ending}"}
    return names


def exported(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[2].partition("@")[0] for line in listing.splitlines() if line.split()[1] in "TW"}


def missing(library, headers, files, result, prefix, least):
    wanted = set().union(*(declared((headers / f).read_text(errors="replace"), result, prefix) for f in files if (headers / f).exists()))
    if len(wanted) < least:
        return [f"only {len(wanted)} functions were found in {headers}: their form has changed"]
    return sorted(name for name in wanted - exported(library) if "WGL" not in name)  # of Windows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lib-dir", required=True, type=pathlib.Path)
    options = parser.parse_args()
    headers = toolkit()
    if not (headers / "cuda.h").exists():
        print("skipped: no CUDA toolkit on this machine")
        sys.exit(77)
    failed = False
    for library, files, result, prefix, least in (("libcuda.so.1", DRIVER, "CUresult", "cu", 200),
                                                  ("libcudart.so.13", RUNTIME, "cudaError_t", "cuda", 200),
                                                  ("libcublas.so.13", BLAS, "cublasStatus_t", "cublas", 400),
                                                  ("libcurand.so.10", RAND, "curandStatus_t", "curand", 20)):
        if not (headers / files[0]).exists():
            print(f"{library}: skipped, the toolkit has no {files[0]}")
            continue
        names = missing(options.lib_dir / library, headers, files, result, prefix, least)
        print(f"{library}: " + ("every name" if not names else f"{len(names)} names are not there: {' '.join(names)}"))
        failed |= bool(names)
    sys.exit(failed)


main()
