#include "ir/analysis/verify.h"

#include <stdexcept>

#include <fmt/format.h>

#include "ir/disassemble.h"

namespace heddle::ir {

namespace {

constexpr std::uint32_t kSlotBytes = 4 * kVectorLanes;

class Checker {
public:
    Checker(const Program& program, const Kernel& kernel)
        : program_(program), kernel_(kernel), slots_end_(kernel.slots * kSlotBytes),
          frame_end_(slots_end_ + kernel.predicates * 4), pool_bytes_(program.pool.size() - kernel.pool_begin) {}

    void run() {
        for (pc_ = kernel_.begin; pc_ < kernel_.end; ++pc_) {
            const MicroOp& op = program_.ops[pc_];
            places(op);
            targets(op);
            operands(op);
        }
        for (const Steps& steps : program_.steps) {
            pc_ = steps.pc;
            if (pc_ >= kernel_.begin && pc_ < kernel_.end)
                for (const std::vector<MicroOp>* list : {&steps.before, &steps.behind})
                    for (const MicroOp& op : *list)
                        step(op);
        }
    }

private:
    void require(bool good, std::string_view what) const {
        if (!good)
            throw std::logic_error(fmt::format("lowering of kernel '{}', {}: {}: {}", kernel_.name,
                                               program_.describe(pc_), what, to_string(program_, pc_)));
    }

    void step(const MicroOp& op) const {
        require(op.kind == Kind::Alu, "a step that is no operation on registers");
        places(op);
        operands(op);
    }

    void place(Place p) const {
        if (p == kNowhere)
            return;
        if ((p & kPool) != 0) {
            const std::uint32_t offset = p & ~kPool;
            require(offset % kSlotBytes == 0 && offset + kSlotBytes <= pool_bytes_, "place outside the pool");
        } else if (p < slots_end_) {
            require(p % kSlotBytes == 0, "place between slots");
        } else {
            require(p + 4 <= frame_end_ && (p - slots_end_) % 4 == 0, "place outside the frame");
        }
    }

    void places(const MicroOp& op) const {
        for (const Place p : op.dst) {
            place(p);
            require(p == kNowhere || (p & kPool) == 0, "destination in the pool");
        }
        for (const Place p : op.src)
            place(p);
        if (op.is_matrix_product()) {
            require(op.imm >= 0 && static_cast<std::size_t>(op.imm) < program_.matrices.size(),
                    "product of no matrices");
            const Matrix& matrix = program_.matrices[static_cast<std::size_t>(op.imm)];
            for (unsigned i = 0; i < matrix.sources(); ++i)
                place(matrix.source.at(i));
        }
        place(op.guard);
        require(op.guard == kNowhere || is_predicate(op.guard), "guard is no predicate");
    }

    [[nodiscard]] bool is_predicate(Place p) const {
        return (p & kPool) == 0 && p >= slots_end_;
    }

    void targets(const MicroOp& op) const {
        const Function& function = program_.functions.at(program_.origins[pc_].function);
        const auto inside = [&](Pc pc) { return pc >= function.begin && pc < function.end; };
        require(inside(pc_), "op outside its function");
        if (op.kind == Kind::Branch)
            require(inside(op.target), "target outside the function");
        if (op.kind == Kind::Call) {
            require(op.target >= kernel_.begin && op.target < kernel_.end, "call outside the kernel");
            require(program_.functions.at(program_.origins[op.target].function).begin == op.target,
                    "call into a function's middle");
            require(op.imm >= 0 && static_cast<std::size_t>(op.imm) < program_.calls.size(), "call without a site");
        }
        require(op.reconvergence == kNoPc || inside(op.reconvergence), "reconvergence outside the function");
        const bool falls = op.guard != kNowhere || (op.kind != Kind::Branch && op.kind != Kind::Return &&
                                                    op.kind != Kind::Exit && op.kind != Kind::Trap);
        require(!falls || inside(pc_ + 1), "falls off its function");
    }

    void operands(const MicroOp& op) const {
        const auto has = [](Place p) { return p != kNowhere; };
        switch (op.kind) {
        case Kind::Alu:
            require(has(op.src[0]), "no source");
            require(has(op.dst[0]) || op.opcode == Opcode::Setp || op.opcode == Opcode::Unpack, "no destination");
            break;
        case Kind::Special:
            require(has(op.dst[0]), "no destination");
            break;
        case Kind::Load:
            require(op.vector == 1 ? has(op.dst[0]) : op.vector == 2 || op.vector == 4, "no destination");
            break;
        case Kind::Store:
            for (unsigned i = 0; i < op.vector; ++i)
                require(has(op.src.at(i + 1)), "no data");
            break;
        case Kind::Texture:
            require(has(op.src[0]) && has(op.src[1]), "no object or coordinate");
            break;
        case Kind::Surface:
            require(has(op.src[0]) && has(op.src[1]), "no object or coordinate");
            for (unsigned i = 0; i < op.vector && op.opcode != Opcode::CpBulk; ++i)
                require(has(op.src.at(i + 4)), "no data");
            break;
        case Kind::Atomic:
            require(has(op.src[1]) && (op.sub != Sub::AtomCas || has(op.src[2])), "no data");
            break;
        case Kind::Barrier:
            require(has(op.src[0]) || op.sub == Sub::BarClusterArrive || op.sub == Sub::BarClusterWait,
                    "no barrier number");
            break;
        case Kind::WarpSync:
            require(!op.has(kHasMask) || has(op.src[3]), "no member mask");
            break;
        default:
            break;
        }
    }

    const Program& program_;
    const Kernel& kernel_;
    const std::uint32_t slots_end_;
    const std::uint32_t frame_end_;
    const std::size_t pool_bytes_;
    Pc pc_ = 0;
};

} // namespace

void verify(const Program& program, const Kernel& kernel) {
    Checker(program, kernel).run();
}

} // namespace heddle::ir
