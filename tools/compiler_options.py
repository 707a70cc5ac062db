"""The options of heddle-cc: its own, those of compilers, and those of nvcc that makefiles have."""
import argparse
import pathlib
import re
import shlex

from chips import DEFAULT_CHIP, chip_of, chip_of_code

# Options of nvcc that ask for what heddle-cc does in any case, or are for tools that it does not use. By name: whether a
# value follows.
OF_NVCC = {
    "-lineinfo": False, "--generate-line-info": False,
    "-expt-extended-lambda": False, "--expt-extended-lambda": False,
    "-extended-lambda": False, "--extended-lambda": False,
    "-expt-relaxed-constexpr": False, "--expt-relaxed-constexpr": False,
    "-m64": False, "-Wno-deprecated-gpu-targets": False,
    "-res-usage": False, "--resource-usage": False, "-allow-unsupported-compiler": False, "--allow-unsupported-compiler": False,
    "-objtemp": False, "--objdir-as-tempdir": False, "-use-local-env": False, "--use-local-env": False,
    "-src-in-ptx": False, "--source-in-ptx": False, "-restrict": False, "--restrict": False,
    "-extra-device-vectorization": False, "--extra-device-vectorization": False, "-dlto": False, "--dlink-time-opt": False,
    "-MP": False, "--generate-dependency-targets": False,
    "-Xptxas": True, "--ptxas-options": True, "-ccbin": True, "--compiler-bindir": True, "-cudart": True, "--cudart": True,
    "-Xcudafe": True, "--cudafe-options": True, "-Xfatbin": True, "--fatbin-options": True, "-Xnvlink": True, "--nvlink-options": True,
    "-diag-suppress": True, "--diag-suppress": True, "-diag-warn": True, "--diag-warn": True, "-diag-error": True, "--diag-error": True,
    "-code": True, "--gpu-code": True, "-time": True, "--time": True, "-t": True, "--threads": True, "-split-compile": True, "--split-compile": True,
    "-prec-div": True, "--prec-div": True, "-prec-sqrt": True, "--prec-sqrt": True, # exact in any case
}
# Libraries that heddle-cc links in any case, or whose functions are in its headers.
COME_ANYWAY = ("cudart", "cudart_static", "cudadevrt", "nvToolsExt")
# Kinds of errors that follow nvcc's -Werror. clang's -Werror has none.
KINDS_OF_ERRORS = ("all-warnings", "cross-execution-space-call", "reorder", "default-stream-launch", "missing-launch-bounds",
                   "ext-lambda-captures-this", "deprecated-declarations")
# What heddle-cc does not make.
REFUSED = {"-cubin": "machine code", "--cubin": "machine code", "-fatbin": "fat binaries alone", "--fatbin": "fat binaries alone"}
# Options whose value may begin with a dash.
TAKE_OPTIONS = ("-Xclang", "-Xcompiler", "--compiler-options", "-Xlinker", "--linker-options")


