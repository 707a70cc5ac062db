"""Registers, flags and memory of all threads while a program is checked."""
from reference import memory
from reference.approximations import accepted
from reference.registers import TYPE_OF, widened


class State:
    """All threads during the check. A register takes the value that was stored: an error shows once."""

    def __init__(self, program, stored):
        count = len(program.threads)
        self.stored, self.count = stored, count
        self.active = list(program.threads)
        self.registers = {name: [0] * count for name in [*TYPE_OF, *memory.PLACES]}
        self.flag = [0] * count
        self.memory = {space: [bytearray(memory.SIZE) for _ in program.threads]
                       for space in ("global", "shared", "local")}
        self.memory["const"] = [program.constant] * count
        self.memory["param"] = [program.parameter] * count
        self.memory["scalars"] = [program.scalars] * count
        self.memory["counters"] = [bytearray(program.counters)] * count
        self.writer = {}
        self.wrong = []

    def set(self, t, kind, name, slot, value, text, arguments):
        if isinstance(value, int):
            value = widened(kind, TYPE_OF[name], value)
        got = value if slot is None else self.stored[slot * self.count + t]
        self.writer[name] = text
        if not accepted(value, got):
            expected = hex(value) if isinstance(value, int) else value
            sources = ", ".join(map(hex, arguments))
            self.wrong.append(f"{text}: thread {t}, sources {sources}: {got:#x}, expected {expected}")
        self.registers[name][t] = got

    def keep(self, t, name, slot, text):
        """A register should not have changed."""
        got = self.registers[name][t] if slot is None else self.stored[slot * self.count + t]
        if got != self.registers[name][t]:
            self.wrong.append(f"{text}: thread {t}: {name} is {got:#x}, and before it was {self.registers[name][t]:#x}")
        self.registers[name][t] = got
