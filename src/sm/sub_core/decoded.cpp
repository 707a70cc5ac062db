#include "sm/sub_core/decoded.h"

#include <algorithm>

#include "exec/frame.h"
#include "ir/async_copy.h"
#include "ir/bulk.h"
#include "ir/cache_operator.h"
#include "sm/load_store/tma_unit.h"
#include "sm/sub_core/operand_read.h"

namespace heddle::sm {
namespace {

using ir::Kind;

// Registers of a product of matrices that are read before its execution, as many as other arithmetic has at most; the
// others are read during the execution.
constexpr std::uint8_t kCollectedOfProduct = 5;

bool transfers_control(Kind kind) {
    return kind == Kind::Branch || kind == Kind::Indirect || kind == Kind::Call || kind == Kind::Return ||
           kind == Kind::Exit || kind == Kind::Trap;
}

bool accesses_memory(const ir::MicroOp& op) {
    return op.kind == Kind::Load || op.kind == Kind::Store || op.kind == Kind::Atomic || op.kind == Kind::Texture ||
           op.kind == Kind::Surface || op.kind == Kind::Fence || ir::drops_lines(op);
}

} // namespace

void DecodedKernel::decode(const ir::Program& program, const ir::Kernel& kernel) {
    const std::size_t count = kernel.end - kernel.begin;
    if (begin_ == kernel.begin && ops_.size() == count)
        return;
    begin_ = kernel.begin;
    frame_slots_ = kernel.slots;
    slots_ = kernel.slots - kernel.temporary_slots;
    registers_ = slots_ + kernel.predicates - kernel.temporary_predicates;
    const bool is_native = program.control_bits.size() >= kernel.end;
    lane_slots_ = is_native ? std::max(1U, kernel.registers) : slots_;
    words_ = std::max(1U, (registers_ + 63) / 64);
    ops_.assign(count, Decoded{});
    needs_.assign(count * words_, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const ir::MicroOp& op = program.ops[kernel.begin + i];
        std::uint64_t* const needs = needs_.data() + i * words_;
        decode_op(op, ops_[i]);
        add_registers(op, ops_[i], needs);
        if (op.is_matrix_product())
            decode_product(program.matrices[static_cast<std::size_t>(op.imm)], ops_[i], needs);
    }
    add_steps(program, kernel);
    decode_products(program, kernel);
    decode_copies(program, kernel);
    decode_bulk_groups(program, kernel);
    if (options_.keeps_reads)
        keep_reads(program, kernel);
    control_.clear();
    if (is_native)
        control_.assign(program.control_bits.begin() + kernel.begin, program.control_bits.begin() + kernel.end);
    for (std::size_t i = 0; i < control_.size(); ++i)
        if (TmaUnit::takes(program.ops[kernel.begin + i]))
            control_[i].stall = std::max(control_[i].stall, options_.copy_issue);
    mark_ends(program, kernel);
    set_native_timing(program, kernel);
    if (options_.packs_reads)
        pack_reads(program, kernel);
}

template <class F>
void DecodedKernel::for_each_step(const ir::Program& program, const ir::Kernel& kernel, F&& f) const {
    const auto first = std::lower_bound(program.steps.begin(), program.steps.end(), kernel.begin,
                                        [](const ir::Steps& steps, Pc pc) { return steps.pc < pc; });
    for (auto steps = first; steps != program.steps.end() && steps->pc < kernel.end; ++steps)
        for (const std::vector<ir::MicroOp>* list : {&steps->before, &steps->behind})
            for (const ir::MicroOp& op : *list)
                f(op, steps->pc - begin_);
}

void DecodedKernel::add_steps(const ir::Program& program, const ir::Kernel& kernel) {
    for_each_step(program, kernel, [&](const ir::MicroOp& op, std::size_t i) {
        add_registers(op, ops_[i], needs_.data() + i * words_);
    });
}

// The masks of reads_of() and writes_of().
void DecodedKernel::keep_reads(const ir::Program& program, const ir::Kernel& kernel) {
    reads_.assign(needs_.size(), 0);
    writes_.assign(needs_.size(), 0);
    const auto mark = [&](std::vector<std::uint64_t>& masks, ir::Place place, std::size_t i) {
        if (const RegisterNumber r = number_of(place); r != kNone)
            masks[i * words_ + r / 64] |= std::uint64_t{1} << (r % 64);
    };
    const auto add = [&](const ir::MicroOp& op, std::size_t i) {
        mark(reads_, op.guard, i);
        for (const ir::Place place : op.src)
            mark(reads_, place, i);
        for (const ir::Place place : op.dst)
            mark(writes_, place, i);
        if (!op.is_matrix_product())
            return;
        const ir::Matrix& matrix = program.matrices[static_cast<std::size_t>(op.imm)];
        for (unsigned r = 0; r < matrix.sources(); ++r)
            mark(reads_, matrix.source[r], i);
    };
    for (std::size_t i = 0; i < ops_.size(); ++i)
        add(program.ops[begin_ + i], i);
    for_each_step(program, kernel, add);
}

namespace {

// `lane_slots`: numbers of vector registers are below.
void pack_native(const ir::NativeInstruction& reads, std::uint32_t lane_slots, Decoded& d) {
    for (unsigned i = d.writes; i-- > 0;)
        if (d.written[i] < lane_slots)
            d.first_result = static_cast<std::uint8_t>(d.written[i]);
    d.fixed = reads.fixed && d.in_pipe;
    d.results_written = std::min<std::uint8_t>(reads.results, 7) & 7U;
    d.reads = 0;
    for (std::size_t place = 0; place < reads.operands.size(); ++place)
        for (unsigned n = 0; n < reads.operands[place].count && d.reads < d.read.size(); ++n)
            d.read[d.reads++] = OperandRead{static_cast<std::uint8_t>(reads.operands[place].first + n),
                                            static_cast<std::uint8_t>(place), reads.operands[place].reuse}
                                    .packed();
}

} // namespace

void DecodedKernel::set_native_timing(const ir::Program& program, const ir::Kernel& kernel) {
    if (program.native.size() < kernel.end)
        return;
    constants_.assign(ops_.size(), 0);
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const ir::NativeInstruction& native = program.native[kernel.begin + i];
        ops_[i].wide_product = native.wide_product;
        ops_[i].reads_constant = native.constant.is_read;
        ops_[i].constant_ahead = native.constant.ahead;
        ops_[i].tests_phase = native.phase != ir::kNowhere;
        constants_[i] = constant_offset(native.constant.bank, native.constant.offset);
        const PipeTable::Place* const place = pipes_.place(native.type);
        if (place != nullptr && ops_[i].accesses && native.type == ir::NativeInstruction::Class::Uniform) {
            ops_[i].accesses = false;
            ops_[i].in_pipe = ops_[i].loads_constant = true;
        }
        if (place == nullptr || !ops_[i].in_pipe)
            continue;
        set_place(*place, ops_[i]);
        ops_[i].uniform = native.type == ir::NativeInstruction::Class::Uniform;
    }
}

