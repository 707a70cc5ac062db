// Queries of a B+ tree of order 256: find looks up keys, find_range how many records lie between two keys. A block of
// threads takes one query, with a thread for every key of a node: the one whose key is the last not above the query's
// tells all where to go down.
//
// The shape is that of Rodinia's b+tree: 1 M records, 10,000 look-ups in blocks of 256 threads (as the order), then
// 6000 ranges in as many (PRO Table II has those blocks). Nodes are half full, as insertion in ascending order leaves
// them. The reference searches the sorted keys. The check is exact.

#include <algorithm>
#include <limits>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

constexpr int kOrder = 256;                              ///< most children of a node
constexpr std::size_t kFilled = kOrder / 2;              ///< children that a node has
constexpr int kBeyond = std::numeric_limits<int>::max(); ///< behind the last key of a node
constexpr int kAbsent = -1;

struct Node {
    int keys[kOrder + 1]; ///< of each child the least, or of a leaf's records
    int targets[kOrder];  ///< nodes, or a leaf's records
};

/// What a query of a range returns.
struct Range {
    int first; ///< record
    int count;
};

// ---- device ----

/// The place in a node where `key` belongs, if this thread is the one that holds it, else kAbsent.
__device__ inline int own_place(const Node& node, int key) {
    int place = kAbsent;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < kOrder; i += static_cast<int>(blockDim.x)) {
        if (node.keys[i] <= key && key < node.keys[i + 1])
            place = i;
    }
    return place;
}

__global__ void find(int* found, const int* keys, const Node* nodes, int levels) {
    __shared__ int below;
    __shared__ int here;
    const int key = keys[blockIdx.x];
    if (threadIdx.x == 0)
        here = 0;
    __syncthreads();
#pragma unroll 1
    for (int level = 1; level < levels; ++level) {
        const Node& node = nodes[here];
        const int place = own_place(node, key);
        if (place != kAbsent)
            below = node.targets[place];
        __syncthreads();
        if (threadIdx.x == 0)
            here = below;
        __syncthreads();
    }
    const Node& leaf = nodes[here];
    const int place = own_place(leaf, key);
    if (place != kAbsent)
        found[blockIdx.x] = leaf.keys[place] == key ? leaf.targets[place] : kAbsent;
}

/// Both ends of a range go down the tree together.
__global__ void find_range(Range* found, const int* firsts, const int* lasts, const Node* nodes, int levels) {
    __shared__ int below[2];
    __shared__ int here[2];
    __shared__ int before; // the record before the range
    const int first = firsts[blockIdx.x];
    const int last = lasts[blockIdx.x];
    if (threadIdx.x == 0) {
        here[0] = 0;
        here[1] = 0;
    }
    __syncthreads();
#pragma unroll 1
    for (int level = 1; level < levels; ++level) {
        const int first_place = own_place(nodes[here[0]], first);
        if (first_place != kAbsent)
            below[0] = nodes[here[0]].targets[first_place];
        const int last_place = own_place(nodes[here[1]], last);
        if (last_place != kAbsent)
            below[1] = nodes[here[1]].targets[last_place];
        __syncthreads();
        if (threadIdx.x == 0) {
            here[0] = below[0];
            here[1] = below[1];
        }
        __syncthreads();
    }
    const Node& first_leaf = nodes[here[0]];
    const int first_place = own_place(first_leaf, first);
    if (first_place != kAbsent)
        before = first_leaf.targets[first_place] - (first_leaf.keys[first_place] == first ? 1 : 0);
    __syncthreads();
    const Node& last_leaf = nodes[here[1]];
    const int last_place = own_place(last_leaf, last);
    if (last_place != kAbsent)
        found[blockIdx.x] = {before + 1, last_leaf.targets[last_place] - before};
}

