// Graphs, as far as device code launches them: what knows and executes them stands above a Device.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::runtime {

// How device code launches a graph: the number of CUDA's stream for it.
enum class GraphLaunch : std::uint8_t { Tail = 1, FireAndForget = 2, Sibling = 3 };

class GraphLauncher {
public:
    struct Graph {
        std::uint64_t handle = 0;
        bool is_running = false; // or will when another graph ends
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
};

} // namespace heddle::runtime
