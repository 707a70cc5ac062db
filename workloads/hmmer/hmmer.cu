// How well sequences of proteins fit a family: the score of each one's best path through a profile hidden Markov model,
// by the algorithm of Viterbi. The model is that of HMMER 2 ("plan 7"): nodes of a match, an insert and a delete state,
// and letters before, between and after alignments with the nodes. One thread a sequence; scores are integers.
//
// A thread keeps one row of its matrix, of three scores a node, and goes over it once a letter. The rows of all threads
// are interleaved, so that threads of a warp access neighbouring words.

#include <algorithm>
#include <exception>

#include "common/check.h"
#include "common/command_line.h"
#include "common/device.h"
#include "hmmer/profile.h"
#include "hmmer/scores.h"

using hmmer::kNever;
using hmmer::Node;
using hmmer::Special;

// ---- device ----

/// Three scores of a node, of one letter of a sequence.
struct Cell {
    int match;
    int insert;
    int removed;
};

/// The row of this thread: element `node` of `kind` is base[(3 * node + kind) * threads].
struct Row {
    int* base;
    int threads;

    __device__ Cell read(int node) const {
        const int* const at = base + 3 * node * threads;
        return {at[0], at[threads], at[2 * threads]};
    }
    __device__ void write(int node, Cell cell) const {
        int* const at = base + 3 * node * threads;
        at[0] = cell.match;
        at[threads] = cell.insert;
        at[2 * threads] = cell.removed;
    }
};

/// Goes over the nodes for one letter, whose match scores are given. Alignments that begin here have score `begin`;
/// returns the best score of those that end here.
__device__ inline int advance(Row row, const Node* nodes, int count, const int* match, int begin) {
    Cell above_left{kNever, kNever, kNever};
    Cell left{kNever, kNever, kNever};
    int end = kNever;
#pragma unroll 1
    for (int k = 1; k <= count; ++k) {
        const Node& from = nodes[k - 1];
        const Node& own = nodes[k];
        const Cell above = row.read(k);
        Cell cell;

        cell.match = begin + own.begin;
        if (above_left.match + from.match_match > cell.match)
            cell.match = above_left.match + from.match_match;
        if (above_left.insert + from.insert_match > cell.match)
            cell.match = above_left.insert + from.insert_match;
        if (above_left.removed + from.delete_match > cell.match)
            cell.match = above_left.removed + from.delete_match;
        cell.match += match[k];

        cell.insert = above.match + own.match_insert;
        if (above.insert + own.insert_insert > cell.insert)
            cell.insert = above.insert + own.insert_insert;

        cell.removed = left.match + from.match_delete;
        if (left.removed + from.delete_delete > cell.removed)
            cell.removed = left.removed + from.delete_delete;

        if (cell.match + own.end > end)
            end = cell.match + own.end;
        row.write(k, cell);
        above_left = above;
        left = cell;
    }
    return end;
}

/// The letters of sequence s are letters[first[s] .. first[s + 1]). `rows` has 3 * (nodes + 1) words for every thread.
__global__ void score_sequences(int* scores, const unsigned char* letters, const int* first, int sequences,
                                const Node* nodes, int count, const int* match, Special special, int* rows) {
    const Row row{rows + workload::thread_index(), workload::thread_count()};
    for (int s = workload::thread_index(); s < sequences; s += workload::thread_count()) {
        for (int k = 0; k <= count; ++k)
            row.write(k, {kNever, kNever, kNever});
        int before = 0;
        int between = kNever;
        int after = kNever;
#pragma unroll 1
        for (int i = first[s]; i < first[s + 1]; ++i) {
            const int begin = max(before, between) + special.move;
            const int end = advance(row, nodes, count, match + letters[i] * (count + 1), begin);
            before += special.loop;
            between += special.loop;
            if (end + special.again > between)
                between = end + special.again;
            after += special.loop;
            if (end + special.done > after)
                after = end + special.done;
        }
        scores[s] = after + special.move;
    }
}

