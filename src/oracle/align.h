// Alignment of two sequences of basic blocks: the blocks that two threads, or two groups of threads, execute together.
//
// Needleman-Wunsch as in DWF07 3.3: only equal blocks may be aligned, a gap costs nothing, and a pair saves the second
// issue of the block's instructions. Common begins and ends are aligned at once, without loss. Between them the table
// is filled within a band around the straight line from corner to corner: elements of the shorter sequence at most
// `band` away from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::oracle {

using Block = std::uint32_t; // number of a basic block
using Sequence = std::vector<Block>;
using BlockSpan = std::span<const Block>;

enum class Step : std::uint8_t { Both, First, Second };

struct Saving {
    std::uint64_t instructions = 0; // of the blocks that stand side by side
    bool best = true;               // no alignment saves more; else an alignment outside the band might
};

class Aligner {
public:
    // `weights`: instructions of each block; outlives this. `band`: at least 1.
    Aligner(std::span<const std::uint32_t> weights, std::uint32_t band) : weights_(weights), band_(band) {}

    [[nodiscard]] Saving saving(BlockSpan first, BlockSpan second);
    // Steps that take each element of both in order; saving() gives their saving.
    [[nodiscard]] std::vector<Step> align(BlockSpan first, BlockSpan second);

private:
    struct Table { // of one pair, the longer sequence down, the shorter across
        BlockSpan down, across;
        bool swapped; // `down` is the second
        std::uint64_t band;

        [[nodiscard]] std::uint64_t centre(std::uint64_t row) const {
            return down.empty() ? 0 : row * across.size() / down.size();
        }
        [[nodiscard]] std::uint64_t low(std::uint64_t row) const {
            return centre(row) > band ? centre(row) - band : 0;
        }
        [[nodiscard]] std::uint64_t high(std::uint64_t row) const {
            return centre(row) + band < across.size() ? centre(row) + band : across.size();
        }
        [[nodiscard]] std::uint64_t width() const { // cells of a row at the most
            return 2 * band + 1 < across.size() + 1 ? 2 * band + 1 : across.size() + 1;
        }
    };
    struct Ends { // what two sequences have in common at their begin and end
        std::size_t before = 0, after = 0;
        std::uint64_t instructions = 0;
    };

    [[nodiscard]] Ends common_ends(BlockSpan first, BlockSpan second) const;
    [[nodiscard]] Table table_of(BlockSpan first, BlockSpan second, const Ends& ends) const;
    // The score of the last cell. Where `keep`, the way to each cell stays in ways_.
    std::uint64_t fill(const Table& table, bool keep);
    // Best scores of a row from those of the row above it.
    void fill_row(const Table& table, std::uint64_t row, bool keep);
    void walk_back(const Table& table, std::vector<Step>& backwards) const;

    std::span<const std::uint32_t> weights_;
    std::uint32_t band_;
    std::vector<std::int64_t> above_, row_; // scores, by place across plus one
    std::vector<bool> ways_;                // where a cell without a pair is reached from: true from above
};

} // namespace heddle::oracle
