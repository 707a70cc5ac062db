#include "bfs/graph.h"

#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/random.h"

namespace bfs {

namespace {

constexpr std::uint32_t kLeastDegree = 1;
constexpr std::uint32_t kMostDegree = 11;
constexpr std::uint64_t kMostEntries = 1u << 30; ///< of nodes and of edges, so that 32-bit offsets reach them

struct Edge {
    std::uint32_t from;
    std::uint32_t to;
};

Graph compress(std::size_t nodes, const std::vector<Edge>& edges) {
    Graph graph;
    graph.first.resize(nodes + 1);
    for (const Edge& edge : edges)
        ++graph.first[edge.from + 1];
    for (std::size_t node = 0; node < nodes; ++node)
        graph.first[node + 1] += graph.first[node];
    std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
    graph.targets.resize(edges.size());
    for (const Edge& edge : edges)
        graph.targets[next[edge.from]++] = edge.to;
    return graph;
}

/// A text file read line by line, which knows where it is.
class Lines {
public:
    explicit Lines(const std::string& path) : path_(path), file_(path) {
        if (!file_)
            throw std::runtime_error(path + ": cannot be opened");
    }

    bool next() {
        if (!std::getline(file_, text_)) {
            if (file_.bad())
                fail("cannot be read");
            return false;
        }
        ++number_;
        if (!text_.empty() && text_.back() == '\r')
            text_.pop_back();
        return true;
    }
    const std::string& text() const {
        return text_;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(path_ + ":" + std::to_string(number_) + ": " + what);
    }

    /// The next whole number of `words`, in [least, most].
    std::uint64_t number(std::istringstream& words, const char* meaning, std::uint64_t least,
                         std::uint64_t most) const {
        std::string word;
        if (!(words >> word))
            fail(std::string("the ") + meaning + " is missing");
        std::uint64_t value = 0;
        for (const char c : word) {
            if (c < '0' || c > '9' || value > most)
                fail(std::string("the ") + meaning + " is '" + word + "', not a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
            value = value * 10 + static_cast<std::uint64_t>(c - '0');
        }
        if (value < least || value > most)
            fail(std::string("the ") + meaning + " is " + word + ", not within " + std::to_string(least) + " to " +
                 std::to_string(most));
        return value;
    }

    /// One end of an edge, which files count from 1.
    std::uint32_t node(std::istringstream& words, const char* meaning, std::uint64_t nodes) const {
        return static_cast<std::uint32_t>(number(words, meaning, 1, nodes) - 1);
    }

private:
    std::string path_;
    std::ifstream file_;
    std::string text_;
    std::size_t number_ = 0;
};

[[noreturn]] void fail_count(const Lines& lines, std::size_t promised, std::size_t got) {
    lines.fail("the file ends after " + std::to_string(got) + " of " + std::to_string(promised) + " edges");
}

/// "c comment", one "p sp NODES EDGES", then EDGES times "a FROM TO WEIGHT".
Graph read_dimacs(const std::string& path) {
    Lines lines(path);
    bool has_size = false;
    std::uint64_t nodes = 0;
    std::uint64_t count = 0;
    std::vector<Edge> edges;
    while (lines.next()) {
        std::istringstream words(lines.text());
        std::string kind;
        if (!(words >> kind) || kind == "c")
            continue;
        if (kind == "p") {
            std::string problem;
            if (has_size || !(words >> problem) || problem != "sp")
                lines.fail("expected one 'p sp NODES EDGES' line");
            nodes = lines.number(words, "number of nodes", 1, kMostEntries);
            count = lines.number(words, "number of edges", 0, kMostEntries);
            has_size = true;
        } else if (kind == "a") {
            if (!has_size)
                lines.fail("an edge before the 'p sp NODES EDGES' line");
            if (edges.size() == count)
                lines.fail("more than the " + std::to_string(count) + " edges of the 'p' line");
            const std::uint32_t from = lines.node(words, "edge's first node", nodes);
            edges.push_back({from, lines.node(words, "edge's second node", nodes)});
        } else {
            lines.fail("unknown line '" + lines.text() + "': DIMACS lines begin with c, p or a");
        }
    }
    if (!has_size)
        lines.fail("no 'p sp NODES EDGES' line");
    if (edges.size() != count)
        fail_count(lines, count, edges.size());
    return compress(nodes, edges);
}

/// A banner, comments that begin with %, "ROWS COLUMNS ENTRIES", then ENTRIES times "ROW COLUMN [VALUE]". Row r has an
/// edge to column c; a symmetric matrix holds one half and means both.
Graph read_matrix_market(const std::string& path) {
    Lines lines(path);
    if (!lines.next())
        lines.fail("the file is empty");
    std::istringstream banner(lines.text());
    std::string mark, object, format, field, symmetry;
    banner >> mark >> object >> format >> field >> symmetry;
    if (mark != "%%MatrixMarket" || object != "matrix" || format != "coordinate")
        lines.fail("expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    if (symmetry != "general" && symmetry != "symmetric")
        lines.fail("symmetry '" + symmetry + "' is not read: it must be general or symmetric");

    bool has_size = false;
    std::uint64_t nodes = 0;
    std::uint64_t count = 0;
    std::uint64_t entries = 0;
    std::vector<Edge> edges;
    while (lines.next()) {
        std::istringstream words(lines.text());
        if (lines.text().empty() || lines.text()[0] == '%')
            continue;
        if (!has_size) {
            nodes = lines.number(words, "number of rows", 1, kMostEntries);
            if (lines.number(words, "number of columns", 1, kMostEntries) != nodes)
                lines.fail("the matrix is not square, so it is no graph");
            count = lines.number(words, "number of entries", 0, kMostEntries);
            has_size = true;
            continue;
        }
        if (entries++ == count)
            lines.fail("more than the " + std::to_string(count) + " entries of the size line");
        const std::uint32_t row = lines.node(words, "row", nodes);
        const std::uint32_t column = lines.node(words, "column", nodes);
        edges.push_back({row, column});
        if (symmetry == "symmetric" && row != column)
            edges.push_back({column, row});
    }
    if (!has_size)
        lines.fail("no 'ROWS COLUMNS ENTRIES' line");
    if (entries != count)
        fail_count(lines, count, entries);
    return compress(nodes, edges);
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

Graph random_graph(std::uint32_t nodes, std::uint64_t seed) {
    workload::Random random(seed);
    Graph graph;
    graph.first.resize(std::size_t{nodes} + 1);
    for (std::size_t node = 0; node < nodes; ++node)
        graph.first[node + 1] = graph.first[node] + kLeastDegree + random.below(kMostDegree - kLeastDegree + 1);
    graph.targets.resize(graph.first.back());
    for (std::uint32_t& target : graph.targets)
        target = random.below(nodes);
    return graph;
}

Graph read_graph(const std::string& path) {
    if (ends_with(path, ".gr"))
        return read_dimacs(path);
    if (ends_with(path, ".mtx"))
        return read_matrix_market(path);
    throw std::runtime_error(path + ": the name of a graph file ends in .gr (DIMACS) or .mtx (Matrix Market)");
}

} // namespace bfs
