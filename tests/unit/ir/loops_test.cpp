#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "ir/analysis/loops.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

using Nodes = std::vector<std::uint32_t>;
constexpr std::uint32_t kNo = kNoLoop;

Loops of(std::vector<Nodes> successors) {
    FlowGraph graph;
    graph.successors = std::move(successors);
    graph.leaves.assign(graph.successors.size(), false);
    return find_loops(graph);
}

TEST(Loops, WhileLoop) {
    // 0 -> 1 (header) -> 2 | 3; 2 -> 1
    const Loops loops = of({{1}, {2, 3}, {1}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, 1, kNo}));
    EXPECT_FALSE(loops.ends_iteration(0, 1));
    EXPECT_FALSE(loops.ends_iteration(1, 2));
    EXPECT_TRUE(loops.ends_iteration(1, 3));
    EXPECT_TRUE(loops.ends_iteration(2, 1));
}

TEST(Loops, ABlockThatBranchesToItself) {
    const Loops loops = of({{1}, {1, 2}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, kNo}));
    EXPECT_TRUE(loops.ends_iteration(1, 1));
    EXPECT_TRUE(loops.ends_iteration(1, 2));
}

TEST(Loops, NestedLoops) {
    // 0 -> 1 (outer) -> 2 (inner) -> 3 -> 2 | 4; 4 -> 1 | 5
    const Loops loops = of({{1}, {2}, {3}, {2, 4}, {1, 5}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, 2, 2, 1, kNo}));
    EXPECT_EQ(loops.around, (Nodes{kNo, kNo, 1, kNo, kNo, kNo}));
    EXPECT_FALSE(loops.ends_iteration(1, 2)); // into the inner loop
    EXPECT_TRUE(loops.ends_iteration(3, 4));  // out of it
    EXPECT_TRUE(loops.ends_iteration(4, 1));
}

TEST(Loops, ThreeDeep) {
    // 0 -> 1 -> 2 -> 3 (self) -> 4 -> 2 | 5; 5 -> 1 | 6. And 3 -> 6, out of all three.
    const Loops loops = of({{1}, {2}, {3}, {3, 4, 6}, {2, 5}, {1, 6}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, 2, 3, 2, 1, kNo}));
    EXPECT_EQ(loops.around, (Nodes{kNo, kNo, 1, 2, kNo, kNo, kNo}));
    EXPECT_TRUE(loops.ends_iteration(3, 6));
    EXPECT_FALSE(loops.ends_iteration(2, 3));
}

TEST(Loops, OfOneHeaderAreOne) {
    // 1 -> 2 | 3; both go back to 1; 3 -> 4 leaves
    const Loops loops = of({{1}, {2, 3}, {1}, {1, 4}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, 1, 1, kNo}));
    EXPECT_FALSE(loops.ends_iteration(1, 3));
}

TEST(Loops, TwoLoopsSideBySide) {
    // 0 -> 1 -> 1 | 2; 2 -> 3 -> 2 | 4
    const Loops loops = of({{1}, {1, 2}, {3}, {2, 4}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, 2, 2, kNo}));
    EXPECT_EQ(loops.around, (Nodes{kNo, kNo, kNo, kNo, kNo}));
}

TEST(Loops, ACycleWithTwoEntriesIsNone) {
    // 0 -> 1 | 2; 1 <-> 2; 1 -> 3
    const Loops loops = of({{1, 2}, {2, 3}, {1}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, kNo, kNo, kNo}));
    EXPECT_FALSE(loops.ends_iteration(2, 1));
}

TEST(Loops, AroundAndInsideACycleWithTwoEntries) {
    // 1 is the header of all: 1 -> 2 | 3; 2 <-> 3; 2 -> 2 (a loop of its own); 3 -> 4 -> 1 | 5
    const Loops loops = of({{1}, {2, 3}, {2, 3}, {2, 4}, {1, 5}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, 2, 1, 1, kNo}));
    EXPECT_EQ(loops.around[2], 1U);
    EXPECT_FALSE(loops.ends_iteration(3, 2)); // nothing says that an iteration begins there
}

