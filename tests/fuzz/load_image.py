#!/usr/bin/env python3
"""A CUDA program: loads the PTX or fat binary that its argument names, and launches its kernels with zeros."""
import ctypes
import sys

cuda = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(status, ctypes.byref(name))
        sys.exit(f"load_image: {name.value.decode()}")


def link(path):
    """Hands the file's bytes to the linker, whose result is loaded."""
    state, image, module = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    content = open(path, "rb").read()
    kind = 2 if content[:4] == b"\x50\xed\x55\xba" else 1  # CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_PTX
    check(cuda.cuLinkCreate_v2(0, None, None, ctypes.byref(state)))
    check(cuda.cuLinkAddData_v2(state, kind, content, ctypes.c_size_t(len(content)), None, 0, None, None))
    check(cuda.cuLinkComplete(state, ctypes.byref(image), None))
    check(cuda.cuModuleLoadData(ctypes.byref(module), image))
    return module


def load(path):
    module = ctypes.c_void_p()
    check(cuda.cuModuleLoad(ctypes.byref(module), path.encode(errors="surrogateescape")))
    return module


def launch(kernel):
    offset, size, arguments = ctypes.c_size_t(), ctypes.c_size_t(), []
    while cuda.cuFuncGetParamInfo(kernel, ctypes.c_size_t(len(arguments)), ctypes.byref(offset), ctypes.byref(size)) == 0:
        arguments.append(ctypes.create_string_buffer(size.value))
    pointers = (ctypes.c_void_p * (len(arguments) + 1))(*map(ctypes.addressof, arguments))
    check(cuda.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, None, pointers, None))
    check(cuda.cuCtxSynchronize())


check(cuda.cuInit(0))
context = ctypes.c_void_p()
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(cuda.cuCtxSetCurrent(context))
loaded = (link if "--link" in sys.argv else load)(sys.argv[1])
count = ctypes.c_uint()
check(cuda.cuModuleGetFunctionCount(ctypes.byref(count), loaded))
kernels = (ctypes.c_void_p * count.value)()
check(cuda.cuModuleEnumerateFunctions(kernels, count, loaded))
for each in kernels:
    launch(ctypes.c_void_p(each))
