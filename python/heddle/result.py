"""Results of runs: RESULT.json (docs/statistics.md) as a mapping."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union


def _numbers(path: str, value: Any) -> Iterator[Tuple[str, float]]:
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield path, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _numbers(f"{path}.{name}" if path else name, part)


class Result(Mapping[str, Any]):
    """What a run has counted, by the names of RESULT.json: `result["totals"]["cycles"]`."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document
        #: The program's standard output, where `run` has captured it.
        self.output: Optional[str] = None

    @property
    def cycles(self) -> int:
        """Simulated cycles of all launches."""
        return self.document["totals"]["cycles"]

    @property
    def ipc(self) -> float:
        """Thread instructions a cycle; 0 without timing."""
        totals = self.document["totals"]
        return totals["thread_instructions"] / totals["cycles"] if totals["cycles"] else 0.0

    @property
    def status(self) -> str:
        """`complete`, or why the run ended before its end."""
        return self.document["status"]

    @property
    def kernels(self) -> List[Dict[str, Any]]:
        """The launches, in their order."""
        return self.document["kernels"]

    def numbers(self) -> Dict[str, float]:
        """Every number of `totals`, `stalls` and `stats`, by its path: `stats.dram.reads`."""
        return {path: value for part in ("totals", "stalls", "stats")
                for path, value in _numbers(part, self.document.get(part, {}))}

    def frame(self) -> Any:
        """The launches as a pandas data frame, a row each."""
        import pandas  # only here: heddle does not need it

        return pandas.json_normalize(self.kernels)

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Writes RESULT.json, for `heddle report` and `heddle profile`."""
        with open(file, "w", encoding="utf-8") as out:
            json.dump(self.document, out)

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.document)

    def __len__(self) -> int:
        return len(self.document)

    def __repr__(self) -> str:
        return f"<heddle.Result of {self['program']} on {self['machine']}: {self.cycles:,} cycles, {self.status}>"


def load(file: Union[str, "os.PathLike[str]"]) -> Result:
    """Reads a RESULT.json."""
    with open(file, encoding="utf-8") as text:
        return Result(json.load(text))
