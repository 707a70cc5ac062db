"""heddle, a cycle-level simulator of SIMT GPU cores.

    import heddle
    result = heddle.run(["./axpy", "1024"], machine="gtx480", settings={"core.scheduler": "lrr"})
    print(result.cycles, result["totals"]["ipc"])

`run` simulates a CUDA program, `Device` kernels of a PTX file, `sweep` and `Experiment` make many runs. docs/python.md
describes them.
"""
from ._heddle import Error, Fault, default_machine, load_plugins_of_environment, version
from .device import Array, Device, Kernel, Launch, Module
from .experiment import Experiment, Figure, Run, sweep
from .machine import Machine, load_plugin, machines
from .program import run
from .result import Result, load

__version__ = version
load_plugins_of_environment()
__all__ = ["Array", "Device", "Error", "Experiment", "Fault", "Figure", "Kernel", "Launch", "Machine", "Module", "Result",
           "Run", "default_machine", "load", "load_plugin", "machines", "run", "sweep"]
