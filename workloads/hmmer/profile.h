// The profile and the sequences of hmmer: seeded generators. Host code only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/fasta.h"
#include "common/random.h"
#include "hmmer/scores.h"

namespace hmmer {

constexpr const char* kLetters = "ACDEFGHIKLMNPQRSTVWYX"; ///< X stands for any of the others
constexpr std::size_t kAminoAcids = 20;
constexpr std::size_t kMostNodes = 256;
constexpr std::size_t kLongest = 4096; ///< of a sequence: sums of scores stay far from kNever

/// A model of a family of proteins: a node for every column of its alignment, and its scores against sequences of
/// independent letters that are all as frequent.
struct Profile {
    std::string consensus;   ///< the likeliest letter of each node
    std::vector<Node> nodes; ///< [0] is before the first node
    std::vector<int> match;  ///< by letter, by node as in `nodes`
    Special special{};

    std::size_t size() const {
        return consensus.size();
    }
};

Profile random_profile(std::size_t nodes, workload::Random& random);

/// Of 20 to 60 letters; half of the sequences hold a part of one that the profile would make.
std::vector<workload::Sequence> random_sequences(std::size_t count, const Profile& profile, workload::Random& random);

} // namespace hmmer
