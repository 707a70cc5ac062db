#include <random>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <gtest/gtest.h>

#include "ir/analysis/postdom.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

using Targets = std::vector<std::uint32_t>;

std::vector<std::uint32_t> of(std::vector<Targets> successors, const Targets& leaves) {
    FlowGraph graph;
    graph.successors = std::move(successors);
    graph.leaves.assign(graph.successors.size(), false);
    for (const std::uint32_t leaf : leaves)
        graph.leaves[leaf] = true;
    return immediate_postdominators(graph);
}

TEST(PostDominators, IfElseMeetsAtTheJoin) {
    // 0 -> 1 | 2 -> 3
    EXPECT_EQ(of({{1, 2}, {3}, {3}, {}}, {3}), (Targets{3, 3, 3, kLeaves}));
}

TEST(PostDominators, LoopWithSeveralExits) {
    // 0 -> 1; 1 -> 2 | 5 (exit); 2 -> 3 | 4 (break); 3 -> 1 | 5; 4 -> 5
    EXPECT_EQ(of({{1}, {2, 5}, {3, 4}, {1, 5}, {5}, {}}, {5}), (Targets{1, 5, 5, 5, 5, kLeaves}));
}

TEST(PostDominators, EarlyExitLeavesNoMeetingPoint) {
    // 0 -> 1 (ends) | 2; 2 -> 3 | 4 -> 5
    EXPECT_EQ(of({{1, 2}, {}, {3, 4}, {5}, {5}, {}}, {1, 5}), (Targets{kLeaves, kLeaves, 5, 5, 5, kLeaves}));
}

TEST(PostDominators, IrreducibleLoop) {
    // 0 enters the cycle 1 <-> 2 at both; 1 leaves to 3
    EXPECT_EQ(of({{1, 2}, {2, 3}, {1}, {}}, {3}), (Targets{1, 3, 1, kLeaves}));
}

TEST(PostDominators, UnreachableCodeDoesNotMatter) {
    // 1 is never entered and jumps into the join
    EXPECT_EQ(of({{2, 3}, {4}, {4}, {4}, {}}, {4}), (Targets{4, 4, 4, 4, kLeaves}));
}

TEST(PostDominators, EndlessLoopMeetsInItself) {
    // 0 -> 1; 1 -> 2 | 3; both -> 4 -> 1
    EXPECT_EQ(of({{1}, {2, 3}, {4}, {4}, {1}}, {}), (Targets{1, 4, 4, 4, 1}));
}

TEST(PostDominators, EndlessLoopWithContinueMeetsAtItsHead) {
    // 0 -> 1; 1 -> 1 (continue) | 2; 2 -> 1
    EXPECT_EQ(of({{1}, {1, 2}, {1}}, {}), (Targets{1, 1, 1}));
}

TEST(PostDominators, BranchIntoAnEndlessLoopOrOut) {
    // 0 -> 1 (spins) | 2 (ends)
    EXPECT_EQ(of({{1, 2}, {1}, {}}, {2}), (Targets{kLeaves, 1, kLeaves}));
}

TEST(PostDominators, GuardedReturnInALoop) {
    // 1 may end or go on to 2; 2 -> 1 | 3
    EXPECT_EQ(of({{1}, {2}, {1, 3}, {}}, {1, 3}), (Targets{1, kLeaves, kLeaves, kLeaves}));
}

// Boost's Lengauer-Tarjan as the reference, on graphs in which every node reaches a leaf.
Targets reference(const FlowGraph& flow) {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
    const std::size_t n = flow.successors.size();
    Graph reversed(n + 1);
    for (std::size_t v = 0; v < n; ++v) {
        for (const std::uint32_t s : flow.successors[v])
            boost::add_edge(s, v, reversed);
        if (flow.leaves[v])
            boost::add_edge(n, v, reversed);
    }
    const auto none = boost::graph_traits<Graph>::null_vertex();
    std::vector<boost::graph_traits<Graph>::vertex_descriptor> dominator(n + 1, none);
    boost::lengauer_tarjan_dominator_tree(
        reversed, n, boost::make_iterator_property_map(dominator.begin(), boost::get(boost::vertex_index, reversed)));
    Targets out(n);
    for (std::size_t v = 0; v < n; ++v)
        out[v] = dominator[v] == n || dominator[v] == none ? kLeaves : static_cast<std::uint32_t>(dominator[v]);
    return out;
}

