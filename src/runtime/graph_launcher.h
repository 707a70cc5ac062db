// Graphs, as far as device code launches them: what knows and executes them stands above a Device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace heddle::runtime {

// How device code launches a graph: the number of CUDA's stream for it.
enum class GraphLaunch : std::uint8_t { Tail = 1, FireAndForget = 2, Sibling = 3 };

class GraphLauncher {
public:
    struct Graph {
        std::uint64_t handle = 0;
        bool is_running = false; // or will when another graph ends
    };

    // What device code changes in the launch of a node: one of the three.
    struct Update {
        enum class Field : std::uint8_t { Grid, Parameter, Enabled };
        std::uint64_t node = 0; // its handle
        Field field = Field::Grid;
        Dim3 grid{};
        bool enabled = false;
        std::uint64_t offset = 0; // of the bytes in those of all parameters
        std::span<const std::byte> bytes;
    };

    virtual ~GraphLauncher() = default;

    // The graph that launches of the host belong to now; 0: none.
    [[nodiscard]] virtual std::uint64_t current() const = 0;
    // The same, if device code may launch it (%current_graph_exec).
    [[nodiscard]] virtual std::uint64_t current_for_device() const = 0;
    // The graphs that device code may launch.
    [[nodiscard]] virtual std::vector<Graph> launchable() const = 0;
    // Executes a graph now, or when the current one has ended. May launch kernels of the device. False: it has failed.
    virtual bool launch(std::uint64_t graph, GraphLaunch how) = 0;
    // Changes the next launches of a node. False: it is no node that device code may change, or has no such parameter.
    virtual bool update(const Update& update) = 0;
};

} // namespace heddle::runtime
