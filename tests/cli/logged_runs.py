"""Experiments whose runs write down that they were started: what the tests of plans and engines share."""
import collections
import json
import subprocess
import unittest

from case import HEDDLE, RUNTIME, Case
from run_test import compiler

# Writes its name to the log of a folder, uses the device, and sleeps as long as its third argument says; with a fourth
# argument only the first time.
PROGRAM = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int cudaMalloc(void**, size_t);
int main(int argc, char** argv) {
    void* p = 0;
    char line[64], path[500];
    snprintf(path, sizeof path, "%s/log.txt", argv[1]);
    int log = open(path, O_WRONLY | O_APPEND | O_CREAT, 0666);
    snprintf(line, sizeof line, "%s\n", argv[2]);
    if (write(log, line, strlen(line)) < 0) return 8;
    close(log);
    if (cudaMalloc(&p, 64)) return 9;
    if (argc > 4) {
        snprintf(path, sizeof path, "%s/mark", argv[1]);
        if (access(path, F_OK) == 0) return 0;
        close(open(path, O_WRONLY | O_CREAT, 0666));
    }
    usleep((useconds_t)(atof(argv[3]) * 1e6));
    return atoi(argv[2]) == 999 ? 3 : 0;
}
"""

PROFILE = """poll_seconds = 0.3
unknown_minutes = 0.05
unknown_megabytes = 300
"""
# Each run is a task.
SINGLE = PROFILE.replace("0.05", "1")


@unittest.skipUnless(compiler(), "no C compiler")
@unittest.skipUnless(RUNTIME.exists(), f"{RUNTIME} is not built")
class LoggedRuns(Case):
    environment = None

    def setUp(self):
        super().setUp()
        source = self.write("program.c", PROGRAM)
        self.log = self.folder / "log.txt"
        subprocess.run([compiler(), source, "-L", RUNTIME.parent, f"-l:{RUNTIME.name}", "-o", self.folder / "program"],
                       check=True)
        self.profile = self.write("profile.toml", PROFILE)

    def experiment(self, arguments):
        """A file whose runs are one for each list of arguments after the folder."""
        text = 'title = "T"\nvalue = "totals.cycles"\n'
        for one in arguments:
            words = ", ".join(json.dumps(str(word)) for word in [self.folder, *one])
            text += f'[[program]]\nname = "p{one[0]}"\nrun = "./program"\narguments = [{words}]\n'
        return self.write("t.toml", text)

    def call(self, *words, **options):
        return subprocess.run([str(HEDDLE), *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=240,
                              env=self.environment, **options)

    def reproduce(self, file, *words, folder="out"):
        return self.call("reproduce", file, "-o", folder, *words)

    def stored(self, folder):
        """All that is stored of each run but the time of its host."""
        rows = json.loads(self.call("query", "SELECT key, version, label, failure, document(run) AS result FROM runs ORDER BY key",
                                    "--json", "--store", f"{folder}/runs.sqlite").stdout)
        for row in rows:
            row["result"] = json.loads(row["result"])
            del row["result"]["host"]
        return rows

    def starts(self):
        return collections.Counter(self.log.read_text().split()) if self.log.exists() else collections.Counter()