TEST(Loops, CodeThatIsNeverEntered) {
    // 3 is never entered and jumps into the loop 1 -> 1; 4 and 5 are a loop of their own
    const Loops loops = of({{1}, {1, 2}, {}, {1}, {5}, {4}});
    EXPECT_EQ(loops.innermost, (Nodes{kNo, 1, kNo, kNo, kNo, kNo}));
}

TEST(Loops, TheEntryMayBeAHeader) {
    const Loops loops = of({{1}, {0, 2}, {}});
    EXPECT_EQ(loops.innermost, (Nodes{0, 0, kNo}));
}

// The definition itself, slowly: h dominates t when t is not reached without h; a loop holds what gets to a back edge
// without its header. The innermost loop of a node is the smallest.
std::vector<bool> reached_without(const std::vector<Nodes>& edges, std::uint32_t from, std::uint32_t without) {
    std::vector<bool> seen(edges.size(), false);
    Nodes work;
    if (from != without) {
        seen[from] = true;
        work.push_back(from);
    }
    while (!work.empty()) {
        const std::uint32_t v = work.back();
        work.pop_back();
        for (const std::uint32_t s : edges[v])
            if (s != without && !seen[s]) {
                seen[s] = true;
                work.push_back(s);
            }
    }
    return seen;
}

Nodes innermost_by_definition(const std::vector<Nodes>& edges) {
    const auto n = static_cast<std::uint32_t>(edges.size());
    const std::vector<bool> reached = reached_without(edges, 0, kNo);
    std::vector<Nodes> backwards(n);
    for (std::uint32_t v = 0; v < n; ++v)
        if (reached[v])
            for (const std::uint32_t s : edges[v])
                backwards[s].push_back(v);
    Nodes out(n, kNo);
    std::vector<std::size_t> size(n, n + 1);
    for (std::uint32_t h = 0; h < n; ++h) {
        const std::vector<bool> free_of = reached_without(edges, 0, h);
        std::vector<bool> loop(n, false);
        for (const std::uint32_t t : backwards[h])
            if (reached[t] && !free_of[t]) {
                loop[h] = true;
                const std::vector<bool> there = reached_without(backwards, t, h);
                for (std::uint32_t v = 0; v < n; ++v)
                    loop[v] = loop[v] || there[v];
            }
        const auto members = static_cast<std::size_t>(std::count(loop.begin(), loop.end(), true));
        for (std::uint32_t v = 0; v < n; ++v)
            if (loop[v] && members < size[v]) {
                size[v] = members;
                out[v] = h;
            }
    }
    return out;
}

TEST(Loops, AgreeWithTheDefinitionOnRandomGraphs) {
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        const auto n = static_cast<std::uint32_t>(2 + random() % 24);
        std::vector<Nodes> edges(n);
        for (std::uint32_t v = 0; v < n; ++v) {
            if (v + 1 < n && random() % 8 != 0)
                edges[v].push_back(v + 1);
            if (random() % 2 == 0)
                edges[v].push_back(static_cast<std::uint32_t>(random() % n));
        }
        EXPECT_EQ(of(edges).innermost, innermost_by_definition(edges)) << "round " << round;
    }
}

TEST(Loops, DeepNest) {
    constexpr std::uint32_t n = 5000; // 0 -> 1 -> ... and back to each from the last but one
    std::vector<Nodes> successors(n);
    for (std::uint32_t v = 0; v + 1 < n; ++v) {
        successors[v].push_back(v + 1);
        successors[n - 2].push_back(v);
    }
    const Loops loops = of(std::move(successors));
    EXPECT_EQ(loops.innermost[n - 3], n - 3);
    EXPECT_EQ(loops.around[n - 3], n - 4);
    EXPECT_EQ(loops.innermost[n - 1], kNo);
}

// --- of lowered functions: which conditional branches delimit iterations, by their order in the text ---

