#!/usr/bin/env python3
"""Compares the types of pointers to functions in heddle's cudaTypedefs.h and the like with those of a CUDA toolkit.

Each type that a header of the toolkit has without __CUDA_API_VERSION_INTERNAL must be there and be the same, in C++ and in C.
Exit status 77: there is no CUDA toolkit on this machine.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from headers import TYPE_WRITER, arguments, own_text, preprocessed, printed, toolkit, use_stand_ins

# Headers, and the fewest types that they have
HEADERS = {"cudaTypedefs.h": 500, "cudaEGLTypedefs.h": 12, "cudaGLTypedefs.h": 14, "cudaVDPAUTypedefs.h": 4, "cudaProfilerTypedefs.h": 3}
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


def types(compiler, include, header, names):
    """By name, what a compiler says of the type."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "types.cpp"
        body = "".join(f'type<{name}>("{name}");' for name in names)
        # The toolkit's headers for VDPAU do not include cuda.h.
        source.write_text(f"#include <cuda.h>\n#include <{header}>{TYPE_WRITER}int main() {{ {body} }}\n")
        return dict(line.split("\t") for line in printed(compiler, include, source, source.with_suffix("")))


def read_by_c(compiler, include, header, names):
    text = f"#include <{header}>\n" + "".join(f"{name} a_{name};\n" for name in names)
    told = subprocess.run([compiler, "-x", "c", "-fsyntax-only", "-w", f"-I{include}", "-"], input=text, capture_output=True, text=True)
    return [line for line in told.stderr.splitlines() if "error" in line]


def compare(compiler, own_folder, their_folder, header, least):
    text = own_text(preprocessed(compiler, their_folder, header), their_folder)
    names = sorted(set(re.findall(r"\bPFN_cu\w+", text)))
    own, wanted = (types(compiler, folder, header, names) for folder in (own_folder, their_folder))
    problems = read_by_c(compiler, own_folder, header, names)
    for name in names:
        told = re.sub(r"\w+", lambda m: SHARED.get(m[0], m[0]), own[name])
        if told != wanted[name]:
            problems.append(f"{name}: {told} in heddle's {header}, {wanted[name]} in the toolkit's")
    if len(names) < least:
        problems.append(f"too little was found in {header}: its form has changed")
    print("\n".join([f"{header}: {len(names)} types compared, {len(problems)} problems", *problems]))
    return problems


def main():
    options = arguments()
    theirs = toolkit()
    if not (theirs / "cudaTypedefs.h").exists():
        print("skipped: no CUDA toolkit on this machine")
        sys.exit(77)
    use_stand_ins()
    problems = [problem for header, least in HEADERS.items() if (theirs / header).exists()
                for problem in compare(options.compiler, options.include, theirs, header, least)]
    sys.exit(bool(problems))


main()
