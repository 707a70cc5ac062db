// Copies of the rounds of a loop whose trips are constant.
#pragma once

#include <map>

#include "native/unroll/code.h"
#include "native/unroll/trips.h"

namespace heddle::native {

class LoopCopier {
public:
    LoopCopier(Code& code, const SsaForm& form, const InnerLoop& loop, const Trips& trips)
        : code_(code), form_(form), loop_(loop), trips_(trips), to_(code) {}

    // Every round is a copy. `rounds`: for the marks.
    void unroll_whole(std::uint32_t rounds);
    // A loop of `part` rounds, which tests in the round `testing` alone; the other rounds follow it. False: it cannot
    // be, and nothing is changed.
    bool unroll_part(std::uint32_t part, std::uint32_t testing);

private:
    using Label = Rewriter::Label;
    enum class Test : std::uint8_t { Stays, Leaves, Part };

    // Labels of the blocks of a copy; the header's is that of where threads go in the next one.
    struct Copy {
        std::map<std::uint32_t, Label> blocks;
        Label next = Rewriter::kNoLabel;
    };
    [[nodiscard]] Copy begin_copy();
    [[nodiscard]] Label label_of(const Copy& copy, std::uint32_t block) const;
    void append_block(std::uint32_t block, const Copy& copy, Test test);
    void append_end(std::uint32_t block, const Copy& copy, Test test);
    void append_copy(const Copy& copy, Test test);
    [[nodiscard]] std::optional<std::uint32_t> last_test_of_part(std::uint32_t part, std::uint32_t testing) const;
    void append_comparison();

    Code& code_;
    const SsaForm& form_;
    const InnerLoop& loop_;
    const Trips& trips_;
    Rewriter to_;
    // The loop of `part` rounds.
    std::uint32_t last_test_ = 0;       // in which threads leave it
    Label behind_ = Rewriter::kNoLabel; // where they go on
    ir::Place goes_on_ = ir::kNowhere;  // its guard
};

} // namespace heddle::native