def parse_arguments(description, arguments, toolkit=None):
    """The options. `toolkit`: the folder whose nvcc heddle-cc is called as (as_nvcc.py), or None; `chips`: those that the
    program is for; `extra`, `host`, `linker`: more options of clang for both halves of CUDA files, for the host half and host
    files, and for the linker."""
    p = argparse.ArgumentParser(prog="heddle-cc", usage="heddle-cc [options] FILES...", allow_abbrev=False, description=description,
                                epilog="Of nvcc, these are taken and change nothing: " + " ".join(n for n in OF_NVCC if n[1] != "-"))
    p.add_argument("files", nargs="+", help=".cu, .cpp, .c, .o, .a, .so")
    p.add_argument("-o", "--output-file", dest="output", help="executable, object (-c) or PTX (--ptx); default a.out")
    p.add_argument("-c", "--compile", dest="compile_only", action="store_true", help="compile to an object, do not link")
    p.add_argument("-rdc", "--relocatable-device-code", dest="rdc", choices=["true", "false"], default="false",
                   help="true: device code may use functions and variables of other files")
    p.add_argument("-dc", "--device-c", dest="rdc_compile_only", action="store_true", help="the same as -rdc=true -c")
    p.add_argument("-dlink", "--device-link", dest="device_link", action="store_true",
                   help="make the object that a host compiler links with those of -rdc=true (default a_dlink.o)")
    p.add_argument("-lib", "--lib", dest="archive", action="store_true", help="make a static library")
    p.add_argument("-x", "--x", dest="language", choices=["cu"], help="all sources are CUDA, whatever their names")
    p.add_argument("--ptx", "-ptx", action="store_true", help="stop after the device half: write PTX")
    p.add_argument("-maxrregcount", "--maxrregcount", dest="most_registers", type=register_count, metavar="N",
                   help="the most registers of a thread, in kernels without __launch_bounds__ and __maxnreg__")
    p.add_argument("-O", "--optimize", dest="level", default="2", help="optimisation level of both halves (default 2)")
    p.add_argument("-I", "--include-path", dest="include", action="append", default=[])
    p.add_argument("-isystem", "--system-include", dest="system", action="append", default=[], metavar="DIR", help="like -I, without warnings of the headers there")
    p.add_argument("-include", "--pre-include", dest="forced", action="append", default=[], metavar="FILE", help="a file that is included before all others")
    p.add_argument("-D", "--define-macro", dest="macros", type="-D{}".format, action="append", default=[])
    p.add_argument("-U", "--undefine-macro", dest="macros", type="-U{}".format, action="append")
    p.add_argument("-L", "--library-path", dest="library_path", action="append", default=[])
    p.add_argument("-l", "--library", dest="library", action="append", default=[])
    p.add_argument("-std", "--std", dest="standard", default="c++17")
    p.add_argument("-arch", "--arch", "--gpu-architecture", dest="arch", default=DEFAULT_CHIP,
                   help="PTX target, sm_70 to sm_121f (default sm_75); compute_NN is the same, native and all are the default")
    p.add_argument("-gencode", "--generate-code", dest="code", action="append", default=[], metavar="arch=compute_NN,...",
                   help="as nvcc has it: the program has PTX for each of several chips")
    p.add_argument("-use_fast_math", "--use_fast_math", dest="fast_math", action="store_true",
                   help="the approximate instructions for expf, sinf and so on; flush subnormal numbers")
    p.add_argument("-ftz", "--ftz", choices=["true", "false"], default="false", help="true: flush subnormal numbers")
    p.add_argument("-G", "--device-debug", dest="device_debug", action="store_true", help="the device half as for -O0")
    p.add_argument("-default-stream", "--default-stream", dest="default_stream", choices=["legacy", "null", "per-thread"], default="legacy",
                   help="per-thread: defines CUDA_API_PER_THREAD_DEFAULT_STREAM; streams do not overlap in any case")
    p.add_argument("-fmad", "--fmad", choices=["true", "false"], default="true",
                   help="false: products and sums stay apart instead of becoming fused multiply-adds")
    p.add_argument("--keep-branches", action="store_true",
                   help="branches of the source stay branches: no selects or predicates in their place")
    p.add_argument("--no-lines", dest="lines", action="store_false", help="no source lines in the PTX")
    p.add_argument("--keep", metavar="DIR", nargs="?", const=".", help="leave PTX and fat binary in DIR (default .)")
    p.add_argument("-keep-dir", "--keep-dir", dest="keep_dir", metavar="DIR", help="the same")
    p.add_argument("-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", dest="forward", action="store_true",
                   help="options that heddle-cc does not know are for clang, as of -Xcompiler")
    p.add_argument("--clang", help="clang++ to use (default: $HEDDLE_CLANG, else the first of clang++-14 and newer)")
    p.add_argument("--lib-dir", help="where libcudart.so.13 is (default: of the installed heddle, or of the release build)")
    p.add_argument("--depfile", "-MF", "--dependency-output", metavar="FILE", help="write a make dependency file of the (one) source")
    p.add_argument("-MD", "-MMD", dest="has_depfile", action="store_true", help="the same into the file of -MF, else beside the output")
    p.add_argument("-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies", dest="only_dependencies", action="store_true",
                   help="write that file alone, to -o or to the standard output")
    p.add_argument("-MT", dest="dependent", metavar="TARGET", help="the target in that file (default: the output)")
    p.add_argument("-v", "--verbose", dest="verbose", action="store_true", help="print the commands")
    p.add_argument("-Xclang", dest="extra", action="append", default=[], metavar="OPTION",
                   help="one more option for clang, both halves; -g, -w, -W... and -f... need no -Xclang")
    p.add_argument("-Xcompiler", "--compiler-options", dest="host", action="append", default=[], metavar="OPTION[,OPTION...]",
                   help="options for clang, host half and host files")
    p.add_argument("-Xlinker", "--linker-options", dest="linker", action="append", default=[], metavar="OPTION[,OPTION...]",
                   help="options for the linker; -Wl,... is the same")
    p.add_argument("-shared", "--shared", action="store_true", help="make a shared library")
    p.add_argument("-pthread", action="store_true", help="threads of the host")
    arguments = with_files_of_options(arguments, p)
    if toolkit: # whose --keep takes no folder
        arguments = ["-keep" if a == "--keep" else a for a in arguments]
    options, unknown = p.parse_known_intermixed_args(glue(without_nvcc(arguments, p)))
    if unknown and not options.forward:
        p.error(f"unrecognized arguments: {' '.join(unknown)}")
    options.toolkit = toolkit
    options.keep = options.keep_dir or options.keep
    options.library = [name for name in options.library if name not in COME_ANYWAY]
    if options.rdc_compile_only:
        options.compile_only, options.rdc = True, "true"
    options.device_level = "0" if options.device_debug else options.level
    if options.default_stream == "per-thread":
        options.macros.append("-DCUDA_API_PER_THREAD_DEFAULT_STREAM")
    try:
        options.chips = [chip_of_code(code) for code in options.code] or [chip_of(options.arch)]
    except ValueError as e:
        p.error(str(e))
    options.host = [re.sub('^"(.*)"$', r"\1", o) for text in options.host for o in re.split(r"[,\s]+", text) if o]
    if unknown: # some may be for the linker alone
        options.host += ["-Wno-unused-command-line-argument", *unknown]
    options.linker = [f"-Wl,{text}" for text in options.linker] + ["-shared"] * options.shared
    if options.pthread:
        options.host.append("-pthread")
    if any(o.startswith("-fopenmp") for o in options.host):
        # clang links its own runtime of OpenMP, which has the functions of g++'s, too. With both in a program, a thread
        # gets its number from the wrong one.
        options.library = [name for name in options.library if name not in ("gomp", "omp")]
    return options


