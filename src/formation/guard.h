// Checks the groups of a formation that a plug-in has brought, while it runs.
#pragma once

#include <span>
#include <string>

#include "exec/executor.h"
#include "formation/formation.h"

namespace heddle::formation {

class Guard {
public:
    // `who` names the formation in messages; `units` are those of its table.
    Guard(std::string who, unsigned units, const exec::Executor& executor)
        : who_(std::move(who)), executor_(executor), units_(units) {}

    // The program and the threads of the following groups: after Executor::begin().
    void use(const ir::Program& program) {
        pcs_ = program.ops.size();
        rows_ = executor_.rows();
    }

    // Throws a fault (exec/policy_fault.h) when form() has made a group that cannot execute: of a unit, an instruction,
    // a row or threads that there are not.
    void check(const warp::Group& group) const {
        const warp::Part& part = group.part[0];
        const bool exists = (group.parts == 1) & (part.row < rows_.size()) & (group.unit < units_) & (group.pc < pcs_);
        if (exists && fits(part) && static_cast<unsigned>(count_lanes(part.lanes)) == group.threads) [[likely]]
            return;
        check_each(group);
    }
    // Throws a fault when starved() answers a flight that does not wait for lines, or none of whose threads have hit.
    void check_starved(warp::FlightId answer, std::span<const warp::Flight> flights) const;
    // Throws a fault when divided() has given the threads that run ahead a unit that there is not.
    void check_divided(const warp::Group& ahead, const warp::UnitTable& units) const;

private:
    [[nodiscard]] bool fits(const warp::Part& part) const {
        return part.lanes != 0 && (part.lanes & ~rows_[part.row].live) == 0;
    }
    void check_each(const warp::Group& group) const;
    [[noreturn]] void refuse(const warp::Group& group, const std::string& what, const std::string& allowed) const;

    std::string who_;
    const exec::Executor& executor_;
    unsigned units_; // ids below
    std::span<const exec::RowState> rows_;
    std::size_t pcs_ = 0;
};

} // namespace heddle::formation
