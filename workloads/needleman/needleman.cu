// The best global alignment of two DNA sequences by the algorithm of Needleman and Wunsch, with a constant penalty for
// every letter that has no partner. A cell of the matrix of scores needs those above, to the left, and above to the
// left. So the cells of a diagonal are independent of each other: a kernel computes a diagonal, its threads stride over
// the cells. Three diagonals of scores are kept, and of all cells from where they were reached; diagonal by diagonal,
// so that neighbouring threads access neighbouring words. The host walks back from the last cell.

#include <array>
#include <exception>
#include <stdexcept>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "common/fasta.h"
#include "common/random.h"

constexpr int kMatch = 1;
constexpr int kMismatch = -1;
constexpr int kGap = -2;
constexpr std::size_t kLongest = 8192; ///< of a sequence
constexpr const char* kLetters = "ACGT";

/// Where the best alignment of a cell's prefixes ends: both letters, or one that has no partner.
enum Step : unsigned char { kBoth, kFirstAlone, kSecondAlone };

// ---- device ----

/// Cells of row i and column d - i, for i from `top` to `bottom`; row and column 0 are before the first letters. Scores
/// are indexed by the row. `before` is diagonal d - 1, `two_before` is d - 2.
__global__ void align_diagonal(int* scores, const int* before, const int* two_before, unsigned char* steps,
                               const char* first, const char* second, int d, int top, int bottom) {
    for (int i = top + workload::thread_index(); i <= bottom; i += workload::thread_count()) {
        const int j = d - i;
        int score = d * kGap;
        Step step = i == 0 ? kSecondAlone : kFirstAlone;
        if (i > 0 && j > 0) {
            score = two_before[i - 1] + (first[i - 1] == second[j - 1] ? kMatch : kMismatch);
            step = kBoth;
            const int first_alone = before[i - 1] + kGap;
            if (first_alone > score) {
                score = first_alone;
                step = kFirstAlone;
            }
            const int second_alone = before[i] + kGap;
            if (second_alone > score) {
                score = second_alone;
                step = kSecondAlone;
            }
        }
        scores[i] = score;
        steps[i] = step;
    }
}

namespace {

struct Pair {
    std::string first;
    std::string second;
};

/// How two prefixes are aligned best: steps by row, of which the first is that of no letter, and column.
struct Alignment {
    int score;
    std::vector<unsigned char> steps;
};

/// From diagonals of a row count to rows.
std::vector<unsigned char> rows_of(const std::vector<unsigned char>& diagonals, std::size_t rows, std::size_t columns) {
    std::vector<unsigned char> steps;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j)
            steps.push_back(diagonals[(i + j) * rows + i]);
    }
    return steps;
}

Alignment align(const Pair& pair, const workload::Options& options, workload::Grid& grid) {
    const int n = static_cast<int>(pair.first.size());
    const int m = static_cast<int>(pair.second.size());
    const std::size_t rows = pair.first.size() + 1;
    const std::size_t diagonals = pair.first.size() + pair.second.size() + 1;
    workload::DeviceArray<char> first(std::vector<char>(pair.first.begin(), pair.first.end()));
    workload::DeviceArray<char> second(std::vector<char>(pair.second.begin(), pair.second.end()));
    workload::DeviceArray<unsigned char> steps(diagonals * rows);
    steps.fill_bytes(0xff); // a cell that no thread writes shall not pass
    std::array<workload::DeviceArray<int>, 3> scores{
        {workload::DeviceArray<int>(rows), workload::DeviceArray<int>(rows), workload::DeviceArray<int>(rows)}};
    grid = workload::grid_for(options, rows);
    for (int d = 0; d <= n + m; ++d) {
        const int top = std::max(0, d - m);
        const int bottom = std::min(n, d);
        const auto diagonal = static_cast<std::size_t>(d);
        const unsigned cells = static_cast<unsigned>(bottom - top + 1);
        align_diagonal<<<std::min(grid.blocks, (cells + grid.block - 1) / grid.block), grid.block>>>(
            scores[diagonal % 3].data(), scores[(diagonal + 2) % 3].data(), scores[(diagonal + 1) % 3].data(),
            steps.data() + diagonal * rows, first.data(), second.data(), d, top, bottom);
        CUDA_CHECK(cudaGetLastError());
    }
    workload::finish_kernels();
    return {scores[(diagonals - 1) % 3].to_host().back(), rows_of(steps.to_host(), rows, pair.second.size() + 1)};
}

// ---- reference ----

