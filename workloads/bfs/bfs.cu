// Breadth-first search, level by level: one kernel a level, in which the threads stride over all nodes and those that
// hold a node of the current level visit its edges (the node-parallel form of the Rodinia suite).
//
// A node counts as new while its level is beyond the current one. Several threads may find the same new node in one
// level; all of them store the same number, and none of them reads a difference between "not yet" and "just now". So
// which branches are taken does not depend on the order of the threads, unlike with a "visited" flag.

#include <exception>

#include "bfs/graph.h"
#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"

constexpr int kUnreached = 0x7fffffff;

// ---- device ----

__global__ void expand_level(int* level, const unsigned* first, const unsigned* targets, long long nodes, int current,
                             int* found_new) {
    for (long long node = workload::thread_index(); node < nodes; node += workload::thread_count()) {
        if (level[node] != current)
            continue;
        const unsigned end = first[node + 1];
#pragma unroll 1
        for (unsigned edge = first[node]; edge < end; ++edge) {
            const unsigned target = targets[edge];
            if (level[target] > current) {
                level[target] = current + 1;
                *found_new = 1;
            }
        }
    }
}

/// Levels of all nodes; `levels` becomes the number of kernels launched.
std::vector<int> search(const bfs::Graph& graph, unsigned source, const workload::Grid& grid, int& levels) {
    std::vector<int> level(graph.nodes(), kUnreached);
    level[source] = 0;
    workload::DeviceArray<int> device_level(level);
    workload::DeviceArray<unsigned> first(graph.first);
    workload::DeviceArray<unsigned> targets(graph.targets);
    workload::DeviceArray<int> found_new(1);

    levels = 0;
    do {
        found_new.fill_bytes(0);
        expand_level<<<grid.blocks, grid.block>>>(device_level.data(), first.data(), targets.data(),
                                                  static_cast<long long>(graph.nodes()), levels, found_new.data());
        workload::finish_kernels();
        ++levels;
    } while (found_new.to_host()[0] != 0);
    return device_level.to_host();
}

// ---- reference ----

namespace {

/// The textbook search with a queue.
std::vector<int> reference(const bfs::Graph& graph, unsigned source) {
    std::vector<int> level(graph.nodes(), kUnreached);
    std::vector<unsigned> queue{source};
    level[source] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const unsigned node = queue[head];
        for (unsigned edge = graph.first[node]; edge < graph.first[node + 1]; ++edge) {
            const unsigned target = graph.targets[edge];
            if (level[target] == kUnreached) {
                level[target] = level[node] + 1;
                queue.push_back(target);
            }
        }
    }
    return level;
}

/// The first node of the most edges: in a real graph most others lead nowhere.
unsigned busiest_node(const bfs::Graph& graph) {
    unsigned busiest = 0;
    for (unsigned node = 1; node < graph.nodes(); ++node) {
        if (graph.degree(node) > graph.degree(busiest))
            busiest = node;
    }
    return busiest;
}

bfs::Graph make_graph(const std::string& file, const workload::Options& options) {
    if (file.empty())
        return bfs::random_graph(static_cast<std::uint32_t>(options.amount.size), options.seed);
    try {
        return bfs::read_graph(file);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bfs: error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

unsigned pick_source(const bfs::Graph& graph, std::uint64_t given) {
    if (given == 0)
        return busiest_node(graph);
    if (given > graph.nodes()) {
        std::fprintf(stderr, "bfs: error: --source %llu: the graph has %zu nodes\n",
                     static_cast<unsigned long long>(given), graph.nodes());
        std::exit(EXIT_FAILURE);
    }
    return static_cast<unsigned>(given - 1);
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line(
        "bfs", "Breadth-first search of a graph, level by level",
        {{"lwm", {1'000'000, 1024, 1}, {16'384, 1024, 1}}, {"pro", {65'536, 0, 1}, {16'384, 0, 1}}});
    std::string file;
    std::uint64_t source = 0;
    line.size("nodes of the random graph", 1, 1u << 26).threads().block().seed();
    line.text("--graph", file, "search this graph instead: a DIMACS .gr or Matrix Market .mtx file");
    line.number("--source", source, 1, std::uint64_t{1} << 30,
                "the node to start at, counted from 1; default: the first one with the most edges");
    const workload::Options options = line.parse(argc, argv);

    const bfs::Graph graph = make_graph(file, options);
    const unsigned start = pick_source(graph, source);
    const workload::Grid grid = workload::grid_for(options, graph.nodes());
    int levels = 0;
    const std::vector<int> level = search(graph, start, grid, levels);

    workload::Check check;
    check.equal("level", level, reference(graph, start));
    const auto unreached = std::count(level.begin(), level.end(), kUnreached);
    std::printf("bfs: %u threads, %zu nodes, %zu edges, from node %u: %d levels, %zu nodes reached\n", grid.threads(),
                graph.nodes(), graph.targets.size(), start + 1, levels,
                graph.nodes() - static_cast<std::size_t>(unreached));
    return check.finish();
}
