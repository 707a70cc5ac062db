# A study in Python, as a notebook: editors with notebooks show each `# %%` as a cell. docs/python.md says how to start it.
# %% A machine
import sys
from pathlib import Path

import numpy as np

import heddle

machine = heddle.Machine("gtx480")
print(machine.description)
print("data cache:", machine["dcache.size"], "bytes, by", machine.describe("dcache.size")["origin"])

# %% A kernel of a PTX file, with numpy arrays
device = heddle.Device(machine, profile=True)
axpy = device.load(Path(__file__).parent / "axpy.ptx")["axpy"]
n = 1_000_000
x = np.arange(n, dtype=np.float32)
y = device.array(np.ones(n, dtype=np.float32))
launch = axpy((n + 255) // 256, 256, y, device.array(x), 2, n)
assert np.array_equal(y.numpy(), 1 + 2 * x)  # exact: all values are whole numbers below 2^24
print(f"axpy: {launch.cycles} cycles, {12 * n / device.seconds(launch.cycles) / 1e9:.1f} GB/s")

# %% What it waited for
result = device.result()
slots = sum(result["stalls"].values())
for cause, count in sorted(result["stalls"].items(), key=lambda item: -item[1])[:3]:
    print(f"{cause}: {100 * count / slots:.1f} %")

# %% A CUDA program under several schedulers and caches
if len(sys.argv) > 1:
    runs = heddle.sweep(sys.argv[1], {"core.scheduler": ["lrr", "gto"], "dcache.size": ["16KiB", "64KiB"]}, machine=machine,
                        output="study")
    for run in runs:
        print(*run.settings.values(), run.result.cycles)
