#!/usr/bin/env python3
"""Compares the types of pointers to functions in heddle's cudaTypedefs.h with those of a CUDA toolkit.

Each type that the toolkit's header has without __CUDA_API_VERSION_INTERNAL must be there and be the same, in C++ and in C.
Exit status 77: there is no CUDA toolkit on this machine.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from headers import TYPE_WRITER, arguments, own_text, preprocessed, printed, toolkit

HEADER = "cudaTypedefs.h"
# Types that the toolkit declares twice, for the runtime and for the driver, and heddle once
SHARED = {
    "cudaDeviceAttr": "CUdevice_attribute_enum",
    "cudaGraphEdgeData_st": "CUgraphEdgeData_st",
    "cudaGraphExecUpdateResult": "CUgraphExecUpdateResult_enum",
    "cudaGraphMemAttributeType": "CUgraphMem_attribute_enum",
    "cudaLaunchAttributeID": "CUlaunchAttributeID_enum",
    "cudaLaunchAttributeValue": "CUlaunchAttributeValue_union",
    "cudaLibraryOption": "CUlibraryOption_enum",
    "cudaMemAccessDesc": "CUmemAccessDesc_st",
    "cudaMemAccessFlags": "CUmemAccess_flags_enum",
    "cudaMemAllocationHandleType": "CUmemAllocationHandleType_enum",
    "cudaMemAllocationType": "CUmemAllocationType_enum",
    "cudaMemcpyAttributes": "CUmemcpyAttributes_st",
    "cudaMemLocation": "CUmemLocation_st",
    "cudaMemoryAdvise": "CUmem_advise_enum",
    "cudaMemPoolAttr": "CUmemPool_attribute_enum",
    "cudaMemPoolProps": "CUmemPoolProps_st",
    "cudaMemRangeAttribute": "CUmem_range_attribute_enum",
    "cudaSharedMemConfig": "CUsharedconfig_enum",
}


def types(compiler, include, names):
    """By name, what a compiler says of the type."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "types.cpp"
        body = "".join(f'type<{name}>("{name}");' for name in names)
        source.write_text(f"#include <{HEADER}>{TYPE_WRITER}int main() {{ {body} }}\n")
        return dict(line.split("\t") for line in printed(compiler, include, source, source.with_suffix("")))


def read_by_c(compiler, include, names):
    text = f"#include <{HEADER}>\n" + "".join(f"{name} a_{name};\n" for name in names)
    told = subprocess.run([compiler, "-x", "c", "-fsyntax-only", "-w", f"-I{include}", "-"], input=text, capture_output=True, text=True)
    return [line for line in told.stderr.splitlines() if "error" in line]


def main():
    options = arguments()
    theirs = toolkit()
    if not (theirs / HEADER).exists():
        print("skipped: no CUDA toolkit on this machine")
        sys.exit(77)
    names = sorted(set(re.findall(r"\bPFN_cu\w+", own_text(preprocessed(options.compiler, theirs, HEADER), theirs))))
    own, wanted = (types(options.compiler, include, names) for include in (options.include, theirs))
    problems = read_by_c(options.compiler, options.include, names)
    for name in names:
        told = re.sub(r"\w+", lambda m: SHARED.get(m[0], m[0]), own[name])
        if told != wanted[name]:
            problems.append(f"{name}: {told} in heddle's {HEADER}, {wanted[name]} in the toolkit's")
    print("\n".join([f"{len(names)} types compared, {len(problems)} problems", *problems]))
    sys.exit(bool(problems) or len(names) < 500)


main()
