// An instruction of a kernel as the scoreboarded core needs it: the pipe, the latency, the registers that the
// instruction reads and writes. Decoded once, when the kernel is launched.
//
// Registers have small numbers: the slots of a row's frame, then its predicates; temporaries of one instruction have
// none. A 64-bit register has the number of its first slot. An instruction with steps (ir::Steps) reads and writes the
// registers of all of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/program.h"
#include "sm/frame/code_address.h"
#include "sm/sub_core/pipe_config.h"
#include "sm/sub_core/warpgroup_products.h"

namespace heddle::sm {

using RegisterNumber = std::uint16_t;

// What an instruction does with products of a warpgroup that are on their way.
enum class ProductRole : std::uint8_t { None, Part, Commit };

struct Decoded {
    static constexpr std::uint8_t kAwaitsNoProduct = 0xff, kAwaitsNoCopy = 0xff, kAwaitsAllCopies = 0xfe;

    std::uint8_t pipe = 0; // index in the PipeTable; its count() for the load/store unit
    PipeKind kind = PipeKind::Alu;
    bool in_pipe : 1 = true;    // it ends in a pipe and its next PC counts at once: neither an access nor a transfer
    bool accesses : 1 = false;  // it goes to the load/store unit
    bool transfers : 1 = false; // its next PC counts scoreboard.branch cycles later: branches, calls, returns, exits
    // Where the kernel packs reads: its latency is fixed; vector registers that it writes, 7 at most, and the first.
    bool fixed : 1 = false;
    std::uint8_t results_written : 3 = 0;
    bool wide_product : 1 = false; // IMAD.WIDE
    bool uniform : 1 = false;      // of the uniform path
    bool reads_constant : 1 = false;
    bool constant_ahead : 1 = false; // of reads_constant: it does not wait for a line that is missing
    bool loads_constant : 1 = false; // ULDC: the next instruction of its warp waits for a constant that is missing
    ProductRole product : 2 = ProductRole::None;
    bool closes_copies : 1 = false; // the asynchronous copies of its warp are a group
    bool of_bulk : 1 = false;       // closes_copies, awaited_copies: of bulk copies from shared memory
    bool tests_phase : 1 = false;   // of a barrier object
    std::uint8_t reads = 0;         // registers that the operand collector reads; predicates are not among them
    std::uint8_t writes = 0;
    std::uint8_t first_result = 0; // number of the first vector register that it writes
    // Groups of products of its warp that may be on their way when it issues.
    std::uint8_t awaited_groups = kAwaitsNoProduct;
    // Groups of asynchronous copies of its warp that may be on their way when it issues.
    std::uint8_t awaited_copies = kAwaitsNoCopy;
    std::uint16_t latency = 1;
    std::uint16_t interval = 1;
    std::array<RegisterNumber, 8> read;    // where the kernel packs reads: OperandRead::packed()
    std::array<RegisterNumber, 8> written; // predicates included

    // It waits for groups of products or of copies.
    [[nodiscard]] bool awaits_groups() const {
        return awaited_groups != kAwaitsNoProduct || awaited_copies != kAwaitsNoCopy;
    }
    [[nodiscard]] std::span<const RegisterNumber> results() const {
        return {written.data(), writes};
    }
};

class DecodedKernel {
public:
    struct Options {
        bool barriers_late = false;  // the outcome of a barrier counts later than its issue, as that of a transfer
        bool packs_reads = false;    // Decoded::read says the places of operands, too
        bool keeps_reads = false;    // reads_of() and writes_of() are known
        std::uint8_t copy_issue = 1; // TmaConfig::issue
    };
    explicit DecodedKernel(PipeTable pipes, Options options) : pipes_(std::move(pipes)), options_(options) {}
    explicit DecodedKernel(PipeTable pipes) : DecodedKernel(std::move(pipes), Options{}) {}

    // Decodes the kernel, unless it is the one that was decoded last.
    void decode(const ir::Program& program, const ir::Kernel& kernel);

