"""The chips that heddle-cc compiles for: their names, and what clang is told of those that it does not know."""
import dataclasses
import re
import subprocess

DEFAULT_CHIP = "sm_75"
OLDEST = 70  # heddle-cc compiles for it and newer ones where a program is for several

# Chips newer than the last one that clang 14 knows (sm_86), and the PTX version that has each (PTX ISA, release notes).
PTX_VERSIONS = {
    "sm_87": "7.4", "sm_88": "9.0", "sm_89": "7.8", "sm_90": "7.8", "sm_90a": "8.0",
    "sm_100": "8.6", "sm_100a": "8.6", "sm_100f": "8.8", "sm_103": "8.8", "sm_103a": "8.8", "sm_103f": "8.8",
    "sm_110": "9.0", "sm_110a": "9.0", "sm_110f": "9.0",
    "sm_120": "8.7", "sm_120a": "8.7", "sm_120f": "8.8", "sm_121": "8.8", "sm_121a": "8.8", "sm_121f": "8.8",
}


@dataclasses.dataclass(frozen=True)
class Chip:
    """`name`: as sm_NN; `of_clang`: the chip for which clang compiles, the same or the newest older one that it knows."""
    name: str
    of_clang: str

    @property
    def number(self):
        return number_of(self.name)

    def macros(self):
        """Options of clang's device half: code for a chip that clang does not know sees the macros of that chip."""
        if self.name == self.of_clang:
            return []
        macros = {"__CUDA_ARCH__": f"{self.number}0"}
        if self.name[-1] == "a":
            macros |= {f"__CUDA_ARCH_FEAT_SM{self.number}_ALL": "1", "__CUDA_ARCH_SPECIFIC__": f"{self.number}0"}
        if self.name[-1] in "af":
            macros["__CUDA_ARCH_FAMILY_SPECIFIC__"] = f"{self.number}0"
        return ["-U__CUDA_ARCH__", *(f"-D{name}={value}" for name, value in macros.items())]

    def mend(self, ptx):
        """Clang's PTX, which names this chip."""
        if self.name == self.of_clang:
            return ptx
        ptx = re.sub(rb"^\.target sm_\w+", b".target " + self.name.encode(), ptx, count=1, flags=re.MULTILINE)
        return re.sub(rb"^\.version [\d.]+", b".version " + PTX_VERSIONS[self.name].encode(), ptx, count=1, flags=re.MULTILINE)


def chip_of(name):
    """The chip that -arch names, as sm_NN."""
    if name in ("native", "all", "all-major"):
        return DEFAULT_CHIP
    found = re.fullmatch(r"(?:sm|compute)_(\d+[af]?)", name)
    if not found:
        raise ValueError(f"-arch takes sm_NN or compute_NN, not '{name}'")
    return "sm_" + found[1]


def chip_of_code(code):
    """The chip of a -gencode, as sm_NN. Its code= says what nvcc keeps: heddle needs PTX in any case."""
    found = re.fullmatch(r"arch=(?:sm|compute)_(\d+[af]?)(?:,code=\[?[\w,]+\]?)?", code.replace('"', ""))
    if not found:
        raise ValueError(f"-gencode takes arch=compute_NN,code=..., not '{code}'")
    return "sm_" + found[1]


def number_of(name):
    return int(re.match(r"sm_(\d+)", name)[1])


def chips_for(names, clang):
    """Each of the chips once, the newest last; of several, those before OLDEST are left out. ValueError: one is not known."""
    names = sorted(set(names), key=lambda name: (number_of(name), name))
    names = [name for name in names if number_of(name) >= OLDEST] or names[-1:]
    if names == [DEFAULT_CHIP]:  # which every clang knows
        return [Chip(DEFAULT_CHIP, DEFAULT_CHIP)]
    listing = subprocess.run([clang, "--target=nvptx64-nvidia-cuda", "--print-supported-cpus"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False).stdout
    known = sorted(set(re.findall(r"\bsm_\d+[af]?\b", listing)), key=number_of)
    return [chip_for(name, known) for name in names]


def chip_for(name, known):
    if name in known or not known:
        return Chip(name, name)
    if name not in PTX_VERSIONS:
        raise ValueError(f"no chip {name} is known: there are {', '.join(c for c in known if number_of(c) >= OLDEST)}, {', '.join(PTX_VERSIONS)}")
    return Chip(name, [c for c in known if number_of(c) <= number_of(name) and c[-1] not in "af"][-1])
