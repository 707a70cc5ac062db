// A program with its handlers, and the tables that the executors of a device share during a launch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exec/lane_move.h"
#include "exec/launch.h"
#include "exec/matrix_positions.h"
#include "exec/row_prefetch.h"
#include "exec/storage.h"
#include "exec/thread_table.h"
#include "exec/vector_ops.h"
#include "ir/program.h"

namespace heddle::exec {

class MemoryImage;

// The properties of a micro-op that bind() computes once.
struct Bound {
    VectorOp vector = nullptr;         // Alu
    LaneMove move = nullptr;           // Load, Store, Atomic
    ThreadMove move_threads = nullptr; // Load, Store
    std::uint8_t bytes = 0;            // that each thread accesses: element size times vector length
    std::uint8_t direct =
        0; // 4 or 8: one element with this width in memory and register, so whole-row copies are possible
    bool wide_base = true; // the base address register has 64 bits
    bool executable = false;
    std::uint8_t line = 1; // operations from here to the end of the straight line, this one included
    bool has_steps = false;
};

// A micro-op on registers that executes with another one (ir::Steps).
struct BoundStep {
    ir::MicroOp op;
    VectorOp vector = nullptr;
};
struct BoundSteps {
    std::vector<BoundStep> before, behind;
};

[[nodiscard]] Bound bind_op(const ir::MicroOp& op);

// Tables that all executors of a device read and that do not change during a launch. The first executor makes them, so
// the host's caches hold them once.
struct LaunchTables {
    std::vector<Bound> bound;              // by Pc
    std::vector<BoundSteps> steps;         // by index in Program::steps
    std::vector<std::uint32_t> steps_at;   // by Pc: index in `steps`, where Bound::has_steps
    std::vector<MatrixPositions> matrices; // by index in Program::matrices
    RowPrefetch prefetch;                  // of the launch
    AlignedBytes pool_copy;                // of the kernel
    AlignedBytes parameters;               // of the launch, behind kRowSlack bytes
    ThreadTable threads;
};

class BoundProgram {
public:
    // Binds handlers to the program's micro-ops from the first unbound one on. Call after each module is lowered.
    void bind(const ir::Program& program);
    // From now on the tables are those of `first`: bind() and begin() of `first` are called before its own.
    void share_tables_of(const BoundProgram& first);
    // Makes the tables of a launch of a bound program, unless they are shared; operands in constant memory have the
    // values that are in the image now. Throws UserError when the host has no memory for them.
    void begin(const Launch& launch, const MemoryImage& image);
    // Reasons why a kernel cannot be launched, a line each; empty when it can be (Executor::unsupported).
    [[nodiscard]] std::string unsupported(const ir::Kernel& kernel) const;

    [[nodiscard]] const ir::Program& program() const {
        return *program_;
    }
    [[nodiscard]] const ir::MicroOp& op(Pc pc) const { // after begin()
        return ops_[pc];
    }
    [[nodiscard]] const Bound& bound(Pc pc) const {
        return bound_[pc];
    }
    // Of a micro-op that has_steps.
    [[nodiscard]] const BoundSteps& steps(Pc pc) const {
        return tables_->steps[tables_->steps_at[pc]];
    }
    [[nodiscard]] const RowPrefetch& row_prefetch() const {
        return tables_->prefetch;
    }
    // The constants of the launched kernel.
    [[nodiscard]] const std::byte* pool() const {
        return pool_;
    }
    [[nodiscard]] const std::byte* parameters() const {
        return parameters_;
    }
    [[nodiscard]] const MatrixPositions& positions(std::size_t matrix) const {
        return tables_->matrices[matrix];
    }
    [[nodiscard]] const ThreadTable& threads() const {
        return tables_->threads;
    }

private:
    void bind_steps();
    void find_lines(Pc first);
    void make_tables(const Launch& launch, const MemoryImage& image);

    const ir::MicroOp* ops_ = nullptr;
    const Bound* bound_ = nullptr;
    const std::byte* pool_ = nullptr;
    const std::byte* parameters_ = nullptr;
    const ir::Program* program_ = nullptr;
    std::shared_ptr<LaunchTables> tables_ = std::make_shared<LaunchTables>();
    bool shares_ = false; // another executor makes the tables
};

} // namespace heddle::exec