    [[nodiscard]] const Decoded& at(Pc pc) const {
        return ops_[pc - begin_];
    }
    // Bit r of the mask: the instruction reads or writes register r (its guard included). An exit needs all registers.
    [[nodiscard]] const std::uint64_t* needs(Pc pc) const {
        return needs_.data() + std::size_t{pc - begin_} * words_;
    }
    // Where they are kept: the registers that an instruction reads, its guard included, and those that it writes. An
    // exit counts as a write of all registers.
    [[nodiscard]] std::span<const std::uint64_t> reads_of(Pc pc) const {
        return {reads_.data() + std::size_t{pc - begin_} * words_, words_};
    }
    [[nodiscard]] std::span<const std::uint64_t> writes_of(Pc pc) const {
        return {writes_.data() + std::size_t{pc - begin_} * words_, words_};
    }
    // constant_offset() of the constant that an instruction reads,
    [[nodiscard]] Address constant(Pc pc) const {
        return constants_[pc - begin_];
    }
    // and of an address in constant memory.
    [[nodiscard]] static Address constant_in_memory(Address address) {
        return constant_offset(kMemoryBank, address);
    }
    // Of an instruction with ProductRole::Part.
    [[nodiscard]] const ProductPart& product_part(Pc pc) const {
        return product_parts_[pc - begin_];
    }
    // The control bits of an instruction of native code. An exit waits for all counters.
    [[nodiscard]] const ir::ControlBits& control(Pc pc) const {
        return control_[pc - begin_];
    }
    [[nodiscard]] unsigned words() const { // 64-bit words of a mask of needs()
        return words_;
    }
    [[nodiscard]] unsigned registers() const {
        return registers_;
    }

private:
    void decode_op(const ir::MicroOp& op, Decoded& decoded) const;
    // Calls f(op, i) for each step of an instruction, whose index in ops_ is i.
    template <class F>
    void for_each_step(const ir::Program& program, const ir::Kernel& kernel, F&& f) const;
    void keep_reads(const ir::Program& program, const ir::Kernel& kernel);
    void set_place(const PipeTable::Place& place, Decoded& decoded) const;
    // What native instructions say of their timing: pipes of classes that have their own, products of 64 bits.
    void set_native_timing(const ir::Program& program, const ir::Kernel& kernel);
    // Adds the registers of a micro-op.
    void add_registers(const ir::MicroOp& op, Decoded& decoded, std::uint64_t* needs) const;
    void add_steps(const ir::Program& program, const ir::Kernel& kernel);
    // The part of a product of matrices that decode_op() leaves out.
    void decode_product(const ir::Matrix& matrix, Decoded& decoded, std::uint64_t* needs) const;
    // What instructions do with products on their way.
    void decode_products(const ir::Program& program, const ir::Kernel& kernel);
    // What instructions do with asynchronous copies on their way.
    void decode_copies(const ir::Program& program, const ir::Kernel& kernel);
    void decode_bulk_groups(const ir::Program& program, const ir::Kernel& kernel);
    // Decoded::read with the places of operands: those of native code, else in the order of the micro-op.
    void pack_reads(const ir::Program& program, const ir::Kernel& kernel);
    // Marks the instructions that end threads: exits, and returns in the kernel's own function.
    void mark_ends(const ir::Program& program, const ir::Kernel& kernel);
    // kNone: a constant or a temporary.
    static constexpr RegisterNumber kNone = 0xffff;
    [[nodiscard]] RegisterNumber number_of(ir::Place place) const;

    const PipeTable pipes_;
    const Options options_;
    Pc begin_ = 0;
    std::uint32_t frame_slots_ = 0;
    std::uint32_t slots_ = 0;      // that have numbers
    std::uint32_t lane_slots_ = 0; // of these, the registers of lanes; then uniform registers of native code
    unsigned registers_ = 0;
    unsigned words_ = 1;
    std::vector<Decoded> ops_;
    std::vector<std::uint64_t> needs_;
    std::vector<std::uint64_t> reads_, writes_; // empty: not kept
    std::vector<std::uint32_t> constants_;      // empty: no native code
    std::vector<ir::ControlBits> control_;      // empty: no native code
    std::vector<ProductPart> product_parts_;    // empty: no product is asynchronous
};

} // namespace heddle::sm
