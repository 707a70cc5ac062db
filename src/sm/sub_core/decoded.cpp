#include "sm/sub_core/decoded.h"

#include <algorithm>

#include "exec/frame.h"

namespace heddle::sm {
namespace {

using ir::Kind;

bool transfers_control(Kind kind) {
    return kind == Kind::Branch || kind == Kind::Indirect || kind == Kind::Call || kind == Kind::Return ||
           kind == Kind::Exit || kind == Kind::Trap;
}

bool accesses_memory(Kind kind) {
    return kind == Kind::Load || kind == Kind::Store || kind == Kind::Atomic || kind == Kind::Texture ||
           kind == Kind::Surface || kind == Kind::Fence;
}

} // namespace

void DecodedKernel::decode(const ir::Program& program, const ir::Kernel& kernel) {
    const std::size_t count = kernel.end - kernel.begin;
    if (begin_ == kernel.begin && ops_.size() == count)
        return;
    begin_ = kernel.begin;
    slots_ = kernel.slots;
    registers_ = kernel.slots + kernel.predicates;
    words_ = std::max(1U, (registers_ + 63) / 64);
    ops_.assign(count, {});
    needs_.assign(count * words_, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const ir::MicroOp& op = program.ops[kernel.begin + i];
        std::uint64_t* const needs = needs_.data() + i * words_;
        decode_op(op, ops_[i], needs);
        if (op.is_matrix_product())
            decode_product(program.matrices[static_cast<std::size_t>(op.imm)], ops_[i], needs);
    }
    mark_ends(program, kernel);
}

// Instructions that end threads need all registers: a row is given back when no result is on its way to them.
void DecodedKernel::mark_ends(const ir::Program& program, const ir::Kernel& kernel) {
    const auto own = std::find_if(program.functions.begin(), program.functions.end(), [&](const ir::Function& f) {
        return f.begin <= kernel.entry && kernel.entry < f.end;
    });
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const Pc pc = begin_ + static_cast<Pc>(i);
        const Kind kind = program.ops[pc].kind;
        const bool in_kernel = own != program.functions.end() && own->begin <= pc && pc < own->end;
        if (kind == Kind::Exit || (kind == Kind::Return && in_kernel))
            std::fill_n(needs_.begin() + static_cast<std::ptrdiff_t>(i * words_), words_, ~std::uint64_t{0});
    }
}

RegisterNumber DecodedKernel::number_of(ir::Place place) const {
    const std::size_t predicates = std::size_t{slots_} * exec::kSlotBytes;
    return static_cast<RegisterNumber>(place < predicates ? place / exec::kSlotBytes
                                                          : slots_ + (place - predicates) / exec::kPredicateBytes);
}

void DecodedKernel::decode_op(const ir::MicroOp& op, Decoded& d, std::uint64_t* needs) const {
    const PipeTable::Place place = pipes_.place(op.work, op.domain);
    d.accesses = accesses_memory(op.kind);
    d.pipe = static_cast<std::uint8_t>(d.accesses ? pipes_.count() : place.pipe);
    d.kind = pipes_.specs()[place.pipe].kind;
    d.transfers =
        transfers_control(op.kind) || (barriers_late_ && op.kind == Kind::Barrier && op.dst[0] == ir::kNowhere);
    d.in_pipe = !d.accesses && !d.transfers;
    d.latency = place.timing.latency;
    d.interval = place.timing.interval;
    const auto need = [&](RegisterNumber r) { needs[r / 64] |= std::uint64_t{1} << (r % 64); };
    const auto in_frame = [](ir::Place place) { return place != ir::kNowhere && (place & ir::kPool) == 0; };
    if (in_frame(op.guard))
        need(number_of(op.guard));
    for (const ir::Place place : op.src) {
        if (!in_frame(place))
            continue;
        const RegisterNumber r = number_of(place);
        need(r);
        if (r < slots_)
            d.read[d.reads++] = r;
    }
    for (const ir::Place place : op.dst) {
        if (place == ir::kNowhere)
            continue;
        d.written[d.writes] = number_of(place);
        need(d.written[d.writes++]);
    }
}

// A product of matrices occupies the unit for as many multiply-adds as a lane does one after the other. The collector
// reads as many operands as other arithmetic has at most; the others are read during execution.
void DecodedKernel::decode_product(const ir::Matrix& matrix, Decoded& d, std::uint64_t* needs) const {
    constexpr unsigned kCollected = 5;
    const unsigned further = (matrix.cycles() - 1) * d.interval;
    const auto longer = [&](unsigned cycles) {
        return static_cast<std::uint16_t>(std::min(cycles + further, PipeTiming::kMostCycles));
    };
    d.latency = longer(d.latency);
    d.interval = longer(d.interval);
    for (unsigned i = 0; i < matrix.sources(); ++i) {
        const ir::Place place = matrix.source[i];
        if ((place & ir::kPool) != 0)
            continue;
        const RegisterNumber r = number_of(place);
        needs[r / 64] |= std::uint64_t{1} << (r % 64);
        if (d.reads < kCollected)
            d.read[d.reads++] = r;
    }
}

} // namespace heddle::sm
