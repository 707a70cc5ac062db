// The graphs of bfs: a seeded generator, and readers of DIMACS .gr and Matrix Market files. Host code only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bfs {

/// Directed edges in compressed rows: the targets of node n are targets[first[n] .. first[n + 1]), in the order of the
/// input. Nodes count from 0.
struct Graph {
    std::vector<std::uint32_t> first; ///< nodes + 1 entries
    std::vector<std::uint32_t> targets;

    std::size_t nodes() const {
        return first.size() - 1;
    }
    std::uint32_t degree(std::size_t node) const {
        return first[node + 1] - first[node];
    }
};

/// Out-degrees uniform in 1 to 11 (6 on average), targets uniform over all nodes: at 1 M nodes about a dozen levels,
/// and some 0.25 % of the nodes are reached by no edge.
Graph random_graph(std::uint32_t nodes, std::uint64_t seed);

/// Reads a .gr (DIMACS shortest paths, weights are not used) or .mtx file (Matrix Market coordinates, any field,
/// general or symmetric; values are not used). An error is a std::runtime_error that says "file:line: what".
Graph read_graph(const std::string& path);

} // namespace bfs