std::string marks(std::string_view body) {
    const test::Lowered l = test::lower_body(body);
    EXPECT_EQ(l.errors, "");
    std::string out;
    for (Pc pc = l.kernel().begin; pc < l.kernel().end; ++pc)
        if (l.op(pc).is_conditional_branch())
            out += l.op(pc).loops ? 'L' : '-';
        else
            EXPECT_FALSE(l.op(pc).loops) << to_string(l.program, pc);
    return out;
}

TEST(LoopBranches, IfElseIsNone) {
    EXPECT_EQ(marks("@%p1 bra A; add.u32 %r1, %r1, 1; bra B; A: add.u32 %r1, %r1, 2; B: ret;"), "-");
}

TEST(LoopBranches, DoWhile) {
    EXPECT_EQ(marks("H: add.u32 %r1, %r1, 1; @%p1 bra H; ret;"), "L");
}

// The way back is a branch without a condition; the one at the top decides.
TEST(LoopBranches, While) {
    EXPECT_EQ(marks("H: @%p1 bra E; add.u32 %r1, %r1, 1; bra H; E: ret;"), "L");
}

// What a compiler makes of a while loop: the branch before the loop decides whether there is a first iteration. It lies
// in no loop.
TEST(LoopBranches, TheGuardOfARotatedLoopIsNone) {
    EXPECT_EQ(marks("@%p1 bra E; H: add.u32 %r1, %r1, 1; @%p2 bra H; E: ret;"), "-L");
}

TEST(LoopBranches, AnIfInALoopIsNone) {
    EXPECT_EQ(marks("H: @%p1 bra J; add.u32 %r1, %r1, 1; J: add.u32 %r2, %r2, 1; @%p2 bra H; ret;"), "-L");
}

TEST(LoopBranches, BreakLeavesTheLoop) {
    EXPECT_EQ(marks("H: @%p1 bra E; add.u32 %r1, %r1, 1; @%p2 bra H; E: ret;"), "LL");
}

// `continue` of a while loop goes to the header; that of a do-while loop to its condition, inside the iteration.
TEST(LoopBranches, Continue) {
    EXPECT_EQ(marks("H: @%p1 bra E; add.u32 %r1, %r1, 1; @%p2 bra H; add.u32 %r2, %r2, 1; bra H; E: ret;"), "LL");
    EXPECT_EQ(marks("H: @%p1 bra C; add.u32 %r1, %r1, 1; C: @%p2 bra H; ret;"), "-L");
}

TEST(LoopBranches, NestedLoops) {
    EXPECT_EQ(marks(R"(
O:  @%p1 bra S;            // an if in the outer loop, around the inner one
I:  add.u32 %r1, %r1, 1;
    @%p2 bra J;            // an if in the inner loop
    add.u32 %r2, %r2, 1;
J:  @%p3 bra E;            // leaves both
    @%p4 bra I;
S:  @%p5 bra O;
E:  ret;)"),
              "--LLL");
}

// From the inner loop to the next iteration of the outer one.
TEST(LoopBranches, ContinueOfAnOuterLoop) {
    EXPECT_EQ(marks("O: add.u32 %r1, %r1, 1; I: @%p1 bra O; @%p2 bra I; @%p3 bra O; ret;"), "LLL");
}

// A guarded return is no branch, and where it leads is no loop.
TEST(LoopBranches, OthersAreNoBranches) {
    EXPECT_EQ(marks("H: @%p1 ret; @%p2 exit; bra H;"), "");
}

// The cycle of A and B is entered at both.
TEST(LoopBranches, OfIrreducibleCodeAreNone) {
    EXPECT_EQ(marks("@%p1 bra B; A: add.u32 %r1, %r1, 1; B: add.u32 %r2, %r2, 1; @%p2 bra A; ret;"), "--");
}

TEST(LoopBranches, AreShown) {
    const test::Lowered l = test::lower_body("H: add.u32 %r1, %r1, 1; @%p1 bra H; ret;");
    const std::string text = to_string(l.program, l.kernel().begin + 1);
    EXPECT_NE(text.find("(delimits a loop)"), std::string::npos) << text;
}

} // namespace
} // namespace heddle::ir