/// Row by row; of equal scores, a pair of letters comes first, then a letter of the first sequence alone.
Alignment reference(const Pair& pair) {
    const std::size_t columns = pair.second.size() + 1;
    Alignment result{0, {}};
    std::vector<int> above;
    for (std::size_t i = 0; i <= pair.first.size(); ++i) {
        std::vector<int> row;
        for (std::size_t j = 0; j < columns; ++j) {
            std::array<int, 3> by;
            by.fill(-(1 << 30));
            if (i > 0 && j > 0)
                by[kBoth] = above[j - 1] + (pair.first[i - 1] == pair.second[j - 1] ? kMatch : kMismatch);
            if (i > 0)
                by[kFirstAlone] = above[j] + kGap;
            if (j > 0)
                by[kSecondAlone] = row[j - 1] + kGap;
            auto best = std::max_element(by.begin(), by.end());
            if (i == 0 && j == 0) {
                by[kSecondAlone] = 0;
                best = by.begin() + kSecondAlone;
            }
            row.push_back(*best);
            result.steps.push_back(static_cast<unsigned char>(best - by.begin()));
        }
        above = row;
    }
    result.score = above.back();
    return result;
}

struct Walk {
    int score = 0;
    std::size_t same = 0;
    std::size_t different = 0;
    std::size_t alone = 0;
};

/// What an alignment is worth that follows the steps back from the last cell.
Walk walk_back(const Pair& pair, const std::vector<unsigned char>& steps) {
    const std::size_t columns = pair.second.size() + 1;
    std::size_t i = pair.first.size();
    std::size_t j = pair.second.size();
    Walk walk;
    while (i > 0 || j > 0) {
        const unsigned char step = steps[i * columns + j];
        if (step == kBoth && i > 0 && j > 0) {
            --i;
            --j;
            const bool same = pair.first[i] == pair.second[j];
            walk.score += same ? kMatch : kMismatch;
            ++(same ? walk.same : walk.different);
            continue;
        }
        if (i > 0 && (step == kFirstAlone || j == 0))
            --i;
        else
            --j;
        walk.score += kGap;
        ++walk.alone;
    }
    return walk;
}

// ---- input ----

/// Related sequences: of 100 letters of the second, 10 are others than in the first, 3 are new, and as many
/// of the first are left out.
Pair random_pair(std::size_t size, workload::Random& random) {
    Pair pair;
    const auto any = [&] { return kLetters[random.below(4)]; };
    while (pair.first.size() < size)
        pair.first += any();
    for (std::size_t i = 0; pair.second.size() < size; ++i) {
        const std::uint32_t event = random.below(100);
        if (event < 3)
            ++i;
        else if (event < 6)
            pair.second += any();
        if (pair.second.size() < size)
            pair.second += i < size && event < 90 ? pair.first[i] : any();
    }
    return pair;
}

Pair pick_pair(const std::string& file, const workload::Options& options) {
    if (file.empty()) {
        workload::Random random(options.seed);
        return random_pair(options.amount.size, random);
    }
    try {
        const std::vector<workload::Sequence> sequences = workload::read_fasta(file, kLetters, kLongest);
        if (sequences.size() != 2)
            throw std::runtime_error(file + ": has " + std::to_string(sequences.size()) +
                                     (sequences.size() == 1 ? " sequence" : " sequences") + ", not two");
        return {sequences[0].letters, sequences[1].letters};
    } catch (const std::exception& error) {
        std::fprintf(stderr, "needleman: error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("needleman", "The best global alignment of two DNA sequences",
                               {{"lwm", {2048, 1024, 1}, {256, 1024, 1}}});
    std::string file;
    line.size("letters of each random sequence", 1, kLongest).threads().block().seed();
    line.text("--input", file, "align these sequences instead: a FASTA file of two");
    const workload::Options options = line.parse(argc, argv);

    const Pair pair = pick_pair(file, options);
    workload::Grid grid{};
    const Alignment got = align(pair, options, grid);
    const Alignment expected = reference(pair);
    const Walk walk = walk_back(pair, got.steps);

    workload::Check check;
    check.equal("score", 0, got.score, expected.score);
    check.equal("step", got.steps, expected.steps);
    check.equal("score of the alignment", 0, walk.score, expected.score);
    std::printf("needleman: %u threads, %zu and %zu letters: score %d, %zu letters are the same, %zu differ, %zu are "
                "alone\n",
                grid.threads(), pair.first.size(), pair.second.size(), got.score, walk.same, walk.different,
                walk.alone);
    return check.finish();
}