TEST(PostDominators, AgreeWithLengauerTarjanOnRandomGraphs) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const auto n = static_cast<std::uint32_t>(2 + random() % 40);
        FlowGraph flow;
        flow.successors.resize(n);
        flow.leaves.assign(n, false);
        for (std::uint32_t v = 0; v < n; ++v) {
            if (v + 1 < n)
                flow.successors[v].push_back(v + 1); // so that all reach the last
            if (random() % 2 == 0)
                flow.successors[v].push_back(static_cast<std::uint32_t>(random() % n));
            flow.leaves[v] = v + 1 == n || random() % 16 == 0;
        }
        EXPECT_EQ(immediate_postdominators(flow), reference(flow)) << "round " << round;
    }
}

TEST(PostDominators, LongChainWithABackEdge) {
    constexpr std::uint32_t n = 300000; // deeper than a recursive algorithm's stack
    std::vector<Targets> successors(n);
    for (std::uint32_t v = 0; v + 1 < n; ++v)
        successors[v].push_back(v + 1);
    successors[n - 2].push_back(0);
    const Targets result = of(std::move(successors), {n - 1});
    EXPECT_EQ(result[0], 1U);
    EXPECT_EQ(result[n - 2], n - 1);
}

// --- of lowered functions ---

constexpr std::string_view kBody = R"(
    setp.eq.u32 %p1, %r1, %r2;
    @%p1 bra A;
    add.u32 %r1, %r1, 1;
    @%p1 ret;
    add.u32 %r1, %r1, 2;
A:  add.u32 %r1, %r1, 3;
    @!%p1 exit;
    ret;
)";

TEST(Reconvergence, InAKernelEndsAreEnds) {
    const test::Lowered l = test::lower_body(kBody);
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    for (const Pc pc : {b + 1, b + 3, b + 6}) {
        EXPECT_EQ(l.op(pc).reconvergence, kNoPc) << pc;
        EXPECT_FALSE(l.op(pc).has(kDivergesAtReturn)) << pc;
    }
    EXPECT_EQ(l.op(b + 3).kind, Kind::Exit); // ret of an entry
}

TEST(Reconvergence, InAFunctionAtTheReturn) {
    const test::Lowered l = test::lower_text(
        fmt::format("{}.func f() {{ .reg .pred %p<2>; .reg .b32 %r<3>; {} }}\n.entry k() {{ .reg .pred %p<2>;\n"
                    "setp.eq.u32 %p1, 1, 2; @%p1 call f; ret; }}",
                    test::kHeader, kBody));
    ASSERT_EQ(l.errors, "");
    const Pc call = l.kernel().begin + 1;
    ASSERT_EQ(l.op(call).kind, Kind::Call);
    EXPECT_EQ(l.op(call).reconvergence, call + 1); // the threads that do not call wait behind it
    const Pc f = l.op(call).target;
    for (const Pc pc : {f + 1, f + 3, f + 6}) {
        EXPECT_EQ(l.op(pc).reconvergence, kNoPc) << pc;
        EXPECT_TRUE(l.op(pc).has(kDivergesAtReturn)) << pc;
    }
    EXPECT_EQ(l.op(f + 3).kind, Kind::Return);
    EXPECT_EQ(l.op(f + 6).kind, Kind::Exit);
}

TEST(Reconvergence, ACallThatNeverReturnsEndsThePath) {
    const test::Lowered l = test::lower_text(fmt::format(R"({}
.func dies() {{ exit; }}
.func dies_too() {{ call dies; ret; }}
.entry k() {{ .reg .pred %p<2>; .reg .b32 %r<4>;
    setp.eq.u32 %p1, 1, 2;
    @%p1 bra A;
    call dies_too;
A:  @%p1 bra B;
    add.u32 %r1, %r1, 1;
B:  ret;
}})",
                                                         test::kHeader));
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b + 1).reconvergence, kNoPc); // the path through the call never gets to A
    EXPECT_EQ(l.op(b + 3).reconvergence, b + 5);
}

TEST(Reconvergence, AFunctionThatNeverReturnsHasNoMeetingPointAtAReturn) {
    const test::Lowered l =
        test::lower_text(fmt::format("{}.func dies() {{ .reg .pred %p<2>; setp.eq.u32 %p1, 1, 2; @%p1 exit; trap; }}\n"
                                     ".entry k() {{ call dies; ret; }}",
                                     test::kHeader));
    ASSERT_EQ(l.errors, "");
    const Pc f = l.op(l.kernel().begin).target;
    EXPECT_FALSE(l.op(f + 1).has(kDivergesAtReturn));
}

TEST(Reconvergence, SpinInsideAnEndlessLoop) {
    const test::Lowered l = test::lower_body(R"(
H:  setp.eq.u32 %p1, %r1, 5;
    @%p1 bra J;
    add.u32 %r1, %r1, 1;
J:  add.u32 %r2, %r2, 1;
    bra H;
)");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b + 1).reconvergence, b + 3);
}

} // namespace
} // namespace heddle::ir
