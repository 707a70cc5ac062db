// Path search by dynamic programming: which sequence of choices, one a step, costs the least? From a choice one can go
// on to the choice of the same number in the next step or to one of its two neighbours. One kernel a step: each choice
// finds the cheapest way to it from the row before. The path is traced back on the host from the predecessors.

#include <algorithm>
#include <tuple>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/random.h"

/// What it costs to come to a choice from its neighbours in the row before.
struct Moves {
    int from_same;
    int from_below;
    int from_above;
};

// ---- device ----

/// The cost of the best way to each choice, `now`, from those of the row before, and where that way comes from. No move
/// costs less than nothing, so a neighbour that is no better than the best way so far need not be looked at further:
/// its move is not loaded. Of equal ways the first one found stays: from the same number, from below, from above.
__global__ void extend_paths(int* now, int* predecessor, const int* before, const Moves* moves, int choices,
                             workload::Deal deal) {
    const workload::Share share = workload::share_of(choices, deal);
    for (int choice = share.first; choice < share.end; choice += share.step) {
        int best = before[choice] + moves[choice].from_same;
        int from = choice;
        if (choice > 0) {
            const int below = before[choice - 1];
            if (below < best) {
                const int cost = below + moves[choice].from_below;
                if (cost < best) {
                    best = cost;
                    from = choice - 1;
                }
            }
        }
        if (choice + 1 < choices) {
            const int above = before[choice + 1];
            if (above < best) {
                const int cost = above + moves[choice].from_above;
                if (cost < best) {
                    best = cost;
                    from = choice + 1;
                }
            }
        }
        now[choice] = best;
        predecessor[choice] = from;
    }
}

namespace {

/// Moves and first choices cost less. 1,000,000 steps, the most that can be asked for, stay below 2^31.
constexpr std::uint32_t kMostCost = 100;

struct Problem {
    std::vector<int> start;                ///< what the first choices cost
    std::vector<std::vector<Moves>> moves; ///< by step, by choice
};

/// The cost of the best way to every choice in every row, and the predecessors on it.
struct Solution {
    std::vector<std::vector<int>> cost;
    std::vector<std::vector<int>> predecessor;
};

Problem random_problem(std::size_t choices, std::size_t steps, workload::Random& random) {
    const auto cost = [&random] { return static_cast<int>(random.below(kMostCost)); };
    Problem problem{std::vector<int>(choices), std::vector<std::vector<Moves>>(steps, std::vector<Moves>(choices))};
    for (int& value : problem.start)
        value = cost();
    for (std::vector<Moves>& row : problem.moves) {
        for (Moves& moves : row)
            moves = {cost(), cost(), cost()};
    }
    return problem;
}

Solution solve(const Problem& problem, const workload::Grid& grid, workload::Deal deal) {
    const std::size_t choices = problem.start.size();
    workload::DeviceArray<int> before(problem.start);
    workload::DeviceArray<int> now(choices);
    workload::DeviceArray<int> predecessor(choices);
    workload::DeviceArray<int>* rows[] = {&before, &now};
    Solution solution;
    for (const std::vector<Moves>& row : problem.moves) {
        workload::DeviceArray<Moves> moves(row);
        rows[1]->fill_bytes(0xff); // a choice that no thread writes shall not pass
        predecessor.fill_bytes(0xff);
        extend_paths<<<grid.blocks, grid.block>>>(rows[1]->data(), predecessor.data(), rows[0]->data(), moves.data(),
                                                  static_cast<int>(choices), deal);
        workload::finish_kernels();
        solution.cost.push_back(rows[1]->to_host());
        solution.predecessor.push_back(predecessor.to_host());
        std::swap(rows[0], rows[1]);
    }
    return solution;
}

// ---- reference ----

/// All ways are tried; of equal ones the first in the order same, below, above counts.
Solution reference(const Problem& problem) {
    using Way = std::tuple<int, int, int>; // cost, order, choice of the row before
    const int choices = static_cast<int>(problem.start.size());
    Solution solution;
    std::vector<int> before = problem.start;
    for (const std::vector<Moves>& row : problem.moves) {
        std::vector<int> cost;
        std::vector<int> predecessor;
        for (int to = 0; to < choices; ++to) {
            const Moves& moves = row[static_cast<std::size_t>(to)];
            std::vector<Way> ways{{moves.from_same, 0, to}};
            if (to != 0)
                ways.emplace_back(moves.from_below, 1, to - 1);
            if (to != choices - 1)
                ways.emplace_back(moves.from_above, 2, to + 1);
            for (Way& way : ways)
                std::get<0>(way) += before[static_cast<std::size_t>(std::get<2>(way))];
            const Way best = *std::min_element(ways.begin(), ways.end());
            cost.push_back(std::get<0>(best));
            predecessor.push_back(std::get<2>(best));
        }
        before = cost;
        solution.cost.push_back(std::move(cost));
        solution.predecessor.push_back(std::move(predecessor));
    }
    return solution;
}

/// The choices of the path that ends at `last`, from the first row on.
std::vector<std::size_t> trace_back(const Solution& solution, std::size_t last) {
    std::vector<std::size_t> path{last};
    for (auto row = solution.predecessor.rbegin(); row != solution.predecessor.rend(); ++row)
        path.push_back(static_cast<std::size_t>((*row)[path.back()]));
    std::reverse(path.begin(), path.end());
    return path;
}

/// What a path costs, added up move by move.
int path_cost(const Problem& problem, const std::vector<std::size_t>& path) {
    int cost = problem.start[path.front()];
    for (std::size_t step = 1; step < path.size(); ++step) {
        const Moves& moves = problem.moves[step - 1][path[step]];
        if (path[step - 1] == path[step])
            cost += moves.from_same;
        else
            cost += path[step - 1] < path[step] ? moves.from_below : moves.from_above;
    }
    return cost;
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("short", "Path of least cost through steps of choices, by dynamic programming",
                               {{"maws",
                                 {150'000, workload::kDeviceThreads, 6},
                                 {5'000, workload::kDeviceThreads, 6},
                                 workload::Deal::Tiles}});
    line.size("choices of a step", 1, 1u << 24).threads().block().seed().deal().iterations("steps of the path");
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    const Problem problem = random_problem(options.amount.size, options.amount.iterations, random);
    const workload::Grid grid = workload::grid_for(options, options.amount.size);
    const Solution got = solve(problem, grid, options.deal);
    const Solution expected = reference(problem);

    workload::Check check;
    for (std::size_t step = 0; step < expected.cost.size(); ++step) {
        check.equal("cost", got.cost[step], expected.cost[step]);
        check.equal("predecessor", got.predecessor[step], expected.predecessor[step]);
    }
    if (!check.passed())
        return check.finish();
    const std::vector<int>& row = got.cost.back();
    const auto last = std::min_element(row.begin(), row.end());
    const std::vector<std::size_t> path = trace_back(got, static_cast<std::size_t>(last - row.begin()));
    check.equal("cost of the path", path.size() - 1, path_cost(problem, path), *last);
    std::printf(
        "short: %u threads, %zu steps of %zu choices; the best path leads from choice %zu to %zu and costs %d\n",
        grid.threads(), problem.moves.size(), row.size(), path.front(), path.back(), *last);
    return check.finish();
}
