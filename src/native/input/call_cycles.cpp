#include "native/input/call_cycles.h"

#include <algorithm>
#include <set>

#include "ir/analysis/cfg.h"

namespace heddle::native {

using ir::Place;

CallCycles::CallCycles(const ir::Program& program, const ir::Kernel& kernel) {
    std::map<std::uint32_t, std::set<std::uint32_t>> calls;
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc)
        if (const ir::MicroOp& op = program.ops[pc]; op.kind == ir::Kind::Call)
            calls[program.origins[pc].function].insert(program.origins[op.target].function);
    for (const auto& [from, to] : calls)
        callees_[from].assign(to.begin(), to.end());
    for (const auto& [from, to] : callees_) {
        std::set<std::uint32_t> met;
        std::vector<std::uint32_t> work = to;
        while (!work.empty()) {
            const std::uint32_t next = work.back();
            work.pop_back();
            if (!met.insert(next).second)
                continue;
            if (const auto found = callees_.find(next); found != callees_.end())
                work.insert(work.end(), found->second.begin(), found->second.end());
        }
        reached_[from].assign(met.begin(), met.end());
    }
}

bool CallCycles::reaches(std::uint32_t from, std::uint32_t to) const {
    const auto found = reached_.find(from);
    return found != reached_.end() && std::binary_search(found->second.begin(), found->second.end(), to);
}

std::vector<std::uint32_t> CallCycles::of(std::uint32_t function) const {
    std::vector<std::uint32_t> out;
    if (reaches(function, function))
        std::copy_if(reached_.at(function).begin(), reached_.at(function).end(), std::back_inserter(out),
                     [&](std::uint32_t other) { return reaches(other, function); });
    return out;
}

bool CallCycles::any() const {
    return std::any_of(reached_.begin(), reached_.end(), [&](const auto& r) { return reaches(r.first, r.first); });
}

namespace {

// Backward data flow over the micro-ops of one function.
class Liveness {
public:
    Liveness(const ir::Program& program, const ir::Function& function)
        : program_(program), function_(function), before_(function.end - function.begin + 1) {
        bool changed = true;
        while (changed) {
            changed = false;
            for (Pc pc = function.end; pc-- > function.begin;) {
                std::set<Place> alive = behind(pc);
                step(program.ops[pc], alive);
                if (std::set<Place>& old = before_[pc - function.begin]; alive != old) {
                    old = std::move(alive);
                    changed = true;
                }
            }
        }
    }

    [[nodiscard]] std::set<Place> behind(Pc pc) const {
        const ir::MicroOp& op = program_.ops[pc];
        std::set<Place> alive;
        if (ir::falls_through(op))
            alive = before_[pc + 1 - function_.begin];
        if (op.kind == ir::Kind::Branch) {
            const std::set<Place>& there = before_[op.target - function_.begin];
            alive.insert(there.begin(), there.end());
        }
        return alive;
    }

private:
    void step(const ir::MicroOp& op, std::set<Place>& alive) const {
        if (op.guard == ir::kNowhere)
            for (const Place p : op.dst)
                alive.erase(p);
        const auto read = [&](Place p) {
            if (p != ir::kNowhere && (p & ir::kPool) == 0)
                alive.insert(p);
        };
        std::for_each(op.src.begin(), op.src.end(), read);
        read(op.guard);
        if (op.is_matrix_product()) {
            const ir::Matrix& matrix = program_.matrices[static_cast<std::size_t>(op.imm)];
            std::for_each(matrix.source.begin(), matrix.source.begin() + matrix.sources(), read);
        }
    }

    const ir::Program& program_;
    const ir::Function& function_;
    std::vector<std::set<Place>> before_; // by micro-op, and none behind the last
};

} // namespace

std::map<Pc, std::vector<Place>> live_behind_calls(const ir::Program& program, const ir::Function& function) {
    const Liveness liveness(program, function);
    std::map<Pc, std::vector<Place>> out;
    for (Pc pc = function.begin; pc < function.end; ++pc)
        if (program.ops[pc].kind == ir::Kind::Call) {
            const std::set<Place> alive = liveness.behind(pc);
            out[pc].assign(alive.begin(), alive.end());
        }
    return out;
}

} // namespace heddle::native
