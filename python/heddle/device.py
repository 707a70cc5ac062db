"""A simulated device: kernels of PTX files, with arrays as buffers."""
from __future__ import annotations

import json
import numbers
import os
import struct
import sys
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _heddle
from .machine import Machine, Settings
from .result import Result

Size = Union[int, Sequence[int]]


def _size(size: Size, name: str) -> Tuple[int, int, int]:
    sizes = [size] if isinstance(size, numbers.Integral) else list(size)
    if not 1 <= len(sizes) <= 3:
        raise _heddle.Error(f"{name}: {size!r} has {len(sizes)} numbers; one to three are wanted: x, y, z")
    x, y, z = (int(n) for n in [*sizes, 1, 1][:3])
    if min(x, y, z) < 1:
        raise _heddle.Error(f"{name}: {size!r} is wrong; each number is at least 1")
    return x, y, z


class Array:
    """Memory of a device. Kernels get its address; `numpy`, `tobytes` and `memoryview` copy it back."""

    def __init__(self, device: "Device", bytes: int, dtype: Any, shape: Tuple[int, ...], label: str) -> None:
        self.device, self.dtype, self.shape, self.nbytes = device, dtype, shape, bytes
        self.address = device._device.allocate(max(bytes, 1), label)

    def set(self, source: Any) -> "Array":
        """Copies an object with the buffer protocol (a numpy array, bytes) to the device."""
        view = memoryview(source)
        if view.nbytes != self.nbytes:
            raise _heddle.Error(f"the array has {self.nbytes} bytes, what is copied to it {view.nbytes}")
        if self.nbytes:
            self.device._device.write(self.address, source if view.c_contiguous else view.tobytes())
        return self

    def tobytes(self) -> bytes:
        out = bytearray(self.nbytes)
        if self.nbytes:
            self.device._device.read(out, self.address)
        return bytes(out)

    def numpy(self) -> Any:
        """The contents as a numpy array of its type and shape."""
        import numpy  # only here: heddle does not need it

        out = numpy.empty(self.shape, self.dtype if self.dtype is not None else numpy.uint8)
        if self.nbytes:
            self.device._device.read(out, self.address)
        return out

    def free(self) -> None:
        """Gives the memory back to the device. Arrays live as long as the device otherwise, as those of cudaMalloc do."""
        self.device._device.release(self.address)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<heddle.Array {self.shape} {self.dtype} at {self.address:#x}>"


_INTEGERS = {1: "B", 2: "H", 4: "I", 8: "Q"}
_FLOATS = {2: "e", 4: "f", 8: "d"}


def _packed(value: Any, bytes_wanted: int, type: str, where: str) -> bytes:
    """The bytes of an argument for a parameter of so many bytes, whose PTX type is this."""
    if isinstance(value, Array):
        value = value.address
    if isinstance(value, numbers.Number) and not hasattr(value, "dtype"):
        if isinstance(value, numbers.Integral) and not type.startswith("f"):
            bits = 8 * bytes_wanted
            if bytes_wanted not in _INTEGERS or not -(1 << (bits - 1)) <= value < 1 << bits:
                raise _heddle.Error(f"{where}: {value} does not fit the parameter, which has {bytes_wanted} bytes")
            return struct.pack("<" + _INTEGERS[bytes_wanted], int(value) % (1 << bits))
        if isinstance(value, numbers.Real) and type[:1] in "fb" and bytes_wanted in _FLOATS:
            return struct.pack("<" + _FLOATS[bytes_wanted], float(value))
        raise _heddle.Error(f"{where}: {value!r} is no value of a parameter of type .{type}")
    try:
        out = memoryview(value).tobytes()  # bytes, a numpy scalar or array, a ctypes structure
    except TypeError:
        raise _heddle.Error(f"{where}: {value!r} is neither a number nor an Array nor has it bytes") from None
    if len(out) != bytes_wanted:
        raise _heddle.Error(f"{where}: {value!r} has {len(out)} bytes, the parameter {bytes_wanted}")
    return out


class Launch:
    """What a launch took."""

    def __init__(self, counts: Mapping[str, Any]) -> None:
        self.cycles: int = counts["cycles"]
        self.warp_instructions: int = counts["warp_instructions"]
        self.thread_instructions: int = counts["thread_instructions"]
        #: Whether a limit of the device (max_cycles, max_instructions) has ended it.
        self.stopped: bool = counts["stopped"]

    def __repr__(self) -> str:
        return f"<heddle.Launch: {self.cycles:,} cycles, {self.warp_instructions:,} warp instructions>"


class Kernel:
    """A kernel of a module: `kernel(grid, block, *arguments)` launches it and returns when it has ended."""

    def __init__(self, device: "Device", id: int) -> None:
        self._device, self._id = device, id
        info = device._device.info(id)
        self.name: str = info["name"]
        #: Offset, bytes and PTX type of each parameter.
        self.parameters: List[Tuple[int, int, str]] = info["parameters"]
        self._bytes: int = info["parameter_bytes"]
        self.registers: int = info["registers"]
        self.static_shared: int = info["static_shared"]
        self.local_bytes: int = info["local_bytes"]

    def __call__(self, grid: Size, block: Size, *arguments: Any, shared: int = 0, cooperative: bool = False,
                 cluster: Optional[Size] = None) -> Launch:
        """grid, block, cluster: x, or (x, y, z); shared: bytes of dynamic shared memory of a block.

        Arguments are Arrays, numbers (whose bytes the parameter's PTX type gives), numpy scalars, and objects with
        exactly the parameter's bytes. Raises Fault for an illegal action of a thread.
        """
        if len(arguments) != len(self.parameters):
            raise _heddle.Error(f"kernel {self.name} has {len(self.parameters)} parameters, not {len(arguments)}")
        block_of_parameters = bytearray(self._bytes)
        for number, (argument, (offset, size, type)) in enumerate(zip(arguments, self.parameters)):
            where = f"argument {number} of {self.name}"
            if isinstance(argument, Array) and argument.device is not self._device:
                raise _heddle.Error(f"{where}: the array is on another device")
            block_of_parameters[offset:offset + size] = _packed(argument, size, type, where)
        counts = self._device._device.launch(self._id, _size(grid, "grid"), _size(block, "block"), bytes(block_of_parameters),
                                             shared, cooperative, _size(cluster, "cluster") if cluster else (0, 0, 0))
        for warning in self._device._device.take_warnings():
            self._device._report(warning)
        return Launch(counts)

    def __repr__(self) -> str:
        return f"<heddle.Kernel {self.name}, {len(self.parameters)} parameters>"


class Module(Mapping[str, Kernel]):
    """The kernels of a PTX text, by their names in it (of C++ kernels the mangled ones)."""

    def __init__(self, device: "Device", id: int) -> None:
        self._device, self._id = device, id
        self._names = device._device.kernel_names(id)

    def variable(self, name: str) -> Tuple[int, int]:
        """Address and bytes of a variable of the module."""
        return self._device._device.variable(self._id, name)

    def __getitem__(self, name: str) -> Kernel:
        if name not in self._names:
            raise KeyError(f"the module has no kernel '{name}'; it has {', '.join(self._names)}")
        return Kernel(self._device, self._device._device.kernel(self._id, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _to_standard_error(text: str) -> None:
    sys.stderr.write(f"heddle: {text}\n")


class Device:
    """A simulated GPU in this process: memory, modules and launches, one at a time.

    profile, functional, strict, check, max_cycles, max_instructions, host_threads, kernels: as of `heddle.run`.
    timeline: True, or a mapping of events, sample, gap, first_cycle, end_cycle; `write_timeline` writes it.
    report: gets each report of the checker, and each warning; default: standard error.
    """

    def __init__(self, machine: Union[Machine, str, None] = None, settings: Optional[Settings] = None, *,
                 program: str = "python", functional: bool = False, strict: bool = False, profile: bool = False,
                 check: str = "", max_cycles: int = 0, max_instructions: int = 0, host_threads: int = 1,
                 kernels: Optional[Tuple[int, int]] = None, timeline: Union[bool, Mapping[str, int]] = False,
                 report: Callable[[str], None] = _to_standard_error) -> None:
        if host_threads < 1:
            raise _heddle.Error(f"host_threads: {host_threads} is too small; 1 or more")
        known = ("events", "sample", "gap", "first_cycle", "end_cycle")
        recorded: Optional[Dict[str, int]] = None
        if timeline:
            recorded = {} if timeline is True else dict(timeline)
            for name in recorded:
                if name not in known:
                    raise _heddle.Error(f"timeline: there is no '{name}'; there are {', '.join(known)}")
        self.machine = Machine.of(machine, settings)
        self._report = report
        self._device = _heddle.Device(self.machine._machine, {
            "program": program, "functional": functional, "strict": strict, "profile": profile, "check": check,
            "max_cycles": max_cycles, "max_instructions": max_instructions, "host_threads": host_threads,
            "kernels": kernels, "timeline": recorded, "report": report})

    def load(self, file: Union[str, "os.PathLike[str]"]) -> Module:
        """Loads the PTX of a file."""
        try:
            with open(file, encoding="utf-8") as text:
                return self.load_text(text.read(), os.fspath(file))
        except OSError as error:
            raise _heddle.Error(f"{os.fspath(file)}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise _heddle.Error(f"{os.fspath(file)}: not a text; wanted is PTX") from None

    def load_text(self, ptx: str, name: str = "module.ptx") -> Module:
        """Loads PTX; `name` is the file's in messages and results."""
        return Module(self, self._device.load(name, ptx))

    def array(self, source: Any, label: str = "array") -> Array:
        """A copy of a numpy array, or of another object with the buffer protocol, on the device."""
        view = memoryview(source)
        return Array(self, view.nbytes, getattr(source, "dtype", None), tuple(view.shape or ()), label).set(source)

    def zeros(self, shape: Size, dtype: Any = "uint8", label: str = "array") -> Array:
        """Memory of zeros. dtype: anything that numpy takes, or the name of a type of 1 to 8 bytes ("float32")."""
        sizes = (int(shape),) if isinstance(shape, numbers.Integral) else tuple(int(n) for n in shape)
        count = 1
        for n in sizes:
            count *= n
        bytes = count * _item_size(dtype)
        out = Array(self, bytes, dtype, sizes, label)
        if bytes:
            self._device.fill(out.address, 0, bytes)
        return out

    @property
    def cycles(self) -> int:
        """Simulated cycles so far."""
        return self._device.cycles

    def seconds(self, cycles: int) -> float:
        """The time of so many cycles, by the machine's core clock."""
        return self._device.seconds(cycles)

    def result(self) -> Result:
        """What all launches so far have counted."""
        return Result(json.loads(self._device.result_json()))

    def finish_checks(self) -> None:
        """Looks for what was not freed (check="leaks"), and reports how much was found in all."""
        self._device.finish_checks()

    def write_timeline(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the time line so far."""
        losses = self._device.write_timeline(os.fspath(file))
        if losses:
            self._report(losses)


_ITEM_SIZES = {f"{kind}{bits}": bits // 8 for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)
               if (kind, bits) != ("float", 8)}


def _item_size(dtype: Any) -> int:
    if isinstance(dtype, str) and dtype in _ITEM_SIZES:
        return _ITEM_SIZES[dtype]
    import numpy

    return numpy.dtype(dtype).itemsize