def register_count(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"takes a number of registers, not '{text}'")
    return int(text)


def with_files_of_options(arguments, parser):
    """The arguments with those that stand in files in the place of the files' names."""
    out = []
    left = list(arguments)
    while left:
        a = left.pop(0)
        name, joined, value = a.partition("=")
        if name not in ("-optf", "--options-file"):
            out.append(a)
        elif not joined and not left:
            parser.error(f"argument {name}: expected one argument")
        else:
            for file in (value if joined else left.pop(0)).split(","):
                try:
                    out += shlex.split(pathlib.Path(file).read_text())
                except OSError as e:
                    parser.error(f"argument {name}: {file}: {e.strerror}")
                except ValueError as e: # no UTF-8, or a quote that does not end
                    parser.error(f"argument {name}: {file} is no list of options: {e}")
    return out


def without_nvcc(arguments, parser):
    """The arguments without those of OF_NVCC, and with clang's options for what it has by other names."""
    out = []
    left = list(arguments)
    while left:
        a = left.pop(0)
        name, joined, value = a.partition("=")
        if name in REFUSED:
            parser.error(f"argument {name}: heddle-cc does not make {REFUSED[name]}; --ptx makes PTX")
        elif a == "-Werror" and left and left[0] in KINDS_OF_ERRORS or name == "-Werror" and value in KINDS_OF_ERRORS:
            if (value or left.pop(0)) == "all-warnings":
                out.append("-Werror")
        elif a == "-keep":
            out.append("--keep=.")
        elif name not in OF_NVCC:
            out.append(a)
        elif OF_NVCC[name] and not joined and not left:
            parser.error(f"argument {name}: expected one argument")
        elif OF_NVCC[name] and not joined:
            left.pop(0)
        elif joined and not OF_NVCC[name]:
            parser.error(f"argument {name}: takes no value")
    return out


def glue(arguments):
    """Options joined to their value, as compilers take them, parted (-O3) or joined with '=' (-Xclang) for argparse."""
    out = []
    for a in arguments:
        if out and out[-1] in TAKE_OPTIONS:
            out[-1] += "=" + a
        elif a[:2] in ("-O", "-I", "-D", "-U", "-L", "-l") and len(a) > 2 and a != "-lib":
            out += [a[:2], a[2:]]
        elif a.startswith("-Wl,"):
            out.append("-Xlinker=" + a[4:])
        elif a.startswith("-fopenmp"): # of the host alone
            out.append("-Xcompiler=" + a)
        elif a in ("-g", "-w") or a.startswith("-W") or (a.startswith("-f") and not a.startswith(("-fmad", "-ftz", "-forward-unknown"))):
            out.append("-Xclang=" + a)
        else:
            out.append(a)
    return out


def preprocessor(options):
    """Options of the preprocessor, for files of all kinds."""
    return [f"-I{i}" for i in options.include] + options.macros + \
        [x for i in options.system for x in ("-isystem", i)] + [x for i in options.forced for x in ("-include", i)]
