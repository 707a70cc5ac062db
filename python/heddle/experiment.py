"""Many runs, through the plans, stores and engines of `heddle reproduce` (docs/experiments.md)."""
from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import _heddle, command
from .machine import Machine, Settings, setting_text
from .result import Result

PathLike = Union[str, "os.PathLike[str]"]


def _toml(value: Any) -> str:
    """A value of TOML: strings, numbers, lists, and mappings as inline tables."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    raise _heddle.Error(f"{value!r} has no form in an experiment file")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", key) else json.dumps(key, ensure_ascii=False)


class Figure(Mapping[str, Any]):
    """A figure of an experiment, by the names of schema/figures.schema.json."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document

    def by_series(self) -> Dict[str, Dict[str, Optional[float]]]:
        """By series, then by category; None where a run has failed."""
        return {series["name"]: dict(zip(self.document["categories"], series["values"]))
                for series in self.document["series"]}

    def frame(self) -> Any:
        """A pandas data frame: a row a category, a column a series."""
        import pandas

        return pandas.DataFrame(self.by_series(), index=self.document["categories"])

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    def __iter__(self) -> Any:
        return iter(self.document)

    def __len__(self) -> int:
        return len(self.document)

    def __repr__(self) -> str:
        return f"<heddle.Figure {self['id']}: {self['title']}>"


class Experiment:
    """An experiment: keys are those of an experiment file, with settings as a mapping from their names.

        heddle.Experiment(title="Schedulers", machine="lwm11", programs=["lwm.bfs", "lwm.sort"],
                          value="totals.thread_instructions / totals.cycles",
                          settings={"rr": {}, "gto": {"core.scheduler": "gto"}})

    Programs of one's own: `program=[{"name": "axpy", "run": "./axpy", "arguments": ["1024"]}]`.
    """

    def __init__(self, *, title: str, settings: Optional[Mapping[str, Settings]] = None, **keys: Any) -> None:
        self.keys: Dict[str, Any] = {"title": title, **keys}
        if settings is not None:
            self.keys["setting"] = [{"name": name, "set": dict(values)} if values else {"name": name}
                                    for name, values in settings.items()]

    def to_toml(self) -> str:
        """The experiment file."""
        return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in self.keys.items())

    def reproduce(self, output: PathLike = "results", *, quick: bool = False, jobs: Optional[int] = None,
                  on: Optional[str] = None, site: Optional[PathLike] = None, max_cycles: int = 0,
                  rerun: Optional[str] = None) -> List[Figure]:
        """Makes the runs that are not stored in `output` yet, and returns the figures.

        output: the folder for the stored results and the page (docs/experiments.md); on, site: an engine and what the
        site asks of jobs (docs/batch.md); rerun: "all" or "failed". Raises Error for what is wrong in the experiment;
        values of runs that failed are None.
        """
        folder = Path(output)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "experiment.toml"
        file.write_text(self.to_toml(), encoding="utf-8")
        words = ["reproduce", str(file), "-o", str(folder)]
        if quick:
            words.append("--quick")
        for option, value in (("--jobs", jobs), ("--on", on), ("--site", site), ("--max-cycles", max_cycles or None)):
            if value is not None:
                words += [option, os.fspath(value) if not isinstance(value, int) else str(value)]
        if rerun is not None:
            words.append(f"--rerun={rerun}")
        command.call(words, stdout=subprocess.DEVNULL)  # the table
        document = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
        return [Figure(figure) for figure in document["figures"]]


class Run:
    """A run of a sweep: its settings and its result, or why it failed."""

    def __init__(self, settings: Dict[str, Any], result: Optional[Result], failure: Optional[str]) -> None:
        self.settings, self.result, self.failure = settings, result, failure

    def __repr__(self) -> str:
        return f"<heddle.Run {self.settings}: {self.result if self.result is not None else self.failure}>"


def sweep(program: Union[str, Sequence[PathLike]], axes: Mapping[str, Sequence[Any]], *,
          machine: Union[Machine, str, None] = None, settings: Optional[Settings] = None, output: PathLike = "results",
          jobs: Optional[int] = None, on: Optional[str] = None, site: Optional[PathLike] = None,
          max_cycles: int = 0) -> List[Run]:
    """Runs a program under all combinations of parameters, the last axis fastest.

        for run in heddle.sweep(["./axpy", "1024"], {"core.scheduler": ["lrr", "gto"], "dcache.size": ["16KiB", "32KiB"]}):
            print(run.settings, run.result.cycles)

    Runs whose results are stored in `output` are not repeated. The rest is as of `Experiment.reproduce`.
    """
    chosen = Machine.of(machine, settings)
    words = [program] if isinstance(program, (str, os.PathLike)) else list(program)
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    names = [", ".join(f"{key}={setting_text(value)}" for key, value in point.items()) or chosen.name for point in points]
    for point in points:
        chosen.changed(point)  # all that is wrong is told before anything runs
    study = Experiment(
        title=f"Sweep of {os.path.basename(os.fspath(words[0]))}", value="totals.cycles",
        machine=os.path.abspath(chosen.source) if os.path.exists(chosen.source) else chosen.source, set=chosen.settings,
        program=[{"name": os.path.basename(os.fspath(words[0])), "run": os.path.abspath(words[0]),
                  "arguments": [os.fspath(word) for word in words[1:]]}],
        settings=dict(zip(names, points)))
    study.keys["id"] = "sweep-" + hashlib.sha256(study.to_toml().encode()).hexdigest()[:12]
    study.reproduce(output, jobs=jobs, on=on, site=site, max_cycles=max_cycles)
    stored = command.call(
        ["query", "--store", str(Path(output) / "runs.sqlite"), "--json",
         "SELECT setting, failure, document(run) AS document FROM runs "
         f"WHERE experiment = '{study.keys['id']}' ORDER BY finished"],
        stdout=subprocess.PIPE)
    rows = {row["setting"]: row for row in json.loads(stored.stdout)}  # of several revisions the last
    return [Run(point, Result(json.loads(rows[name]["document"])) if rows[name]["document"] else None, rows[name]["failure"])
            for name, point in zip(names, points)]