namespace {

using Sequences = std::vector<workload::Sequence>;

std::vector<unsigned char> codes_of(const std::string& letters) {
    std::vector<unsigned char> codes;
    for (const char letter : letters)
        codes.push_back(static_cast<unsigned char>(std::string(hmmer::kLetters).find(letter)));
    return codes;
}

std::vector<int> score_on_device(const hmmer::Profile& profile, const Sequences& sequences,
                                 const workload::Grid& grid) {
    std::vector<int> first{0};
    std::vector<unsigned char> letters;
    for (const workload::Sequence& sequence : sequences) {
        const std::vector<unsigned char> codes = codes_of(sequence.letters);
        letters.insert(letters.end(), codes.begin(), codes.end());
        first.push_back(static_cast<int>(letters.size()));
    }
    workload::DeviceArray<int> scores(sequences.size());
    workload::DeviceArray<unsigned char> device_letters(letters);
    workload::DeviceArray<int> device_first(first);
    workload::DeviceArray<Node> nodes(profile.nodes);
    workload::DeviceArray<int> match(profile.match);
    workload::DeviceArray<int> rows(3 * profile.nodes.size() * grid.threads());
    score_sequences<<<grid.blocks, grid.block>>>(
        scores.data(), device_letters.data(), device_first.data(), static_cast<int>(sequences.size()), nodes.data(),
        static_cast<int>(profile.size()), match.data(), profile.special, rows.data());
    workload::finish_kernels();
    return scores.to_host();
}

// ---- reference ----

/// The whole matrix, forward: every state passes its score on to those that can follow it. Wide enough that what cannot
/// be needs no care.
int reference(const hmmer::Profile& profile, const std::string& sequence) {
    using Score = long long;
    constexpr Score kImpossible = -(Score{1} << 40);
    struct States {
        Score match = kImpossible;
        Score insert = kImpossible;
        Score removed = kImpossible;
    };
    const auto raise = [](Score& score, Score by) { score = std::max(score, by); };
    const std::size_t last = profile.size();
    const Special& special = profile.special;
    const std::vector<unsigned char> codes = codes_of(sequence);

    std::vector<States> now(last + 1);
    Score before = 0;
    Score between = kImpossible;
    Score after = kImpossible;
    for (const unsigned char code : codes) {
        std::vector<States> next(last + 1);
        const Score begin = std::max(before, between) + special.move;
        for (std::size_t k = 1; k <= last; ++k) {
            const Node& node = profile.nodes[k];
            raise(next[k].match, begin + node.begin);
            raise(next[k].insert, now[k].match + node.match_insert);
            raise(next[k].insert, now[k].insert + node.insert_insert);
            if (k < last) {
                raise(next[k + 1].match, now[k].match + node.match_match);
                raise(next[k + 1].match, now[k].insert + node.insert_match);
                raise(next[k + 1].match, now[k].removed + node.delete_match);
            }
        }
        Score end = kImpossible;
        for (std::size_t k = 1; k <= last; ++k) {
            const Node& node = profile.nodes[k];
            next[k].match += profile.match[code * (last + 1) + k];
            raise(end, next[k].match + node.end);
            if (k < last) {
                raise(next[k + 1].removed, next[k].match + node.match_delete);
                raise(next[k + 1].removed, next[k].removed + node.delete_delete);
            }
        }
        before += special.loop;
        between = std::max(between + special.loop, end + special.again);
        after = std::max(after + special.loop, end + special.done);
        now = next;
    }
    return static_cast<int>(after + special.move);
}

Sequences make_sequences(const std::string& file, const workload::Options& options, const hmmer::Profile& profile,
                         workload::Random& random) {
    if (file.empty())
        return hmmer::random_sequences(options.amount.size, profile, random);
    try {
        return workload::read_fasta(file, hmmer::kLetters, hmmer::kLongest);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hmmer: error: %s\n", error.what());
        std::exit(EXIT_FAILURE);
    }
}

} // namespace

int main(int argc, char** argv) {
    workload::CommandLine line("hmmer", "How well sequences of proteins fit a profile hidden Markov model",
                               {{"dwf", {2048, 0, 1}, {128, 0, 1}}});
    std::string file;
    std::uint64_t nodes = 24;
    line.size("random sequences, of 20 to 60 letters", 1, 1u << 20).threads().block().seed();
    line.text("--input", file, "score these sequences instead: a FASTA file");
    line.number("--nodes", nodes, 1, hmmer::kMostNodes, "nodes of the random profile; default: 24");
    const workload::Options options = line.parse(argc, argv);

    workload::Random random(options.seed);
    const hmmer::Profile profile = hmmer::random_profile(nodes, random);
    const Sequences sequences = make_sequences(file, options, profile, random);
    const workload::Grid grid = workload::grid_for(options, sequences.size());
    const std::vector<int> scores = score_on_device(profile, sequences, grid);

    workload::Check check;
    for (std::size_t s = 0; s < sequences.size(); ++s)
        check.equal("score", s, scores[s], reference(profile, sequences[s].letters));
    const auto best = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
    std::printf("hmmer: %u threads, %zu sequences, %zu nodes, best: %s with %.1f bits\n", grid.threads(),
                sequences.size(), profile.size(), sequences[best].name.c_str(),
                static_cast<double>(scores[best]) / hmmer::kScale);
    return check.finish();
}
