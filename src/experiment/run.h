// A run of a program on a simulated machine, with the key under which its result is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/results.h"

namespace heddle::experiment {

struct Input {
    std::string file;   // relative to the run's folder, or absolute
    std::string digest; // of its content; empty: there was no such file
};

struct Run {
    std::string key;               // of everything that its result depends on, except the simulator
    std::filesystem::path program; // empty where `problem` gives the reason
    std::string program_digest;    // of its content
    std::vector<std::string> arguments;
    std::vector<Input> inputs;         // files that arguments name, and those that the experiment declares
    std::filesystem::path folder;      // that it runs in
    std::string machine;               // a shipped one's name or a file's path
    std::vector<std::string> settings; // KEY=VALUE
    std::vector<std::string> plugins;  // absolute paths, besides those that the machine's file names
    Tool tool = Tool::run;
    std::string launches;                // JSON of limits and of what is timed (HEDDLE_OPTIONS); empty: no limits
    std::optional<std::uint64_t> sample; // record a timeline, with a sample every so many cycles
    std::string label;                   // "bfs, pdom rr"
    std::string problem;                 // the reason why the run is impossible
    Cost expected;                       // what it took when it was made last
    // Its place in the experiment that needed it first.
    std::string experiment, program_name, setting, point;
    std::optional<std::uint64_t> seed;
};

} // namespace heddle::experiment
