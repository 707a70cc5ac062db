#!/usr/bin/env python3
"""A CUDA program: makes the buffers and the tensor maps of plan.json, launches its kernel, and writes the buffers back."""
import ctypes
import json
import pathlib

cuda = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(status, ctypes.byref(name))
        raise SystemExit(f"launch_plan: {name.value.decode()}")


def array(kind, values):
    return (kind * max(1, len(values)))(*values)


class Buffers:
    """Device memory with the bytes of the files `buffer.N`"""

    def __init__(self):
        self.places = []
        for n in range(len(list(pathlib.Path().glob("buffer.*")))):
            content = pathlib.Path(f"buffer.{n}").read_bytes()
            place = ctypes.c_uint64()
            check(cuda.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(len(content))))
            check(cuda.cuMemcpyHtoD_v2(place, content, ctypes.c_size_t(len(content))))
            self.places.append((place, len(content)))

    def write_back(self):
        for n, (place, size) in enumerate(self.places):
            content = ctypes.create_string_buffer(size)
            check(cuda.cuMemcpyDtoH_v2(content, place, ctypes.c_size_t(size)))
            pathlib.Path(f"left.{n}").write_bytes(content.raw)


def tensor_map(plan, buffers):
    """128 bytes at a multiple of 64"""
    memory = ctypes.create_string_buffer(192)
    at = -ctypes.addressof(memory) % 64
    to = ctypes.c_void_p(ctypes.addressof(memory) + at)
    common = [plan["type"], len(plan["sizes"]), buffers.places[plan["buffer"]][0], array(ctypes.c_uint64, plan["sizes"]),
              array(ctypes.c_uint64, plan["strides"])]
    steps = array(ctypes.c_uint32, plan["steps"])
    modes = [0, plan["swizzle"], plan["promotion"], plan["fill"]]
    if "lower" in plan:
        check(cuda.cuTensorMapEncodeIm2col(to, *common, array(ctypes.c_int, plan["lower"]), array(ctypes.c_int, plan["upper"]),
                                           plan["box"][0], plan["box"][1], steps, *modes))
    else:
        check(cuda.cuTensorMapEncodeTiled(to, *common, array(ctypes.c_uint32, plan["box"]), steps, *modes))
    return ctypes.string_at(to, 128)


def main():
    plan = json.loads(pathlib.Path("plan.json").read_text())
    check(cuda.cuInit(0))
    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    check(cuda.cuCtxSetCurrent(context))
    check(cuda.cuModuleLoad(ctypes.byref(module), b"random.ptx"))
    check(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"main"))
    buffers = Buffers()
    maps = [tensor_map(each, buffers) for each in plan["maps"]]
    table = ctypes.c_uint64()  # of all maps, in global memory
    check(cuda.cuMemAlloc_v2(ctypes.byref(table), ctypes.c_size_t(128 * max(1, len(maps)))))
    check(cuda.cuMemcpyHtoD_v2(table, b"".join(maps), ctypes.c_size_t(128 * len(maps))))
    arguments = [place for place, _ in buffers.places] + [table] + [ctypes.create_string_buffer(each, 128) for each in maps]
    pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(each) for each in arguments])
    check(cuda.cuLaunchKernel(kernel, plan["blocks"], 1, 1, plan["threads"], 1, 1, 0, None, pointers, None))
    check(cuda.cuCtxSynchronize())
    buffers.write_back()


main()
