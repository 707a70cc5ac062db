"""heddle-cc in the place of nvcc. A heddle has a folder that is laid out as a CUDA toolkit: include, lib64, and bin/nvcc, a
link to heddle-cc. Called by it, heddle-cc prints what CMake asks nvcc for."""
import os
import pathlib
import re
import shlex


def toolkit_of(program):
    """The toolkit's folder, if `program`, the name that heddle-cc is called by, is a link in it; else None."""
    path = pathlib.Path(os.path.abspath(program))
    while path.is_symlink():
        folder = path.parent.parent
        if (folder / "include/cuda_runtime.h").exists() and (folder / "lib64").exists():
            return folder
        path = path.parent / os.readlink(path)
    return None


def version(headers):
    """What nvcc --version prints, as far as it is read: the line that CMake knows nvcc by, and the version of CUDA."""
    text = (headers / "cuda_runtime.h").read_text()
    major, minor, build = (re.search(rf"__CUDACC_VER_{part}__ (\d+)", text)[1] for part in ("MAJOR", "MINOR", "BUILD"))
    return ("heddle-cc, in the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
            f"Cuda compilation tools, release {major}.{minor}, V{major}.{minor}.{build}")


def settings(toolkit, lib_dir, chip):
    """What CMake reads of nvcc -v: the folders, and the chip of a program without -arch. CMake knows the command that links
    by the text of LIBRARIES, and takes the folder two above NVVMIR_LIBRARY_DIR for that of the toolkit."""
    return (f"#$ TOP={toolkit}\n#$ NVVMIR_LIBRARY_DIR={toolkit}/nvvm/libdevice\n"
            f"#$ INCLUDES={shlex.quote(f'-I{toolkit}/include')}\n#$ LIBRARIES={shlex.quote(f'-L{lib_dir}')}\n#$ -arch compute_{chip}")


def identification(source):
    """Options for the file by which CMake asks which compiler this is. Programs do not see __NVCC__: clang compiles them."""
    return ["-D__NVCC__"] if source.name == "CMakeCUDACompilerId.cu" else []
