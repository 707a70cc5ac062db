#include "exec/row_prefetch.h"

#include <algorithm>

#include "exec/bound_program.h"
#include "exec/frame.h"

namespace heddle::exec {

void RowPrefetch::begin(const Launch& launch, const BoundProgram& code) {
    const ir::Kernel& kernel = *launch.kernel;
    const std::size_t registers = launch.sms * launch.rows * frame_stride(kernel.slots, kernel.predicates);
    is_on_ = launch.keeps_lines_whole && launch.width <= kVectorLanes && registers > kHostCache;
    if (!is_on_ || kernel_ == &kernel)
        return;
    kernel_ = &kernel;
    begin_ = kernel.begin;
    find_lines(kernel, code);
}

void RowPrefetch::find_lines(const ir::Kernel& kernel, const BoundProgram& code) {
    lines_.assign(kernel.end - kernel.begin, {});
    const std::size_t predicates = predicate_place(kernel.slots, 0);
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc) {
        Lines& lines = lines_[pc - begin_];
        for (Pc each = pc; each < pc + code.bound(pc).line && !lines.is_full(); ++each) {
            if (code.bound(each).has_steps)
                for (const BoundStep& step : code.steps(each).before)
                    lines.add(step.op, predicates);
            lines.add(code.op(each), predicates);
        }
    }
}

void RowPrefetch::Lines::add(const ir::MicroOp& op, std::size_t predicates) {
    add(op.guard, predicates);
    for (const ir::Place place : op.src)
        add(place, predicates);
    for (const ir::Place place : op.dst)
        add(place, predicates);
}

// A register of 64 bits has the places of two: the second one is left to the host.
void RowPrefetch::Lines::add(ir::Place place, std::size_t predicates) {
    if (place == ir::kNowhere || (place & ir::kPool) != 0)
        return;
    const std::size_t end = place + (place < predicates ? kSlotBytes : kPredicateBytes);
    for (std::size_t line = place / kBytes; line * kBytes < end; ++line) {
        const auto last = line_.begin() + count_;
        if (!is_full() && std::find(line_.begin(), last, line) == last)
            line_[count_++] = static_cast<std::uint16_t>(line);
    }
}

} // namespace heddle::exec
