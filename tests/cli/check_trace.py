#!/usr/bin/env python3
"""check_trace.py FILE: whether FILE keeps to the rules of the trace event format, as far as viewers depend on them.

Every event has its phase's members; slices of a thread nest; asynchronous slices have one begin and one end, in this order;
counters of one name are in order of time; every process and thread with events has a name.
Prints what is wrong and exits with 1; can be imported: problems(document) gives the same as texts.
"""
import collections
import json
import numbers
import sys

REQUIRED = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid"},
    "b": {"name", "cat", "id", "ts", "pid"},
    "e": {"name", "cat", "id", "ts", "pid"},
    "n": {"name", "cat", "id", "ts", "pid"},
    "i": {"name", "ts", "pid", "tid", "s"},
    "C": {"name", "ts", "pid", "args"},
    "M": {"name", "pid", "args"},
}
METADATA = {"process_name": "name", "process_sort_index": "sort_index", "thread_name": "name", "thread_sort_index": "sort_index"}


def event_problems(event):
    """Of one event by itself."""
    phase = event.get("ph")
    if phase not in REQUIRED:
        return [f"phase {phase!r}"]
    out = [f"no {member}" for member in sorted(REQUIRED[phase] - event.keys())]
    for member in ("ts", "dur", "pid", "tid"):
        value = event.get(member, 0)
        if not isinstance(value, numbers.Real) or isinstance(value, bool) or value < 0:
            out.append(f"{member} is {value!r}")
    if phase == "M" and METADATA.get(event.get("name"), "?") not in event.get("args", {}):
        out.append("metadata of no known kind")
    if phase == "C" and not all(isinstance(v, numbers.Real) for v in event.get("args", {}).values()):
        out.append("a counter that is no number")
    if phase == "i" and event.get("s") not in ("t", "p", "g"):
        out.append(f"scope {event.get('s')!r}")
    return out


def nesting_problems(slices):
    """Slices (begin, end, name) of one thread: each lies in another or beside it."""
    out = []
    ends = []
    for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while ends and ends[-1] <= begin:
            ends.pop()
        if ends and end > ends[-1]:
            out.append(f"slice {name} of {begin} to {end} crosses the end of another at {ends[-1]}")
        ends.append(end)
    return out


def problems(document):
    if not isinstance(document, dict) or not isinstance(document.get("traceEvents"), list):
        return ["no list traceEvents"]
    out = []
    slices = collections.defaultdict(list)
    asynchronous = collections.defaultdict(list)
    counters = {}
    named, used = set(), set()
    for event in document["traceEvents"]:
        wrong = event_problems(event)
        if wrong:
            out.append(f"{json.dumps(event)}: {', '.join(wrong)}")
            continue
        phase = event["ph"]
        thread = (event["pid"], event.get("tid"))
        if phase == "M":
            named.add(event["pid"] if event["name"] == "process_name" else thread)
            continue
        used.add(event["pid"])
        if phase in "Xi":
            used.add(thread)
        if phase == "X":
            slices[thread].append((event["ts"], event["ts"] + event["dur"], event["name"]))
        elif phase in "ben":
            asynchronous[event["pid"], event["cat"], event["id"]].append(event)
        elif phase == "C":
            key = (event["pid"], event["name"])
            if event["ts"] < counters.get(key, 0):
                out.append(f"counter {event['name']} goes back to {event['ts']}")
            counters[key] = event["ts"]
    for thread in slices.values():
        out += nesting_problems(thread)
    for key, events in asynchronous.items():
        phases = "".join(e["ph"] for e in events)
        if phases not in ("be", "n"):
            out.append(f"asynchronous slice {key} is {phases}")
        elif phases == "be" and (events[0]["ts"] > events[1]["ts"] or events[0]["name"] != events[1]["name"]):
            out.append(f"asynchronous slice {key} ends before it begins, or under another name")
    out += [f"{what} has no name" for what in sorted(used - named, key=str)]
    return out


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        found = problems(json.load(f))
    for problem in found[:10]:
        print(f"{sys.argv[1]}: {problem}")
    sys.exit(1 if found else 0)