namespace {

// ---- the tree ----

struct Tree {
    std::vector<Node> nodes; ///< the root first
    int levels;
};

/// The children `first` to `end` of a level, whose least keys are `keys`; targets count from `base`.
Node make_node(const std::vector<int>& keys, std::size_t first, std::size_t end, std::size_t base) {
    Node node{};
    std::fill(std::begin(node.keys), std::end(node.keys), kBeyond);
    for (std::size_t child = first; child < end; ++child) {
        node.keys[child - first] = keys[child];
        node.targets[child - first] = static_cast<int>(base + child);
    }
    return node;
}

/// From the leaves up, then the levels in order from the root.
Tree build_tree(const std::vector<int>& keys) {
    std::vector<std::vector<int>> least{keys}; // of the records, the leaves, ... and the root
    while (least.size() == 1 || least.back().size() > 1) {
        std::vector<int> parents;
        for (std::size_t child = 0; child < least.back().size(); child += kFilled)
            parents.push_back(least.back()[child]);
        least.push_back(parents);
    }
    Tree tree{{}, static_cast<int>(least.size()) - 1};
    for (std::size_t level = least.size() - 1; level > 0; --level) {
        const std::vector<int>& children = least[level - 1];
        const std::size_t base = level > 1 ? tree.nodes.size() + least[level].size() : 0; // of nodes, or of records
        for (std::size_t first = 0; first < children.size(); first += kFilled)
            tree.nodes.push_back(make_node(children, first, std::min(first + kFilled, children.size()), base));
    }
    return tree;
}

/// Ascending, with gaps of 1 to 3.
std::vector<int> random_keys(std::size_t count, workload::Random& random) {
    std::vector<int> keys(count);
    int key = 0;
    for (int& next : keys)
        next = key += 1 + static_cast<int>(random.below(3));
    return keys;
}

/// From the first key of the tree to the last, whether a record has them or not.
std::vector<int> random_queries(std::size_t count, const std::vector<int>& keys, workload::Random& random) {
    std::vector<int> queries(count);
    for (int& query : queries)
        query = keys.front() + static_cast<int>(random.below(static_cast<unsigned>(keys.back() - keys.front() + 1)));
    return queries;
}

std::vector<int> find_keys(workload::DeviceArray<Node>& nodes, int levels, const std::vector<int>& queries,
                           unsigned block) {
    workload::DeviceArray<int> keys(queries);
    workload::DeviceArray<int> found(queries.size());
    found.fill_bytes(0x80);
    find<<<static_cast<unsigned>(queries.size()), block>>>(found.data(), keys.data(), nodes.data(), levels);
    workload::finish_kernels();
    return found.to_host();
}

std::vector<Range> find_ranges(workload::DeviceArray<Node>& nodes, int levels, const std::vector<int>& firsts,
                               const std::vector<int>& lasts, unsigned block) {
    workload::DeviceArray<int> first_keys(firsts);
    workload::DeviceArray<int> last_keys(lasts);
    workload::DeviceArray<Range> found(firsts.size());
    found.fill_bytes(0x80);
    find_range<<<static_cast<unsigned>(firsts.size()), block>>>(found.data(), first_keys.data(), last_keys.data(),
                                                                nodes.data(), levels);
    workload::finish_kernels();
    return found.to_host();
}

// ---- reference ----

void check_find(workload::Check& check, std::size_t query, int found, const std::vector<int>& keys, int key) {
    const auto at = std::lower_bound(keys.begin(), keys.end(), key);
    check.equal("found", query, found, at != keys.end() && *at == key ? at - keys.begin() : kAbsent);
}

void check_range(workload::Check& check, std::size_t query, Range found, const std::vector<int>& keys, int first,
                 int last) {
    const auto begin = std::lower_bound(keys.begin(), keys.end(), first);
    const auto end = std::upper_bound(keys.begin(), keys.end(), last);
    check.equal("first", query, found.first, begin - keys.begin());
    check.equal("count", query, found.count, end - begin);
}

} // namespace

int main(int argc, char** argv) {
    constexpr int kMostRange = 3000; // of keys
    workload::CommandLine line("btree", "Look-ups and ranges in a B+ tree",
                               {{"pro", {1'000'000, 0, 1}, {50'000, 0, 1}}});
    std::uint64_t lookups = 0;
    std::uint64_t ranges = 0;
    line.size("records of the tree", 1, 1u << 26).block(kOrder).seed();
    line.number("--lookups", lookups, 1, 1u << 20, "keys to look up, a block each; default: 10000 (quick 300)");
    line.number("--ranges", ranges, 1, 1u << 20, "ranges of up to 3000 keys, a block each; default: 6000 (quick 180)");
    const workload::Options options = line.parse(argc, argv);
    if (lookups == 0)
        lookups = options.quick ? 300 : 10'000;
    if (ranges == 0)
        ranges = options.quick ? 180 : 6000;

    workload::Random random(options.seed);
    const std::vector<int> keys = random_keys(options.amount.size, random);
    const std::vector<int> queries = random_queries(lookups, keys, random);
    const std::vector<int> firsts = random_queries(ranges, keys, random);
    std::vector<int> lasts = firsts;
    for (int& last : lasts)
        last += static_cast<int>(random.below(kMostRange));

    const unsigned block = workload::block_threads(options, kOrder);
    const Tree tree = build_tree(keys);
    workload::DeviceArray<Node> nodes(tree.nodes);
    const std::vector<int> found = find_keys(nodes, tree.levels, queries, block);
    const std::vector<Range> found_ranges = find_ranges(nodes, tree.levels, firsts, lasts, block);

    workload::Check check;
    for (std::size_t i = 0; i < queries.size(); ++i)
        check_find(check, i, found[i], keys, queries[i]);
    for (std::size_t i = 0; i < firsts.size(); ++i)
        check_range(check, i, found_ranges[i], keys, firsts[i], lasts[i]);
    std::printf("btree: %zu and %zu blocks of %u threads, %zu records in %zu nodes of %d levels\n", queries.size(),
                firsts.size(), block, keys.size(), tree.nodes.size(), tree.levels);
    return check.finish();
}