void DecodedKernel::pack_reads(const ir::Program& program, const ir::Kernel& kernel) {
    const bool native = program.native.size() >= kernel.end;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        Decoded& d = ops_[i];
        if (native) {
            pack_native(program.native[kernel.begin + i], lane_slots_, d);
            if (program.ops[kernel.begin + i].is_matrix_product())
                d.reads = std::min(d.reads, kCollectedOfProduct);
        } else {
            d.fixed = d.in_pipe && d.kind == PipeKind::Alu;
            for (unsigned n = 0; n < d.reads; ++n)
                d.read[n] = OperandRead{static_cast<std::uint8_t>(d.read[n]), static_cast<std::uint8_t>(n)}.packed();
        }
        mark_registers_read_again({d.read.data(), d.reads});
    }
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
        if (kind != Kind::Exit && !(kind == Kind::Return && in_kernel))
            continue;
        for (std::vector<std::uint64_t>* const masks : {&needs_, &writes_})
            if (!masks->empty())
                std::fill_n(masks->begin() + static_cast<std::ptrdiff_t>(i * words_), words_, ~std::uint64_t{0});
        if (!control_.empty())
            control_[i].wait = (1U << ir::ControlBits::kCounters) - 1;
    }
}

RegisterNumber DecodedKernel::number_of(ir::Place place) const {
    if (place == ir::kNowhere || (place & ir::kPool) != 0)
        return kNone;
    const std::size_t predicates = std::size_t{frame_slots_} * exec::kSlotBytes;
    const std::size_t number =
        place < predicates ? place / exec::kSlotBytes : slots_ + (place - predicates) / exec::kPredicateBytes;
    const std::size_t end = place < predicates ? slots_ : registers_;
    return number < end ? static_cast<RegisterNumber>(number) : kNone;
}

void DecodedKernel::decode_op(const ir::MicroOp& op, Decoded& d) const {
    d.accesses = accesses_memory(op);
    set_place(pipes_.place(op), d);
    if (d.accesses)
        d.pipe = static_cast<std::uint8_t>(pipes_.count());
    d.transfers =
        transfers_control(op.kind) || (options_.barriers_late && op.kind == Kind::Barrier && op.dst[0] == ir::kNowhere);
    d.in_pipe = !d.accesses && !d.transfers;
}

void DecodedKernel::set_place(const PipeTable::Place& place, Decoded& d) const {
    d.pipe = static_cast<std::uint8_t>(place.pipe);
    d.kind = pipes_.specs()[place.pipe].kind;
    d.latency = place.timing.latency;
    d.interval = place.timing.interval;
}

