// The micro-ops of a kernel while its loops are unrolled, and new code made of copies of them.
#pragma once

#include <cstdint>
#include <vector>

#include "native/ssa/form.h"

namespace heddle::native {

// What unrolling knows of an op.
struct Mark {
    bool settled = false;     // first op of a loop that stays as it is
    std::uint32_t copies = 1; // of the op, by loops that were unrolled completely
};

struct Code {
    Recovered& recovered;
    std::vector<bool>& forgets; // by op (predicate_branches.h)
    std::vector<Mark> marks;    // by op
};

// Writes the code anew, op by op. Places in it are named by labels: labels below the number of the old ops are those
// ops, so that branches to them need no change.
class Rewriter {
public:
    using Label = std::uint32_t;
    static constexpr Label kNoLabel = 0xffffffffU;

    explicit Rewriter(Code& code);

    [[nodiscard]] Label fresh();
    void place(Label label); // in front of the next op
    // `old`: the op whose line, PC and marks the new one has.
    void append(const ir::MicroOp& op, std::uint32_t old, Label target = kNoLabel);
    void jump(Label to, std::uint32_t old);
    // All blocks that a path reaches but those of a loop: code that none reaches may go to the middle of it.
    void append_around(const SsaForm& form, const std::vector<bool>& loop);
    // Removes jumps to what follows and ops that no path reaches, and puts the result into the code.
    void finish();

private:
    struct Item {
        ir::MicroOp op;
        std::uint32_t old;
        Label target;
        Mark mark;
    };
    void drop(const std::vector<bool>& dropped);
    void drop_jumps();
    void drop_unreachable();
    void straighten();
    void store();

    Code& code_;
    std::vector<Item> items_;
    std::vector<std::uint32_t> at_; // by label: number of an item
};

} // namespace heddle::native
