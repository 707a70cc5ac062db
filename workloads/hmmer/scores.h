// The scores of a profile hidden Markov model, for host and device: logarithms of odds to base 2, times kScale.
#pragma once

namespace hmmer {

constexpr int kScale = 1000;
constexpr int kNever = -(1 << 29); ///< the score of what cannot be

/// The transitions from a node's match, insert and delete state to its own insert state or to the next node's match and
/// delete state; where an alignment begins and ends.
struct Node {
    int match_match;
    int match_insert;
    int match_delete;
    int insert_match;
    int insert_insert;
    int delete_match;
    int delete_delete;
    int begin; ///< to the match state
    int end;   ///< from the match state
};

/// The transitions outside the nodes: letters before, between and after alignments.
struct Special {
    int loop;  ///< one more such letter
    int move;  ///< to the next alignment, or the end
    int again; ///< from an alignment to another one
    int done;  ///< from the last alignment on
};

} // namespace hmmer