void DecodedKernel::add_registers(const ir::MicroOp& op, Decoded& d, std::uint64_t* needs) const {
    const auto need = [&](RegisterNumber r) {
        if (r != kNone)
            needs[r / 64] |= std::uint64_t{1} << (r % 64);
    };
    need(number_of(op.guard));
    for (const ir::Place place : op.src) {
        const RegisterNumber r = number_of(place);
        need(r);
        if (r < lane_slots_ && d.reads < d.read.size())
            d.read[d.reads++] = r;
    }
    for (const ir::Place place : op.dst) {
        const RegisterNumber r = number_of(place);
        need(r);
        if (r != kNone)
            d.written[d.writes++] = r;
    }
}

// Without a tensor unit a product of matrices occupies the pipe for as many multiply-adds as a lane does one after the
// other.
void DecodedKernel::decode_product(const ir::Matrix& matrix, Decoded& d, std::uint64_t* needs) const {
    const unsigned further = (matrix.cycles() - 1) * d.interval;
    const auto longer = [&](unsigned cycles) {
        return static_cast<std::uint16_t>(std::min(cycles + further, PipeTiming::kMostCycles));
    };
    if (const std::optional<PipeTable::Place> place = pipes_.place(matrix)) {
        set_place(*place, d);
    } else {
        d.latency = longer(d.latency);
        d.interval = longer(d.interval);
    }
    for (unsigned i = 0; i < matrix.sources(); ++i) {
        const RegisterNumber r = number_of(matrix.source[i]);
        if (r == kNone)
            continue;
        needs[r / 64] |= std::uint64_t{1} << (r % 64);
        if (d.reads < kCollectedOfProduct)
            d.read[d.reads++] = r;
    }
}

// wgmma.commit_group and wait_group are waits of a warp and of a warpgroup whose `imm` is above 0
// (ir/selection/wgmma.cpp): of wait_group the number of groups plus 1.
void DecodedKernel::decode_products(const ir::Program& program, const ir::Kernel& kernel) {
    product_parts_.clear();
    const auto multiplies = [&](const ir::MicroOp& op) {
        return op.is_matrix_product() && pipes_.is_asynchronous(program.matrices[static_cast<std::size_t>(op.imm)]);
    };
    const auto* const ops = program.ops.data() + kernel.begin;
    if (std::none_of(ops, ops + ops_.size(), multiplies))
        return;
    product_parts_.resize(ops_.size());
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const ir::MicroOp& op = ops[i];
        if (multiplies(op)) {
            ops_[i].product = ProductRole::Part;
            product_parts_[i] = part_of(program.matrices[static_cast<std::size_t>(op.imm)]);
        } else if (op.opcode == ir::Opcode::WarpBarrier && op.imm != 0) {
            ops_[i].product = ProductRole::Commit;
        } else if (op.is_of_warpgroup() && op.imm != 0) {
            ops_[i].awaited_groups =
                static_cast<std::uint8_t>(std::min<std::int64_t>(op.imm - 1, Decoded::kAwaitsNoProduct));
        }
    }
}

void DecodedKernel::decode_bulk_groups(const ir::Program& program, const ir::Kernel& kernel) {
    const auto* const ops = program.ops.data() + kernel.begin;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const ir::MicroOp& op = ops[i];
        if (op.opcode != ir::Opcode::CpBulk || op.kind != Kind::Nop || op.imm == 0)
            continue;
        ops_[i].of_bulk = true;
        ops_[i].closes_copies = op.imm == ir::bulk::kClosesGroup;
        if (op.imm >= ir::bulk::kWaits)
            ops_[i].awaited_copies = static_cast<std::uint8_t>(
                std::min<std::int64_t>(op.imm - ir::bulk::kWaits, Decoded::kAwaitsAllCopies - 1));
    }
}

// The threads of a warp end when its copies have: until then the shared memory is theirs.
void DecodedKernel::decode_copies(const ir::Program& program, const ir::Kernel& kernel) {
    const auto* const ops = program.ops.data() + kernel.begin;
    const auto copies = [](const ir::MicroOp& op) { return op.opcode == ir::Opcode::CpAsync && op.kind == Kind::Load; };
    if (std::none_of(ops, ops + ops_.size(), copies))
        return;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const ir::MicroOp& op = ops[i];
        const bool is_of_groups = op.opcode == ir::Opcode::CpAsync && op.kind == Kind::Nop && op.has(ir::kAsyncCopy);
        if (op.kind == Kind::Exit || (is_of_groups && op.imm == ir::async_copy::kWaitForAll))
            ops_[i].awaited_copies = Decoded::kAwaitsAllCopies;
        else if (is_of_groups && op.imm == ir::async_copy::kCloseGroup)
            ops_[i].closes_copies = true;
        else if (is_of_groups)
            ops_[i].awaited_copies =
                static_cast<std::uint8_t>(std::min<std::int64_t>(op.imm, Decoded::kAwaitsAllCopies - 1));
    }
}

} // namespace heddle::sm
