#include "hmmer/profile.h"

#include <cmath>

namespace hmmer {

namespace {

constexpr std::size_t kLeastLetters = 20;
constexpr std::size_t kMostLetters = 60;

int score(double probability, double expected = 1) {
    return static_cast<int>(std::lround(kScale * std::log2(probability / expected)));
}

char any_letter(workload::Random& random) {
    return kLetters[random.below(kAminoAcids)];
}

/// A part of what the profile makes: of 100 nodes 75 give the consensus, 15 another letter, 5 none, and 5 one more.
std::string emitted(const Profile& profile, std::size_t most, workload::Random& random) {
    std::string letters;
    const std::size_t first = random.below(static_cast<std::uint32_t>((profile.size() + 1) / 2));
    for (std::size_t node = first; node < profile.size() && letters.size() < most; ++node) {
        const std::uint32_t event = random.below(100);
        if (event < 5)
            continue;
        letters += event < 20 ? any_letter(random) : profile.consensus[node];
        if (event >= 95)
            letters += any_letter(random);
    }
    return letters.substr(0, most);
}

} // namespace

Profile random_profile(std::size_t nodes, workload::Random& random) {
    constexpr double kOpen = 0.02;   // a gap
    constexpr double kExtend = 0.4;  // it
    constexpr double kOutside = 350; // letters before, between and after alignments, on average
    Profile profile;
    const double part = 1.0 / static_cast<double>(nodes);
    for (std::size_t node = 0; node <= nodes; ++node) {
        const bool last = node == nodes;
        Node scores{score(1 - 2 * kOpen), score(kOpen),   score(kOpen), score(1 - kExtend),    score(kExtend),
                    score(1 - kExtend),   score(kExtend), score(part),  last ? 0 : score(part)};
        if (node == 0) // nothing comes from before the first node but by `begin`
            scores = {kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever};
        profile.nodes.push_back(scores);
    }
    const double loop = kOutside / (kOutside + 1);
    profile.special = {score(loop), score(1 - loop), score(0.5), score(0.5)};

    profile.match.assign((kAminoAcids + 1) * (nodes + 1), 0);
    for (std::size_t node = 1; node <= nodes; ++node) {
        const std::size_t likeliest = random.below(kAminoAcids);
        const double often = 0.3 + 0.01 * random.below(50);
        profile.consensus += kLetters[likeliest];
        for (std::size_t letter = 0; letter < kAminoAcids; ++letter) {
            const double probability = letter == likeliest ? often : (1 - often) / (kAminoAcids - 1);
            profile.match[letter * (nodes + 1) + node] = score(probability, 1.0 / kAminoAcids);
        }
    }
    return profile;
}

std::vector<workload::Sequence> random_sequences(std::size_t count, const Profile& profile, workload::Random& random) {
    std::vector<workload::Sequence> sequences;
    for (std::size_t i = 0; i < count; ++i) {
        workload::Sequence sequence{"random" + std::to_string(i + 1), ""};
        const std::size_t size = kLeastLetters + random.below(kMostLetters - kLeastLetters + 1);
        const std::size_t before = random.below(static_cast<std::uint32_t>(size));
        while (sequence.letters.size() < before)
            sequence.letters += any_letter(random);
        if (i % 2 == 0)
            sequence.letters += emitted(profile, size - before, random);
        while (sequence.letters.size() < size)
            sequence.letters += any_letter(random);
        sequences.push_back(sequence);
    }
    return sequences;
}

} // namespace hmmer
